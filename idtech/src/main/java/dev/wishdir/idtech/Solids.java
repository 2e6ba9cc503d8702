package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.List;

/** Brushes laid out in arrays for tracing. */
final class Solids {
    /** Numbers per plane: normal and distance. */
    static final int PLANE_NUMBERS = 4;

    /** The side of a facet that does not stop anything. */
    static final int FACET_BACK = 1;

    final float[] planes;
    private final Brush[] brushes;
    private final int[] starts;

    Solids(List<Brush> list) {
        brushes = list.toArray(Brush[]::new);
        starts = new int[brushes.length + 1];
        for (int i = 0; i < brushes.length; i++) {
            starts[i + 1] = starts[i] + PLANE_NUMBERS * brushes[i].sides().size();
        }
        planes = new float[starts[brushes.length]];
        int at = 0;
        for (Brush brush : brushes) {
            for (Brush.Side side : brush.sides()) {
                Vec3f normal = side.plane().normal();
                planes[at++] = normal.x();
                planes[at++] = normal.y();
                planes[at++] = normal.z();
                planes[at++] = side.plane().dist();
            }
        }
    }

    int count() {
        return brushes.length;
    }

    Brush brush(int index) {
        return brushes[index];
    }

    Box bounds(int index) {
        return brushes[index].bounds();
    }

    int contents(int index) {
        return brushes[index].contents();
    }

    boolean facet(int index) {
        return brushes[index].facet();
    }

    /** The index of a brush's first plane number. */
    int start(int index) {
        return starts[index];
    }

    /** The index behind a brush's last plane number. */
    int end(int index) {
        return starts[index + 1];
    }
}
