package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * Brushes in the BSP tree of their map, traced by Quake II's rules. A box stops a thirty-second of
 * a unit before a brush. Immutable.
 */
public final class PlaneWorld implements CollisionWorld {
    /** More than rounding and the distance kept from a brush can move a bound, units. */
    private static final float MARGIN_UNITS = 1;

    private final BspTree tree;
    private final List<Obstacle> obstacles;

    /** The bounds of each obstacle, with a margin. */
    private final List<Box> bounds = new ArrayList<>();

    PlaneWorld(BspTree tree, List<Obstacle> obstacles) {
        this.tree = tree;
        this.obstacles = obstacles;
        for (Obstacle each : obstacles) {
            bounds.add(each.bounds().expanded(MARGIN_UNITS));
        }
    }

    /** This world with other obstacles; shares the tree. */
    public PlaneWorld with(List<Obstacle> obstacles) {
        return new PlaneWorld(tree, List.copyOf(obstacles));
    }

    @Override
    public Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        BoxSweep sweep = new BoxSweep(TraceRules.QUAKE2, start, mins, maxs, end, mask);
        Trace trace = past(tree, sweep, Trace.WORLD, start, end);
        if (trace.fraction() == 0) {
            return trace;
        }
        for (int i = 0; i < obstacles.size(); i++) {
            Obstacle obstacle = obstacles.get(i);
            if ((obstacle.contents() & mask) != 0 && sweep.box.intersects(bounds.get(i))) {
                // The game computes a trace past a box relative to the box's own origin.
                Vec3f from = start.minus(obstacle.origin());
                Vec3f to = end.minus(obstacle.origin());
                BoxSweep part = new BoxSweep(TraceRules.QUAKE2, from, mins, maxs, to, mask);
                trace = nearer(trace, past(tree(obstacle), part, obstacle.entity(), start, end));
            }
        }
        return trace;
    }

    private static Trace past(BspTree tree, BoxSweep sweep, int entity, Vec3f start, Vec3f end) {
        tree.sweep(sweep);
        int hit = sweep.hit();
        return hit < 0
                ? sweep.freeTrace(end)
                : sweep.hitTrace(tree.solids().brush(hit), entity, start, end);
    }

    /** An obstacle that contains the start takes precedence over one on the way. */
    private static Trace nearer(Trace trace, Trace past) {
        if (!past.startSolid() && past.fraction() >= trace.fraction()) {
            return trace;
        }
        return past.starting(past.startSolid() || trace.startSolid());
    }

    @Override
    public int contents(Vec3f point) {
        int contents = tree.contents(point);
        Box at = new Box(point, point);
        for (int i = 0; i < obstacles.size(); i++) {
            if (at.intersects(bounds.get(i))) {
                Obstacle obstacle = obstacles.get(i);
                contents |= tree(obstacle).contents(point.minus(obstacle.origin()));
            }
        }
        return contents;
    }

    private static BspTree tree(Obstacle obstacle) {
        return BspTree.box(obstacle.mins(), obstacle.maxs(), obstacle.contents());
    }
}
