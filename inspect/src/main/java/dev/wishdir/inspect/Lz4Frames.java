package dev.wishdir.inspect;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Decompresses LZ4 frames (LZ4 Frame Format 1.6), as written by the {@code lz4} command: a
 * descriptor, then blocks, each of which may refer to the 64 KiB before it. Checksums are not
 * verified.
 */
final class Lz4Frames extends InputStream {
    private static final int MAGIC = 0x184D2204;
    private static final int HISTORY_BYTES = 1 << 16;
    private static final int MIN_MATCH_BYTES = 4;

    private final InputStream in;
    private boolean hasBlockChecksums;
    private boolean hasContentChecksum;
    private boolean linked;
    private int maxBlockBytes;
    private byte[] block = new byte[0];
    private byte[] window = new byte[0];
    private int at;
    private int end;
    private boolean inFrame;

    Lz4Frames(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        while (at == end) {
            if (!inFrame && !frame()) {
                return -1;
            }
            block();
        }
        int some = Math.min(count, end - at);
        System.arraycopy(window, at, into, from, some);
        at += some;
        return some;
    }

    /** Reads the descriptor of a frame; false at the end of the file. */
    private boolean frame() throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        if ((first | number(3) << 8) != MAGIC) {
            throw new IOException("a frame does not begin with the magic number");
        }
        int flags = octet();
        int size = octet() >> 4 & 7;
        if (flags >> 6 != 1 || size < 4 || (flags & 1) != 0) {
            throw new IOException("a frame's version, block size or dictionary is not supported");
        }
        linked = (flags & 0x20) == 0;
        hasBlockChecksums = (flags & 0x10) != 0;
        hasContentChecksum = (flags & 0x04) != 0;
        maxBlockBytes = 1 << 2 * size + 8;
        in.skipNBytes((flags & 0x08) != 0 ? 9 : 1);
        block = new byte[maxBlockBytes];
        window = new byte[0];
        at = 0;
        end = 0;
        inFrame = true;
        return true;
    }

    private void block() throws IOException {
        int header = number(4);
        int length = header & 0x7FFF_FFFF;
        if (header == 0) {
            in.skipNBytes(hasContentChecksum ? 4 : 0);
            inFrame = false;
            return;
        }
        if (length > maxBlockBytes) {
            throw new IOException("a block is longer than its frame allows");
        }
        if (in.readNBytes(block, 0, length) < length) {
            throw new EOFException();
        }
        in.skipNBytes(hasBlockChecksums ? 4 : 0);
        int kept = linked ? Math.min(end, HISTORY_BYTES) : 0;
        byte[] next = new byte[kept + maxBlockBytes];
        System.arraycopy(window, end - kept, next, 0, kept);
        window = next;
        at = kept;
        if (header < 0) {
            System.arraycopy(block, 0, window, kept, length);
            end = kept + length;
        } else {
            end = decompress(length, kept);
        }
    }

    /**
     * Decompresses the block into the window.
     *
     * @param begin where its content begins in the window
     * @return where its content ends
     */
    private int decompress(int length, int begin) throws IOException {
        int read = 0;
        int write = begin;
        while (read < length) {
            int token = block[read++] & 0xFF;
            int literals = token >> 4;
            for (int more = 255; literals >= 15 && more == 255; literals += more) {
                more = compressedByte(read++, length);
            }
            if (literals > length - read || literals > window.length - write) {
                throw new IOException("literals extend beyond their block");
            }
            System.arraycopy(block, read, window, write, literals);
            read += literals;
            write += literals;
            if (read == length) {
                return write;
            }
            int offset = compressedByte(read++, length) | compressedByte(read++, length) << 8;
            int match = token & 0xF;
            for (int more = 255; match >= 15 && more == 255; match += more) {
                more = compressedByte(read++, length);
            }
            match += MIN_MATCH_BYTES;
            if (offset == 0 || offset > write || match > window.length - write) {
                throw new IOException("a match extends beyond its block");
            }
            for (int i = 0; i < match; i++, write++) {
                window[write] = window[write - offset];
            }
        }
        throw new IOException("a block ends without literals");
    }

    private int compressedByte(int place, int length) throws IOException {
        if (place >= length) {
            throw new IOException("a block ends within a sequence");
        }
        return block[place] & 0xFF;
    }

    private int octet() throws IOException {
        int octet = in.read();
        if (octet < 0) {
            throw new EOFException();
        }
        return octet;
    }

    private int number(int octets) throws IOException {
        int number = 0;
        for (int i = 0; i < octets; i++) {
            number |= octet() << 8 * i;
        }
        return number;
    }
}
