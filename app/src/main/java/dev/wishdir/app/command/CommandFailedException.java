package dev.wishdir.app.command;

/** The failure of a command, with a message of one line for its user; exit status 1. */
public final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1;

    public CommandFailedException(String message) {
        super(message);
    }

    public CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
