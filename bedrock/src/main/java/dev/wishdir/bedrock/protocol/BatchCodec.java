package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Packs messages into batches and unpacks batches (Bedrock, batches): lengths, then compression and
 * encryption, each once agreed. One a session; not thread-safe.
 */
public final class BatchCodec {
    /** Maximum number of messages of a batch. */
    public static final int MAX_PACKETS = 800;

    /**
     * Maximum size of a batch with a login, decompressed, bytes: a skin and a cape of 512 x 512
     * pixels with a geometry, twice in base64.
     */
    public static final int MAX_LOGIN_BATCH_BYTES = 5 << 20;

    /**
     * Maximum size of a batch of a logged-in client, decompressed, bytes: a new skin with all its
     * data.
     */
    public static final int MAX_PLAY_BATCH_BYTES = 512 << 10;

    /**
     * Decompressed bytes that a session may cause at once: a login, and the messages while it
     * loads.
     */
    static final int INFLATE_BURST_BYTES = 3 << 20;

    /** A session has only one larger batch, its login, which leaves it the rest of the burst. */
    private static final int MAX_CHARGED_BYTES = 2 << 20;

    /** Decompressed bytes a second that a session may cause in the long run. */
    static final int INFLATE_BYTES_PER_SECOND = 64 << 10;

    /** Maximum size of a buffer that is kept after its batch was read, bytes. */
    private static final int MAX_KEPT_BYTES = 64 << 10;

    private int largest;
    private final int mostPackets;
    private final Compression compression = new Compression();
    private final TokenBucket inflated =
            new TokenBucket(INFLATE_BURST_BYTES, INFLATE_BYTES_PER_SECOND);
    private Algorithm algorithm = Algorithm.NONE;
    private int threshold;
    private boolean compressing;
    private @Nullable Encryption sending;
    private @Nullable Encryption receiving;
    private @Nullable ReadBatch last;

    /** A batch that was read, in buffers that are valid until the next one. */
    private static final class ReadBatch {
        private final Algorithm algorithm;

        /** The algorithm's byte and the compressed messages, from index 0. */
        private final byte[] packed;

        private final int packedLength;

        /** The messages, each after its length, from index {@link #from}. */
        private final byte[] messages;

        private final int from;
        private final int length;

        ReadBatch(
                Algorithm algorithm,
                byte[] packed,
                int packedLength,
                byte[] messages,
                int from,
                int length) {
            this.algorithm = algorithm;
            this.packed = packed;
            this.packedLength = packedLength;
            this.messages = messages;
            this.from = from;
            this.length = length;
        }

        boolean has(byte[] others, int count) {
            return Arrays.equals(messages, from, from + length, others, 0, count);
        }
    }

    /**
     * @param largest maximum size of a received batch, bytes
     * @param mostPackets maximum number of messages of a received batch
     */
    public BatchCodec(int largest, int mostPackets) {
        this.largest = largest;
        this.mostPackets = mostPackets;
    }

    /** Sets the maximum size of later received batches, bytes. */
    public void setMaxBatchBytes(int largest) {
        this.largest = largest;
    }

    /** Compresses later batches, in both directions; each names its algorithm. */
    public void compress(Algorithm algorithm, int threshold) {
        compressing = true;
        this.algorithm = algorithm;
        this.threshold = threshold;
    }

    /**
     * Encrypts later batches, in both directions.
     *
     * @param key the 32 bytes that both sides derived
     */
    public void encrypt(byte[] key) {
        sending = Encryption.sending(key);
        receiving = Encryption.receiving(key);
    }

    /** Whether received batches must be encrypted. */
    public boolean isEncrypted() {
        return receiving != null;
    }

    /**
     * Packs the messages of a batch for the transport.
     *
     * @param messages each after its length
     * @param length of all of them, bytes
     */
    public byte[] pack(byte[] messages, int length) {
        return pack(messages, length, null);
    }

