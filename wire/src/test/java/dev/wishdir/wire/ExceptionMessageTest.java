package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

class ExceptionMessageTest {
    @Test
    void saysMoreThanPathAndNeverNull() {
        Map.of(
                        new NoSuchFileException("x"),
                        "there is no file x",
                        new FileAlreadyExistsException("x"),
                        "x: exists already",
                        new NotDirectoryException("x"),
                        "x: is not a folder",
                        new AccessDeniedException("x"),
                        "x: permission denied",
                        new FileSystemException("x"),
                        "x: FileSystemException",
                        new FileSystemException("x", null, "busy"),
                        "x: busy",
                        new NoSuchFileException(null),
                        "NoSuchFileException",
                        new EOFException(),
                        "unexpected end of data",
                        new IOException(),
                        "IOException")
                .forEach((thrown, text) -> assertThat(ExceptionMessage.of(thrown)).isEqualTo(text));
    }
}
