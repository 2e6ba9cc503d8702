package dev.wishdir.quake2.netchan;

import java.util.List;
import java.util.OptionalInt;

/** Parses decimal numbers in texts from the network. */
public final class Numbers {
    private Numbers() {}

    /** The number; empty if the text is not a 32-bit integer. */
    public static OptionalInt parse(String text) {
        if (text.isEmpty() || text.length() > 11) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** The number among the words of a command; empty if there is none at the index. */
    public static OptionalInt parse(List<String> words, int index) {
        return index < words.size() ? parse(words.get(index)) : OptionalInt.empty();
    }
}
