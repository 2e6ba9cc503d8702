package dev.wishdir.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Brushes in a tree of bounding boxes, traced by Quake III's rules: a box stops an eighth of a unit
 * before a brush, and of brushes hit at the same point the first counts. Immutable.
 */
public final class BrushWorld implements Collision {
    private static final float EPSILON = 0.125f;

    /** Brushes of a leaf; below this a test of each costs less than the boxes above them. */
    private static final int LEAF = 4;

    /** More than rounding can move a bound. */
    private static final float MARGIN = 1;

    private final Node root;
    private final List<Obstacle> obstacles;

    /** Two halves, or a few brushes with their places in the map's order. */
    private record Node(Box bounds, List<Node> children, List<Found> brushes) {}

    /**
     * @param brushes the first wins ties
     */
    public BrushWorld(List<Brush> brushes) {
        this(build(brushes), List.of());
    }

    private BrushWorld(Node root, List<Obstacle> obstacles) {
        this.root = root;
        this.obstacles = obstacles;
    }

    /** The same world with boxes in it; the tree is shared. */
    public BrushWorld with(List<Obstacle> obstacles) {
        return new BrushWorld(root, List.copyOf(obstacles));
    }

    private static Node build(List<Brush> brushes) {
        Integer[] order = new Integer[brushes.size()];
        Arrays.setAll(order, i -> i);
        return build(brushes, order, 0, order.length);
    }

    private static Node build(List<Brush> brushes, Integer[] order, int from, int to) {
        if (to - from <= LEAF) {
            List<Found> own = new ArrayList<>(to - from);
            Box bounds = new Box(Vec3f.ZERO, Vec3f.ZERO);
            for (int i = from; i < to; i++) {
                Brush brush = brushes.get(order[i]);
                own.add(new Found(order[i], brush));
                bounds = i == from ? brush.bounds() : bounds.around(brush.bounds());
            }
            return new Node(bounds, List.of(), own);
        }
        Box middles = middle(brushes.get(order[from]));
        for (int i = from; i < to; i++) {
            middles = middles.around(middle(brushes.get(order[i])));
        }
        Vec3f size = middles.maxs().minus(middles.mins());
        int axis = size.x() >= size.y() && size.x() >= size.z() ? 0 : size.y() >= size.z() ? 1 : 2;
        Arrays.sort(
                order,
                from,
                to,
                Comparator.comparingDouble(i -> middle(brushes.get(i)).mins().axis(axis)));
        int half = (from + to) >>> 1;
        Node low = build(brushes, order, from, half);
        Node high = build(brushes, order, half, to);
        return new Node(low.bounds.around(high.bounds), List.of(low, high), List.of());
    }

    private static Box middle(Brush brush) {
        Vec3f middle = brush.bounds().mins().plus(brush.bounds().maxs()).times(0.5f);
        return new Box(middle, middle);
    }

    /** The brushes that may meet a box, in their order. */
    private List<Brush> candidates(Box box) {
        List<Found> found = new ArrayList<>();
        collect(root, box, found);
        found.sort(Comparator.comparingInt(Found::order));
        return found.stream().map(Found::brush).toList();
    }

    private record Found(int order, Brush brush) {}

    private static void collect(Node node, Box box, List<Found> found) {
        if (!node.bounds.meets(box)) {
            return;
        }
        for (Node child : node.children) {
            collect(child, box, found);
        }
        for (Found own : node.brushes) {
            if (own.brush.bounds().meets(box)) {
                found.add(own);
            }
        }
    }

    @Override
    public Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        Vec3f offset = mins.plus(maxs).times(0.5f);
        Vec3f extents = maxs.minus(offset);
        Vec3f from = start.plus(offset);
        Vec3f to = end.plus(offset);
        Sweep sweep = new Sweep(from, extents.times(-1), extents, to, EPSILON);
        boolean still = start.equals(end);
        Box box = Box.swept(start, mins, maxs, end);
        for (Brush brush : candidates(box.wider(MARGIN))) {
            if ((brush.contents() & mask) != 0) {
                visit(sweep, brush, still, box);
                if (sweep.allSolid) {
                    break;
                }
            }
        }
        Trace nearest = sweep.result();
        for (Obstacle obstacle : obstacles) {
            Box bounds = obstacle.bounds();
            if ((obstacle.contents() & mask) == 0 || !bounds.meets(box.wider(MARGIN))) {
                continue;
            }
            Sweep one = new Sweep(from, extents.times(-1), extents, to, EPSILON);
            visit(one, Brush.box(bounds.mins(), bounds.maxs(), obstacle.contents(), 0), still, box);
            Trace hit = one.result().of(obstacle.entity());
            if (hit.allSolid() || hit.fraction() < nearest.fraction()) {
                nearest = nearest.startSolid() ? hit.startingSolid() : hit;
            } else if (hit.startSolid()) {
                nearest = nearest.startingSolid();
            }
        }
        return nearest.endingAt(
                nearest.fraction() == 1 ? end : start.along(nearest.fraction(), end.minus(start)));
    }

    private static void visit(Sweep sweep, Brush brush, boolean still, Box box) {
        if (!still) {
            sweep.clip(brush, true);
        } else if (brush.bounds().meets(box) && sweep.inside(brush, Brush.AXIAL)) {
            sweep.stuck(brush);
        }
    }

    @Override
    public int contents(Vec3f point) {
        int contents = 0;
        for (Brush brush : candidates(new Box(point, point).wider(MARGIN))) {
            if (brush.contains(point)) {
                contents |= brush.contents();
            }
        }
        for (Obstacle obstacle : obstacles) {
            if (obstacle.bounds().meets(new Box(point, point))) {
                contents |= obstacle.contents();
            }
        }
        return contents;
    }
}
