package dev.wishdir.blocks.stock;

import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.Plane;
import dev.wishdir.motion.Vec3f;

import java.util.Arrays;
import java.util.List;

/**
 * Computes which half blocks the brushes of a map fill. Each half block is sampled at 4 by 4 by 2
 * points, a quarter of a metre apart; a brush too thin to contain a point is thickened until it
 * does.
 */
final class BrushVoxelizer {
    /** Sample points along a side of a block. */
    static final int POINTS_PER_BLOCK = 4;

    /** Distance between sample points, units. */
    static final int POINT_UNITS = StockMap.UNITS_PER_METRE / POINTS_PER_BLOCK;

    private static final TextureCategory[] TEXTURES = TextureCategory.values();
    private static final int SOLID = 1;

    /** A slanted brush thicker than this contains a point of every line that crosses it, units. */
    private static final float THIN_UNITS = 1.5f * POINT_UNITS;

    /** A brush, prepared for tests of rows of points. */
    private static final class Solid {
        private final float[] planes;
        private final Brush brush;
        private final byte textures;

        Solid(float[] planes, Brush brush, byte textures) {
            this.planes = planes;
            this.brush = brush;
            this.textures = textures;
        }
    }

    private final Solid[] solids;

    /** Maximum distance outside its bounds that a brush is thickened to, units. */
    private final float reach;

    final int minX;
    final int minY;
    final int wide;
    final int deep;

    /** The sample points of one layer of half blocks: their textures, 0 for air. */
    private final byte[][] points;

    /**
     * @param wider units by which each brush is enlarged along x and along y
     */
    BrushVoxelizer(List<Brush> brushes, Vec3f wider, int minX, int minY, int maxX, int maxY) {
        this.minX = minX;
        this.minY = minY;
        wide = maxX - minX;
        deep = maxY - minY;
        points = new byte[2][wide * POINTS_PER_BLOCK * deep * POINTS_PER_BLOCK];
        reach = THIN_UNITS + Math.max(wider.x(), wider.y());
        solids = brushes.stream().map(brush -> solid(brush, wider)).toArray(Solid[]::new);
    }

    private static Solid solid(Brush brush, Vec3f wider) {
        boolean seen = (brush.contents() & SOLID) != 0;
        int textures =
                1
                        + TEXTURES.length * TextureCategory.of(brush, true, seen).ordinal()
                        + TextureCategory.of(brush, false, seen).ordinal();
        int count = brush.sides().size();
        float[] planes = new float[4 * count];
        for (int i = 0; i < count; i++) {
            Plane plane = brush.sides().get(i).plane();
            planes[4 * i] = plane.normal().x();
            planes[4 * i + 1] = plane.normal().y();
            planes[4 * i + 2] = plane.normal().z();
            Vec3f normal = plane.normal();
            float moved = Math.abs(normal.x()) * wider.x() + Math.abs(normal.y()) * wider.y();
            planes[4 * i + 3] = plane.dist() + thickening(brush, i) + moved;
        }
        return new Solid(planes, brush, (byte) textures);
    }

    /**
     * Distance by which a side of a thin brush is moved outwards, so that it contains points,
     * units.
     */
    private static float thickening(Brush brush, int side) {
        Plane plane = brush.sides().get(side).plane();
        if (brush.facet()) {
            // Only the front of a facet bounds it.
            return side == 0 ? 0 : THIN_UNITS;
        }
        float thickness = Float.MAX_VALUE;
        for (Brush.Side other : brush.sides()) {
            if (other.plane().normal().dot(plane.normal()) < -0.99f) {
                thickness = Math.min(thickness, plane.dist() + other.plane().dist());
            }
        }
        // The height of a floor does not change.
        boolean up = plane.normal().z() > 0.7f;
        boolean down = plane.normal().z() < -0.7f;
        boolean even = Math.abs(plane.normal().x()) > 0.99f || Math.abs(plane.normal().y()) > 0.99f;
        float least = up || down || even ? POINT_UNITS : THIN_UNITS;
        float lacking = Math.max(0, least - thickness);
        return up ? 0 : down ? lacking : lacking / 2;
    }

    static TextureCategory top(byte textures) {
        return TEXTURES[((textures & 0xFF) - 1) / TEXTURES.length];
    }

    static TextureCategory side(byte textures) {
        return TEXTURES[((textures & 0xFF) - 1) % TEXTURES.length];
    }

    /**
     * Samples one layer.
     *
     * @param h its lower side, half metres
     */
    void rasterize(int h) {
        for (int k = 0; k < 2; k++) {
            Arrays.fill(points[k], (byte) 0);
            float z = h * 2f * POINT_UNITS + (k + 0.5f) * POINT_UNITS;
            for (Solid solid : solids) {
                fill(points[k], solid, z);
            }
        }
    }

