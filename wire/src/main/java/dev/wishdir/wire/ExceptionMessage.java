package dev.wishdir.wire;

import java.io.EOFException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The text of an exception; some exceptions of the JDK and of libraries have no message. */
public final class ExceptionMessage {
    private ExceptionMessage() {}

    /** The exception's own message, or a description of its class; never the text {@code null}. */
    public static String of(Throwable thrown) {
        if (thrown instanceof EOFException) {
            return "unexpected end of data";
        }
        String message = thrown.getMessage();
        if (message != null
                && thrown instanceof FileSystemException failure
                && failure.getReason() == null) {
            // Only the path; the class says what is wrong with it.
            if (failure instanceof NoSuchFileException) {
                return "there is no file " + message;
            }
            return message
                    + ": "
                    + switch (failure) {
                        case FileAlreadyExistsException _ -> "exists already";
                        case NotDirectoryException _ -> "is not a folder";
                        case AccessDeniedException _ -> "permission denied";
                        default -> thrown.getClass().getSimpleName();
                    };
        }
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
