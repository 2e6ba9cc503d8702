package dev.wishdir.inspect.output;

import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes messages as text: one line with the fields of each message and, if it has a trace, one
 * further line per field with its offset, bytes and meaning, like an annotated hex dump.
 *
 * <pre>
 *     12  0.033012  c2s 42268  sauerbraten  N_POS  cn=0 ...
 *         0000    04                       type   N_POS
 *         0001    00                       cn     0
 *         0002.4  +3                         physstate  5
 * </pre>
 *
 * An offset is a hexadecimal number of bytes, followed by a dot and the bit unless that is 0;
 * {@code +3} is a number of bits that are not whole bytes. Text is in quotes and escaped as in
 * JSON; control characters and invisible ones are escaped too.
 */
public final class TextListing implements Consumer<DissectedMessage> {
    private static final int BYTES_PER_ROW = 8;
    private static final int MAX_ROWS = 8;
    private static final int RAW_WIDTH = BYTES_PER_ROW * 3;

    private final PrintWriter out;

    public TextListing(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void accept(DissectedMessage message) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%6d  ", message.frame()));
        if (!Double.isNaN(message.time())) {
            text.append(String.format(Locale.ROOT, "%10.6f  ", message.time()));
        }
        text.append(message.direction().label());
        if (message.client() != 0) {
            text.append(String.format(Locale.ROOT, " %5d", message.client()));
        }
        text.append("  ").append(message.game());
        // Messages are indented more than the transport that carries them.
        text.append(message.layer() == DissectedMessage.Layer.MESSAGE ? "    " : "  ");
        append(text, message);
        out.println(text);
        message.trace().forEach(this::row);
    }

    private static void append(StringBuilder to, DissectedMessage message) {
        to.append(printable(message.name()));
        message.fields().forEach((name, value) -> append(to.append("  "), name, value));
    }

    /** The line of a message from its name on, then a line {@code NAME: MEANING} of each field. */
    public static List<String> lines(DissectedMessage message) {
        List<String> lines = new ArrayList<>();
        StringBuilder first = new StringBuilder();
        append(first, message);
        lines.add(first.toString());
        for (Traced field : message.trace()) {
            lines.add(printable(field.name() + ": " + field.meaning()));
        }
        return lines;
    }

    private static void append(StringBuilder to, @Nullable Object name, @Nullable Object value) {
        to.append(printable(String.valueOf(name))).append('=');
        append(to, value);
    }

    private static void append(StringBuilder to, @Nullable Object value) {
        switch (value) {
            case null -> to.append("null");
            case String text -> to.append(quoted(text));
            case Map<?, ?> fields -> {
                to.append('{');
                String between = "";
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    append(to.append(between), field.getKey(), field.getValue());
                    between = ", ";
                }
                to.append('}');
            }
            case Iterable<?> items -> {
                to.append('[');
                String between = "";
                for (Object item : items) {
                    append(to.append(between), item);
                    between = ", ";
                }
                to.append(']');
            }
            default -> to.append(printable(value.toString()));
        }
    }

    private void row(Traced field) {
        boolean whole = field.bit() % Byte.SIZE == 0 && field.bits() % Byte.SIZE == 0;
        String offset = String.format(Locale.ROOT, "%04x", field.bit() / Byte.SIZE);
        if (field.bit() % Byte.SIZE != 0) {
            offset += "." + field.bit() % Byte.SIZE;
        }
        boolean bytes = whole && !field.part() && field.raw().length() == field.bits() / 4;
        String raw = bytes ? spaced(field.raw(), 0) : "+" + field.bits();
        String name = (field.part() ? "  " : "") + printable(field.name());
        out.println(
                String.format(
                        Locale.ROOT,
                        "        %-8s%-" + RAW_WIDTH + "s  %-24s  %s",
                        offset,
                        raw,
                        name,
                        printable(field.meaning())));
        int length = field.raw().length() / 2;
        for (int at = BYTES_PER_ROW; bytes && at < length; at += BYTES_PER_ROW) {
            if (at == BYTES_PER_ROW * MAX_ROWS) {
                out.println("                … " + (length - at) + " more bytes");
                break;
            }
            out.println("                " + spaced(field.raw(), at));
        }
    }

    /** A row of hexadecimal bytes, separated by spaces. */
    private static String spaced(String hex, int at) {
        StringBuilder row = new StringBuilder(RAW_WIDTH);
        for (int i = 2 * at; i < Math.min(hex.length(), 2 * (at + BYTES_PER_ROW)); i += 2) {
            row.append(hex, i, i + 2).append(' ');
        }
        return row.toString();
    }

    /** A text in quotes, escaped as in the listing. */
    public static String quoted(String text) {
        return '"' + printable(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** Untrusted text without control characters, for a terminal. */
    private static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (isUnsafe(c)) {
                        safe.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    true;
            default -> false;
        };
    }
}
