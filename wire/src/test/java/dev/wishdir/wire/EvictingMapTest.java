package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

class EvictingMapTest {
    private static void fill(Map<Integer, String> map) {
        map.put(1, "a");
        map.put(2, "b");
        map.get(1);
        map.put(3, "c");
    }

    @Test
    void evictsOldest() {
        Map<Integer, String> map = new EvictingMap<>(2);
        fill(map);
        assertThat(map).containsOnlyKeys(2, 3);
    }

    @Test
    void evictsLeastRecentlyUsed() {
        Map<Integer, String> map = EvictingMap.leastRecentlyUsed(2);
        fill(map);
        assertThat(map).containsOnlyKeys(1, 3);
    }
}
