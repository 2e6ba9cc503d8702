package dev.wishdir.net.netty;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files of {@code /proc} and {@code /sys}, whose reported length is 0. The files of {@code
 * /proc/sys} return their value only to the first read, so a reader that trusts the length gets one
 * byte and then the end of the file.
 */
public final class KernelFile {
    private static final int MAX_BYTES = 16 << 20;

    private KernelFile() {}

    /**
     * The file's whole text, at most 16 MiB; the first read has room for any setting.
     *
     * @throws IOException if it can't be read
     */
    public static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }
}
