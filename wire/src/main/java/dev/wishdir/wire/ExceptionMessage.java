package dev.wishdir.wire;

import java.io.EOFException;

/** The text of an exception; some exceptions of the JDK and of libraries have no message. */
public final class ExceptionMessage {
    private ExceptionMessage() {}

    /** The exception's own message, or a description of its class; never the text {@code null}. */
    public static String of(Throwable thrown) {
        if (thrown instanceof EOFException) {
            return "unexpected end of data";
        }
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
