package dev.wishdir.app;

/** What a command can't do, said in one line to whoever typed it; exit status 1. */
final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1;

    CommandFailedException(String message) {
        super(message);
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
