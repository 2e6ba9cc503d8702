package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.blocks.reach.ReachabilitySearch;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The paths of a Quake map for bodies of its own game, which meet its real floors: no path leads
 * through lava, slime, or an area that hurts. Doors stand open, and what moves is not there.
 */
public final class StockMapPaths implements NavigationGraph {
    /** Straight segments that approximate each half of a flight. */
    private static final int FLIGHT_SEGMENTS = 16;

    /** A flight ends this far below its beginning, as a multiple of its height. */
    private static final double MAX_FLIGHT = 3;

    /** The width of a line of sight. */
    private static final double RAY_METRES = 0.01;

    /** From a place to the corners of the ground that makes it firm, metres. */
    private static final double FIRM_METRES = 0.5;

    /** From the feet to the highest and to the lowest ground that is firm, metres. */
    private static final Vec3 ABOVE = new Vec3(0, 0, 1);

    private static final Vec3 BELOW = new Vec3(0, 0, -0.6);

    private static final Vec3 FALL = new Vec3(0, 0, -256);

    private final StockMap map;
    private final ReachabilitySearch search;
    private final List<Vec3> places;
    private final Map<Vec3, Integer> numbers = new HashMap<>();

    /** The numbers of the places one step from each place. */
    private final int[][] onward;

    private final BitSet firm = new BitSet();
    private final List<Vec3> returning;

    public StockMapPaths(StockMap map) {
        this.map = map;
        List<Movement> spawns =
                Stream.concat(
                                map.spawns().stream(),
                                map.bases().stream()
                                        .flatMap(it -> Stream.of(it.red(), it.blue()))
                                        .flatMap(base -> base.spawns().stream()))
                        .toList();
        search = ReachabilitySearch.alive(map.space(), map.body(), spawns, this::carry);
        places = search.places();
        for (int i = 0; i < places.size(); i++) {
            numbers.put(places.get(i), i);
            firm.set(i, isFirm(places.get(i)));
        }
        onward = new int[places.size()][];
        for (int i = 0; i < places.size(); i++) {
            onward[i] =
                    search.onward(places.get(i)).stream()
                            .filter(numbers::containsKey)
                            .mapToInt(it -> numbers.getOrDefault(it, 0))
                            .toArray();
        }
        returning =
                spawns.stream()
                        .flatMapToInt(spawn -> nearest(spawn.position()).stream())
                        .mapToObj(this::placesBefore)
                        .findFirst()
                        .orElse(List.of());
    }

