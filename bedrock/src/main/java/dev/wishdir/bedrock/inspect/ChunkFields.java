package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The fields of a column of blocks. */
final class ChunkFields {
    private static final int BIOMES = 24;
    private static final int SAME_AS_BELOW = 0xFF;
    private static final int BLOCKS = 4096;

    private ChunkFields() {}

    /** Puts the fields of the message, and the blocks in its payload. */
    static void put(FieldMap fields, LevelChunk m) {
        fields.put("x", m.x())
                .put("z", m.z())
                .put("dimension", m.dimension())
                .put("count", m.count())
                .put("cache", m.cached());
        try {
            blocks(fields, new Reader(m.payload()), m.count());
        } catch (MalformedPacketException e) {
            fields.put("error", e.getMessage());
        }
    }

    private static void blocks(FieldMap fields, Reader r, int count) {
        List<Object> subs = new ArrayList<>();
        for (int i = 0; i < r.bounded("count", count, 64); i++) {
            int version = r.u8("version", 0);
            int storages = r.bounded("storages", r.u8("storages", 0), 8);
            List<@Nullable Object> sub = new ArrayList<>();
            sub.add(version);
            sub.add(version >= 9 ? r.i8("height", 0) : null);
            List<Object> walked = new ArrayList<>();
            for (int s = 0; s < storages; s++) {
                walked.add(storage(r, r.u8("bits", 0)));
            }
            sub.add(walked);
            subs.add(sub);
        }
        int biomes = 0;
        for (int i = 0; i < BIOMES; i++) {
            int bits = r.u8("biomes", 0);
            if (bits != SAME_AS_BELOW) {
                storage(r, bits);
                biomes++;
            }
        }
        fields.put("subs", subs).put("biomes", biomes).put("border", r.u8("border blocks", 0));
    }

    private static List<Object> storage(Reader r, int marker) {
        int bits = marker >> 1;
        int size = 1;
        if (bits > 0) {
            int words = Math.ceilDiv(BLOCKS, Math.max(1, 32 / bits));
            r.bytes("words", Bytes.EMPTY, words * 4);
            size = r.bounded("palette", Encoding.varint(r, "palette", 0), BLOCKS);
        }
        List<Integer> palette = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            palette.add(Encoding.varint(r, "palette", 0));
        }
        return List.of(bits, palette);
    }
}
