package dev.wishdir.quake2.map;

import dev.wishdir.blocks.grid.Cuboid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The BSP tree of a world of boxes: each leaf is completely inside boxes of one kind, or outside of
 * all. Half metres. Nodes and leafs have the numbers of the file.
 */
final class BlockTree {
    /** A box and its contents. */
    record Solid(Cuboid box, int contents) {}

    /**
     * A node with an axis-aligned plane.
     *
     * @param front child in the positive direction: a node, or -1 - a leaf
     */
    record Node(Region region, int axis, int at, int front, int back) {}

    /** An undivided part of the world, and the solids that fill it, by number. */
    record Leaf(Region region, List<Integer> solids) {}

    /** A box of the tree, from the whole world down to a leaf. */
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
            int[] lowest = min.clone();
            lowest[axis] = at;
            return new Region(lowest, max);
        }

        Region below(int axis, int at) {
            int[] highest = max.clone();
            highest[axis] = at;
            return new Region(min, highest);
        }

        private long overlap(Cuboid box) {
            long volume = 1;
            for (int axis = 0; axis < 3; axis++) {
                int lowest = Math.max(min[axis], box.min(axis));
                int highest = Math.min(max[axis], box.max(axis));
                volume *= Math.max(0, highest - lowest);
            }
            return volume;
        }

        private long volume() {
            return (long) (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
        }
    }

    private static final int MAX_CANDIDATES = 6;

    private final List<Solid> solids;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Leaf> leafs = new ArrayList<>();

    /**
     * @param world region around all solids
     */
    BlockTree(Region world, List<Solid> solids) {
        this.solids = solids;
        // Leaf 0 is reserved, and never reached.
        leafs.add(new Leaf(new Region(new int[3], new int[3]), List.of()));
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < solids.size(); i++) {
            all.add(i);
        }
        build(world, all);
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Leaf> leafs() {
        return leafs;
    }

    private int build(Region region, List<Integer> candidates) {
        List<Integer> inside = new ArrayList<>();
        long solid = 0;
        boolean mixed = false;
        for (int number : candidates) {
            long overlap = region.overlap(solids.get(number).box);
            if (overlap > 0) {
                mixed |=
                        !inside.isEmpty()
                                && solids.get(inside.getFirst()).contents
                                        != solids.get(number).contents;
                solid += overlap;
                inside.add(number);
            }
        }
        if (inside.isEmpty() || solid == region.volume() && !mixed) {
            leafs.add(new Leaf(region, inside));
            return -leafs.size();
        }
        int[] split = split(region, inside);
        int node = nodes.size();
        nodes.add(new Node(region, split[0], split[1], 0, 0));
        int front = build(region.above(split[0], split[1]), inside);
        int back = build(region.below(split[0], split[1]), inside);
        nodes.set(node, new Node(region, split[0], split[1], front, back));
        return node;
    }

    /** The plane of a split: a side of a box near the middle that cuts few boxes. */
    private int[] split(Region region, List<Integer> inside) {
        int[] best = {-1, 0};
        long lowest = Long.MAX_VALUE;
        for (int axis = 0; axis < 3; axis++) {
            for (int at : sides(region, inside, axis)) {
                long score = score(region, inside, axis, at);
                if (score < lowest) {
                    lowest = score;
                    best = new int[] {axis, at};
                }
            }
        }
        return best;
    }

    /** The sides of boxes within the region, those nearest to its middle. */
    private List<Integer> sides(Region region, List<Integer> inside, int axis) {
        int middle = (region.min[axis] + region.max[axis]) / 2;
        return inside.stream()
                .map(number -> solids.get(number).box)
                .flatMap(box -> Stream.of(box.min(axis), box.max(axis)))
                .filter(at -> at > region.min[axis] && at < region.max[axis])
                .distinct()
                .sorted((a, b) -> Integer.compare(Math.abs(a - middle), Math.abs(b - middle)))
                .limit(MAX_CANDIDATES)
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
        int width = region.max[axis] - region.min[axis];
        long offCentre = Math.abs(2L * at - region.min[axis] - region.max[axis]) * 4 / width;
        return 4 * both + Math.abs(above - below) + offCentre;
    }
}
