package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Blocks made of the maps that both Quakes' writers made of blocks are the same blocks, wherever a
 * player could look or stand.
 */
@Tag("slow")
class MapAsBlocksTest {
    private static final int ARENAS = TestEffort.times(4);

    /** Both formats: IBSP 38 and 46. */
    enum Format {
        QUAKE2(new Quake2Game()) {
            @Override
            byte[] file(BlockArena arena) throws IOException {
                return game.files(arena).stream()
                        .filter(file -> file.path().endsWith(".bsp"))
                        .map(Level.File::content)
                        .findFirst()
                        .orElseThrow()
                        .toArray();
            }
        },
        QUAKE3(new Quake3Game()) {
            @Override
            byte[] file(BlockArena arena) throws IOException {
                byte[] pk3 = game.files(arena).getFirst().content().toArray();
                try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(pk3))) {
                    ZipEntry entry = zip.getNextEntry();
                    while (!entry.getName().endsWith(".bsp")) {
                        entry = zip.getNextEntry();
                    }
                    return zip.readAllBytes();
                }
            }
        };

        final Game game;

        Format(Game game) {
            this.game = game;
        }

        abstract byte[] file(BlockArena arena) throws IOException;

        BlockArena again(BlockArena arena) throws IOException {
            return StockMapConverter.of(game.map(arena.name(), file(arena)).orElseThrow());
        }
    }

    private static final int[][] NEAR = {
        {0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}
    };

    private record Block(int x, int y, int z) {}

    @ParameterizedTest
    @EnumSource
    void readsShippedArenasBack(Format format) throws IOException {
        for (String name : ArenaCatalog.SHIPPED) {
            BlockArena arena = ArenaCatalog.shipped(name);
            BlockArena again = format.again(arena);
            assertThat(same(arena, again)).as(name).isPositive();
            assertThat(again.spawns()).as(name).isEqualTo(arena.spawns());
            assertThat(again.title()).isEqualTo(arena.title());
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsAnyArenaBack(Format format) throws IOException {
        for (int seed = 0; seed < ARENAS; seed++) {
            BlockArena arena = arena(seed);
            assertThat(same(arena, format.again(arena))).as(arena.title()).isPositive();
        }
    }

    /**
     * Compares all that is reached from a spawn, and what is around it; returns how much that is.
     */
    private static int same(BlockArena arena, BlockArena again) {
        Set<Block> reached = reached(arena);
        for (Block at : reached) {
            // A million comparisons: only one that fails is worth an assertion.
            for (int[] way : NEAR) {
                Block other = new Block(at.x + way[0], at.y + way[1], at.z + way[2]);
                int is = reached.contains(other) ? filled(arena, other) : 2;
                if (filled(again, other) != is) {
                    fail("%s of %s: %d, not %d", other, arena.title(), filled(again, other), is);
                }
            }
            for (int h = 2 * at.z; h < 2 * at.z + 2; h++) {
                Medium is = medium(arena.blocks(), at, h);
                Medium read = again.blocks().medium(at.x, at.y, h);
                if (read != is) {
                    fail("in %s of %s is %s, not %s", at, arena.title(), read, is);
                }
            }
        }
        return reached.size();
    }

    /** A ladder that leans on nothing is none. */
    private static Medium medium(BlockGrid blocks, Block at, int h) {
        Medium medium = blocks.medium(at.x, at.y, h);
        boolean falls = medium == Medium.LADDER && blocks.wall(at.x, at.y, at.z).isEmpty();
        return falls ? Medium.AIR : medium;
    }

    private static int filled(BlockArena arena, Block at) {
        return arena.blocks().filled(at.x, at.y, at.z);
    }

    private static Set<Block> reached(BlockArena arena) {
        Set<Block> reached = new HashSet<>();
        Deque<Block> open = new ArrayDeque<>();
        for (Movement spawn : arena.spawns()) {
            Vec3 at = spawn.position();
            Block feet =
                    new Block(
                            (int) Math.floor(at.x()),
                            (int) Math.floor(at.y()),
                            (int) Math.floor(at.z()));
            if (reached.add(feet)) {
                open.add(feet);
            }
        }
        while (!open.isEmpty()) {
            Block at = open.remove();
            for (int[] way :
                    new int[][] {
                        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}
                    }) {
                Block next = new Block(at.x + way[0], at.y + way[1], at.z + way[2]);
                // A half block is entered from all sides but from below.
                Block upper = way[2] < 0 ? at : next;
                if (filled(arena, next) < 2
                        && (way[2] == 0 || filled(arena, upper) == 0)
                        && reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    private static BlockArena arena(long seed) {
        Random random = new Random(seed);
        BlockGrid.Builder blocks = new BlockGrid.Builder(24, 20, 12, 4);
        Material[] materials = Material.values();
        double full = random.nextDouble(0.05, 0.6);
        for (int x = -12; x < 12; x++) {
            for (int y = -10; y < 10; y++) {
                for (int z = -4; z < 8; z++) {
                    boolean room = x >= -1 && x < 2 && y >= -1 && y < 2 && z >= 0 && z < 3;
                    if (!room && (z == -1 || random.nextDouble() < full)) {
                        Material material = materials[random.nextInt(materials.length)];
                        boolean half = z != -1 && material.hasHalf() && random.nextBoolean();
                        blocks.set(x, y, z, material, half);
                    }
                }
            }
        }
        Movement spawn = Movement.at(new Vec3(0.5, 0.5, 0), 90);
        return new BlockArena(
                "random", "Random " + seed, BlockArena.Sun.USUAL, blocks.build(), List.of(spawn));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a map that is cut anywhere is refused, and said where")
    void refusesCutMap(Format format) throws IOException {
        byte[] whole = format.file(arena(1));
        for (int length = 8; length < whole.length; length += 1 + length / 5) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> format.game.map("cut", cut))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is broken: map, byte ");
        }
    }

    /** Whatever a byte becomes, the map is refused in words, or made blocks of. */
    @ParameterizedTest
    @EnumSource
    void refusesBrokenMapWithReason(Format format) throws IOException {
        byte[] whole = format.file(arena(2));
        Random random = new Random(3);
        int made = 0;
        for (int i = 0; i < TestEffort.times(20); i++) {
            byte[] broken = whole.clone();
            for (int j = 0; j < 20; j++) {
                broken[8 + random.nextInt(broken.length - 8)] = (byte) random.nextInt();
            }
            try {
                made +=
                        StockMapConverter.of(format.game.map("broken", broken).orElseThrow())
                                        .spawns()
                                        .isEmpty()
                                ? 0
                                : 1;
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("broken");
            }
        }
        assertThat(made).isPositive();
    }
}
