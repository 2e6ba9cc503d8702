package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/** A real map of Quake III, and whatever else claims to be one. */
class Bsp46Test {
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);
    private static final int SOLID = 1;

    static byte[] map(String name) throws IOException {
        try (InputStream in = Bsp46Test.class.getResourceAsStream("/maps/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    @Test
    void restsBoxAnEighthAboveFloor() throws IOException {
        BrushWorld world = Bsp46.read(map("labbox.bsp")).world(Set.of());
        Trace fall = world.trace(new Vec3f(0, 0, 100), MINS, MAXS, new Vec3f(0, 0, -100), SOLID);
        assertThat(fall.end()).isEqualTo(new Vec3f(0, 0, 24.125f));
        assertThat(fall.plane().normal()).isEqualTo(new Vec3f(0, 0, 1));
        assertThat(world.contents(new Vec3f(300, 300, 40))).isEqualTo(32);
        assertThat(world.contents(new Vec3f(0, 0, 40))).isZero();
    }

    @Test
    void findsSameAsEveryBrush() throws IOException {
        List<Brush> brushes = Bsp46.read(map("labbox.bsp")).models().getFirst().brushes();
        BrushWorld tree = new BrushWorld(brushes);
        Random random = new Random(46);
        int hits = 0;
        for (int i = 0; i < 1_000; i++) {
            Vec3f start = point(random);
            Vec3f end = i % 10 == 0 ? start : point(random);
            Trace found = tree.trace(start, MINS, MAXS, end, SOLID);
            Trace nearest = new Trace(false, false, 1, end, Plane.NONE, 0, 0, Trace.WORLD);
            for (Brush brush : brushes) {
                Trace one = new BrushWorld(List.of(brush)).trace(start, MINS, MAXS, end, SOLID);
                if (one.allSolid() || one.fraction() < nearest.fraction()) {
                    nearest = nearest.startSolid() ? startingSolid(one) : one;
                } else if (one.startSolid()) {
                    nearest = startingSolid(nearest);
                }
                if (one.allSolid()) {
                    break;
                }
            }
            assertThat(found.fraction()).isEqualTo(nearest.fraction());
            assertThat(found.allSolid()).isEqualTo(nearest.allSolid());
            assertThat(found.startSolid()).isEqualTo(nearest.startSolid());
            hits += found.fraction() < 1 ? 1 : 0;
        }
        assertThat(hits).isGreaterThan(200);
    }

    @Test
    void stopsAtOtherPlayers() throws IOException {
        BrushWorld world =
                Bsp46.read(map("labbox.bsp"))
                        .world(Set.of())
                        .with(List.of(new Obstacle(7, new Vec3f(0, 0, 24), MINS, MAXS, 1 << 25)));
        Trace met =
                world.trace(
                        new Vec3f(-100, 0, 40), MINS, MAXS, new Vec3f(100, 0, 40), SOLID | 1 << 25);
        assertThat(met.entity()).isEqualTo(7);
        assertThat(met.end().x()).isEqualTo(-30.125f);
    }

    @Test
    void refusesEveryCutWithOffset() throws IOException {
        byte[] map = map("labbox.bsp");
        for (int cut = 0; cut < map.length - 4; cut += 97) {
            byte[] shorter = Arrays.copyOf(map, cut);
            assertThatExceptionOfType(MalformedMapException.class)
                    .isThrownBy(() -> Bsp46.read(shorter))
                    .withMessageStartingWith("map, byte ");
        }
    }

    @Test
    void readsOrRefusesFlippedBytes() throws IOException {
        byte[] map = map("labbox.bsp");
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            byte[] flipped = map.clone();
            for (int n = 0; n < 4; n++) {
                int at = random.nextInt(random.nextBoolean() ? 144 : flipped.length);
                flipped[at] = (byte) random.nextInt();
            }
            Bsp46FuzzTest.anyMap(flipped);
        }
    }

    private static Trace startingSolid(Trace t) {
        return new Trace(
                t.allSolid(),
                true,
                t.fraction(),
                t.end(),
                t.plane(),
                t.surface(),
                t.contents(),
                t.entity());
    }

    private static Vec3f point(Random random) {
        return new Vec3f(
                random.nextInt(-500, 500), random.nextInt(-500, 500), random.nextInt(-90, 380));
    }
}
