package dev.wishdir.inspect;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

/**
 * A field that a line must have, and its value: {@code cn=1}, or by the names on the way to it,
 * {@code ps.origin.2=257}. Where a list is on the way and no item is numbered any is meant: {@code
 * entities.number=18}. The case of names does not matter, and numbers are equal however they are
 * written.
 *
 * @param path the field's name, or names with points between
 * @param value as JSON has it, without quotes; {@code null} for one that is not there
 */
public record FieldFilter(String path, String value) {
    /**
     * Reads {@code FIELD=VALUE}.
     *
     * @throws IllegalArgumentException if there is no field or no {@code =}
     */
    public static FieldFilter parse(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0 || text.substring(0, equals).isBlank()) {
            throw new IllegalArgumentException("'" + text + "' is not FIELD=VALUE, as cn=1");
        }
        return new FieldFilter(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }

    /** Whether a line has the field with this value. */
    public boolean takes(DissectedMessage message) {
        return takes(JsonLines.fields(message));
    }

    /** Whether fields, as JSON, have this one with this value. */
    public boolean takes(String fields) {
        return find(fields, new Wanted(value));
    }

    /** Whether a line has the field, whatever its value. */
    public boolean isIn(DissectedMessage message) {
        return find(JsonLines.fields(message), null);
    }

    private boolean find(String fields, @Nullable Wanted wanted) {
        if (!mayBeIn(fields)) {
            return false;
        }
        try (JsonReader in = new JsonReader(new StringReader(fields))) {
            return holds(in, path, wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether it is worth while to look into some text of JSON, of one line's fields or of many:
     * parsing is dear, and most lines of a long capture have no field of that name at all.
     */
    public boolean mayBeIn(String text) {
        int point = path.indexOf('.');
        String first = point < 0 ? path : path.substring(0, point);
        return !first.chars().allMatch(FieldFilter::isPlain) || hasName(text, first);
    }

    /** Whether a quotation mark and a name, in any case, are somewhere in a text. */
    private static boolean hasName(String text, String name) {
        for (int at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
            if (text.regionMatches(true, at + 1, name, 0, name.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether JSON writes a character as itself. */
    private static boolean isPlain(int c) {
        return Character.isLetterOrDigit(c) && c < 0x80 || c == '_' || c == '[' || c == ']';
    }

    /** A value, and the number that it is. */
    private record Wanted(String text, double number) {
        Wanted(String text) {
            this(text, number(text));
        }

        private static double number(String text) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException _) {
                return Double.NaN;
            }
        }

        boolean isNext(JsonReader in) throws IOException {
            return switch (in.peek()) {
                case NULL -> {
                    in.nextNull();
                    yield text.equals("null");
                }
                case BOOLEAN -> text.equals(Boolean.toString(in.nextBoolean()));
                case NUMBER -> {
                    String is = in.nextString();
                    yield is.equals(text) || Double.parseDouble(is) == number;
                }
                default -> in.nextString().equals(text);
            };
        }
    }

    /** Reads a value, or as much of it as shows that it holds the wanted one. */
    private static boolean holds(JsonReader in, String path, @Nullable Wanted wanted)
            throws IOException {
        JsonToken token = in.peek();
        if (path.isEmpty() && wanted == null) {
            return true;
        }
        if (token == JsonToken.BEGIN_ARRAY) {
            in.beginArray();
            for (int i = 0; in.hasNext(); i++) {
                if (holds(in, inItem(path, i), wanted)) {
                    return true;
                }
            }
            in.endArray();
            return false;
        }
        if (token == JsonToken.BEGIN_OBJECT && !path.isEmpty()) {
            in.beginObject();
            while (in.hasNext()) {
                String rest = below(path, in.nextName());
                if (rest == null) {
                    in.skipValue();
                } else if (holds(in, rest, wanted)) {
                    return true;
                }
            }
            in.endObject();
            return false;
        }
        if (token == JsonToken.BEGIN_OBJECT || !path.isEmpty() || wanted == null) {
            in.skipValue();
            return false;
        }
        return wanted.isNext(in);
    }

    /** What is left of a path in an item of a list. */
    private static String inItem(String path, int item) {
        if (path.isEmpty() || !Character.isDigit(path.charAt(0))) {
            return path;
        }
        String rest = below(path, Integer.toString(item));
        // Another item's: no name is empty, so nothing is found by it.
        return rest == null ? "." : rest;
    }

    /** What is left of a path below a name, which may hold points itself; null beside it. */
    private static @Nullable String below(String path, String name) {
        if (path.equalsIgnoreCase(name)) {
            return "";
        }
        return path.length() > name.length()
                        && path.regionMatches(true, 0, name, 0, name.length())
                        && path.charAt(name.length()) == '.'
                ? path.substring(name.length() + 1)
                : null;
    }
}
