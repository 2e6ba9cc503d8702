package dev.wishdir.quake3.server.view;

import dev.wishdir.quake3.protocol.Configstrings;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configstrings of a match; without a match there are none. */
public final class MatchStrings {
    private final SortedMap<Integer, String> strings = new TreeMap<>();

    /** Sets a value; returns whether it is another one. */
    public boolean set(int index, String value) {
        return !value.equals(strings.put(index, value));
    }

    /** The value of an index; empty if it has none. */
    public String get(int index) {
        return strings.getOrDefault(index, "");
    }

    Map<Integer, String> all() {
        return strings;
    }

    /** Whether an index is one of these. */
    public static boolean has(int index) {
        return switch (index) {
            case Configstrings.WARM_UP,
                    Configstrings.BEST_SCORE,
                    Configstrings.SECOND_SCORE,
                    Configstrings.INTERMISSION,
                    Configstrings.FLAG_STATUS ->
                    true;
            default -> false;
        };
    }
}
