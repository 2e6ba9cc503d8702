package dev.wishdir.quake3.netchan;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A datagram outside of any connection: a text after four bytes of ones. That of {@code connect} is
 * compressed.
 *
 * @param text a byte a character
 */
public record OutOfBand(String text) {
    private static final int MARK = 4;
    private static final String CONNECT = "connect ";

    /** The most bytes of a {@code connect}'s text. */
    private static final int MAX_CONNECT = 1024;

    /** Whether a datagram is out of band. */
    public static boolean is(Bytes datagram) {
        if (datagram.length() < MARK) {
            return false;
        }
        for (int i = 0; i < MARK; i++) {
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
        String text = latin1(datagram.slice(MARK, datagram.length() - MARK));
        if (!text.toLowerCase(Locale.ROOT).startsWith(CONNECT)) {
            return new OutOfBand(text);
        }
        int head = MARK + CONNECT.length();
        Bytes plain =
                AdaptiveHuffman.decompress(
                        datagram.slice(head, datagram.length() - head), MAX_CONNECT);
        return new OutOfBand(text.substring(0, CONNECT.length()) + latin1(plain));
    }

    /** The datagram's bytes. */
    public Bytes datagram() {
        Bytes body =
                text.startsWith(CONNECT)
                        ? AdaptiveHuffman.compress(bytes(text.substring(CONNECT.length())))
                        : bytes(text);
        int head = text.startsWith(CONNECT) ? MARK + CONNECT.length() : MARK;
        byte[] all = new byte[head + body.length()];
        bytes("\u00FF\u00FF\u00FF\u00FF" + (head > MARK ? CONNECT : "")).copyTo(all, 0);
        body.copyTo(all, head);
        return Bytes.wrap(all);
    }

    /** The first line's words; the first one in lower case, empty where there is none. */
    public List<String> words() {
        int end = text.indexOf('\n');
        List<String> words = words(end < 0 ? text : text.substring(0, end));
        if (words.isEmpty()) {
            words.add("");
        }
        words.set(0, words.get(0).toLowerCase(Locale.ROOT));
        return words;
    }

    /** What follows the first line. */
    public String body() {
        int end = text.indexOf('\n');
        return end < 0 ? "" : text.substring(end + 1);
    }

    /** The words of a command line: apart by blanks, or in quotes, without comments. */
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
        return new String(bytes.toArray(), StandardCharsets.ISO_8859_1);
    }

    private static Bytes bytes(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
