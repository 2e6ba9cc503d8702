package dev.wishdir.bedrock.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** The arena as blocks. */
class BlockWorldTest {
    @Test
    void hashesBlocksAsTheGameDoes() {
        assertThat(BedrockBlock.hash("air", Map.of())).isEqualTo(-604749536);
        assertThat(BedrockBlock.hash("stone", Map.of())).isEqualTo(-2144268767);
        assertThat(BedrockBlock.hash("bedrock", Map.of("infiniburn_bit", new Nbt.ByteTag(0))))
                .isEqualTo(-173245189);
        assertThat(BedrockBlock.WATER).isEqualTo(1211861802);
        assertThat(BedrockBlock.ladder(BlockGrid.Side.SOUTH)).isEqualTo(1417289498);
        assertThat(BedrockBlock.ladder(BlockGrid.Side.NORTH)).isEqualTo(1355814675);
        assertThat(BedrockBlock.ladder(BlockGrid.Side.EAST)).isEqualTo(1294339852);
        assertThat(BedrockBlock.ladder(BlockGrid.Side.WEST)).isEqualTo(1232865029);
    }

    @Test
    void readsArenaBackUnchanged() {
        for (String name : ArenaCatalog.SHIPPED) {
            BlockGrid blocks = ArenaCatalog.shipped(name).blocks();
            ChunkGrid chunks = new ChunkGrid();
            BlockWorld.chunks(blocks).forEach(chunks::add);
            assertThat(chunks.isKnown(0.5, -20.5)).isTrue();
            int differ = 0;
            for (int x = blocks.minX() - 1; x <= blocks.maxX(); x++) {
                for (int y = blocks.minY() - 1; y <= blocks.maxY(); y++) {
                    for (int z = blocks.minZ() - 1; z <= blocks.maxZ(); z++) {
                        differ += chunks.filled(x, y, z) == blocks.filled(x, y, z) ? 0 : 1;
                    }
                }
            }
            assertThat(differ).as(name).isZero();
        }
    }

    @Test
    void reportsWorldOfUnknownBlocks() {
        ChunkGrid chunks = new ChunkGrid();
        LevelChunk chunk = BlockWorld.chunks(ArenaCatalog.FLAT.blocks()).getFirst();
        byte[] other = chunk.payload().toArray();
        other[4]++;
        chunks.add(
                new LevelChunk(
                        chunk.x(),
                        chunk.z(),
                        0,
                        chunk.count(),
                        chunk.limit(),
                        false,
                        Bytes.wrap(other)));
        assertThat(chunks.isKnown(16.0 * chunk.x() + 1, -16.0 * chunk.z() - 1)).isFalse();
    }
}
