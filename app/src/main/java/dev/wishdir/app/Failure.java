package dev.wishdir.app;

/** What a command can't do, said in one line to whoever typed it; exit status 1. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message);
    }

    Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