    /**
     * Packs the messages of a batch for the transport. If they are those of the batch that another
     * codec has read last, and in a compression that was agreed here too, they are not compressed
     * again.
     *
     * @param messages each after its length
     * @param length of all of them, bytes
     * @param source that may have read them; null for none
     */
    public byte[] pack(byte[] messages, int length, @Nullable BatchCodec source) {
        ReadBatch read = source == null ? null : source.last;
        if (read != null
                && compressing
                && (read.algorithm == algorithm || read.algorithm == Algorithm.NONE)
                && read.has(messages, length)) {
            if (sending == null) {
                return Arrays.copyOf(read.packed, read.packedLength);
            }
            int end = read.packedLength + Encryption.CHECKSUM_BYTES;
            return sending.encrypt(
                    read.packed.length < end ? Arrays.copyOf(read.packed, end) : read.packed,
                    read.packedLength);
        }
        int trailer = sending == null ? 0 : Encryption.CHECKSUM_BYTES;
        Algorithm used = compressing && length >= threshold ? algorithm : Algorithm.NONE;
        int marker = compressing ? 1 : 0;
        int end = compression.compress(used, messages, length, marker, trailer);
        byte[] plain = compression.compressed();
        if (compressing) {
            plain[0] = (byte) used.marker;
        }
        byte[] batch = sending == null ? Arrays.copyOf(plain, end) : sending.encrypt(plain, end);
        compression.shrink();
        return batch;
    }

    /**
     * Unpacks a batch within the sender's rate limit of decompressed bytes, {@value
     * #INFLATE_BYTES_PER_SECOND} a second with {@value #INFLATE_BURST_BYTES} at once.
     *
     * @param now nanoseconds
     * @param each takes a reader of one message's bytes, valid during the call
     * @throws MalformedPacketException if it is malformed, or exceeds a limit or the rate limit;
     *     messages before that were given
     */
    public void read(long now, byte[] batch, Consumer<Reader> each) {
        read(true, now, batch, each);
    }

    /**
     * Unpacks a batch without the rate limit of decompressed bytes.
     *
     * @param each takes a reader of one message's bytes, valid during the call
     * @throws MalformedPacketException if it is malformed or exceeds a limit; messages before that
     *     were given
     */
    public void read(byte[] batch, Consumer<Reader> each) {
        read(false, 0, batch, each);
    }

    private void read(boolean paid, long now, byte[] batch, Consumer<Reader> each) {
        last = null;
        byte[] data = batch;
        int length = batch.length;
        if (receiving != null) {
            length = receiving.decrypt(batch);
            data = receiving.decrypted();
        }
        Algorithm used = compressing ? algorithm(data, length) : Algorithm.NONE;
        int from = compressing ? 1 : 0;
        byte[] packed = data;
        int packedLength = length;
        if (used == Algorithm.NONE) {
            length -= from;
            if (length > largest) {
                throw new MalformedPacketException(0, "batch", "is larger than " + largest);
            }
        } else {
            length = compression.decompress(used, data, 1, length - 1, largest);
            data = compression.decompressed();
            from = 0;
        }
        if (paid && !inflated.tryAcquire(now, Math.min(length, MAX_CHARGED_BYTES))) {
            throw new MalformedPacketException(
                    0,
                    "batch",
                    "decompresses to more than " + INFLATE_BYTES_PER_SECOND + " bytes a second");
        }
        if (compressing && Math.max(packed.length, data.length) <= MAX_KEPT_BYTES) {
            last = new ReadBatch(used, packed, packedLength, data, from, length);
        }
        try {
            split(data, from, length, each);
        } finally {
            compression.shrink();
            if (receiving != null) {
                receiving.shrink();
            }
        }
    }

    private Algorithm algorithm(byte[] batch, int length) {
        if (length == 0) {
            throw new MalformedPacketException(0, "batch", "is empty");
        }
        int marker = batch[0] & 0xFF;
        if (marker == Algorithm.NONE.marker) {
            return Algorithm.NONE;
        }
        if (marker != algorithm.marker) {
            throw new MalformedPacketException(0, "algorithm", "is " + marker + ", not agreed");
        }
        return algorithm;
    }

    private void split(byte[] data, int from, int size, Consumer<Reader> each) {
        Reader lengths = new Reader(data, from, size);
        Reader message = new Reader(data);
        int read = 0;
        while (lengths.remaining() > 0) {
            if (++read > mostPackets) {
                throw lengths.malformed("batch", "has more than " + mostPackets + " messages");
            }
            int length = Encoding.uvarint(lengths, "length", 0);
            if (length <= 0 || length > lengths.remaining()) {
                throw lengths.malformed(
                        "length", "is " + length + " of " + lengths.remaining() + " bytes");
            }
            message.reset(data, from + lengths.position(), length);
            lengths.popLimit(lengths.pushLimit("message", length));
            each.accept(message);
        }
        if (read == 0) {
            throw new MalformedPacketException(0, "batch", "is empty");
        }
    }
}
