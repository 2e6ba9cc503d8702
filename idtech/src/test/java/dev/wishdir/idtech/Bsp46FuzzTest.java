package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Tag;

import java.util.Set;

/** Any bytes at all as a map: it is read and can be walked in, or it is refused. */
@Tag("slow")
class Bsp46FuzzTest {
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);

    /** More than what the reader takes of a file of a mebibyte. */
    private static final int MAX_BRUSHES = (1 << 20) / 8 + (1 << 16);

    @FuzzTest
    void anyBytes(byte[] bytes) {
        anyMap(bytes);
    }

    static void anyMap(byte[] bytes) {
        Bsp46 map;
        try {
            map = Bsp46.read(bytes);
        } catch (MalformedMapException e) {
            assertThat(e.offset()).isNotNegative();
            return;
        }
        assertThat(map.models().stream().mapToInt(model -> model.brushes().size()).sum())
                .isLessThanOrEqualTo(MAX_BRUSHES);
        BrushWorld world = map.world(Set.of("func_static"));
        Vec3f end = new Vec3f(99, 9, -99);
        for (Vec3f mins : new Vec3f[] {MINS, Vec3f.ZERO}) {
            Vec3f maxs = mins.equals(MINS) ? MAXS : Vec3f.ZERO;
            Trace trace = world.trace(Vec3f.ZERO, mins, maxs, end, -1);
            assertThat(trace.fraction()).isBetween(0f, 1f);
            Trace still = world.trace(trace.end(), mins, maxs, trace.end(), -1);
            assertThat(still.fraction()).isIn(0f, 1f);
        }
        world.contents(end);
    }
}
