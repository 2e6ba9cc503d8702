package dev.wishdir.app.command;

import java.io.IOException;
import java.util.concurrent.CompletionException;

/** The failure of a command, with a message of one line for its user; exit status 1. */
public final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1;

    public CommandFailedException(String message) {
        super(message);
    }

    public CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * The failure of a task with the message of its cause; a defect is shown with its class.
     *
     * @param task that failed: {@code cannot start a bot}
     */
    public static CommandFailedException of(String task, CompletionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = cause.getMessage();
        boolean isTold =
                message != null
                        && (cause instanceof IOException
                                || cause instanceof IllegalArgumentException);
        return new CommandFailedException(task + ": " + (isTold ? message : cause), cause);
    }
}
