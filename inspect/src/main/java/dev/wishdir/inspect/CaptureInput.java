package dev.wishdir.inspect;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The bytes of a capture, in order, with the place where reading is. Unpacks gzip by itself. */
final class CaptureInput implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final long limit;
    private long position;

    /**
     * @param limit the most bytes that a compressed capture may unpack to: a few kilobytes of gzip
     *     can claim terabytes
     */
    CaptureInput(InputStream stream, long limit) throws IOException {
        BufferedInputStream plain = new BufferedInputStream(stream, BUFFER);
        plain.mark(2);
        boolean gzip = plain.read() == 0x1F && plain.read() == 0x8B;
        plain.reset();
        if (gzip) {
            try {
                in = new BufferedInputStream(new GZIPInputStream(plain, BUFFER), BUFFER);
            } catch (ZipException | EOFException e) {
                throw broken(e);
            }
            this.limit = limit;
        } else {
            in = plain;
            this.limit = Long.MAX_VALUE;
        }
    }

    /** Bytes read so far. */
    long position() {
        return position;
    }

    /** The next four bytes, high first, without moving on; 0 where the input is shorter. */
    int peek() throws IOException {
        in.mark(4);
        byte[] four = new byte[4];
        int read = fill(four);
        in.reset();
        return read < 4 ? 0 : ByteBuffer.wrap(four).getInt();
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
        } catch (ZipException e) {
            throw broken(e);
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
        } catch (ZipException | EOFException e) {
            throw broken(e);
        }
    }

    private CaptureException cutShort(String what) {
        return new CaptureException(position, "the file ends within " + what);
    }

    private CaptureException broken(IOException e) {
        return new CaptureException(position, "the compressed file is broken: " + e.getMessage());
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
