package dev.wishdir.quake2.netchan;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An out-of-band packet: four bytes of ones, then text in Latin-1.
 *
 * <p>See docs/protocols/quake2.md, 1.
 *
 * @param text everything after the ones, line breaks included
 */
public record OutOfBand(String text) {
    private static final int MARK_BYTES = 4;

    /** Whether a packet is out of band. */
    public static boolean is(byte[] packet) {
        return packet.length >= MARK_BYTES && (packet[0] & packet[1] & packet[2] & packet[3]) == -1;
    }

    /** Parses a packet; empty if it is not out of band. */
    public static Optional<OutOfBand> of(byte[] packet) {
        return is(packet)
                ? Optional.of(
                        new OutOfBand(
                                new String(
                                        packet,
                                        MARK_BYTES,
                                        packet.length - MARK_BYTES,
                                        StandardCharsets.ISO_8859_1)))
                : Optional.empty();
    }

    /** Parses a packet; empty if it is not out of band. */
    public static Optional<OutOfBand> of(Bytes packet) {
        return of(packet.toArray());
    }

    /** Walks the mark and the text of a packet that {@link #is} out of band, for a trace. */
    public static void wire(Wire w) {
        w.i32le("out of band", -1);
        if (w.remaining() > 0) {
            Bytes text = w.rest("text", Bytes.EMPTY, w.remaining());
            if (w.tracing()) {
                w.annotate(text.latin1());
            }
        }
    }

    /** The encoded packet. */
    public byte[] packet() {
        byte[] latin = text.getBytes(StandardCharsets.ISO_8859_1);
        byte[] packet = new byte[MARK_BYTES + latin.length];
        for (int i = 0; i < MARK_BYTES; i++) {
            packet[i] = -1;
        }
        System.arraycopy(latin, 0, packet, MARK_BYTES, latin.length);
        return packet;
    }

    /** The words of the first line. */
    public List<String> words() {
        return CommandTokenizer.of(firstLine());
    }

    private String firstLine() {
        int end = text.indexOf('\n');
        int zero = text.indexOf('\0');
        end = end < 0 || zero >= 0 && zero < end ? zero : end;
        return end < 0 ? text : text.substring(0, end);
    }

    /** The text after the first line; empty if there is only one. */
    public String body() {
        int end = text.indexOf('\n');
        return end < 0 ? "" : text.substring(end + 1);
    }

    /** The first word, empty for none. */
    public String name() {
        List<String> words = words();
        return words.isEmpty() ? "" : words.getFirst();
    }
}
