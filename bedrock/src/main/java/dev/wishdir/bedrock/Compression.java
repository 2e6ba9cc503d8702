package dev.wishdir.bedrock;

import dev.wishdir.wire.MalformedPacketException;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses and, within a bound, decompresses batches. What a batch claims about its size is never
 * believed: memory grows with what really comes out.
 */
public final class Compression {
    /** How a batch is compressed; the byte in front of it. */
    public enum Algorithm {
        DEFLATE(0, 0),
        SNAPPY(1, 1),
        NONE(0xFF, 0xFFFF);

        /** The byte in front of each batch. */
        final int marker;

        /** The number in the network settings. */
        final int setting;

        Algorithm(int marker, int setting) {
            this.marker = marker;
            this.setting = setting;
        }

        /** The algorithm that network settings name. */
        static Algorithm ofSetting(int setting) {
            for (Algorithm algorithm : values()) {
                if (algorithm.setting == setting) {
                    return algorithm;
                }
            }
            throw new MalformedPacketException(0, "algorithm", "is " + setting);
        }
    }

    /** Snappy's densest element turns 3 bytes into 64. */
    private static final int SNAPPY_RATIO = 22;

    private static final int FIRST_BUFFER = 1 << 12;

    Compression() {}

    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final Inflater inflater = new Inflater(true);

    /** Frees what the deflate library holds outside the heap. */
    void close() {
        deflater.end();
        inflater.end();
    }

    /** The compressed bytes behind {@code room} bytes that the caller fills. */
    byte[] compress(Algorithm algorithm, byte[] data, int length, int room) {
        return switch (algorithm) {
            case NONE -> {
                byte[] whole = new byte[room + length];
                System.arraycopy(data, 0, whole, room, length);
                yield whole;
            }
            case DEFLATE -> deflate(data, length, room);
            case SNAPPY -> {
                SnappyJavaCompressor snappy = new SnappyJavaCompressor();
                byte[] whole = new byte[room + snappy.maxCompressedLength(length)];
                int written = snappy.compress(data, 0, length, whole, room, whole.length - room);
                yield Arrays.copyOf(whole, room + written);
            }
        };
    }

    private byte[] deflate(byte[] data, int length, int room) {
        deflater.reset();
        deflater.setInput(data, 0, length);
        deflater.finish();
        byte[] whole = new byte[room + length / 2 + 64];
        int at = room;
        while (!deflater.finished()) {
            if (at == whole.length) {
                whole = Arrays.copyOf(whole, whole.length * 2);
            }
            at += deflater.deflate(whole, at, whole.length - at);
        }
        return Arrays.copyOf(whole, at);
    }

    /**
     * The bytes that {@code data} from {@code offset} on stand for.
     *
     * @throws MalformedPacketException if they are no whole compressed block, or stand for more
     *     than {@code most} bytes
     */
    byte[] decompress(Algorithm algorithm, byte[] data, int offset, int length, int most) {
        return switch (algorithm) {
            case NONE -> {
                if (length > most) {
                    throw tooLarge(most);
                }
                yield Arrays.copyOfRange(data, offset, offset + length);
            }
            case DEFLATE -> inflate(data, offset, length, most);
            case SNAPPY -> unsnap(data, offset, length, most);
        };
    }

    private byte[] inflate(byte[] data, int offset, int length, int most) {
        inflater.reset();
        inflater.setInput(data, offset, length);
        byte[] out = new byte[Math.min(most, Math.max(FIRST_BUFFER, length * 2))];
        int at = 0;
        try {
            while (!inflater.finished()) {
                if (at == out.length) {
                    if (at >= most) {
                        throw tooLarge(most);
                    }
                    out = Arrays.copyOf(out, (int) Math.min(most, out.length * 2L));
                }
                int read = inflater.inflate(out, at, out.length - at);
                if (read == 0 && !inflater.finished()) {
                    throw new MalformedPacketException(length, "batch", "ends too early");
                }
                at += read;
            }
        } catch (DataFormatException e) {
            throw new MalformedPacketException(0, "batch", "is not deflate: " + e.getMessage());
        }
        if (inflater.getRemaining() > 0) {
            throw new MalformedPacketException(
                    length, "batch", "has " + inflater.getRemaining() + " bytes after its end");
        }
        return Arrays.copyOf(out, at);
    }

    private static byte[] unsnap(byte[] data, int offset, int length, int most) {
        try {
            SnappyJavaDecompressor snappy = new SnappyJavaDecompressor();
            int claimed = snappy.getUncompressedLength(data, offset);
            if (claimed < 0 || claimed > most) {
                throw tooLarge(most);
            }
            if (claimed > (long) length * SNAPPY_RATIO) {
                throw new MalformedPacketException(0, "batch", "claims more than it can hold");
            }
            byte[] out = new byte[claimed];
            int written = snappy.decompress(data, offset, length, out, 0, claimed);
            if (written != claimed) {
                throw new MalformedPacketException(length, "batch", "ends too early");
            }
            return out;
        } catch (MalformedInputException | IndexOutOfBoundsException e) {
            throw new MalformedPacketException(0, "batch", "is not snappy: " + e.getMessage());
        }
    }

    private static MalformedPacketException tooLarge(int most) {
        return new MalformedPacketException(0, "batch", "is larger than " + most + " bytes");
    }
}
