package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A column of blocks, 16 by 16 and as high as the world.
 *
 * @param x in chunks
 * @param z in chunks
 * @param count the sub-chunks in the payload, from the lowest up; two large values ask the client
 *     to request them
 * @param limit with {@link #REQUEST_LIMITED} alone: up to which sub-chunk
 * @param cached whether the payload holds hashes, which we never use
 */
public record LevelChunk(
        int x, int z, int dimension, int count, int limit, boolean cached, Bytes payload)
        implements BedrockMessage {
    public static final LevelChunk BLANK = new LevelChunk(0, 0, 0, 0, 0, false, Bytes.EMPTY);

    /** The client requests sub-chunks up to a limit. */
    public static final int REQUEST_LIMITED = -2;

    private static final int LARGEST_PAYLOAD = 2 << 20;

    public static LevelChunk wire(Wire w, LevelChunk m) {
        int x = Encoding.varint(w, "x", m.x);
        int z = Encoding.varint(w, "z", m.z);
        int dimension = Encoding.varint(w, "dimension", m.dimension);
        int count = Encoding.uvarint(w, "count", m.count);
        int limit = count == REQUEST_LIMITED ? w.u16le("limit", m.limit) : 0;
        boolean cached = w.bool("cached", m.cached);
        if (cached) {
            throw w.malformed("cached", "is set, though no cache was agreed");
        }
        return new LevelChunk(
                x,
                z,
                dimension,
                count,
                limit,
                false,
                Encoding.blob(w, "payload", m.payload, LARGEST_PAYLOAD));
    }
}
