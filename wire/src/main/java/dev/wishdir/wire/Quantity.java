package dev.wishdir.wire;

/** A number with its noun, as {@code 1 player} and {@code 2 players}. */
public final class Quantity {
    private Quantity() {}

    /**
     * A number of things.
     *
     * @param noun one of them; its plural adds an s
     */
    public static String of(long count, String noun) {
        return of(count, noun, noun + "s");
    }

    /** A number of things, whose plural is no mere s. */
    public static String of(long count, String noun, String plural) {
        return count + " " + (count == 1 ? noun : plural);
    }
}
