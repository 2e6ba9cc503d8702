package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a capture, in order, with the place where reading is; unpacked if compressed. */
final class CaptureInput implements AutoCloseable {
    private final BufferedInputStream in;
    private final long limit;
    private long position;

    /**
     * @param limit the most bytes that a compressed capture may unpack to: a few kilobytes of gzip
     *     can claim terabytes
     */
    CaptureInput(InputStream stream, long limit) throws IOException {
        try {
            Compression.Unpacked unpacked = Compression.unpack(stream);
            in = unpacked.in();
            this.limit = unpacked.packed() ? limit : Long.MAX_VALUE;
        } catch (EOFException | Compression.DamagedException e) {
            throw broken(0, e);
        }
    }

    /** Bytes read so far. */
    long position() {
        return position;
    }

    /** The next bytes without moving on; fewer where the input is shorter. */
    Bytes peek(int count) throws IOException {
        return peek(count, in::readNBytes);
    }

    /** What of the next bytes is there already, without moving on: a live capture has few. */
    Bytes peekAvailable(int most) throws IOException {
        return peek(
                most,
                count -> {
                    byte[] bytes = new byte[count];
                    return Arrays.copyOf(bytes, Math.max(0, in.read(bytes)));
                });
    }

    /** Reads a number of bytes. */
    @FunctionalInterface
    private interface Look {
        byte[] at(int count) throws IOException;
    }

    private Bytes peek(int count, Look look) throws IOException {
        in.mark(count);
        try {
            return Bytes.wrap(look.at(count));
        } catch (EOFException | Compression.DamagedException e) {
            throw broken(position, e);
        } finally {
            in.reset();
        }
    }

    /**
     * Fills a header.
     *
     * @param what the header's name in an error
     * @return false where the input ended before its first byte
     * @throws CaptureException where it ends within the header
     */
    boolean header(byte[] header, String what) throws IOException {
        int read = fill(header);
        if (read == 0) {
            return false;
        }
        if (read < header.length) {
            throw cutShort(what);
        }
        position += read;
        return true;
    }

    /** The next bytes; {@code count} must have been checked against a maximum. */
    byte[] bytes(int count, String what) throws IOException {
        byte[] bytes = new byte[count];
        if (fill(bytes) < count) {
            throw cutShort(what);
        }
        position += count;
        return bytes;
    }

    /** The next bytes as numbers. */
    ByteBuffer numbers(int count, ByteOrder order, String what) throws IOException {
        return ByteBuffer.wrap(bytes(count, what)).order(order);
    }

    void skip(long count, String what) throws IOException {
        try {
            if (position + count > limit) {
                throw tooLong();
            }
            in.skipNBytes(count);
        } catch (Compression.DamagedException e) {
            throw broken(position, e);
        } catch (EOFException _) {
            throw cutShort(what);
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
            throw broken(position, e);
        }
    }

    private CaptureException cutShort(String what) {
        return new CaptureException(position, "the file ends within " + what);
    }

    private static CaptureException broken(long position, IOException e) {
        return new CaptureException(position, broken(e));
    }

    /** What is wrong with a compressed file. */
    static String broken(IOException e) {
        return e instanceof EOFException
                ? "the compressed file ends before its time"
                : "the compressed file is damaged (" + e.getMessage() + ")";
    }

    private CaptureException tooLong() {
        return new CaptureException(
                position,
                "the compressed file holds more than "
                        + limit
                        + " bytes: unpack it first to read all of it");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
