package dev.wishdir.quake3.netchan;

import java.util.Map;
import java.util.TreeMap;

/** Settings as text: {@code \key\value\key\value}. Keys are case-insensitive. */
public final class InfoString {
    /** Limit in bytes of all info strings but systeminfo. */
    static final int MAX_LENGTH = 1024;

    private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Parses an info string; malformed parts are ignored. */
    public static InfoString parse(String text) {
        InfoString info = new InfoString();
        String[] parts = text.split("\\\\", -1);
        // A player's configstring starts with its first key, all others with a separator.
        for (int i = text.startsWith("\\") ? 1 : 0; i + 1 < parts.length; i += 2) {
            info.put(parts[i], parts[i + 1]);
        }
        return info;
    }

    /** The value of a key, empty if it has none. */
    public String get(String key) {
        return values.getOrDefault(key, "");
    }

    /** The value of a key as a number, or the fallback if it is not one. */
    public int number(String key, int fallback) {
        String value = get(key);
        // Most keys that are asked for often have no value, and an exception has a stack.
        if (value.isEmpty()) {
            return fallback;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException _) {
            return fallback;
        }
    }

    /** Sets a value; characters that the format can't represent are dropped. */
    public InfoString put(String key, Object value) {
        values.put(clean(key), clean(value.toString()));
        return this;
    }

    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '\\' && c != ';' && c != '"') {
                clean.append(c);
            }
        }
        return clean.toString();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> text.append('\\').append(key).append('\\').append(value));
        return text.toString();
    }
}
