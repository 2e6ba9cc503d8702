package dev.wishdir.game.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class MapChangerTest {
    private record TestMap(String name, Optional<BlockArena> blocks) implements MapChanger.GameMap {
        static TestMap of(BlockArena arena) {
            return new TestMap("wishdir_" + arena.name(), Optional.of(arena));
        }
    }

    /** Has the arenas, and one map of the game. */
    private static final class TestCatalog implements MapChanger.Catalog<TestMap> {
        @Override
        public TestMap load(String name) throws IOException {
            if (name.equals("wishdir_flat")) {
                return of(ArenaCatalog.FLAT);
            }
            if (!name.equals("dm1")) {
                throw new IOException("there is no map '" + name + "'");
            }
            return new TestMap(name, Optional.empty());
        }

        @Override
        public TestMap of(BlockArena arena) {
            return TestMap.of(arena);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final SharedArena sharedArena =
            new SharedArena(
                    network.cycle(),
                    new Arena(Level.BOX, 16),
                    ArenaCatalog.FLAT,
                    List.of(ArenaCatalog.shipped("hall")));
    private final List<String> started = new ArrayList<>();
    private final MapChanger<TestMap> maps = changer(started);

    private MapChanger<TestMap> changer(List<String> names) {
        return new MapChanger<>(
                sharedArena,
                new TestCatalog(),
                TestMap.of(ArenaCatalog.FLAT),
                (_, map) -> names.add(map.name()));
    }

    @Test
    void changesTheSharedArenaForAllGames() {
        List<String> other = new ArrayList<>();
        changer(other);
        assertThat(maps.isShared()).isTrue();
        maps.change(0, "hall");
        network.run(1_000_000_000);
        assertThat(started).containsExactly("wishdir_hall");
        assertThat(other).containsExactly("wishdir_hall");
        assertThat(maps.change(0, "dm1")).contains("Arena 'dm1' can't be played here");
    }

    @Test
    void playsAnotherMapByItself() {
        assertThat(maps.isShared()).isFalse();
        assertThat(maps.change(0, "dm1")).isEqualTo("playing dm1");
        sharedArena.change(0, "hall");
        network.run(1_000_000_000);
        assertThat(started).as("follows the shared arena no longer").containsExactly("dm1");
    }

    @Test
    void returnsToTheSharedArena() {
        maps.change(0, "dm1");
        assertThat(maps.change(0, "wishdir_flat")).isEqualTo("playing wishdir_flat");
        sharedArena.change(0, "hall");
        network.run(1_000_000_000);
        assertThat(started).containsExactly("dm1", "wishdir_flat", "wishdir_hall");
    }

    @Test
    void keepsPlayingIfAMapCannotBeLoaded() {
        assertThat(maps.change(0, "nowhere"))
                .isEqualTo("can't load the map: there is no map 'nowhere'");
        assertThat(started).isEmpty();
        sharedArena.change(0, "flat");
        assertThat(started).containsExactly("wishdir_flat");
    }

    @Test
    void ignoresTheSharedArenaOnceClosed() {
        maps.close();
        sharedArena.change(0, "flat");
        assertThat(started).isEmpty();
    }
}
