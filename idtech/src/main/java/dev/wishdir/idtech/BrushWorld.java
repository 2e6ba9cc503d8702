package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * Brushes in a bounding volume hierarchy, traced by Quake III's rules. A box stops an eighth of a
 * unit before a brush; of brushes hit at the same point, the first counts. Immutable.
 */
public final class BrushWorld implements CollisionWorld {
    private final Solids solids;
    private final BrushBvh tree;
    private final List<Obstacle> obstacles;
    private final Solids boxes;
    private final List<PlacedModel> models;

    /**
     * @param brushes of those hit at the same point, the first counts
     */
    public BrushWorld(List<Brush> brushes) {
        solids = new Solids(brushes);
        tree = new BrushBvh(solids);
        obstacles = List.of();
        boxes = new Solids(List.of());
        models = List.of();
    }

    private BrushWorld(BrushWorld world, List<Obstacle> obstacles, List<PlacedModel> models) {
        this.models = models;
        solids = world.solids;
        tree = world.tree;
        this.obstacles = obstacles;
        List<Brush> brushes = new ArrayList<>(obstacles.size());
        for (Obstacle obstacle : obstacles) {
            Box bounds = obstacle.bounds();
            brushes.add(Brush.box(bounds.mins(), bounds.maxs(), obstacle.contents(), 0));
        }
        boxes = new Solids(brushes);
    }

    /** This world with additional boxes; shares the tree. */
    public BrushWorld with(List<Obstacle> obstacles) {
        return with(obstacles, models);
    }

    /** This world with additional boxes and models; models are traced last. */
    public BrushWorld with(List<Obstacle> obstacles, List<PlacedModel> models) {
        return new BrushWorld(this, List.copyOf(obstacles), List.copyOf(models));
    }

    @Override
    public Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        Trace nearest = own(start, mins, maxs, end, mask);
        boolean stuck = nearest.startSolid();
        for (int i = 0; i < models.size() && !nearest.allSolid(); i++) {
            Trace next = models.get(i).trace(start, mins, maxs, end, mask);
            stuck |= next.startSolid();
            if (next.allSolid() || next.fraction() < nearest.fraction()) {
                nearest = next;
            }
        }
        return nearest.starting(stuck);
    }

    /** Traces a box past the world itself and its boxes, without models. */
    private Trace own(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        BoxSweep sweep = new BoxSweep(TraceRules.QUAKE3, start, mins, maxs, end, mask);
        tree.sweep(sweep);
        int count = solids.count();
        for (int i = 0; i < boxes.count() && !sweep.allSolid; i++) {
            if ((boxes.contents(i) & mask) != 0) {
                sweep.clipBrush(boxes, i, count);
            }
        }
        int hit = sweep.hit();
        if (hit < 0) {
            return sweep.freeTrace(end);
        }
        return hit < count
                ? sweep.hitTrace(solids.brush(hit), Trace.WORLD, start, end)
                : sweep.hitTrace(
                        boxes.brush(hit - count), obstacles.get(hit - count).entity(), start, end);
    }

    @Override
    public int contents(Vec3f point) {
        int contents = tree.contents(point);
        for (Obstacle obstacle : obstacles) {
            if (obstacle.bounds().intersects(new Box(point, point))) {
                contents |= obstacle.contents();
            }
        }
        for (PlacedModel model : models) {
            contents |= model.contents(point);
        }
        return contents;
    }
}
