package dev.wishdir.game.text;

/**
 * Shortens names that are too long for a game in the middle, as names differ mostly at their ends:
 * {@code bot-17}.
 */
public final class NameTruncation {
    private static final String ELLIPSIS = "~";

    private NameTruncation() {}

    /**
     * The name if it fits; otherwise its beginning, {@code ~} and its end.
     *
     * @param maxChars of the result, at least 3
     */
    public static String truncate(String name, int maxChars) {
        if (name.length() <= maxChars) {
            return name;
        }
        int end = (maxChars - 1) / 2;
        return name.substring(0, maxChars - 1 - end)
                + ELLIPSIS
                + name.substring(name.length() - end);
    }
}
