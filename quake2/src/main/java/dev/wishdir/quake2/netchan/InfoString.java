package dev.wishdir.quake2.netchan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Settings by key, as {@code \key\value\key\value}; immutable. See docs/protocols/quake2.md, 1. */
public final class InfoString {
    private static final int MAX_TEXT_CHARS = 511;
    private static final int MAX_PART_CHARS = 63;

    private final SequencedMap<String, String> values;

    private InfoString(SequencedMap<String, String> values) {
        this.values = values;
    }

    /** An info string of values; characters that it can't contain are removed. */
    public static InfoString of(Map<String, String> values) {
        SequencedMap<String, String> clean = new LinkedHashMap<>();
        values.forEach((key, value) -> clean.put(clean(key), clean(value)));
        return new InfoString(clean);
    }

    private static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        for (int i = 0; i < text.length() && clean.length() < MAX_PART_CHARS; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '\\' && c != '"' && c != ';') {
                clean.append(c <= 0xFF ? c : '?');
            }
        }
        return clean.toString();
    }

    /** Parses a text; empty if it is malformed. */
    public static Optional<InfoString> parse(String text) {
        if (text.length() > MAX_TEXT_CHARS) {
            return Optional.empty();
        }
        SequencedMap<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length()) {
            int value = text.indexOf('\\', at + 1);
            if (text.charAt(at) != '\\' || value < 0) {
                return Optional.empty();
            }
            int end = text.indexOf('\\', value + 1);
            end = end < 0 ? text.length() : end;
            String key = text.substring(at + 1, value);
            if (key.isEmpty() || !isPart(key) || !isPart(text.substring(value + 1, end))) {
                return Optional.empty();
            }
            values.put(key, text.substring(value + 1, end));
            at = end;
        }
        return Optional.of(new InfoString(values));
    }

    private static boolean isPart(String text) {
        return text.length() <= MAX_PART_CHARS
                && text.chars().noneMatch(c -> c == '"' || c == ';' || c < ' ');
    }

    /** The value of a key, empty for none. */
    public String get(String key) {
        return values.getOrDefault(key, "");
    }

    /** The value of a key as a number, or the default if it is not a number. */
    public int number(String key, int defaultValue) {
        return Numbers.parse(get(key)).orElse(defaultValue);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> text.append('\\').append(key).append('\\').append(value));
        return text.toString();
    }
}
