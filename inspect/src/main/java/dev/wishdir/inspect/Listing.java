package dev.wishdir.inspect;

import dev.wishdir.wire.Line;
import dev.wishdir.wire.Traced;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Writes lines for people: each in one line of text with its fields, and under it, where it has a
 * trace, every field with its place and its bytes, like a hex dump with notes.
 *
 * <pre>
 *     12  0.033012  c2s 42268  sauerbraten  N_POS  cn=0 ...
 *         0000    04                       type   N_POS
 *         0001    00                       cn     0
 *         0002.4  +3                         physstate  5
 * </pre>
 *
 * An offset is bytes in hex, with the bit behind a point where it is not the lowest; {@code +3}
 * says how many bits, where they are not whole bytes.
 */
public final class Listing implements Consumer<Line> {
    private static final int BYTES_A_ROW = 8;
    private static final int MOST_ROWS = 8;
    private static final int RAW_WIDTH = BYTES_A_ROW * 3;

    private final PrintWriter out;

    public Listing(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void accept(Line line) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%6d  ", line.frame()));
        if (!Double.isNaN(line.time())) {
            text.append(String.format(Locale.ROOT, "%10.6f  ", line.time()));
        }
        text.append(line.direction().label());
        if (line.client() != 0) {
            text.append(String.format(Locale.ROOT, " %5d", line.client()));
        }
        text.append("  ").append(line.game());
        // Messages stand further in than the transport that carried them.
        text.append(line.layer() == Line.Layer.MESSAGE ? "    " : "  ").append(line.name());
        line.fields()
                .forEach((name, value) ->
                        text.append("  ").append(name).append('=').append(shown(value)));
        out.println(text);
        line.trace().forEach(this::row);
    }

    private static String shown(Object value) {
        return printable(value instanceof String text ? '"' + text + '"' : String.valueOf(value));
    }

    private void row(Traced field) {
        boolean whole = field.bit() % Byte.SIZE == 0 && field.bits() % Byte.SIZE == 0;
        String offset = String.format(Locale.ROOT, "%04x", field.bit() / Byte.SIZE);
        if (field.bit() % Byte.SIZE != 0) {
            offset += "." + field.bit() % Byte.SIZE;
        }
        boolean bytes = whole && !field.part() && field.raw().length() == field.bits() / 4;
        String raw = bytes ? spaced(field.raw(), 0) : "+" + field.bits();
        String name = (field.part() ? "  " : "") + field.name();
        out.println(
                String.format(
                        Locale.ROOT,
                        "        %-8s%-" + RAW_WIDTH + "s  %-24s  %s",
                        offset,
                        raw,
                        name,
                        printable(field.meaning())));
        int length = field.raw().length() / 2;
        for (int at = BYTES_A_ROW; bytes && at < length; at += BYTES_A_ROW) {
            if (at == BYTES_A_ROW * MOST_ROWS) {
                out.println("                … " + (length - at) + " more bytes");
                break;
            }
            out.println("                " + spaced(field.raw(), at));
        }
    }

    /** A row of bytes from hex, a blank between two. */
    private static String spaced(String hex, int at) {
        StringBuilder row = new StringBuilder(RAW_WIDTH);
        for (int i = 2 * at; i < Math.min(hex.length(), 2 * (at + BYTES_A_ROW)); i += 2) {
            row.append(hex, i, i + 2).append(' ');
        }
        return row.toString();
    }

    /** Foreign text that can't steer a terminal. */
    private static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (Character.isISOControl(c)
                            || Character.getType(c) == Character.FORMAT
                            || Character.getType(c) == Character.SURROGATE) {
                        safe.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                });
        return safe.toString();
    }
}
