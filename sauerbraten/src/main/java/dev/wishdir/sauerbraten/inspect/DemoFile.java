package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.GzipInput;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * Reads a demo, a {@code .dmo} file: gzip of a header and records, each a packet that the server
 * sent to all (Cube 2: Sauerbraten, recordings); uncompressed demos, too. Only one record is in
 * memory at a time.
 */
final class DemoFile {
    /** Maximum packet size in a demo, bytes. */
    static final int MAX_PACKET_BYTES = 1 << 20;

    private static final byte[] MAGIC = "SAUERBRATEN_DEMO".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    private static final int HEADER_BYTES = 8;
    private static final int RECORD_HEADER_BYTES = 12;

    /**
     * A packet of a demo.
     *
     * @param number from 1
     * @param gamemillis of the server
     */
    record Recorded(int number, int gamemillis, int channel, Bytes packet) {}

    private final InputStream in;
    private final int protocol;
    private int at;
    private int records;

    /**
     * Opens a demo.
     *
     * @throws MalformedPacketException if it is not a demo
     */
    DemoFile(Bytes file) {
        InputStream content = new ByteArrayInputStream(file.toArray());
        try {
            in = isPacked(file) ? new GzipInput(content) : content;
        } catch (IOException e) {
            throw corrupt(e);
        }
        if (!Arrays.equals(take("magic", MAGIC.length), MAGIC)) {
            throw new MalformedPacketException(0, "magic", "is not SAUERBRATEN_DEMO");
        }
        Reader r = new Reader(take("version", HEADER_BYTES));
        int version = r.i32le("version", 0);
        if (version != VERSION) {
            throw new MalformedPacketException(
                    MAGIC.length, "version", "is " + version + ", must be " + VERSION);
        }
        protocol = r.i32le("protocol", 0);
    }

    /** Whether a file starts like a demo. */
    static boolean recognises(Bytes file) {
        try {
            new DemoFile(file);
            return true;
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    private static boolean isPacked(Bytes file) {
        return file.length() >= 2 && file.get(0) == 0x1F && file.get(1) == (byte) 0x8B;
    }

    private MalformedPacketException corrupt(IOException e) {
        return new MalformedPacketException(at, "gzip", "is corrupt: " + ExceptionMessage.of(e));
    }

    /** The recorded protocol version. */
    int protocol() {
        return protocol;
    }

    /**
     * The next packet; empty at the end.
     *
     * @throws MalformedPacketException if the file ends within a record, or one is too long
     */
    Optional<Recorded> next() {
        byte[] head = upTo(RECORD_HEADER_BYTES);
        if (head.length == 0) {
            return Optional.empty();
        }
        if (head.length < RECORD_HEADER_BYTES) {
            throw new MalformedPacketException(
                    at,
                    "record",
                    "needs " + RECORD_HEADER_BYTES + " bytes, " + head.length + " left");
        }
        Reader r = new Reader(head);
        int gamemillis = r.i32le("gamemillis", 0);
        int channel = r.i32le("channel", 0);
        int length = r.i32le("length", 0);
        if (length < 0 || length > MAX_PACKET_BYTES) {
            throw new MalformedPacketException(
                    at, "length", "is " + length + ", must be 0.." + MAX_PACKET_BYTES);
        }
        byte[] packet = take("packet", length);
        return Optional.of(new Recorded(++records, gamemillis, channel, Bytes.wrap(packet)));
    }

    private byte[] take(String name, int length) {
        byte[] bytes = upTo(length);
        if (bytes.length < length) {
            throw new MalformedPacketException(
                    at, name, "needs " + length + " bytes, " + bytes.length + " left");
        }
        return bytes;
    }

    private byte[] upTo(int length) {
        try {
            byte[] bytes = in.readNBytes(length);
            at += bytes.length;
            return bytes;
        } catch (EOFException | ZipException e) {
            throw corrupt(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
