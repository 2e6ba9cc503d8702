package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A map of Quake II, and what its rules make of boxes in it. */
class Bsp38Test {
    private static final Vec3f MINS = new Vec3f(-16, -16, -24);
    private static final Vec3f MAXS = new Vec3f(16, 16, 32);
    private static final int SOLID = 1;
    private static final int WINDOW = 2;
    private static final int MONSTER = 0x200_0000;
    private static final Vec3f DOWN = new Vec3f(0, 0, -400);

    /** The map's last brush is that of a model, which is not of the world. */
    private static final int WORLD_BRUSHES = 27;

    private static byte[] file() throws IOException {
        return Bsp46Test.map("q2box1.bsp");
    }

    private static PlaneWorld world() throws IOException {
        return Bsp38.read(file()).world();
    }

    @Test
    void restsBoxAThirtySecondAboveFloor() throws IOException {
        Vec3f start = new Vec3f(-234, 256, 100);
        Trace fall = world().trace(start, MINS, MAXS, start.plus(DOWN), SOLID);
        assertThat(fall.end()).isEqualTo(new Vec3f(-234, 256, 24 + 1 / 32f));
        assertThat(fall.plane().normal()).isEqualTo(new Vec3f(0, 0, 1));
        assertThat(fall.contents() & SOLID).isEqualTo(SOLID);
    }

    @Test
    void reportsBoundsOfWorld() throws IOException {
        assertThat(Bsp38.read(file()).bounds())
                .isEqualTo(new Box(new Vec3f(-528, -528, -144), new Vec3f(528, 528, 400)));
    }

    @Test
    void findsSameAsEveryBrush() throws IOException {
        Bsp38 map = Bsp38.read(file());
        Solids solids = new Solids(map.brushes());
        Random random = new Random(38);
        int hits = 0;
        int stuck = 0;
        int unreached = 0;
        for (int i = 0; i < 20_000; i++) {
            Vec3f start = point(random);
            Vec3f end = i % 10 == 0 ? start : point(random);
            BoxSweep all = new BoxSweep(TraceRules.QUAKE2, start, MINS, MAXS, end, SOLID);
            for (int brush = 0; brush < WORLD_BRUSHES && all.fraction > 0; brush++) {
                if ((solids.contents(brush) & SOLID) != 0) {
                    all.clipBrush(solids, brush, 0);
                }
            }
            Trace found = map.world().trace(start, MINS, MAXS, end, SOLID);
            if (found.fraction() == 1) {
                unreached += all.fraction < 1 ? 1 : 0;
            } else {
                assertThat(found.fraction()).isEqualTo(all.fraction);
            }
            assertThat(found.allSolid()).isEqualTo(all.allSolid);
            hits += found.fraction() < 1 ? 1 : 0;
            stuck += found.allSolid() ? 1 : 0;
        }
        assertThat(hits).isGreaterThan(2_000);
        assertThat(stuck).isGreaterThan(200);
        assertThat(unreached).as("ways that end just before a brush").isLessThan(40);
    }

    @Test
    void includesLeastButNotGreatestSidesOfBody() throws IOException {
        Obstacle body = new Obstacle(7, new Vec3f(-400, 0, 25), MINS, MAXS, MONSTER);
        PlaneWorld world = world().with(List.of(body));
        Vec3f before = new Vec3f(-368, 0, 25);
        Vec3f behind = new Vec3f(-432, 0, 25);
        Vec3f way = new Vec3f(0, 90, 0);
        assertThat(world.trace(before, MINS, MAXS, before.plus(way), MONSTER).startSolid())
                .as("its greatest sides are not asked by what moves")
                .isFalse();
        assertThat(world.trace(behind, MINS, MAXS, behind.plus(way), MONSTER).startSolid())
                .as("its least sides are")
                .isTrue();
        assertThat(world.trace(before, MINS, MAXS, before, MONSTER).startSolid())
                .as("all are by what rests")
                .isTrue();
        Trace into = world.trace(new Vec3f(-440, 0, 25), MINS, MAXS, body.origin(), MONSTER);
        assertThat(into.end().x()).isEqualTo(-432 - 1 / 32f);
        assertThat(into.entity()).isEqualTo(7);
        assertThat(world.trace(behind, MINS, MAXS, body.origin(), WINDOW).fraction()).isEqualTo(1);
        assertThat(world.contents(new Vec3f(-416, 0, 25)) & MONSTER).isEqualTo(MONSTER);
        assertThat(world.contents(new Vec3f(-384, 0, 25)) & MONSTER).isZero();
    }

    @Test
    void prefersContentsOfStart() throws IOException {
        Obstacle around = new Obstacle(1, new Vec3f(-400, 0, 60), MINS, MAXS, MONSTER);
        Obstacle below = new Obstacle(2, new Vec3f(-400, 0, 0), MINS, MAXS, MONSTER);
        PlaneWorld world = world().with(List.of(below, around));
        Vec3f start = new Vec3f(-400, 10, 60);
        Trace trace = world.trace(start, MINS, MAXS, start.plus(DOWN), SOLID | MONSTER);
        assertThat(trace.startSolid()).isTrue();
        assertThat(trace.fraction()).as("it leaves freely").isEqualTo(1);
    }

    @Test
    void refusesEveryCutWithOffset() throws IOException {
        byte[] map = file();
        for (int cut = 0; cut < map.length - 4; cut += 97) {
            byte[] shorter = Arrays.copyOf(map, cut);
            assertThatExceptionOfType(MalformedMapException.class)
                    .isThrownBy(() -> Bsp38.read(shorter))
                    .withMessageStartingWith("map, byte ");
        }
    }

    @Test
    void readsOrRefusesFlippedBytes() throws IOException {
        byte[] map = file();
        Random random = new Random(1);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] flipped = map.clone();
            for (int n = 0; n < 4; n++) {
                int at = random.nextInt(random.nextBoolean() ? 160 : flipped.length);
                flipped[at] = (byte) random.nextInt();
            }
            try {
                PlaneWorld world = Bsp38.read(flipped).world();
                Trace trace = world.trace(Vec3f.ZERO, MINS, MAXS, new Vec3f(99, 9, -99), -1);
                assertThat(trace.fraction()).isBetween(0f, 1f);
            } catch (MalformedMapException e) {
                assertThat(e.offset()).isNotNegative();
                refused++;
            }
        }
        assertThat(refused).isBetween(200, 1_900);
    }

    private static Vec3f point(Random random) {
        return new Vec3f(
                random.nextInt(-500, 500), random.nextInt(-500, 500), random.nextInt(0, 300));
    }
}
