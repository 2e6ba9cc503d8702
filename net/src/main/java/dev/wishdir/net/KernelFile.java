package dev.wishdir.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file below {@code /proc} or {@code /sys}. Its length is 0 whatever it holds, and the files of
 * {@code /proc/sys} give their value to the first read only: a reader that trusts the length reads
 * one byte and then meets the end.
 */
public final class KernelFile {
    private static final int MAX_BYTES = 16 << 20;

    private KernelFile() {}

    /**
     * The whole text of a file; its first read has room for any setting.
     *
     * @throws IOException if it can't be read
     */
    public static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }
}