    private void fill(byte[] layer, Solid solid, float z) {
        float low = solid.brush.bounds().mins().z() - THIN_UNITS;
        float high = solid.brush.bounds().maxs().z() + THIN_UNITS;
        if (z < low || z > high) {
            return;
        }
        float south = solid.brush.bounds().mins().y() - reach;
        float north = solid.brush.bounds().maxs().y() + reach;
        int first = Math.max(0, (int) Math.floor(south / POINT_UNITS) - minY * POINTS_PER_BLOCK);
        int last =
                (int)
                        Math.min(
                                deep * POINTS_PER_BLOCK - 1.0,
                                Math.floor(north / POINT_UNITS) - minY * POINTS_PER_BLOCK);
        for (int j = first; j <= last; j++) {
            float y = (minY * POINTS_PER_BLOCK + j + 0.5f) * POINT_UNITS;
            row(layer, j, solid, y, z);
        }
    }

    private void row(byte[] layer, int j, Solid solid, float y, float z) {
        float from = solid.brush.bounds().mins().x() - reach;
        float to = solid.brush.bounds().maxs().x() + reach;
        float[] planes = solid.planes;
        for (int at = 0; at < planes.length; at += 4) {
            float rest = planes[at + 3] - planes[at + 1] * y - planes[at + 2] * z;
            float nx = planes[at];
            if (nx > 1e-6f) {
                to = Math.min(to, rest / nx);
            } else if (nx < -1e-6f) {
                from = Math.max(from, rest / nx);
            } else if (rest < 0) {
                return;
            }
        }
        int first =
                Math.max(0, (int) Math.ceil(from / POINT_UNITS - 0.5f) - minX * POINTS_PER_BLOCK);
        int last =
                (int)
                        Math.min(
                                wide * POINTS_PER_BLOCK - 1.0,
                                Math.floor(to / POINT_UNITS - 0.5f) - minX * POINTS_PER_BLOCK);
        for (int i = first; i <= last; i++) {
            int at = j * wide * POINTS_PER_BLOCK + i;
            // A visible texture takes precedence over an invisible one.
            if (layer[at] == 0 || side(layer[at]) == TextureCategory.CLIP) {
                layer[at] = solid.textures;
            }
        }
    }

    /** The number of points of a half block that are in a brush. */
    int filled(int x, int y) {
        int filled = 0;
        for (byte[] layer : points) {
            for (int j = 0; j < POINTS_PER_BLOCK; j++) {
                int row =
                        (y * POINTS_PER_BLOCK + j) * wide * POINTS_PER_BLOCK + x * POINTS_PER_BLOCK;
                for (int i = row; i < row + POINTS_PER_BLOCK; i++) {
                    filled += layer[i] == 0 ? 0 : 1;
                }
            }
        }
        return filled;
    }

    /**
     * A half block of the layer.
     *
     * @param x blocks from the west
     * @param y blocks from the south
     */
    Cell cell(int x, int y) {
        int[] count = new int[2];
        int open = 0;
        byte textures = 0;
        for (int j = 0; j < POINTS_PER_BLOCK; j++) {
            for (int i = 0; i < POINTS_PER_BLOCK; i++) {
                int at =
                        (y * POINTS_PER_BLOCK + j) * wide * POINTS_PER_BLOCK
                                + x * POINTS_PER_BLOCK
                                + i;
                byte lower = points[0][at];
                byte upper = points[1][at];
                count[0] += lower == 0 ? 0 : 1;
                count[1] += upper == 0 ? 0 : 1;
                open |= lower == 0 || upper == 0 ? 1 << j * POINTS_PER_BLOCK + i : 0;
                byte seen = upper == 0 ? lower : upper;
                textures =
                        textures == 0 || seen != 0 && side(textures) == TextureCategory.CLIP
                                ? seen
                                : textures;
            }
        }
        int most = POINTS_PER_BLOCK * POINTS_PER_BLOCK / 2;
        return new Cell(count[0] > most, count[1] > most, open, textures);
    }

    /**
     * A half block.
     *
     * @param lower whether the lower of its two layers of points is mostly solid
     * @param upper whether the upper one is
     * @param open one bit per column of points that is open in some layer, from the south-west
     * @param textures its textures, 0 for air
     */
    record Cell(boolean lower, boolean upper, int open, byte textures) {
        private static final int WEST = 0x1111;
        private static final int EAST = 0x8888;
        private static final int SOUTH = 0x000F;
        private static final int NORTH = 0xF000;

        boolean isOpen() {
            return !lower && !upper;
        }

        /** Whether it contains a wall across the way that is not part of a wall next to it. */
        boolean isWall(boolean west, boolean east, boolean south, boolean north) {
            return isAcross(WEST, EAST, west, east) || isAcross(SOUTH, NORTH, south, north);
        }

        private boolean isAcross(int here, int there, boolean before, boolean behind) {
            if ((open & here) == 0) {
                return !before;
            }
            if ((open & there) == 0) {
                return !behind;
            }
            int reached = open & here;
            int known = 0;
            while (reached != known) {
                known = reached;
                reached |=
                        open
                                & (reached << 1 & ~WEST
                                        | reached >> 1 & ~EAST
                                        | reached << POINTS_PER_BLOCK
                                        | reached >> POINTS_PER_BLOCK);
            }
            return (reached & there) == 0;
        }
    }
}
