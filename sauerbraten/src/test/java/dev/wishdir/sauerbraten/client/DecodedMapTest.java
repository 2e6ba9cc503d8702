package dev.wishdir.sauerbraten.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

class DecodedMapTest {
    private static Bytes file(String arena) {
        return Bytes.wrap(OgzCompiler.build(ArenaCatalog.shipped(arena)).file().toArray());
    }

    @Test
    void sharesOneDecodedMapBetweenClients() {
        DecodedMap first = DecodedMap.of(file("flat"));
        assertThat(first.ground()).isPresent();
        assertThat(DecodedMap.of(file("flat"))).isSameAs(first);
        assertThat(DecodedMap.of(file("hall")).crc()).isNotEqualTo(first.crc());
    }
}
