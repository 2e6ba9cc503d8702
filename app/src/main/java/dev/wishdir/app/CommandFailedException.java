package dev.wishdir.app;

/** The failure of a command, with a message of one line for its user; exit status 1. */
final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1;

    CommandFailedException(String message) {
        super(message);
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
