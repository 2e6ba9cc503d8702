package dev.wishdir.wire;

import java.io.EOFException;

/** The words of an exception, for a message: some of the JDK's and of libraries have none. */
public final class ExceptionMessage {
    private ExceptionMessage() {}

    /** Its own message, or what its kind says; never {@code null} as text. */
    public static String of(Throwable thrown) {
        if (thrown instanceof EOFException) {
            return "it ends before its time";
        }
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
