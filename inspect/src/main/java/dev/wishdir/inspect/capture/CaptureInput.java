package dev.wishdir.inspect.capture;

import dev.wishdir.wire.Bytes;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A reader of the bytes of a capture, decompressed if necessary, that knows its position. */
public final class CaptureInput implements AutoCloseable {
    private static final int PART_BYTES = 1 << 16;

    private final BufferedInputStream in;
    private final long limit;
    private long position;

    /**
     * @param limit maximum uncompressed size of a compressed capture: a few kilobytes of gzip can
     *     claim terabytes
     */
    CaptureInput(InputStream stream, long limit) throws IOException {
        try {
            Compression.Unpacked unpacked = Compression.unpack(stream);
            in = unpacked.in();
            this.limit = unpacked.compressed() ? limit : Long.MAX_VALUE;
        } catch (EOFException | Compression.DamagedException e) {
            throw damaged(0, e);
        }
    }

    /** Bytes read so far. */
    long position() {
        return position;
    }

    /** The next bytes, without consuming them; fewer if the input is shorter. */
    Bytes peek(int count) throws IOException {
        in.mark(count);
        try {
            return Bytes.wrap(in.readNBytes(count));
        } catch (EOFException | Compression.DamagedException e) {
            throw damaged(position, e);
        } finally {
            in.reset();
        }
    }

    /**
     * Reads a header.
     *
     * @param header is filled
     * @param what the header's name in an error
     * @return false if the input ended before the first byte
     * @throws CaptureException if the input ends within the header
     */
    boolean readHeader(byte[] header, String what) throws IOException {
        int read = fill(header);
        if (read == 0) {
            return false;
        }
        if (read < header.length) {
            throw truncated(what);
        }
        position += read;
        return true;
    }

    /** Reads bytes; {@code count} must have been checked against a maximum. */
    byte[] readBytes(int count, String what) throws IOException {
        byte[] bytes = new byte[count];
        if (fill(bytes) < count) {
            throw truncated(what);
        }
        position += count;
        return bytes;
    }

    /** Some of the next bytes; none at the end. */
    public Bytes readPart() throws IOException {
        byte[] bytes = new byte[PART_BYTES];
        try {
            int read = Math.max(0, in.read(bytes));
            position += read;
            return Bytes.wrap(Arrays.copyOf(bytes, read));
        } catch (EOFException | Compression.DamagedException e) {
            throw damaged(position, e);
        }
    }

    /** Reads bytes into a buffer of the given byte order. */
    ByteBuffer readBuffer(int count, ByteOrder order, String what) throws IOException {
        return ByteBuffer.wrap(readBytes(count, what)).order(order);
    }

    void skip(long count, String what) throws IOException {
        try {
            if (position + count > limit) {
                throw tooLong();
            }
            in.skipNBytes(count);
        } catch (Compression.DamagedException e) {
            throw damaged(position, e);
        } catch (EOFException _) {
            throw truncated(what);
        }
        position += count;
    }

    private int fill(byte[] bytes) throws IOException {
        if (position + bytes.length > limit) {
            throw tooLong();
        }
        try {
            return in.readNBytes(bytes, 0, bytes.length);
        } catch (EOFException | Compression.DamagedException e) {
            throw damaged(position, e);
        }
    }

    private CaptureException truncated(String what) {
        return new CaptureException(position, "the file ends within " + what);
    }

    private static CaptureException damaged(long position, IOException e) {
        return new CaptureException(
                position,
                e instanceof EOFException
                        ? "the compressed file is truncated"
                        : "the compressed file is damaged (" + e.getMessage() + ")");
    }

    private CaptureException tooLong() {
        return new CaptureException(
                position,
                "the compressed file has more than "
                        + limit
                        + " bytes of content: decompress it first to read all of it");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
