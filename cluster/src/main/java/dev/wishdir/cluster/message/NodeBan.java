package dev.wishdir.cluster.message;

/**
 * A ban for all nodes, as an operator's command has it.
 *
 * @param target addresses or an account
 * @param game empty for all games
 * @param reason as the banned player reads it; may be empty
 * @param author operator
 * @param endSeconds seconds since 1970; 0 for a ban without end
 */
public record NodeBan(String target, String game, String reason, String author, long endSeconds) {
    /** Maximum length of each text, UTF-16 units. */
    public static final int MAX_TEXT_CHARS = 500;
}
