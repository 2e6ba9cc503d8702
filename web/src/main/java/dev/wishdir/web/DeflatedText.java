package dev.wishdir.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses texts quickly. */
public final class DeflatedText {
    private static final int CHUNK_BYTES = 1 << 16;

    private DeflatedText() {}

    public static byte[] deflate(Deflater deflater, String text) {
        deflater.reset();
        deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
        deflater.finish();
        byte[] chunk = new byte[CHUNK_BYTES];
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        while (!deflater.finished()) {
            compressed.write(chunk, 0, deflater.deflate(chunk));
        }
        return compressed.toByteArray();
    }

    /**
     * @throws IOException if the bytes are not of {@link #deflate}
     */
    public static String inflate(byte[] compressed) throws IOException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(compressed);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] chunk = new byte[CHUNK_BYTES];
            while (!inflater.finished()) {
                int length = inflater.inflate(chunk);
                if (length == 0 && inflater.needsInput()) {
                    throw new IOException("the decoded messages were truncated");
                }
                text.write(chunk, 0, length);
            }
            return text.toString(StandardCharsets.UTF_8);
        } catch (DataFormatException e) {
            throw new IOException("the decoded messages were changed", e);
        } finally {
            inflater.end();
        }
    }
}
