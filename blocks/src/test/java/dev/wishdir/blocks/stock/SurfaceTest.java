package dev.wishdir.blocks.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.Plane;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

class SurfaceTest {
    private static final int SOLID = 1;
    private static final int WATER = 32;
    private static final int SKY = 4;
    private static final BodyDimensions BODY =
            new BodyDimensions("quake3", 0.9375, 1.75, 0.5625, 1.5);

    private static Brush box(int contents, int surface, String texture) {
        Brush box = Brush.box(new Vec3f(0, 0, 0), new Vec3f(64, 128, 32), contents, surface);
        return new Brush(
                contents,
                box.bounds(),
                box.sides().stream()
                        .map(side -> new Brush.Side(side.plane(), surface, texture))
                        .toList());
    }

    private static List<Surface> surfaces(Predicate<Vec3f> outside, Brush... brushes) {
        return Surface.of(
                new StockMap(
                        "quake3",
                        "map",
                        "A map",
                        BODY,
                        List.of(brushes),
                        SOLID,
                        _ -> false,
                        outside,
                        CollisionSpace.OPEN,
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    /** As a triangle fan; negative where its corners go the wrong way round. */
    private static double area(Surface surface) {
        Vec3 first = surface.corners().getFirst();
        Vec3 n = surface.normal();
        double twice = 0;
        for (int i = 2; i < surface.corners().size(); i++) {
            Vec3 a = surface.corners().get(i - 1).minus(first);
            Vec3 b = surface.corners().get(i).minus(first);
            twice +=
                    n.x() * (a.y() * b.z() - a.z() * b.y())
                            + n.y() * (a.z() * b.x() - a.x() * b.z())
                            + n.z() * (a.x() * b.y() - a.y() * b.x());
        }
        return twice / 2;
    }

    @Test
    void splitsBoxIntoSixSides() {
        List<Surface> box = surfaces(_ -> false, box(SOLID, 0, "base_wall/brick"));
        assertThat(box).hasSize(6);
        assertThat(box).allSatisfy(side -> assertThat(side.corners()).hasSize(4));
        // 2 by 4 by 1 m.
        assertThat(box.stream().mapToDouble(SurfaceTest::area).sorted().toArray())
                .containsExactly(new double[] {2, 2, 4, 4, 8, 8}, within(1e-3));
        Surface top =
                box.stream().filter(side -> side.normal().z() > 0.9).findFirst().orElseThrow();
        assertThat(top.material()).isEqualTo(Material.TILE);
        assertThat(top.corners()).allSatisfy(at -> assertThat(at.z()).isEqualTo(1, within(1e-6)));
        assertThat(box.getFirst().material()).isEqualTo(Material.BRICK);
    }

    @Test
    void cutsCornerAsTriangle() {
        Brush whole = box(SOLID, 0, "stone");
        List<Brush.Side> sides = new ArrayList<>(whole.sides());
        float part = (float) Math.sqrt(1 / 3.0);
        // Cuts 32 units of each edge at (64, 128, 32).
        sides.add(
                new Brush.Side(
                        new Plane(new Vec3f(part, part, part), (64 + 128 + 32 - 32) * part),
                        0,
                        "stone"));
        List<Surface> cut = surfaces(_ -> false, new Brush(SOLID, whole.bounds(), sides));
        assertThat(cut).hasSize(7);
        assertThat(cut.getLast().corners()).hasSize(3);
        assertThat(area(cut.getLast())).isCloseTo(Math.sqrt(3) / 2, within(1e-3));
        // Of the side on the right (4 square metres) half a square metre is gone.
        assertThat(
                        cut.stream()
                                .filter(side -> side.normal().x() == 1)
                                .mapToDouble(SurfaceTest::area))
                .singleElement()
                .satisfies(left -> assertThat(left).isCloseTo(3.5, within(1e-3)));
    }

    @Test
    void omitsHiddenFaces() {
        assertThat(surfaces(_ -> false, box(WATER, 0, "water"))).isEmpty();
        assertThat(surfaces(_ -> false, box(SOLID, 0, "common/clip"))).isEmpty();
        assertThat(surfaces(_ -> false, box(SOLID, SKY, "env/sky"))).isEmpty();
        // A half of the space is no place to be.
        List<Surface> half = surfaces(at -> at.x() > 64, box(SOLID, 0, "stone"));
        assertThat(half).hasSize(5);
        assertThat(half).noneMatch(side -> side.normal().x() > 0.9);
    }
}
