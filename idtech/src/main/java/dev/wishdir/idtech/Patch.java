package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a curved surface of IBSP 46 into flat facets: docs/protocols/quake3.md#patches. The
 * surface is a grid of control points; each 3 by 3 of them is a biquadratic patch. A facet stops
 * what comes from its front.
 */
final class Patch {
    /** Maximum points along one side, before and after subdivision. */
    static final int MAX_POINTS = 129;

    /** Maximum distance between the middle of a curve and that of its chord, units. */
    private static final float MAX_DEVIATION_UNITS = 16;

    /**
     * Points closer than this are the same; a point closer than this to a plane lies in it, units.
     */
    private static final float SAME_POINT_UNITS = 0.1f;

    /** Maximum number of times that a curve is halved. */
    private static final int MAX_SUBDIVISIONS = 8;

    private static final float[] SIGNS = {-1, 1};

    private Patch() {}

    /**
     * The facets of a patch.
     *
     * @param rows control points; the numbers of rows and of columns are odd, 3..{@value
     *     #MAX_POINTS}
     * @param offset of the patch in its file
     * @throws MalformedMapException if the subdivided patch has too many points
     */
    static List<Brush> facets(
            List<List<Vec3f>> rows, int contents, int surface, String texture, long offset) {
        List<List<Vec3f>> columns = subdivide(transposed(rows), offset);
        List<List<Vec3f>> grid = subdivide(transposed(columns), offset);
        List<Brush> facets = new ArrayList<>();
        for (int row = 0; row + 1 < grid.size(); row++) {
            List<Vec3f> near = grid.get(row);
            List<Vec3f> far = grid.get(row + 1);
            for (int column = 0; column + 1 < near.size(); column++) {
                Vec3f a = near.get(column);
                Vec3f b = near.get(column + 1);
                Vec3f c = far.get(column + 1);
                Vec3f d = far.get(column);
                Plane plane = plane(a, b, c);
                if (!plane.equals(Plane.NONE) && Math.abs(plane.distance(d)) < SAME_POINT_UNITS) {
                    add(facets, plane, List.of(a, b, c, d), contents, surface, texture);
                } else {
                    add(facets, plane, List.of(a, b, c), contents, surface, texture);
                    add(facets, plane(c, d, a), List.of(c, d, a), contents, surface, texture);
                }
            }
        }
        return facets;
    }

    private static List<List<Vec3f>> transposed(List<List<Vec3f>> lines) {
        List<List<Vec3f>> across = new ArrayList<>();
        for (int i = 0; i < lines.getFirst().size(); i++) {
            List<Vec3f> line = new ArrayList<>(lines.size());
            for (List<Vec3f> each : lines) {
                line.add(each.get(i));
            }
            across.add(line);
        }
        return across;
    }

    /** Replaces control lines, every second of which is off the curve, by lines on the curve. */
    private static List<List<Vec3f>> subdivide(List<List<Vec3f>> lines, long offset) {
        List<List<Vec3f>> on = new ArrayList<>(List.of(lines.getFirst()));
        for (int i = 0; i + 2 < lines.size(); i += 2) {
            subdivide(
                    lines.get(i), lines.get(i + 1), lines.get(i + 2), on, offset, MAX_SUBDIVISIONS);
        }
        for (int i = 1; i < on.size(); i++) {
            if (isSame(on.get(i - 1), on.get(i))) {
                on.remove(i--);
            }
        }
        return on;
    }

    private static void subdivide(
            List<Vec3f> start,
            List<Vec3f> control,
            List<Vec3f> end,
            List<List<Vec3f>> on,
            long offset,
            int depth) {
        if (on.size() >= MAX_POINTS || depth == 0) {
            throw new MalformedMapException(
                    offset,
                    "a patch has more than "
                            + MAX_POINTS
                            + " points along a side after subdivision");
        }
        List<Vec3f> before = between(start, control);
        List<Vec3f> after = between(control, end);
        List<Vec3f> middle = between(before, after);
        List<Vec3f> chord = between(start, end);
        boolean flat = true;
        for (int i = 0; i < middle.size(); i++) {
            flat &= middle.get(i).minus(chord.get(i)).length() < MAX_DEVIATION_UNITS;
        }
        if (flat) {
            on.add(end);
        } else {
            subdivide(start, before, middle, on, offset, depth - 1);
            subdivide(middle, after, end, on, offset, depth - 1);
        }
    }

    private static List<Vec3f> between(List<Vec3f> a, List<Vec3f> b) {
        List<Vec3f> middle = new ArrayList<>(a.size());
        for (int i = 0; i < a.size(); i++) {
            middle.add(a.get(i).plus(b.get(i)).times(0.5f));
        }
        return middle;
    }

    private static boolean isSame(List<Vec3f> a, List<Vec3f> b) {
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i).minus(b.get(i)).length() >= SAME_POINT_UNITS) {
                return false;
            }
        }
        return true;
    }

    /** The plane of a triangle, its normal to the front; NONE for one without area. */
    private static Plane plane(Vec3f a, Vec3f b, Vec3f c) {
        Vec3f normal = b.minus(a).cross(c.minus(a)).normalised();
        return normal.isFinite() && normal.dot(normal) > 0.5f
                ? new Plane(normal, a.dot(normal))
                : Plane.NONE;
    }

    private static void add(
            List<Brush> facets,
            Plane plane,
            List<Vec3f> corners,
            int contents,
            int surface,
            String texture) {
        if (plane.equals(Plane.NONE)) {
            return;
        }
        Box bounds = new Box(corners.getFirst(), corners.getFirst());
        for (Vec3f corner : corners) {
            bounds = bounds.union(new Box(corner, corner));
        }
        List<Plane> planes = new ArrayList<>();
        planes.add(plane);
        planes.add(new Plane(plane.normal().times(-1), -plane.dist()));
        Brush.box(bounds.mins(), bounds.maxs(), 0, 0)
                .sides()
                .forEach(side -> bevel(planes, side.plane().normal(), corners));
        for (int i = 0; i < corners.size(); i++) {
            Vec3f edge = corners.get((i + 1) % corners.size()).minus(corners.get(i)).normalised();
            bevel(planes, edge.cross(plane.normal()), corners);
            for (int axis = 0; axis < 3; axis++) {
                for (float sign : SIGNS) {
                    Vec3f along =
                            new Vec3f(
                                    axis == 0 ? sign : 0,
                                    axis == 1 ? sign : 0,
                                    axis == 2 ? sign : 0);
                    bevel(planes, edge.cross(along), corners);
                }
            }
        }
        facets.add(
                new Brush(
                        contents,
                        bounds,
                        planes.stream()
                                .map(each -> new Brush.Side(each, surface, texture))
                                .toList(),
                        true));
    }

    /** Adds a plane that touches the facet from outside, unless it is already there. */
    private static void bevel(List<Plane> planes, Vec3f direction, List<Vec3f> corners) {
        Vec3f normal = direction.normalised();
        if (direction.length() < SAME_POINT_UNITS || !normal.isFinite()) {
            return;
        }
        float dist = -Float.MAX_VALUE;
        for (Vec3f corner : corners) {
            dist = Math.max(dist, corner.dot(normal));
        }
        for (Plane plane : planes) {
            if (plane.normal().dot(normal) > 0.9999f) {
                return;
            }
        }
        planes.add(new Plane(normal, dist));
    }
}
