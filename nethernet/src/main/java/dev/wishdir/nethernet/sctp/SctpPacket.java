package dev.wishdir.nethernet.sctp;

import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A packet of SCTP (RFC 9260) within DTLS.
 *
 * @param tag the receiver's verification tag, 0 if it has none yet
 */
record SctpPacket(int tag, List<Chunk> chunks) {
    static final int DATA = 0;
    static final int INIT = 1;
    static final int INIT_ACK = 2;
    static final int SACK = 3;
    static final int HEARTBEAT = 4;
    static final int HEARTBEAT_ACK = 5;
    static final int ABORT = 6;
    static final int SHUTDOWN = 7;
    static final int SHUTDOWN_ACK = 8;
    static final int COOKIE_ECHO = 10;
    static final int COOKIE_ACK = 11;
    static final int SHUTDOWN_COMPLETE = 14;
    static final int RE_CONFIG = 130;
    static final int FORWARD_TSN = 192;

    /** Maximum length of a packet, bytes, a multiple of four. */
    static final int MAX_BYTES = Dtls.MAX_PAYLOAD_BYTES;

    /** Length of the ports, the tag and the checksum, bytes. */
    static final int HEADER = 12;

    static final int CHUNK_HEADER = 4;

    private static final int PORT = 5000;
    private static final int MAX_CHUNKS = 128;
    private static final int MAX_RECEIVED_BYTES = 16 << 10;

    /** A chunk without header and padding. */
    record Chunk(int type, int flags, Bytes body) {}

    SctpPacket {
        chunks = List.copyOf(chunks);
    }

    /**
     * Reads a packet; the array is not copied and must not change while its chunks are used.
     *
     * @throws MalformedPacketException if its checksum or a length is wrong
     */
    static SctpPacket read(byte[] data) {
        if (data.length < HEADER || data.length > MAX_RECEIVED_BYTES) {
            throw new MalformedPacketException(0, "packet", "has " + data.length + " bytes");
        }
        if (checksum(data, data.length) != Integer.reverseBytes(checksumOf(data))) {
            throw new MalformedPacketException(8, "checksum", "is wrong");
        }
        Bytes whole = Bytes.wrap(data);
        Reader r = new Reader(data);
        int source = r.u16be("source port", 0);
        int destination = r.u16be("destination port", 0);
        if (source != PORT || destination != PORT) {
            throw new MalformedPacketException(0, "port", "is another association's");
        }
        int tag = r.i32be("tag", 0);
        r.i32be("checksum", 0);
        List<Chunk> chunks = new ArrayList<>();
        while (r.remaining() >= CHUNK_HEADER) {
            if (chunks.size() >= MAX_CHUNKS) {
                throw new MalformedPacketException(r.position(), "chunk", "is one too many");
            }
            int type = r.u8("chunk", 0);
            int flags = r.u8("flags", 0);
            int at = r.position();
            int length = r.u16be("chunk length", 0) - CHUNK_HEADER;
            if (length < 0) {
                throw new MalformedPacketException(at, "chunk length", "is too small");
            }
            int from = r.position();
            r.popLimit(r.pushLimit("chunk", length));
            chunks.add(new Chunk(type, flags, whole.slice(from, length)));
            r.popLimit(r.pushLimit("padding", Math.min(-length & 3, r.remaining())));
        }
        return new SctpPacket(tag, chunks);
    }

    private static int checksumOf(byte[] data) {
        return (data[8] & 0xFF) << 24
                | (data[9] & 0xFF) << 16
                | (data[10] & 0xFF) << 8
                | data[11] & 0xFF;
    }

    private static int checksum(byte[] data, int length) {
        CRC32C crc = new CRC32C();
        crc.update(data, 0, 8);
        for (int i = 0; i < 4; i++) {
            crc.update(0);
        }
        crc.update(data, HEADER, length - HEADER);
        return (int) crc.getValue();
    }

    /** Starts a packet; {@link #finish} writes its checksum. */
    static void begin(Writer w, int tag) {
        w.reset();
        w.u16be("source port", PORT);
        w.u16be("destination port", PORT);
        w.i32be("tag", tag);
        w.i32be("checksum", 0);
    }

    /** Starts a chunk with a body of {@code length} bytes. */
    static void chunk(Writer w, int type, int flags, int length) {
        w.u8("chunk", type);
        w.u8("flags", flags);
        w.u16be("chunk length", CHUNK_HEADER + length);
    }

    static void pad(Writer w) {
        while ((w.position() & 3) != 0) {
            w.u8("padding", 0);
        }
    }

    /** Writes the checksum. */
    static void finish(Writer w) {
        byte[] data = w.array();
        int crc = checksum(data, w.position());
        for (int i = 0; i < 4; i++) {
            data[8 + i] = (byte) (crc >> 8 * i);
        }
    }
}
