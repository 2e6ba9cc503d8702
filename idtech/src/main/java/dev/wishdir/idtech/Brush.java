package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * A convex solid: the points behind all its sides. A facet is a brush without thickness; side 0 is
 * its front, side 1 its back. It stops nothing that comes through its back or starts in it.
 *
 * @param contents bits of the game: solid, water, ladder
 * @param bounds a box around the brush
 * @param sides the first six are the sides of the bounds in IBSP 46 and in every box
 * @param facet whether the brush is a facet
 */
public record Brush(int contents, Box bounds, List<Side> sides, boolean facet) {
    /**
     * The number of first sides that the bounds replace, in a brush of IBSP 46 and in every box.
     */
    static final int AXIAL = 6;

    /**
     * One side of a brush.
     *
     * @param plane its normal points out of the brush
     * @param surface bits of the game: slick, sky
     * @param texture the name of its texture, empty if the map has none
     */
    public record Side(Plane plane, int surface, String texture) {
        public Side(Plane plane, int surface) {
            this(plane, surface, "");
        }
    }

    public Brush {
        sides = List.copyOf(sides);
    }

    /** A brush that is not a facet. */
    public Brush(int contents, Box bounds, List<Side> sides) {
        this(contents, bounds, sides, false);
    }

    /** A box; its sides are in the order -x +x -y +y -z +z. */
    public static Brush box(Vec3f mins, Vec3f maxs, int contents, int surface) {
        List<Side> sides = new ArrayList<>(AXIAL);
        for (int axis = 0; axis < 3; axis++) {
            Vec3f out = new Vec3f(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
            sides.add(new Side(new Plane(out.times(-1), -mins.axis(axis)), surface));
            sides.add(new Side(new Plane(out, maxs.axis(axis)), surface));
        }
        return new Brush(contents, new Box(mins, maxs), sides);
    }

    /** This brush, moved by a vector. */
    Brush translated(Vec3f by) {
        List<Side> moved = new ArrayList<>(sides.size());
        for (Side side : sides) {
            Vec3f normal = side.plane.normal();
            moved.add(
                    new Side(
                            new Plane(normal, side.plane.dist() + normal.dot(by)),
                            side.surface,
                            side.texture));
        }
        return new Brush(contents, bounds.translated(by), moved, facet);
    }

    boolean contains(Vec3f point) {
        for (Side side : sides) {
            if (side.plane.distance(point) > 0) {
                return false;
            }
        }
        return true;
    }
}
