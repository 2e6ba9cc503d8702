package dev.wishdir.bedrock.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.Nbt;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** The arena as blocks. */
class BoxWorldTest {
    @Test
    void blocksHashAsTheGameDoes() {
        assertThat(BoxWorld.hash("minecraft:air", Map.of())).isEqualTo(-604749536);
        assertThat(BoxWorld.hash("minecraft:stone", Map.of())).isEqualTo(-2144268767);
        assertThat(BoxWorld.hash("minecraft:bedrock", Map.of("infiniburn_bit", new Nbt.ByteTag(0))))
                .isEqualTo(-173245189);
    }
}
