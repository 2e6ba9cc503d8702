package dev.wishdir.blocks.grid;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A visible rectangle of the surface of blocks, of one material. Half metres.
 *
 * @param axis of its normal: 0 x, 1 y, 2 z
 * @param sign 1 if its normal points along the axis, -1 if against it
 * @param at its coordinate on the axis
 * @param minU along the axis after {@code axis}, x after z; like {@code maxU}
 * @param minV along the axis before {@code axis}; like {@code maxV}
 */
public record Face(
        Material material, int axis, int sign, int at, int minU, int minV, int maxU, int maxV) {
    /** Half metres of the longest face: clients of Quake II draw no more than 256 dots of 16. */
    public static final int MAX_HALF_METRES = 14;

    /**
     * All faces of blocks that are visible from space that is not solid.
     *
     * @param longest maximum side of a face, half metres, even
     */
    public static List<Face> of(BlockGrid blocks, int longest) {
        return of(blocks, longest, Integer.MAX_VALUE);
    }

    /**
     * As above, but stops soon after a limit.
     *
     * @param max number of faces, after which it stops
     */
    public static List<Face> of(BlockGrid blocks, int longest, int max) {
        List<Face> faces = new ArrayList<>();
        for (int axis = 0; axis < 3; axis++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                new Side(blocks, axis, sign, longest).faces(faces, max);
            }
        }
        return faces;
    }

    /** This rectangle, facing the other way. */
    public Face flipped() {
        return new Face(material, axis, -sign, at, minU, minV, maxU, maxV);
    }

    /** The axis that {@code minU} is along. */
    public int u() {
        return (axis + 1) % 3;
    }

    /** The axis that {@code minV} is along. */
    public int v() {
        return (axis + 2) % 3;
    }

    /** The faces with one normal, slice by slice; half metres along every axis. */
    private static final class Side {
        private static final Material[] MATERIALS = Material.values();

        private final BlockGrid blocks;
        private final int axis;
        private final int sign;
        private final int longest;
        private final int[] min;
        private final int[] max;

        /** The half block that is looked at. */
        private final int[] place = new int[3];

        Side(BlockGrid blocks, int axis, int sign, int longest) {
            this.blocks = blocks;
            this.axis = axis;
            this.sign = sign;
            this.longest = longest;
            min = new int[] {2 * blocks.minX(), 2 * blocks.minY(), 2 * blocks.minZ()};
            max = new int[] {2 * blocks.maxX(), 2 * blocks.maxY(), 2 * blocks.maxZ()};
        }

        void faces(List<Face> faces, int most) {
            int u = (axis + 1) % 3;
            int v = (axis + 2) % 3;
            int[][] seen = new int[max[u] - min[u]][max[v] - min[v]];
            for (int at = min[axis]; at <= max[axis] && faces.size() <= most; at += grain(axis)) {
                for (int i = 0; i < seen.length; i++) {
                    for (int j = 0; j < seen[i].length; j++) {
                        boolean again = i % grain(u) != 0 || j % grain(v) != 0;
                        seen[i][j] =
                                again
                                        ? seen[i - i % grain(u)][j - j % grain(v)]
                                        : seen(at, min[u] + i, min[v] + j);
                    }
                }
                merge(faces, seen, at, min[u], min[v]);
            }
        }

        /** Half metres between possible changes of the material: 1 along z, 2 along x and y. */
        private static int grain(int axis) {
            return axis == 2 ? 1 : 2;
        }

        /** The visible material at a point of the slice: 0 for none, or its ordinal plus 1. */
        private int seen(int at, int u, int v) {
            place[(axis + 1) % 3] = u;
            place[(axis + 2) % 3] = v;
            place[axis] = sign > 0 ? at - 1 : at;
            Material behind = material();
            if (behind == null || behind == Material.LADDER) {
                return 0;
            }
            place[axis] = sign > 0 ? at : at - 1;
            Material before = material();
            if (before == Material.LADDER) {
                return (leans() ? before : behind).ordinal() + 1;
            }
            boolean open = before == null || before.transparent() && !behind.transparent();
            return open ? behind.ordinal() + 1 : 0;
        }

        /** Whether a ladder there leans on the face. */
        private boolean leans() {
            return blocks.wall(place[0] >> 1, place[1] >> 1, place[2] >> 1)
                    .filter(side -> -sign == (axis == 0 ? side.x() : axis == 1 ? side.y() : 0))
                    .isPresent();
        }

        private @Nullable Material material() {
            return blocks.half(place[0] >> 1, place[1] >> 1, place[2]);
        }

        private void merge(List<Face> faces, int[][] seen, int at, int u0, int v0) {
            for (int j = 0; j < seen[0].length; j++) {
                for (int i = 0; i < seen.length; i++) {
                    int material = seen[i][j];
                    if (material == 0) {
                        continue;
                    }
                    // Cut along a grid of the longest side, so that neighbours' corners meet.
                    int wide = 1;
                    while (isFree(i + wide, u0) && is(seen, i + wide, j, material)) {
                        wide++;
                    }
                    int high = 1;
                    while (isFree(j + high, v0) && isRow(seen, i, wide, j + high, material)) {
                        high++;
                    }
                    for (int k = i; k < i + wide; k++) {
                        for (int l = j; l < j + high; l++) {
                            seen[k][l] = 0;
                        }
                    }
                    faces.add(
                            new Face(
                                    MATERIALS[material - 1],
                                    axis,
                                    sign,
                                    at,
                                    u0 + i,
                                    v0 + j,
                                    u0 + i + wide,
                                    v0 + j + high));
                }
            }
        }

        private boolean isFree(int index, int first) {
            return (index + first) % longest != 0;
        }

        private static boolean is(int[][] seen, int i, int j, int material) {
            return i < seen.length && j < seen[i].length && seen[i][j] == material;
        }

        private static boolean isRow(int[][] seen, int i, int wide, int j, int material) {
            for (int k = i; k < i + wide; k++) {
                if (!is(seen, k, j, material)) {
                    return false;
                }
            }
            return true;
        }
    }
}
