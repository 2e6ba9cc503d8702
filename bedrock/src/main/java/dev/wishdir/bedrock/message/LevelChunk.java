package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.Optional;

/**
 * A column of blocks, 16 by 16 and of the world's height: docs/protocols/bedrock.md#chunks.
 *
 * @param x in chunks
 * @param z in chunks
 * @param count of the sub-chunks in the payload, from the lowest; with two large values the client
 *     requests them
 * @param limit the highest sub-chunk to request; in older versions only with {@link
 *     #REQUEST_LIMITED}
 * @param cached whether the payload has hashes, which this implementation never uses
 */
public record LevelChunk(
        int x,
        int z,
        int dimension,
        int count,
        Optional<Integer> limit,
        boolean cached,
        Bytes payload)
        implements BedrockMessage {
    public static final LevelChunk BLANK =
            new LevelChunk(0, 0, 0, 0, Optional.empty(), false, Bytes.EMPTY);

    /** The client requests sub-chunks up to a limit. */
    public static final int REQUEST_LIMITED = -2;

    private static final int MAX_PAYLOAD_BYTES = 2 << 20;

    public static LevelChunk wire(Wire w, LevelChunk m, Dialect d) {
        int x = Encoding.varint(w, "x", m.x);
        int z = Encoding.varint(w, "z", m.z);
        int dimension = Encoding.varint(w, "dimension", m.dimension);
        int count = Encoding.uvarint(w, "count", m.count);
        boolean optional = d.has(ProtocolChange.CHUNK_LIMIT_OPTIONAL);
        Optional<Integer> limit =
                optional
                        ? Encoding.optional(
                                w,
                                "limit",
                                m.limit,
                                0,
                                (wire, most) -> Encoding.varint(wire, "limit", most))
                        : count == REQUEST_LIMITED
                                ? Optional.of(w.u16le("limit", m.limit.orElse(0)))
                                : Optional.empty();
        boolean cached = w.bool("cached", m.cached);
        if (cached) {
            throw w.malformed("cached", "is set, though no cache was agreed");
        }
        if (optional) {
            Encoding.count(w, "hashes", 0, 0);
        }
        return new LevelChunk(
                x,
                z,
                dimension,
                count,
                limit,
                false,
                Encoding.blob(w, "payload", m.payload, MAX_PAYLOAD_BYTES));
    }
}