    /** Whether no edge is near, over which a body falls that goes astray. */
    private boolean isFirm(Vec3 place) {
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 == 0 ? -FIRM_METRES : FIRM_METRES;
            double y = corner / 2 == 0 ? -FIRM_METRES : FIRM_METRES;
            Vec3 at = place.plus(new Vec3(x, y, 0));
            double free = map.space().free(at.plus(ABOVE), at.plus(BELOW), RAY_METRES, RAY_METRES);
            if (free == 1 || map.space().isDeadly(at.plus(BELOW))) {
                return false;
            }
        }
        return true;
    }

    /** The place at which the first trigger that a body touches releases it. */
    private Optional<Vec3> carry(Vec3 feet) {
        return map.triggerAreas().stream()
                .filter(it -> touches(it.area(), feet))
                .findFirst()
                .map(it ->
                        switch (it.trigger()) {
                            case MoveTrigger.Teleporter teleporter -> teleporter.target();
                            case MoveTrigger.JumpPad pad -> fly(feet, pad);
                        });
    }

    private boolean touches(Bounds area, Vec3 feet) {
        double side = map.body().width() / 2;
        return feet.x() + side > area.min().x()
                && feet.x() - side < area.max().x()
                && feet.y() + side > area.min().y()
                && feet.y() - side < area.max().y()
                && feet.z() + map.body().height() > area.min().z()
                && feet.z() < area.max().z();
    }

    /** The point at which a thrown body lands, or falls straight on. It slides along walls. */
    private Vec3 fly(Vec3 feet, MoveTrigger.JumpPad pad) {
        Vec3 rise = pad.apex().minus(pad.place());
        Vec3 at = feet;
        for (int i = 1; i <= MAX_FLIGHT * FLIGHT_SEGMENTS; i++) {
            double before = 1 - (i - 1.0) / FLIGHT_SEGMENTS;
            double after = 1 - (double) i / FLIGHT_SEGMENTS;
            Vec3 up = new Vec3(0, 0, rise.z() * (before * before - after * after));
            Vec3 aside = new Vec3(rise.x() / FLIGHT_SEGMENTS, rise.y() / FLIGHT_SEGMENTS, 0);
            if (isFree(at, at.plus(up).plus(aside))) {
                at = at.plus(up).plus(aside);
            } else if (isFree(at, at.plus(up))) {
                at = at.plus(up);
            } else if (after < 0) {
                return at;
            }
        }
        return at;
    }

    private boolean isFree(Vec3 from, Vec3 to) {
        return map.space().free(from, to, map.body().width(), map.body().height()) == 1;
    }

    /** The nearest place; otherwise the place below. */
    private OptionalInt nearest(Vec3 feet) {
        return search.nearest(feet)
                .or(() -> search.nearest(below(feet)))
                .map(it -> OptionalInt.of(numbers.getOrDefault(it, 0)))
                .orElse(OptionalInt.empty());
    }

    private Vec3 below(Vec3 feet) {
        double free =
                map.space().free(feet, feet.plus(FALL), map.body().width(), map.body().height());
        return feet.plus(FALL.times(free));
    }

    /** The places from which a path leads to a place. */
    private List<Vec3> placesBefore(int end) {
        List<List<Integer>> back = new ArrayList<>();
        places.forEach(_ -> back.add(new ArrayList<>(4)));
        for (int from = 0; from < onward.length; from++) {
            for (int to : onward[from]) {
                back.get(to).add(from);
            }
        }
        BitSet seen = new BitSet();
        seen.set(end);
        Deque<Integer> open = new ArrayDeque<>(List.of(end));
        while (!open.isEmpty()) {
            for (int from : back.get(open.remove())) {
                if (!seen.get(from)) {
                    seen.set(from);
                    open.add(from);
                }
            }
        }
        return seen.stream().mapToObj(places::get).toList();
    }

    @Override
    public List<Vec3> placesIn(Bounds box) {
        return firm.stream().mapToObj(places::get).filter(box::contains).toList();
    }

    @Override
    public List<Vec3> placesWithReturn() {
        return returning;
    }

    @Override
    public boolean isReached(Vec3 feet) {
        return search.nearest(feet).filter(place -> place.distance(feet) < 1).isPresent();
    }

    @Override
    public boolean isSeen(Vec3 from, Vec3 to) {
        return map.space().free(from, to, RAY_METRES, RAY_METRES) == 1;
    }

    @Override
    public List<Vec3> path(Vec3 from, Vec3 to) {
        OptionalInt start = nearest(from);
        OptionalInt end = nearest(to);
        if (start.isEmpty() || end.isEmpty()) {
            return List.of();
        }
        if (start.equals(end)) {
            return List.of(places.get(end.getAsInt()));
        }
        List<Vec3> path = path(start.getAsInt(), end.getAsInt(), firm::get);
        return path.isEmpty() ? path(start.getAsInt(), end.getAsInt(), _ -> true) : path;
    }

    /** The path with the fewest steps over places that a test accepts, by breadth-first search. */
    private List<Vec3> path(int start, int end, IntPredicate where) {
        int[] before = new int[places.size()];
        Arrays.fill(before, -1);
        before[start] = start;
        int[] open = new int[places.size()];
        int count = 0;
        open[count++] = start;
        for (int next = 0; next < count && before[end] < 0; next++) {
            for (int to : onward[open[next]]) {
                if (before[to] < 0 && (to == end || where.test(to))) {
                    before[to] = open[next];
                    open[count++] = to;
                }
            }
        }
        List<Vec3> path = new ArrayList<>();
        for (int at = before[end] < 0 ? start : end; at != start; at = before[at]) {
            path.add(places.get(at));
        }
        return path.reversed();
    }
}
