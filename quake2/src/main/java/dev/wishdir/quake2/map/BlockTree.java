package dev.wishdir.quake2.map;

import dev.wishdir.world.blocks.Cuboid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tree of planes that cuts a world of boxes into leafs, each of which is all in boxes of one
 * kind or all outside. Half metres. Nodes and leafs are numbered as the file has them.
 */
final class BlockTree {
    /** A box, and what fills it: the contents of a leaf. */
    record Solid(Cuboid box, int contents) {}

    /**
     * A plane across an axis.
     *
     * @param front the child up the axis: a node, or -1 - a leaf
     */
    record Node(Region region, int axis, int at, int front, int back) {}

    /** A part of the world that is not cut; the solids that fill it, by number. */
    record Leaf(Region region, List<Integer> solids) {}

    /** A box that shrinks from the whole world to a leaf. */
    static final class Region {
        private final int[] min;
        private final int[] max;

        Region(int[] min, int[] max) {
            this.min = min;
            this.max = max;
        }

        int[] min() {
            return min;
        }

        int[] max() {
            return max;
        }

        Region above(int axis, int at) {
            int[] least = min.clone();
            least[axis] = at;
            return new Region(least, max);
        }

        Region below(int axis, int at) {
            int[] greatest = max.clone();
            greatest[axis] = at;
            return new Region(min, greatest);
        }

        private long shared(Cuboid box) {
            long volume = 1;
            for (int axis = 0; axis < 3; axis++) {
                int least = Math.max(min[axis], box.min(axis));
                int greatest = Math.min(max[axis], box.max(axis));
                volume *= Math.max(0, greatest - least);
            }
            return volume;
        }

        private long volume() {
            return (long) (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
        }
    }

    private static final int TRIED = 6;

    private final List<Solid> solids;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Leaf> leafs = new ArrayList<>();

    /**
     * @param world what is around all solids
     */
    BlockTree(Region world, List<Solid> solids) {
        this.solids = solids;
        // Leaf 0 is none that anybody gets to.
        leafs.add(new Leaf(new Region(new int[3], new int[3]), List.of()));
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < solids.size(); i++) {
            all.add(i);
        }
        part(world, all);
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Leaf> leafs() {
        return leafs;
    }

    private int part(Region region, List<Integer> some) {
        List<Integer> inside = new ArrayList<>();
        long solid = 0;
        boolean mixed = false;
        for (int number : some) {
            long shared = region.shared(solids.get(number).box);
            if (shared > 0) {
                mixed |=
                        !inside.isEmpty()
                                && solids.get(inside.getFirst()).contents
                                        != solids.get(number).contents;
                solid += shared;
                inside.add(number);
            }
        }
        if (inside.isEmpty() || solid == region.volume() && !mixed) {
            leafs.add(new Leaf(region, inside));
            return -leafs.size();
        }
        int[] cut = cut(region, inside);
        int node = nodes.size();
        nodes.add(new Node(region, cut[0], cut[1], 0, 0));
        int front = part(region.above(cut[0], cut[1]), inside);
        int back = part(region.below(cut[0], cut[1]), inside);
        nodes.set(node, new Node(region, cut[0], cut[1], front, back));
        return node;
    }

    /** An axis and a place on it: a side of a box, near the middle, that cuts few boxes. */
    private int[] cut(Region region, List<Integer> inside) {
        int[] best = {-1, 0};
        long least = Long.MAX_VALUE;
        for (int axis = 0; axis < 3; axis++) {
            for (int at : sides(region, inside, axis)) {
                long score = score(region, inside, axis, at);
                if (score < least) {
                    least = score;
                    best = new int[] {axis, at};
                }
            }
        }
        return best;
    }

    /** The sides that lie in the region, those nearest to its middle. */
    private List<Integer> sides(Region region, List<Integer> inside, int axis) {
        int middle = (region.min[axis] + region.max[axis]) / 2;
        return inside.stream()
                .map(number -> solids.get(number).box)
                .flatMap(box -> Stream.of(box.min(axis), box.max(axis)))
                .filter(at -> at > region.min[axis] && at < region.max[axis])
                .distinct()
                .sorted((a, b) -> Integer.compare(Math.abs(a - middle), Math.abs(b - middle)))
                .limit(TRIED)
                .toList();
    }

    private long score(Region region, List<Integer> inside, int axis, int at) {
        long above = 0;
        long below = 0;
        long both = 0;
        for (int number : inside) {
            Cuboid box = solids.get(number).box;
            if (box.min(axis) >= at) {
                above++;
            } else if (box.max(axis) <= at) {
                below++;
            } else {
                both++;
            }
        }
        int wide = region.max[axis] - region.min[axis];
        long aside = Math.abs(2L * at - region.min[axis] - region.max[axis]) * 4 / wide;
        return 4 * both + Math.abs(above - below) + aside;
    }
}
