package dev.wishdir.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text files that replace an earlier one of their kind, and no other file. */
public final class GeneratedFile {
    /** Length of the start of a text, by which its kind is known. */
    private static final int START_CHARS = 12;

    private GeneratedFile() {}

    /**
     * Writes a text; the file may exist if it is empty or begins as the text does.
     *
     * @throws IOException if it exists and is something else, such as an input of the command
     */
    public static void write(Path file, String text) throws IOException {
        check(file, text);
        Files.writeString(file, text);
    }

    /**
     * As {@link #write}, but only checks.
     *
     * @param text or its start
     */
    public static void check(Path file, String text) throws IOException {
        if (!Files.isRegularFile(file)) {
            return;
        }
        String start = text.substring(0, Math.min(START_CHARS, text.length()));
        try (InputStream in = Files.newInputStream(file)) {
            String before = new String(in.readNBytes(start.length()), StandardCharsets.ISO_8859_1);
            if (!before.isEmpty() && !before.equalsIgnoreCase(start)) {
                throw new IOException(
                        file + " exists and is another kind of file, which is not replaced");
            }
        }
    }
}
