package dev.wishdir.quake2;

import dev.wishdir.quake2.BrushTree.Trace;

import java.util.ArrayList;
import java.util.List;

/** A map and the boxes in it: all that a body can run into. */
final class Solids {
    private static final int MONSTER = 0x200_0000;
    private static final float[] BODY_MINS = {-16, -16, -24};
    private static final float[] STANDING_MAXS = {16, 16, 32};
    private static final float[] DUCKED_MAXS = {16, 16, 4};

    /** A box, and the tree that stands for it around its origin. */
    private static final class Box {
        final float[] origin;
        final float[] mins;
        final float[] maxs;
        final BrushTree tree;

        Box(float[] origin, float[] mins, float[] maxs, BrushTree tree) {
            this.origin = origin;
            this.mins = mins;
            this.maxs = maxs;
            this.tree = tree;
        }
    }

    private final BrushTree map;
    private final List<Box> boxes = new ArrayList<>();
    private final List<Box> bodies = new ArrayList<>();
    private final BrushTree standing = BrushTree.box(BODY_MINS, STANDING_MAXS, MONSTER);
    private final BrushTree ducked = BrushTree.box(BODY_MINS, DUCKED_MAXS, MONSTER);
    private final Trace part = new Trace();

    Solids(BrushTree map) {
        this.map = map;
    }

    /** Puts a box, units. */
    void box(float[] origin, float[] mins, float[] maxs) {
        boxes.add(new Box(origin, mins, maxs, BrushTree.box(mins, maxs, MONSTER)));
    }

    /** Puts another player's body, units. */
    void body(float[] origin, boolean ducks) {
        bodies.add(
                new Box(
                        origin,
                        BODY_MINS,
                        ducks ? DUCKED_MAXS : STANDING_MAXS,
                        ducks ? ducked : standing));
    }

    /** Takes all bodies away. */
    void clearBodies() {
        bodies.clear();
    }

    /** Takes all boxes away. */
    void clearBoxes() {
        boxes.clear();
    }

    /** Moves a box through all. */
    void trace(Trace trace, float[] start, float[] mins, float[] maxs, float[] end, int mask) {
        map.trace(trace, start, mins, maxs, end, mask);
        if (trace.fraction > 0 && (mask & MONSTER) != 0) {
            boxes.forEach(box -> clip(trace, box, start, mins, maxs, end, mask));
            bodies.forEach(body -> clip(trace, body, start, mins, maxs, end, mask));
        }
        for (int i = 0; i < 3; i++) {
            trace.end[i] =
                    trace.fraction == 1 ? end[i] : start[i] + trace.fraction * (end[i] - start[i]);
        }
    }

    private void clip(
            Trace trace,
            Box box,
            float[] start,
            float[] mins,
            float[] maxs,
            float[] end,
            int mask) {
        if (meets(box, start, mins, maxs, end)) {
            box.tree.trace(
                    part, minus(start, box.origin), mins, maxs, minus(end, box.origin), mask);
            if (part.allSolid || part.startSolid || part.fraction < trace.fraction) {
                trace.set(part);
            }
        }
    }

    private static boolean meets(Box box, float[] start, float[] mins, float[] maxs, float[] end) {
        for (int i = 0; i < 3; i++) {
            float low = Math.min(start[i], end[i]) + mins[i] - 1;
            float high = Math.max(start[i], end[i]) + maxs[i] + 1;
            if (low > box.origin[i] + box.maxs[i] + 1 || high < box.origin[i] + box.mins[i] - 1) {
                return false;
            }
        }
        return true;
    }

    private static float[] minus(float[] a, float[] b) {
        return new float[] {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    }

    /** The contents at a point. */
    int contents(float x, float y, float z) {
        int contents = map.contents(x, y, z);
        return contents | contents(boxes, x, y, z) | contents(bodies, x, y, z);
    }

    private static int contents(List<Box> boxes, float x, float y, float z) {
        int contents = 0;
        for (Box box : boxes) {
            contents |= box.tree.contents(x - box.origin[0], y - box.origin[1], z - box.origin[2]);
        }
        return contents;
    }
}
