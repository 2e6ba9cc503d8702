package dev.wishdir.world;

import java.util.ArrayList;
import java.util.List;

/**
 * A curved surface of IBSP 46, a grid of control points of which each 3 by 3 is biquadratic, cut
 * into flat facets: docs/protocols/quake3.md#patches. A facet stops what comes from its front.
 */
final class Patch {
    /** The most points along one side, before and after cutting. */
    static final int MAX_POINTS = 129;

    /** How far a curve's middle may be from its chord's, units. */
    private static final float MAX_DEVIATION_UNITS = 16;

    /** Points nearer than this are one; a point nearer than this to a plane lies in it. */
    private static final float SAME_POINT_UNITS = 0.1f;

    /** More than halving a curve so often makes no sense. */
    private static final int MAX_SUBDIVISIONS = 8;

    private static final float[] SIGNS = {-1, 1};

    private Patch() {}

    /**
     * The facets.
     *
     * @param rows control points; the numbers of rows and of columns are odd, 3..{@value
     *     #MAX_POINTS}
     * @param offset where the patch starts in its file
     * @throws MalformedMapException where it bends so much that its facets would be too many
     */
    static List<Brush> facets(
            List<List<Vec3f>> rows, int contents, int surface, String texture, long offset) {
        List<List<Vec3f>> columns = cut(transposed(rows), offset);
        List<List<Vec3f>> grid = cut(transposed(columns), offset);
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

    /** Replaces lines of which every second is off the curve by lines on it, near enough. */
    private static List<List<Vec3f>> cut(List<List<Vec3f>> lines, long offset) {
        List<List<Vec3f>> on = new ArrayList<>(List.of(lines.getFirst()));
        for (int i = 0; i + 2 < lines.size(); i += 2) {
            cut(lines.get(i), lines.get(i + 1), lines.get(i + 2), on, offset, MAX_SUBDIVISIONS);
        }
        for (int i = 1; i < on.size(); i++) {
            if (same(on.get(i - 1), on.get(i))) {
                on.remove(i--);
            }
        }
        return on;
    }

    private static void cut(
            List<Vec3f> start,
            List<Vec3f> control,
            List<Vec3f> end,
            List<List<Vec3f>> on,
            long offset,
            int depth) {
        if (on.size() >= MAX_POINTS || depth == 0) {
            throw new MalformedMapException(offset, "a patch that bends too much");
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
            cut(start, before, middle, on, offset, depth - 1);
            cut(middle, after, end, on, offset, depth - 1);
        }
    }

    private static List<Vec3f> between(List<Vec3f> a, List<Vec3f> b) {
        List<Vec3f> middle = new ArrayList<>(a.size());
        for (int i = 0; i < a.size(); i++) {
            middle.add(a.get(i).plus(b.get(i)).times(0.5f));
        }
        return middle;
    }

    private static boolean same(List<Vec3f> a, List<Vec3f> b) {
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i).minus(b.get(i)).length() >= SAME_POINT_UNITS) {
                return false;
            }
        }
        return true;
    }

    /** The plane of a triangle, before which is its front; NONE of one without area. */
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

    /** Adds a plane that touches the facet from outside, if it is none that is already there. */
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
