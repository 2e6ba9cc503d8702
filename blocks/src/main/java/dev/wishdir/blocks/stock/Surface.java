package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.grid.Material;
import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.Plane;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * The visible part of one side of a stock map's brush.
 *
 * @param corners of a convex polygon, metres, counter-clockwise as seen from the front
 * @param normal unit vector to the front
 * @param material guessed by the name of its texture
 */
public record Surface(List<Vec3> corners, Vec3 normal, Material material) {
    /** A point at most this far behind a plane counts as on it, units. */
    private static final double ON_PLANE_UNITS = 0.01;

    /** Smaller polygons are rounding artefacts where planes meet, square units. */
    private static final double MIN_AREA = 1;

    /** Distance before a side at which its visibility is tested, units. */
    private static final double PROBE_UNITS = 2;

    /** The z of a normal above which a side is a floor. */
    private static final double MIN_FLOOR_NORMAL_Z = 0.7;

    public Surface {
        corners = List.copyOf(corners);
    }

    /**
     * All surfaces visible from inside the map. Left out are clip brushes, the sky, and sides that
     * face a wall or the outside of the map.
     */
    public static List<Surface> of(StockMap map) {
        List<Surface> surfaces = new ArrayList<>();
        for (Brush brush : map.brushes()) {
            if ((brush.contents() & map.solidContents()) != 0) {
                // Only the front of a facet is visible; the other sides are its edges.
                int sides = brush.facet() ? 1 : brush.sides().size();
                for (int side = 0; side < sides; side++) {
                    add(map, brush, side, surfaces);
                }
            }
        }
        return surfaces;
    }

    private static void add(StockMap map, Brush brush, int index, List<Surface> to) {
        Brush.Side side = brush.sides().get(index);
        TextureCategory category = TextureCategory.of(side);
        if (category == TextureCategory.SKY || !TextureCategory.isSeen(side)) {
            return;
        }
        Vec3 normal = vec(side.plane().normal());
        List<Vec3> corners = polygon(brush, index, normal);
        if (area(corners, normal) < MIN_AREA || isHidden(map, corners, normal)) {
            return;
        }
        to.add(
                new Surface(
                        corners.stream()
                                .map(at -> at.times(1.0 / StockMap.UNITS_PER_METRE))
                                .toList(),
                        normal,
                        normal.z() > MIN_FLOOR_NORMAL_Z ? category.floor : category.wall));
    }

    private static Vec3 vec(Vec3f units) {
        return new Vec3(units.x(), units.y(), units.z());
    }

    private static Vec3 cross(Vec3 a, Vec3 b) {
        return new Vec3(
                a.y() * b.z() - a.z() * b.y(),
                a.z() * b.x() - a.x() * b.z(),
                a.x() * b.y() - a.y() * b.x());
    }

    /** The polygon that the other sides cut out of a side's plane, units. */
    private static List<Vec3> polygon(Brush brush, int index, Vec3 normal) {
        Box box = brush.bounds();
        double reach = box.maxs().minus(box.mins()).length() + 1;
        Vec3 middle = vec(box.mins().plus(box.maxs()).times(0.5f));
        Plane plane = brush.sides().get(index).plane();
        Vec3 on = middle.minus(normal.times(middle.dot(normal) - plane.dist()));
        Vec3 aside =
                Math.abs(normal.z()) > MIN_FLOOR_NORMAL_Z ? new Vec3(1, 0, 0) : new Vec3(0, 0, 1);
        Vec3 u = cross(aside, normal);
        u = u.times(reach / u.length());
        Vec3 v = cross(normal, u);
        List<Vec3> corners =
                List.of(
                        on.minus(u).minus(v),
                        on.plus(u).minus(v),
                        on.plus(u).plus(v),
                        on.minus(u).plus(v));
        for (int other = 0; other < brush.sides().size() && !corners.isEmpty(); other++) {
            Plane by = brush.sides().get(other).plane();
            // The back of a facet is its front, reversed.
            if (other != index && !(brush.facet() && other == 1)) {
                corners = clipped(corners, vec(by.normal()), by.dist());
            }
        }
        return corners;
    }

    private static List<Vec3> clipped(List<Vec3> corners, Vec3 normal, double dist) {
        List<Vec3> kept = new ArrayList<>(corners.size() + 1);
        for (int i = 0; i < corners.size(); i++) {
            Vec3 from = corners.get(i);
            Vec3 to = corners.get((i + 1) % corners.size());
            double before = from.dot(normal) - dist;
            double after = to.dot(normal) - dist;
            if (before <= ON_PLANE_UNITS) {
                kept.add(from);
            }
            if ((before > ON_PLANE_UNITS) != (after > ON_PLANE_UNITS)) {
                double part = Math.clamp(before / (before - after), 0, 1);
                kept.add(from.plus(to.minus(from).times(part)));
            }
        }
        return kept;
    }

    private static double area(List<Vec3> corners, Vec3 normal) {
        double twice = 0;
        for (int i = 2; i < corners.size(); i++) {
            Vec3 first = corners.getFirst();
            Vec3 turned = cross(corners.get(i - 1).minus(first), corners.get(i).minus(first));
            twice += turned.dot(normal);
        }
        return twice / 2;
    }

    /** Whether none of a few test points before it is inside the map. */
    private static boolean isHidden(StockMap map, List<Vec3> corners, Vec3 normal) {
        Vec3 sum = Vec3.ZERO;
        for (Vec3 corner : corners) {
            sum = sum.plus(corner);
        }
        Vec3 middle = sum.times(1.0 / corners.size());
        if (!map.outside().test(before(middle, normal))) {
            return false;
        }
        for (Vec3 corner : corners) {
            for (double part : new double[] {0.5, 0.95}) {
                Vec3 at = middle.plus(corner.minus(middle).times(part));
                if (!map.outside().test(before(at, normal))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Vec3f before(Vec3 at, Vec3 normal) {
        Vec3 point = at.plus(normal.times(PROBE_UNITS));
        return new Vec3f((float) point.x(), (float) point.y(), (float) point.z());
    }
}
