package dev.wishdir.blocks.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.RandomBlocks;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Blocks as bodies meet them, as brushes and as what is seen. */
@Tag("slow")
class BlockGridTest {
    @Test
    void stopsBodyAtFirstBlock() {
        for (int seed = 0; seed < TestEffort.times(40); seed++) {
            BlockArena arena = RandomBlocks.arena(seed);
            Random random = new Random(seed);
            CollisionSpace space = arena.space();
            for (int i = 0; i < 200; i++) {
                Vec3 from = place(random, arena.blocks());
                Vec3 to = place(random, arena.blocks());
                double width = random.nextDouble(0.01, 1.2);
                double height = random.nextDouble(0.01, 2);
                double expected = slowly(arena.blocks(), from, to, width, height);
                assertThat(space.free(from, to, width, height))
                        .as("seed %d, %s to %s, %s x %s", seed, from, to, width, height)
                        .isCloseTo(expected, within(1e-5));
                assertThat(space.fits(from, width, height))
                        .as("seed %d, at %s, %s x %s", seed, from, width, height)
                        .isEqualTo(space.free(from, from, width, height) > 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e7, 3e9, 1e20, Double.MAX_VALUE})
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void answersForPlacesWithoutBlocks(double far) {
        CollisionSpace space = ArenaCatalog.FLAT.space();
        for (Vec3 at :
                List.of(
                        new Vec3(far, 0, 1),
                        new Vec3(0, -far, 1),
                        new Vec3(0, 0, far),
                        new Vec3(-far, far, -far))) {
            assertThat(space.fits(at, 1, 2)).isFalse();
            assertThat(space.free(at, at.plus(new Vec3(0, 1, 0)), 1, 2)).isZero();
            assertThat(space.medium(at)).isEqualTo(Medium.AIR);
        }
    }

    private static Vec3 place(Random random, BlockGrid blocks) {
        return new Vec3(
                random.nextDouble(blocks.minX() - 1, blocks.maxX() + 1),
                random.nextDouble(blocks.minY() - 1, blocks.maxY() + 1),
                random.nextDouble(blocks.minZ() - 1, blocks.maxZ() + 1));
    }

    /** By every block of the grid and of what is around it. */
    private static double slowly(
            BlockGrid blocks, Vec3 from, Vec3 to, double width, double height) {
        double free = 1;
        for (int x = blocks.minX() - 4; x < blocks.maxX() + 4; x++) {
            for (int y = blocks.minY() - 4; y < blocks.maxY() + 4; y++) {
                for (int z = blocks.minZ() - 4; z < blocks.maxZ() + 4; z++) {
                    double filled = blocks.filled(x, y, z) / 2.0;
                    if (filled > 0) {
                        free = Math.min(free, way(from, to, width, height, x, y, z, filled));
                    }
                }
            }
        }
        return free;
    }

    private static double way(
            Vec3 from, Vec3 to, double width, double height, int x, int y, int z, double filled) {
        double[][] axes = {
            {from.x(), to.x(), x - width / 2, x + 1 + width / 2},
            {from.y(), to.y(), y - width / 2, y + 1 + width / 2},
            {from.z(), to.z(), z - height, z + filled},
        };
        double enter = 0;
        double leave = 1;
        for (double[] axis : axes) {
            double one = (axis[2] - axis[0]) / (axis[1] - axis[0]);
            double other = (axis[3] - axis[0]) / (axis[1] - axis[0]);
            enter = Math.max(enter, Math.min(one, other));
            leave = Math.min(leave, Math.max(one, other));
        }
        return enter < leave ? enter : 1;
    }

    @Test
    void slidesBodyAlongBlock() {
        CollisionSpace space = ArenaCatalog.FLAT.space();
        Vec3 corner = new Vec3(-31.5, -31.5, 0);
        assertThat(space.fits(corner, 1, 2)).isTrue();
        assertThat(space.free(corner, new Vec3(31.5, -31.5, 0), 1, 2)).isEqualTo(1);
        assertThat(space.free(corner, new Vec3(-31.5, -31.5, 62), 1, 2)).isEqualTo(1);
        assertThat(space.free(corner, new Vec3(-33.5, -31.5, 0), 1, 2)).isCloseTo(0, within(1e-6));
        assertThat(space.fits(new Vec3(0, 0, -0.01), 1, 2)).isFalse();
        assertThat(space.free(corner, new Vec3(Double.NaN, 0, 0), 1, 2)).isZero();
    }

    @Test
    void coversSolidOnce() {
        for (int seed = 0; seed < 300; seed++) {
            BlockGrid blocks = RandomBlocks.arena(seed).blocks();
            Map<Vec3, Integer> filled = new HashMap<>();
            List<Cuboid> boxes = new ArrayList<>(Cuboid.of(blocks, true));
            boxes.addAll(Cuboid.of(blocks, false));
            for (Cuboid box : boxes) {
                for (int x = box.minX(); x < box.maxX(); x++) {
                    for (int y = box.minY(); y < box.maxY(); y++) {
                        for (int h = box.minZ(); h < box.maxZ(); h++) {
                            filled.merge(new Vec3(x, y, h), 1, Integer::sum);
                        }
                    }
                }
            }
            assertThat(filled.values()).allMatch(times -> times == 1);
            int solid = 0;
            for (int x = 2 * blocks.minX(); x < 2 * blocks.maxX(); x++) {
                for (int y = 2 * blocks.minY(); y < 2 * blocks.maxY(); y++) {
                    for (int h = 2 * blocks.minZ(); h < 2 * blocks.maxZ(); h++) {
                        solid += blocks.isSolid(x >> 1, y >> 1, h) ? 1 : 0;
                    }
                }
            }
            assertThat(filled).hasSize(solid);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat"})
    void makesFewBoxesOfRooms(String name) {
        BlockGrid blocks = ArenaCatalog.shipped(name).blocks();
        int solid = 0;
        for (int x = blocks.minX(); x < blocks.maxX(); x++) {
            for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
                    solid += blocks.filled(x, y, z) > 0 ? 1 : 0;
                }
            }
        }
        List<Cuboid> boxes = Cuboid.of(blocks, false);
        assertThat(boxes).hasSizeLessThan(solid / 40);
    }

    @Test
    void putsFacesBetweenSolidAndAir() {
        for (int seed = 0; seed < 300; seed++) {
            BlockGrid blocks = RandomBlocks.arena(seed).blocks();
            double area = 0;
            for (Face face : Face.of(blocks, 6)) {
                area += (face.maxU() - face.minU()) * (face.maxV() - face.minV()) / 4.0;
                assertThat(face.maxU() - face.minU()).isBetween(1, 6);
                assertThat(face.maxV() - face.minV()).isBetween(1, 6);
            }
            assertThat(area).isEqualTo(seen(blocks));
        }
    }

    /** The area of what is seen, half block by half block. */
    private static double seen(BlockGrid blocks) {
        double area = 0;
        int[][] ways = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        for (int x = blocks.minX() - 1; x <= blocks.maxX(); x++) {
            for (int y = blocks.minY() - 1; y <= blocks.maxY(); y++) {
                for (int h = 2 * blocks.minZ() - 1; h <= 2 * blocks.maxZ(); h++) {
                    Material behind = blocks.half(x, y, h);
                    for (int[] way : ways) {
                        Material before = blocks.half(x + way[0], y + way[1], h + way[2]);
                        if (behind == null || behind == Material.LADDER) {
                            continue;
                        }
                        if (before == null
                                || before == Material.LADDER
                                || before.transparent() && !behind.transparent()) {
                            area += way[2] == 0 ? 0.5 : 1;
                        }
                    }
                }
            }
        }
        return area;
    }
}
