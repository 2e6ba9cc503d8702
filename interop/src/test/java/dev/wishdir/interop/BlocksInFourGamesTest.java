package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.map.ChunkGrid;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.BlockSpace;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.idtech.MapSpace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Trigger;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Octree;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.TestEffort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The same arena in four games: what is read back from each game's own map is solid where the
 * blocks are.
 */
@Tag("slow")
class BlocksInFourGamesTest {
    /** Points, and ways from them, that are tried in each shipped arena. */
    private static final int WAYS = TestEffort.times(10_000);

    /** The same in each random arena, which has at most 2,816 blocks. */
    private static final int RANDOM_WAYS = 5_000;

    private static final int ARENAS = TestEffort.times(10);

    /** Width and height of bodies: a point, and those of the games. */
    private static final double[][] BODIES = {
        {0.02, 0.02}, {1.025, 1.875}, {1, 1.75}, {0.9375, 1.75}, {0.6, 1.8}
    };

    private static final double POINT = 1e-6;

    /** Metres that rounding makes. */
    private static final double EXACT = 1e-6;

    /** Of a way the part that rounding makes. */
    private static final double ROUNDED = 1e-5;

    static final List<String> SHIPPED = ArenaCatalog.SHIPPED;

    /** How a game's map is read back, and how far from what is solid its bodies stop, metres. */
    enum Reading {
        QUAKE2(1.1 / 32 / 32) {
            @Override
            CollisionSpace read(BlockArena arena) throws IOException {
                return new dev.wishdir.quake2.map.Quake2MapCatalog(Optional.empty(), arena)
                        .load("")
                        .space();
            }

            // A ladder stands one unit before its wall.
            @Override
            double before() {
                return 1 / 32.0;
            }

            @Override
            Medium medium(Medium blocks) {
                return blocks;
            }

            @Override
            Vec3 left(double yaw) {
                return QUAKE3.left(yaw);
            }
        },
        QUAKE3(1.1 / 8 / 32) {
            @Override
            CollisionSpace read(BlockArena arena) throws IOException {
                return new MapSpace(
                        new dev.wishdir.quake3.map.Quake3MapCatalog(Optional.empty(), arena)
                                .load("")
                                .world(),
                        Quake3Motion.SCALE,
                        Pmove.MASK);
            }

            // Both Quakes, units and axes: yaw 0 looks along x, 90 along y, which is left.
            @Override
            Vec3 left(double yaw) {
                double turn = Math.toRadians(yaw);
                return new Vec3(-Math.sin(turn), Math.cos(turn), 0);
            }
        },
        SAUERBRATEN(EXACT) {
            @Override
            CollisionSpace read(BlockArena arena) {
                return new BlockSpace(
                        Octree.read(Ogz.read(OgzCompiler.build(arena).file())).orElseThrow());
            }

            // Cube 2: Sauerbraten, units and axes: left of a yaw is (cos, sin) of it.
            @Override
            Vec3 left(double yaw) {
                double turn = Math.toRadians(SauerbratenMotion.yaw(yaw));
                SauerbratenMotion motion = SauerbratenMotion.of(1024);
                Vec3 middle = motion.toNative(Vec3.ZERO);
                Vec3 way = new Vec3(Math.cos(turn), Math.sin(turn), 0).times(8);
                return motion.toCanonical(middle.plus(way));
            }
        },
        BEDROCK(EXACT) {
            @Override
            CollisionSpace read(BlockArena arena) {
                ChunkGrid chunks = new ChunkGrid();
                BlockWorld.chunks(arena.blocks()).forEach(chunks::add);
                return new BlockSpace(chunks);
            }

            @Override
            Medium medium(Medium blocks) {
                return blocks;
            }

            // Bedrock, units and axes: yaw 0 looks along z, whose left is x, and turns right.
            @Override
            Vec3 left(double yaw) {
                double turn = Math.toRadians(BedrockMotion.yaw(yaw));
                return BedrockMotion.point(
                        new Vec3f((float) Math.cos(turn), 0, (float) Math.sin(turn)));
            }
        };

        private final double distance;

        Reading(double distance) {
            this.distance = distance;
        }

        abstract CollisionSpace read(BlockArena arena) throws IOException;

        /** How far something stands before what is solid of the blocks, metres. */
        double before() {
            return 0;
        }

        /** What the game has in place of a medium: some have water for ladders. */
        Medium medium(Medium blocks) {
            return blocks == Medium.LADDER ? Medium.WATER : blocks;
        }

        /** Where a player of the game has its left hand that looks along a canonical yaw. */
        abstract Vec3 left(double yaw);
    }

    @ParameterizedTest
    @FieldSource("SHIPPED")
    void showsShippedArenasAlikeInFourGames(String name) throws IOException {
        agree(ArenaCatalog.shipped(name), 1, WAYS);
    }

