package dev.wishdir.bedrock.protocol;

import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.MalformedPacketException;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;

import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses and decompresses batches, within a limit: docs/protocols/bedrock.md#batches. A size
 * that a batch claims is not trusted: buffers grow with the output. Not thread-safe, as it reuses
 * buffers.
 */
public final class Compression {
    /** The compression algorithms of batches. */
    public enum Algorithm {
        DEFLATE(0, 0),
        SNAPPY(1, 1),
        NONE(0xFF, 0xFFFF);

        /** The byte before each batch. */
        public final int marker;

        /** The number in the network settings. */
        public final int setting;

        Algorithm(int marker, int setting) {
            this.marker = marker;
            this.setting = setting;
        }

        /**
         * The algorithm that network settings name.
         *
         * @throws MalformedPacketException if they name none of these
         */
        public static Algorithm ofSetting(int setting) {
            for (Algorithm algorithm : values()) {
                if (algorithm.setting == setting) {
                    return algorithm;
                }
            }
            throw new MalformedPacketException(0, "algorithm", "is " + setting);
        }
    }

    /** Maximum ratio of Snappy: its densest element turns 3 bytes into 64. */
    private static final int SNAPPY_RATIO = 22;

    private static final int INITIAL_BUFFER_BYTES = 1 << 12;

    /** Maximum size of a buffer that is reused, bytes. */
    private static final int MAX_REUSED_BYTES = 64 << 10;

    private static final byte[] EMPTY = {};

    /**
     * One for all sessions of a thread: it retains 270 KiB outside the heap, but no state between
     * batches.
     */
    private static final ThreadLocal<Deflater> DEFLATER =
            ThreadLocal.withInitial(() -> new Deflater(Deflater.BEST_SPEED, true));

    /** As the deflater. */
    private static final ThreadLocal<Inflater> INFLATER =
            ThreadLocal.withInitial(() -> new Inflater(true));

    private byte[] packed = EMPTY;
    private byte[] unpacked = EMPTY;

    Compression() {}

    /** The output of {@link #compress}, after the requested space; valid until the next call. */
    byte[] compressed() {
        return packed;
    }

    /**
     * Compresses the first {@code length} bytes of {@code data} into {@link #compressed}.
     *
     * @param before number of bytes before the output that are left for the caller
     * @param behind number of bytes after the output that are left for the caller
     * @return the length of the output with the bytes before it
     */
    int compress(Algorithm algorithm, byte[] data, int length, int before, int behind) {
        int end =
                switch (algorithm) {
                    case NONE -> {
                        packed = withCapacity(packed, before + length, 0);
                        System.arraycopy(data, 0, packed, before, length);
                        yield before + length;
                    }
                    case DEFLATE -> deflate(data, length, before);
                    case SNAPPY -> {
                        SnappyJavaCompressor snappy = new SnappyJavaCompressor();
                        packed =
                                withCapacity(
                                        packed, before + snappy.maxCompressedLength(length), 0);
                        yield before
                                + snappy.compress(
                                        data, 0, length, packed, before, packed.length - before);
                    }
                };
        packed = withCapacity(packed, end + behind, end);
        return end;
    }

    /** The array if it is long enough, else a longer one with its content. */
    private static byte[] withCapacity(byte[] array, int length, int held) {
        if (array.length >= length) {
            return array;
        }
        byte[] longer = new byte[Math.max(length, INITIAL_BUFFER_BYTES)];
        System.arraycopy(array, 0, longer, 0, held);
        return longer;
    }

    private int deflate(byte[] data, int length, int before) {
        Deflater deflater = DEFLATER.get();
        deflater.reset();
        deflater.setInput(data, 0, length);
        deflater.finish();
        packed = withCapacity(packed, before + length / 2 + 64, 0);
        int at = before;
        while (!deflater.finished()) {
            packed = at == packed.length ? withCapacity(packed, at * 2, at) : packed;
            at += deflater.deflate(packed, at, packed.length - at);
        }
        return at;
    }

    /** The output of {@link #decompress}, from index 0; valid until the next call. */
    byte[] decompressed() {
        return unpacked;
    }

    /** Frees buffers that have grown for a large batch. */
    void shrink() {
        packed = packed.length > MAX_REUSED_BYTES ? EMPTY : packed;
        unpacked = unpacked.length > MAX_REUSED_BYTES ? EMPTY : unpacked;
    }

    /**
     * Decompresses {@code length} bytes from {@code offset} into {@link #decompressed}.
     *
     * @return its length
     * @throws MalformedPacketException if they are not a whole compressed block, or the output is
     *     larger than {@code most} bytes
     */
    int decompress(Algorithm algorithm, byte[] data, int offset, int length, int most) {
        return switch (algorithm) {
            case NONE -> {
                if (length > most) {
                    throw tooLarge(most);
                }
                unpacked = withCapacity(unpacked, length, 0);
                System.arraycopy(data, offset, unpacked, 0, length);
                yield length;
            }
            case DEFLATE -> inflate(data, offset, length, most);
            case SNAPPY -> unsnap(data, offset, length, most);
        };
    }

    private int inflate(byte[] data, int offset, int length, int most) {
        Inflater inflater = INFLATER.get();
        inflater.reset();
        inflater.setInput(data, offset, length);
        int at = 0;
        try {
            while (!inflater.finished()) {
                if (at == unpacked.length) {
                    unpacked = withCapacity(unpacked, Math.max(at * 2, length), at);
                }
                int read = inflater.inflate(unpacked, at, unpacked.length - at);
                at += read;
                if (at > most) {
                    throw tooLarge(most);
                }
                if (read == 0 && !inflater.finished()) {
                    throw new MalformedPacketException(length, "batch", "ends too early");
                }
            }
        } catch (DataFormatException e) {
            throw new MalformedPacketException(
                    0, "batch", "is not deflate: " + ExceptionMessage.of(e));
        }
        if (inflater.getRemaining() > 0) {
            throw new MalformedPacketException(
                    length, "batch", "has " + inflater.getRemaining() + " bytes after its end");
        }
        return at;
    }

    private int unsnap(byte[] data, int offset, int length, int most) {
        try {
            SnappyJavaDecompressor snappy = new SnappyJavaDecompressor();
            int claimed = snappy.getUncompressedLength(data, offset);
            if (claimed < 0 || claimed > most) {
                throw tooLarge(most);
            }
            if (claimed > (long) length * SNAPPY_RATIO) {
                throw new MalformedPacketException(0, "batch", "claims more than it can hold");
            }
            unpacked = withCapacity(unpacked, claimed, 0);
            int written = snappy.decompress(data, offset, length, unpacked, 0, claimed);
            if (written != claimed) {
                throw new MalformedPacketException(length, "batch", "ends too early");
            }
            return written;
        } catch (MalformedInputException | IndexOutOfBoundsException e) {
            throw new MalformedPacketException(
                    0, "batch", "is not snappy: " + ExceptionMessage.of(e));
        }
    }

    private static MalformedPacketException tooLarge(int most) {
        return new MalformedPacketException(0, "batch", "is larger than " + most + " bytes");
    }
}
