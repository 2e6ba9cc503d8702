package dev.wishdir.quake3.netchan;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An out-of-band datagram: a text after four bytes 0xFF. The text of {@code connect} is compressed.
 *
 * @param text one byte per character (ISO 8859-1)
 */
public record OutOfBand(String text) {
    private static final int MARK_BYTES = 4;
    private static final String CONNECT = "connect ";

    /** Limit of the decompressed bytes of a {@code connect}. */
    private static final int MAX_CONNECT_BYTES = 1024;

    /** Whether a datagram is out of band. */
    public static boolean is(Bytes datagram) {
        if (datagram.length() < MARK_BYTES) {
            return false;
        }
        for (int i = 0; i < MARK_BYTES; i++) {
            if (datagram.get(i) != -1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a datagram that {@link #is} out of band.
     *
     * @throws MalformedPacketException if it is a {@code connect} that does not decompress
     */
    public static OutOfBand read(Bytes datagram) {
        String text = latin1(datagram.slice(MARK_BYTES, datagram.length() - MARK_BYTES));
        if (!text.toLowerCase(Locale.ROOT).startsWith(CONNECT)) {
            return new OutOfBand(text);
        }
        int headLength = MARK_BYTES + CONNECT.length();
        Bytes plain =
                AdaptiveHuffman.decompress(
                        datagram.slice(headLength, datagram.length() - headLength),
                        MAX_CONNECT_BYTES);
        return new OutOfBand(text.substring(0, CONNECT.length()) + latin1(plain));
    }

    /**
     * Walks the mark and the text of a datagram that {@link #is} out of band, for a trace. The
     * bytes of a {@code connect} stay compressed.
     */
    public static void wire(Wire w) {
        w.i32le("mark", -1);
        if (w.tracing()) {
            w.annotate("out of band");
        }
        if (w.remaining() > 0) {
            Bytes text = w.rest("text", Bytes.EMPTY, w.remaining());
            if (w.tracing()) {
                w.annotate(text.latin1());
            }
        }
    }

    /** The datagram's bytes. */
    public Bytes datagram() {
        Bytes body =
                text.startsWith(CONNECT)
                        ? AdaptiveHuffman.compress(bytes(text.substring(CONNECT.length())))
                        : bytes(text);
        int headLength = text.startsWith(CONNECT) ? MARK_BYTES + CONNECT.length() : MARK_BYTES;
        byte[] datagram = new byte[headLength + body.length()];
        bytes("\u00FF\u00FF\u00FF\u00FF" + (headLength > MARK_BYTES ? CONNECT : ""))
                .copyTo(datagram, 0);
        body.copyTo(datagram, headLength);
        return Bytes.wrap(datagram);
    }

    /** The words of the first line; the first in lower case, empty if there is none. */
    public List<String> words() {
        int end = text.indexOf('\n');
        List<String> words = words(end < 0 ? text : text.substring(0, end));
        if (words.isEmpty()) {
            words.add("");
        }
        words.set(0, words.get(0).toLowerCase(Locale.ROOT));
        return words;
    }

    /** The text after the first line. */
    public String body() {
        int end = text.indexOf('\n');
        return end < 0 ? "" : text.substring(end + 1);
    }

    /** The words of a command line, separated by white space or quoted, without comments. */
    public static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c <= ' ') {
                at++;
            } else if (line.startsWith("//", at)) {
                break;
            } else if (line.startsWith("/*", at)) {
                int end = line.indexOf("*/", at + 2);
                at = end < 0 ? line.length() : end + 2;
            } else if (c == '"') {
                int end = line.indexOf('"', at + 1);
                words.add(line.substring(at + 1, end < 0 ? line.length() : end));
                at = end < 0 ? line.length() : end + 1;
            } else {
                int end = at;
                while (end < line.length()
                        && line.charAt(end) > ' '
                        && line.charAt(end) != '"'
                        && !line.startsWith("//", end)
                        && !line.startsWith("/*", end)) {
                    end++;
                }
                words.add(line.substring(at, end));
                at = end;
            }
        }
        return words;
    }

    private static String latin1(Bytes bytes) {
        return bytes.latin1();
    }

    private static Bytes bytes(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
