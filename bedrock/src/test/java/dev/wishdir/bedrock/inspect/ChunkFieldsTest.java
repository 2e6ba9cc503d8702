package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.blocks.arena.ArenaCatalog;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** What a column of blocks is explained as. */
class ChunkFieldsTest {
    @Test
    void readsGroundAndWallsOfChunks() {
        assertThat(BlockWorld.chunks(ArenaCatalog.FLAT.blocks())).hasSize(64);
        Map<String, ?> fields = BedrockMessageFields.of(chunk(2, 0), Dialect.OLDEST);
        assertThat(fields).doesNotContainKey("error");
        assertThat(String.valueOf(fields.get("subs"))).contains("-604749536");
        assertThat(fields.get("biomes")).isEqualTo(1);
    }

    private static LevelChunk chunk(int x, int z) {
        return BlockWorld.chunks(ArenaCatalog.FLAT.blocks()).stream()
                .filter(chunk -> chunk.x() == x && chunk.z() == z)
                .findFirst()
                .orElseThrow();
    }
}
