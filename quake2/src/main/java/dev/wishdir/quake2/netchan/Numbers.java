package dev.wishdir.quake2.netchan;

import java.util.OptionalInt;

/** Decimal numbers in texts from the network. */
public final class Numbers {
    private Numbers() {}

    /** The number that a text is; empty where it is none, or none of 32 bits. */
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
}