    @Test
    void showsAnyArenasAlikeInFourGames() throws IOException {
        for (int seed = 0; seed < ARENAS; seed++) {
            agree(arena(seed), seed, RANDOM_WAYS);
        }
    }

    /** What each game's entities say of teleporters and jump pads is what the arena says. */
    @Test
    void offersTriggersOfArena() throws IOException {
        BlockArena arena = ArenaCatalog.shipped("hills");
        MoveTrigger.Teleporter teleporter =
                (MoveTrigger.Teleporter) arena.moveTriggers().getFirst();
        MoveTrigger.JumpPad pad = (MoveTrigger.JumpPad) arena.moveTriggers().getLast();
        Ogz ogz = Ogz.read(OgzCompiler.build(arena).file());
        MoveTriggers exits = MoveTriggers.of(ogz, SauerbratenMotion.of(ogz.worldsize()));
        assertThat(exits.teleports())
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.place()).isEqualTo(teleporter.place());
                    assertThat(found.to()).isEqualTo(teleporter.target());
                    assertThat(found.yaw()).isEqualTo(teleporter.exit().yaw());
                });
        assertThat(exits.pads())
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.place()).isEqualTo(pad.place());
                    assertThat(Math.signum(found.velocity().x())).isNegative();
                    assertThat(found.velocity().y()).isZero();
                });

        List<Trigger> triggers =
                dev.wishdir.quake2.map.Quake2MapCatalog.generated(arena).triggers();
        assertThat(triggers).hasSize(2);
        assertThat(triggers.getFirst())
                .isInstanceOfSatisfying(
                        Trigger.Teleport.class,
                        found -> {
                            assertThat(found.exit().position()).isEqualTo(teleporter.target());
                            assertThat(found.exit().yaw()).isEqualTo(teleporter.exit().yaw());
                        });
        assertThat(triggers.getLast())
                .isInstanceOfSatisfying(
                        Trigger.Push.class,
                        found -> {
                            double up = found.velocity().z() / 8.0 / 32;
                            double flat = found.velocity().x() / 8.0 / 32;
                            assertThat(up * up / (2 * 25)).isCloseTo(13.5, within(0.05));
                            assertThat(flat * up / 25).isCloseTo(-10, within(0.05));
                        });

        dev.wishdir.quake3.map.Quake3Map quake3 =
                new dev.wishdir.quake3.map.Quake3MapCatalog(Optional.empty(), arena).load("");
        assertThat(quake3.entities())
                .anySatisfy(entity -> {
                    assertThat(entity.classname()).isEqualTo("misc_teleporter_dest");
                    assertThat(
                                    Quake3Motion.feet(
                                            entity.origin().x(),
                                            entity.origin().y(),
                                            entity.origin().z()))
                            .isEqualTo(teleporter.target());
                    assertThat(entity.angles().y()).isEqualTo((float) teleporter.exit().yaw());
                })
                .anySatisfy(entity -> {
                    assertThat(entity.classname()).isEqualTo("target_position");
                    assertThat(entity.origin().x()).isEqualTo(40 * 32);
                    assertThat(entity.origin().y()).isEqualTo(40 * 32);
                });
    }

    /** No mirror: who looks east from the middle has the wall in the north to the left. */
    @ParameterizedTest
    @EnumSource
    void keepsLeftOnLeft(Reading game) throws IOException {
        BlockGrid.Builder blocks = new BlockGrid.Builder(12, 12, 6, 1);
        for (int x = -6; x < 6; x++) {
            for (int z = 0; z < 5; z++) {
                blocks.set(x, 3, z, Material.BRICK, false);
            }
        }
        Movement spawn = Movement.at(Vec3.ZERO, 0);
        CollisionSpace read =
                game.read(
                        new BlockArena(
                                "left",
                                "Left",
                                BlockArena.Sun.USUAL,
                                blocks.build(),
                                List.of(spawn)));
        for (int yaw : new int[] {0, 90, 180, 270}) {
            Vec3 left = game.left(yaw).times(4);
            assertThat(read.free(Vec3.ZERO, left, 1, 1.75) < 1)
                    .as("a wall to the left of %d", yaw)
                    .isEqualTo(yaw == 0);
            assertThat(read.free(Vec3.ZERO, left.times(-1), 1, 1.75) < 1)
                    .as("a wall to the right of %d", yaw)
                    .isEqualTo(yaw == 180);
        }
    }

    /** What is solid, measured by a body a little larger and one a little smaller. */
    private static void agree(BlockArena arena, long seed, int ways) throws IOException {
        CollisionSpace blocks = arena.space();
        Map<Reading, CollisionSpace> maps = new EnumMap<>(Reading.class);
        for (Reading game : Reading.values()) {
            maps.put(game, game.read(arena));
        }
        boolean ladders = arena.blocks().has(Material.LADDER);
        Random random = new Random(seed);
        for (int i = 0; i < ways; i++) {
            double[] body = BODIES[i % BODIES.length];
            Vec3 from = place(random, arena.blocks());
            Vec3 to = i % 4 == 0 ? along(random, from) : place(random, arena.blocks());
            boolean solid = !blocks.fits(from, POINT, POINT);
            double least = free(blocks, from, to, body, EXACT);
            double most = free(blocks, from, to, body, -EXACT);
            Medium medium = medium(blocks, from);
            for (Map.Entry<Reading, CollisionSpace> map : maps.entrySet()) {
                double d = map.getKey().distance;
                double before = d + (ladders ? map.getKey().before() : 0);
                double free = map.getValue().free(from, to, body[0], body[1]);
                // A still larger body gets less far, and is asked only where that matters.
                if (free < least - ROUNDED && free < free(blocks, from, to, body, before) - ROUNDED
                        || free > most + ROUNDED
                                && free > free(blocks, from, to, body, -d) + ROUNDED) {
                    fail(
                            "%s, %s, %s x %s from %s to %s is free until %s, not %s to %s",
                            map.getKey(),
                            arena.title(),
                            body[0],
                            body[1],
                            from,
                            to,
                            free,
                            free(blocks, from, to, body, before),
                            free(blocks, from, to, body, -d));
                }
                boolean air =
                        blocks.fits(from.minus(new Vec3(0, 0, before)), 2 * before, 2 * before);
                if ((air || solid) && map.getValue().fits(from, POINT, POINT) != air) {
                    fail(
                            "%s, %s, point %s is %s",
                            map.getKey(), arena.title(), from, air ? "solid" : "air");
                }
                if (medium != null) {
                    assertThat(map.getValue().medium(from))
                            .as("%s, %s, point %s", map.getKey(), arena.title(), from)
                            .isEqualTo(map.getKey().medium(medium));
                }
            }
        }
    }

    /** In what a point is; null where rounding may decide. */
    private static @Nullable Medium medium(CollisionSpace blocks, Vec3 at) {
        Medium medium = blocks.medium(at);
        for (int corner = 0; corner < 8; corner++) {
            Vec3 near =
                    new Vec3(
                            (corner & 1) == 0 ? -ROUNDED : ROUNDED,
                            (corner & 2) == 0 ? -ROUNDED : ROUNDED,
                            (corner & 4) == 0 ? -ROUNDED : ROUNDED);
            if (blocks.medium(at.plus(near)) != medium) {
                return null;
            }
        }
        return medium;
    }

    /** How far a body gets that is larger by some metres on each side. */
    private static double free(
            CollisionSpace blocks, Vec3 from, Vec3 to, double[] body, double larger) {
        Vec3 lower = new Vec3(0, 0, larger);
        return blocks.free(
                from.minus(lower), to.minus(lower), body[0] + 2 * larger, body[1] + 2 * larger);
    }

    private static Vec3 along(Random random, Vec3 from) {
        double metres = random.nextDouble(-60, 60);
        return switch (random.nextInt(3)) {
            case 0 -> from.plus(new Vec3(metres, 0, 0));
            case 1 -> from.plus(new Vec3(0, metres, 0));
            default -> from.plus(new Vec3(0, 0, metres / 4));
        };
    }

    private static Vec3 place(Random random, BlockGrid blocks) {
        return new Vec3(
                random.nextDouble(blocks.minX() - 0.5, blocks.maxX() + 0.5),
                random.nextDouble(blocks.minY() - 0.5, blocks.maxY() + 0.5),
                random.nextDouble(blocks.minZ() - 0.5, blocks.maxZ() + 0.5));
    }

    private static BlockArena arena(long seed) {
        Random random = new Random(seed);
        int width = 4 + 2 * random.nextInt(7);
        int depth = 4 + 2 * random.nextInt(7);
        int height = 3 + random.nextInt(8);
        int ground = random.nextInt(height - 1);
        BlockGrid.Builder blocks = new BlockGrid.Builder(width, depth, height, ground);
        Material[] materials = Material.values();
        double full = random.nextDouble(0.05, 0.6);
        for (int x = -width / 2; x < width / 2; x++) {
            for (int y = -depth / 2; y < depth / 2; y++) {
                for (int z = -ground; z < height - ground; z++) {
                    if (random.nextDouble() < full) {
                        Material material = materials[random.nextInt(materials.length)];
                        boolean half = material.hasHalf() && random.nextBoolean();
                        blocks.set(x, y, z, material, half);
                    }
                }
            }
        }
        blocks.clear(0, 0, 0);
        Movement spawn = Movement.at(new Vec3(0.5, 0.5, 0), 90);
        return new BlockArena(
                "random", "Random " + seed, BlockArena.Sun.USUAL, blocks.build(), List.of(spawn));
    }
}
