package dev.wishdir.bedrock.server.join;

/** An option of the game has a value that is not allowed. */
final class InvalidOptionException extends IllegalArgumentException {
    /**
     * @param option without the prefix of the game
     * @param allowed values, as a phrase
     */
    InvalidOptionException(String option, String allowed) {
        super("option " + option + " must be " + allowed);
    }
}
