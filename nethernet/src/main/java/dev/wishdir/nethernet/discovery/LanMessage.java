package dev.wishdir.nethernet.discovery;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;

/** A datagram of LAN discovery on UDP port {@value #PORT}; its encryption key is public. */
public sealed interface LanMessage {
    /** The port on which servers listen. */
    int PORT = 7551;

    /** Type of a {@link Request}. */
    int REQUEST = 0;

    /** Type of a {@link Response}. */
    int RESPONSE = 1;

    /** Type of a {@link Signal}. */
    int SIGNAL = 2;

    /** The sender's network ID. */
    long sender();

    /** A search for servers. */
    record Request(long sender) implements LanMessage {}

    /** A server's entry, encoded by {@link LanAdvertisement}. */
    record Response(long sender, Bytes advertisement) implements LanMessage {}

    /** A line of signalling: a word, the connection's number and the rest. */
    record Signal(long sender, long recipient, String text) implements LanMessage {}

    /** Encodes and encrypts a message. */
    static byte[] write(LanMessage message) {
        return LanDiscoveryCipher.seal(plain(message));
    }

    /**
     * Decrypts and reads a datagram.
     *
     * @throws MalformedPacketException if it is not a datagram of discovery
     */
    static LanMessage read(byte[] datagram) {
        return read(new Reader(LanDiscoveryCipher.open(datagram)));
    }

    private static byte[] plain(LanMessage message) {
        Writer w = new Writer(LanDiscoveryCipher.MAX_BYTES);
        w.u16le("length", 0);
        int type =
                switch (message) {
                    case LanMessage.Request _ -> REQUEST;
                    case LanMessage.Response _ -> RESPONSE;
                    case LanMessage.Signal _ -> SIGNAL;
                };
        w.u16le("type", type);
        w.i64le("sender", message.sender());
        w.i64le("reserved", 0);
        switch (message) {
            case LanMessage.Request _ -> {}
            case LanMessage.Response m -> text(w, m.advertisement().hex());
            case LanMessage.Signal m -> {
                w.i64le("recipient", m.recipient());
                text(w, m.text());
            }
        }
        byte[] plain = w.toByteArray();
        plain[0] = (byte) plain.length;
        plain[1] = (byte) (plain.length >> 8);
        return plain;
    }

    private static void text(Writer w, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        w.i32le("text length", bytes.length);
        w.append(bytes, 0, bytes.length);
    }

    /** Reads a decrypted message. */
    static LanMessage read(Reader r) {
        r.u16le("length", 0);
        int type = r.u16le("type", 0);
        long sender = r.i64le("sender", 0);
        r.i64le("reserved", 0);
        return switch (type) {
            case REQUEST -> new LanMessage.Request(sender);
            case RESPONSE -> {
                String hex = text(r);
                try {
                    yield new LanMessage.Response(sender, Bytes.ofHex(hex));
                } catch (IllegalArgumentException e) {
                    throw new MalformedPacketException(
                            r.position(), "advertisement", "is not hexadecimal");
                }
            }
            case SIGNAL -> {
                long recipient = r.i64le("recipient", 0);
                yield new LanMessage.Signal(sender, recipient, text(r));
            }
            default -> throw new MalformedPacketException(2, "type", "is " + type);
        };
    }

    private static String text(Reader r) {
        int length =
                r.bounded("text length", r.i32le("text length", 0), LanDiscoveryCipher.MAX_BYTES);
        byte[] bytes = r.bytes("text", Bytes.EMPTY, length).toArray();
        String text = new String(bytes, StandardCharsets.UTF_8);
        r.annotate(text);
        return text;
    }
}
