package dev.wishdir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Reads text files that the operator writes: UTF-8, with or without a byte order mark. Lines may
 * end in LF, CR or CRLF. Text in another encoding is rejected, never guessed.
 */
public final class TextFile {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private TextFile() {}

    /**
     * The text of a file, without byte order mark, with LF as line end.
     *
     * @throws IOException if the file cannot be read, exceeds {@code maxBytes} or is not UTF-8
     *     text; the message names the file, and the line
     */
    public static String read(Path file, int maxBytes) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(maxBytes + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("cannot read " + file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException("cannot read " + file + ": access is denied", e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (bytes.length > maxBytes) {
            throw new IOException(file + " is longer than " + maxBytes + " bytes");
        }
        return decode(file.toString(), bytes);
    }

    /**
     * The text of a file's bytes, without byte order mark, with LF as line end.
     *
     * @param name the file, for the error
     * @throws IOException if the bytes are not UTF-8 text; the message names the file and the line
     */
    public static String decode(String name, byte[] bytes) throws IOException {
        String other = otherEncoding(bytes);
        if (!other.isEmpty()) {
            throw new IOException(
                    name + ", line 1: is not UTF-8 text but " + other + "; save it as UTF-8");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = decoder.decode(in, chars, true);
        String text = lines(chars.flip().toString());
        int zero = text.indexOf('\0');
        if (result.isError() || zero >= 0) {
            String before = zero >= 0 ? text.substring(0, zero) : text;
            int wrong = zero >= 0 ? 0 : bytes[in.position()] & 0xFF;
            throw new IOException(
                    name
                            + ", line "
                            + (1 + before.chars().filter(c -> c == '\n').count())
                            + ": is not UTF-8 text (byte "
                            + String.format(Locale.ROOT, "0x%02X", wrong)
                            + "); save it as UTF-8");
        }
        return text;
    }

    private static String lines(String text) {
        String unmarked =
                !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        return unmarked.replace("\r\n", "\n").replace('\r', '\n');
    }

    /** The encoding that a byte order mark indicates, if it is not UTF-8; else empty. */
    private static String otherEncoding(byte[] bytes) {
        if (begins(bytes, 0xFF, 0xFE, 0, 0) || begins(bytes, 0, 0, 0xFE, 0xFF)) {
            return "UTF-32";
        }
        return begins(bytes, 0xFF, 0xFE) || begins(bytes, 0xFE, 0xFF) ? "UTF-16" : "";
    }

    private static boolean begins(byte[] bytes, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
