package dev.wishdir.arena;

import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Medium;
import dev.wishdir.world.Space;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * The shortest way that a body can have gone unseen: over cells of a metre, through nothing solid,
 * and higher only from what it can stand, swim or climb on. Coarse in the player's favour. Metres;
 * keeps what it has looked at of a space.
 */
final class PathSearch {
    /** The most places that one search looks at. */
    static final int MAX_PLACES = 10_000;

    /** The highest climb that a search tells from another, metres. */
    private static final int MAX_CLIMB = 31;

    /** A way over cells is at most so much longer than a straight one. */
    private static final double DETOUR = 1.09;

    /** What the ends of a way in their cells may make it shorter, metres. */
    private static final double ENDS = 1.5;

    /** The width of what is in every body of any game, and so thin a ground bears. */
    private static final double CORE = 0.2;

    private static final double HALF = 0.5;
    private static final double DIAGONAL = Math.sqrt(2);

    /** How deep a body may be in what it stands on or climbs. */
    private static final double KNEE = 0.6;

    /** Cells of each axis: those of the largest arena, with some around them. */
    private static final int SIDE = 1024;

    private static final int[][] AROUND = {
        {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}
    };

    private record Cell(int x, int y, int z) {
        static Cell of(Vec3 at) {
            return new Cell(
                    (int) Math.floor(at.x()), (int) Math.floor(at.y()), (int) Math.floor(at.z()));
        }

        Cell plus(int dx, int dy, int dz) {
            return new Cell(x + dx, y + dy, z + dz);
        }

        Vec3 at(double up) {
            return new Vec3(x + HALF, y + HALF, z + up);
        }

        int index() {
            return ((z & (SIDE - 1)) * SIDE + (y & (SIDE - 1))) * SIDE + (x & (SIDE - 1));
        }

        double distance(Cell other) {
            int dx = Math.abs(x - other.x);
            int dy = Math.abs(y - other.y);
            return Math.max(dx, dy) + (DIAGONAL - 1) * Math.min(dx, dy);
        }
    }

    /**
     * @param climbed metres since it stood, swam or climbed last
     */
    private record Place(Cell cell, int climbed) {}

    private record Open(Place place, double way, double least) {}

    private final Space space;
    private final BitSet known = new BitSet();
    private final BitSet free = new BitSet();

    private int places;

    PathSearch(Space space) {
        this.space = space;
    }

    /** How many places the last search looked at. */
    int places() {
        return places;
    }

    /**
     * The length of the shortest way over the ground.
     *
     * @param climbed how high it is already above where it stood last
     * @param climb how high it may get above where it stands
     * @param longest a longer way is not looked for
     * @return empty where there is none, or it is too long
     */
    OptionalDouble length(Vec3 from, Vec3 to, double climbed, double climb, double longest) {
        int most = (int) Math.clamp(climb, 0, MAX_CLIMB);
        Cell start = standing(from);
        Cell end = standing(to);
        double far = (longest + ENDS) * DETOUR;
        PriorityQueue<Open> open =
                new PriorityQueue<>((a, b) -> Double.compare(a.least(), b.least()));
        Map<Place, Double> ways = new HashMap<>();
        Place first = new Place(start, isHeld(start) ? 0 : (int) Math.clamp(climbed, 0, most));
        ways.put(first, 0.0);
        open.add(new Open(first, 0, start.distance(end)));
        for (places = 0; places < MAX_PLACES && !open.isEmpty(); places++) {
            Open next = open.remove();
            Cell cell = next.place().cell();
            if (cell.equals(end)) {
                return OptionalDouble.of(Math.max(0, next.way() / DETOUR - ENDS));
            }
            if (next.way() > ways.getOrDefault(next.place(), Double.MAX_VALUE)) {
                continue;
            }
            int height = next.place().climbed();
            for (int[] way : AROUND) {
                Cell beside = cell.plus(way[0], way[1], 0);
                boolean straight = way[0] == 0 || way[1] == 0;
                if (isFree(beside)
                        && (straight
                                || isFree(cell.plus(way[0], 0, 0))
                                || isFree(cell.plus(0, way[1], 0)))) {
                    double length = next.way() + (straight ? 1 : DIAGONAL);
                    reach(open, ways, beside, height, length, end, far);
                }
            }
            Cell over = cell.plus(0, 0, 1);
            if (height < most && isFree(over)) {
                reach(open, ways, over, height + 1, next.way(), end, far);
            }
            Cell under = cell.plus(0, 0, -1);
            if (isFree(under)) {
                reach(open, ways, under, most, next.way(), end, far);
            }
        }
        return OptionalDouble.empty();
    }

    private void reach(
            PriorityQueue<Open> open,
            Map<Place, Double> ways,
            Cell cell,
            int climbed,
            double way,
            Cell end,
            double far) {
        double least = way + cell.distance(end);
        Place place = new Place(cell, isHeld(cell) ? 0 : climbed);
        if (least <= far && way < ways.getOrDefault(place, Double.MAX_VALUE)) {
            ways.put(place, way);
            // Of places as far from the end the nearer in height is looked at first.
            open.add(new Open(place, way, least + 1e-3 * Math.abs(cell.z() - end.z())));
        }
    }

    /** The cell of a body's feet, which may be sunk in what it stands on. */
    private Cell standing(Vec3 feet) {
        Cell cell = Cell.of(feet.plus(new Vec3(0, 0, 0.05)));
        return isFree(cell) ? cell : Cell.of(feet.plus(new Vec3(0, 0, KNEE)));
    }

    /** Whether a body gets through: half a block may lie in the cell. */
    private boolean isFree(Cell cell) {
        int index = cell.index();
        if (!known.get(index)) {
            known.set(index);
            free.set(index, space.fits(cell.at(HALF), CORE, 1));
        }
        return free.get(index);
    }

    /** Whether a body that is there can rise from it: on ground, in water or at a ladder. */
    private boolean isHeld(Cell cell) {
        if (space.medium(cell.at(0.25)) != Medium.AIR
                || space.medium(cell.at(0.75)) != Medium.AIR
                || bears(cell)) {
            return true;
        }
        for (int[] way : AROUND) {
            Cell beside = cell.plus(way[0], way[1], 0);
            if (isFree(beside) && bears(beside)) {
                return true;
            }
        }
        return false;
    }

    private boolean bears(Cell cell) {
        return !space.fits(cell.at(-0.1), CORE, HALF);
    }
}
