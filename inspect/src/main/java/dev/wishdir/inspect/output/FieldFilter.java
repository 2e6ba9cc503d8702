package dev.wishdir.inspect.output;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/**
 * A filter for messages that have a field with a given value, such as {@code cn=1} or, by its path,
 * {@code ps.origin.2=257}. A path through a list without an index means any item: {@code
 * entities.number=18}. Names are compared without case, numbers by value, and an index is the same
 * in either form: {@code origin.2} and {@code origin[2]}, which Quake III has as a name. A float
 * also has its shortest decimal form.
 *
 * @param path the field's name, or names separated by dots
 * @param value the value in JSON, without quotes; {@code null} for a JSON null
 */
public record FieldFilter(String path, String value) {
    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

    /**
     * Parses {@code FIELD=VALUE}.
     *
     * @throws IllegalArgumentException if there is no field or no {@code =}
     */
    public static FieldFilter parse(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0 || text.substring(0, equals).isBlank()) {
            throw new IllegalArgumentException("'" + text + "' is not FIELD=VALUE, such as cn=1");
        }
        return new FieldFilter(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }

    /** Whether a message has the field with this value. */
    public boolean matches(DissectedMessage message) {
        return matches(JsonLines.fields(message));
    }

    /** Whether fields, given as JSON, include this one with this value. */
    public boolean matches(String fields) {
        return find(fields, new Wanted(value));
    }

    /** Whether a message has the field, with any value. */
    public boolean isPresent(DissectedMessage message) {
        return find(JsonLines.fields(message), null);
    }

    private boolean find(String fields, @Nullable Wanted wanted) {
        if (!mayBePresent(fields)) {
            return false;
        }
        try (JsonReader in = new JsonReader(new StringReader(fields))) {
            return contains(in, dotted(path), wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Quickly checks whether a JSON text, with the fields of one or more messages, can contain the
     * field. Parsing is expensive, and most messages of a long capture have no field of that name.
     */
    public boolean mayBePresent(String text) {
        String first = dotted(path);
        int point = first.indexOf('.');
        first = point < 0 ? first : first.substring(0, point);
        return !first.chars().allMatch(FieldFilter::isPlain) || hasName(text, first);
    }

    /** Whether a text contains a quotation mark followed by a name, ignoring case. */
    private static boolean hasName(String text, String name) {
        for (int at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
            if (text.regionMatches(true, at + 1, name, 0, name.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether JSON writes a character without an escape. */
    private static boolean isPlain(int c) {
        return Character.isLetterOrDigit(c) && c < 0x80 || c == '_' || c == '[' || c == ']';
    }

    /** A value, and the same as a number. */
    private record Wanted(String text, double number) {
        /**
         * Whether a number of a message is this one: exactly, or as the float that it is, which
         * explanations print with fewer digits.
         */
        private boolean isEqual(double actual) {
            return actual == number
                    || actual == (float) actual
                            && actual != Math.rint(actual)
                            && actual == (float) number;
        }

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
                    String actual = in.nextString();
                    yield actual.equals(text) || isEqual(Double.parseDouble(actual));
                }
                default -> in.nextString().equals(text);
            };
        }
    }

    /** Reads a value, at most until the wanted one is found in it. */
    private static boolean contains(JsonReader in, String path, @Nullable Wanted wanted)
            throws IOException {
        JsonToken token = in.peek();
        if (path.isEmpty() && wanted == null) {
            return true;
        }
        if (token == JsonToken.BEGIN_ARRAY) {
            in.beginArray();
            for (int i = 0; in.hasNext(); i++) {
                if (contains(in, inItem(path, i), wanted)) {
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
                } else if (contains(in, rest, wanted)) {
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

    /** The remaining path in an item of a list. */
    private static String inItem(String path, int item) {
        if (path.isEmpty() || !Character.isDigit(path.charAt(0))) {
            return path;
        }
        String rest = below(path, Integer.toString(item));
        // The path is of another item: no name is empty, so that this finds nothing.
        return rest == null ? "." : rest;
    }

    /** A path or name with each index behind a dot: {@code origin.2} for {@code origin[2]}. */
    private static String dotted(String path) {
        return path.indexOf('[') < 0 ? path : INDEX.matcher(path).replaceAll(".$1");
    }

    /**
     * The remaining path below a name, which may contain dots; null if it is another name.
     *
     * @param path dotted
     * @param written the name, of which the index is optional in the path
     */
    private static @Nullable String below(String path, String written) {
        String rest = belowName(path, dotted(written));
        return rest == null && written.endsWith("]")
                ? belowName(path, written.substring(0, Math.max(0, written.lastIndexOf('['))))
                : rest;
    }

    private static @Nullable String belowName(String path, String name) {
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
