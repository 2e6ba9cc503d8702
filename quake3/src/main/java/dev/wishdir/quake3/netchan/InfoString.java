package dev.wishdir.quake3.netchan;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Settings as text: {@code \key\value\key\value}. Keys are told apart without case. */
public final class InfoString {
    /** The most bytes of one, but for the system's. */
    static final int MAX_LENGTH = 1024;

    private static final Pattern FORBIDDEN = Pattern.compile("[\\\\;\"\\x00-\\x1F]");

    private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Reads one; what does not follow the form is left out. */
    public static InfoString parse(String text) {
        InfoString info = new InfoString();
        String[] parts = text.split("\\\\", -1);
        // That of a player starts with its first key, all others with a separator.
        for (int i = text.startsWith("\\") ? 1 : 0; i + 1 < parts.length; i += 2) {
            info.put(parts[i], parts[i + 1]);
        }
        return info;
    }

    /** The value of a key, empty where it has none. */
    public String get(String key) {
        return values.getOrDefault(key, "");
    }

    /** The value of a key as a number, or another where it is none. */
    public int number(String key, int otherwise) {
        try {
            return Integer.parseInt(get(key));
        } catch (NumberFormatException _) {
            return otherwise;
        }
    }

    /** Sets a value; characters that the form has no place for are dropped. */
    public InfoString put(String key, Object value) {
        values.put(clean(key), clean(value.toString()));
        return this;
    }

    private static String clean(String text) {
        return FORBIDDEN.matcher(text).replaceAll("");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> text.append('\\').append(key).append('\\').append(value));
        return text.toString();
    }
}
