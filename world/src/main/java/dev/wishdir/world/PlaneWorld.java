package dev.wishdir.world;

import java.util.ArrayList;
import java.util.List;

/**
 * Brushes in the tree of planes that their map brings, traced by Quake II's rules: a box stops a
 * thirty-second of a unit before a brush. Immutable.
 */
public final class PlaneWorld implements Collision {
    /** More than rounding and the distance kept from a brush can move a bound. */
    private static final float MARGIN = 1;

    private final PlaneTree tree;
    private final List<Obstacle> obstacles;

    /** The obstacles around their own origins, from where the game measures its way past them. */
    private final List<PlaneTree> boxes = new ArrayList<>();

    PlaneWorld(PlaneTree tree, List<Obstacle> obstacles) {
        this.tree = tree;
        this.obstacles = obstacles;
        for (Obstacle each : obstacles) {
            boxes.add(PlaneTree.box(each.mins(), each.maxs(), each.contents()));
        }
    }

    /** The same world with other boxes in it; the tree is shared. */
    public PlaneWorld with(List<Obstacle> obstacles) {
        return new PlaneWorld(tree, List.copyOf(obstacles));
    }

    @Override
    public Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        Sweep sweep = new Sweep(Rules.QUAKE2, start, mins, maxs, end, mask);
        Trace trace = past(tree, sweep, Trace.WORLD, start, end);
        if (trace.fraction() == 0) {
            return trace;
        }
        for (int i = 0; i < obstacles.size(); i++) {
            Obstacle obstacle = obstacles.get(i);
            if ((obstacle.contents() & mask) != 0
                    && sweep.box.meets(obstacle.bounds().grown(MARGIN))) {
                Vec3f from = start.minus(obstacle.origin());
                Vec3f to = end.minus(obstacle.origin());
                Sweep part = new Sweep(Rules.QUAKE2, from, mins, maxs, to, mask);
                trace = nearer(trace, past(boxes.get(i), part, obstacle.entity(), start, end));
            }
        }
        return trace;
    }

    private static Trace past(PlaneTree tree, Sweep sweep, int entity, Vec3f start, Vec3f end) {
        tree.sweep(sweep);
        int hit = sweep.hit();
        return hit < 0
                ? sweep.free(end)
                : sweep.against(tree.solids().brush(hit), entity, start, end);
    }

    /** An obstacle that the box starts in counts more than what is on its way. */
    private static Trace nearer(Trace trace, Trace past) {
        if (!past.startSolid() && past.fraction() >= trace.fraction()) {
            return trace;
        }
        return past.starting(past.startSolid() || trace.startSolid());
    }

    @Override
    public int contents(Vec3f point) {
        int contents = tree.contents(point);
        for (int i = 0; i < boxes.size(); i++) {
            contents |= boxes.get(i).contents(point.minus(obstacles.get(i).origin()));
        }
        return contents;
    }
}
