package dev.wishdir.app.command;

/** A number with its noun, as {@code 1 player} and {@code 2 players}. */
public final class Quantity {
    private Quantity() {}

    /**
     * A number of things.
     *
     * @param noun one of them; its plural adds an s
     */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
