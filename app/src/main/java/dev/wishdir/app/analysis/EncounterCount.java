package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The seconds that players spent near each other, by their names. What it compares grows with the
 * number of events only, and what it keeps is bounded: further pairs are not counted.
 */
final class EncounterCount {
    /** Distance within which players are near each other. */
    static final double NEAR_METRES = 3;

    private static final int MAX_PAIRS = 100_000;
    private static final int INITIAL_COMPARISONS = 10_000_000;
    private static final int COMPARISONS_PER_EVENT = 64;
    private static final int NEIGHBOURS = 27;

    /** Cube of a player's place, as wide as players are near each other. */
    private record Cube(long x, long y, long z) {
        static Cube of(Vec3 at) {
            return new Cube(
                    (long) Math.floor(at.x() / NEAR_METRES),
                    (long) Math.floor(at.y() / NEAR_METRES),
                    (long) Math.floor(at.z() / NEAR_METRES));
        }

        Cube neighbour(int number) {
            return new Cube(x + number % 3 - 1, y + number / 3 % 3 - 1, z + number / 9 - 1);
        }
    }

    private record Placed(PlayerId id, Vec3 at) {}

    /** The names of two players, in the order of the alphabet. */
    private record Pair(String one, String other) {
        static Pair of(String one, String other) {
            return one.compareTo(other) <= 0 ? new Pair(one, other) : new Pair(other, one);
        }
    }

    private final Map<Pair, Integer> seconds = new LinkedHashMap<>();
    private final Map<PlayerId, Vec3> places = new LinkedHashMap<>();
    private long comparisons = INITIAL_COMPARISONS;

    /** Begins a recording. */
    void start() {
        places.clear();
    }

    /** Allows the comparisons of one more event. */
    void onEvent() {
        comparisons += COMPARISONS_PER_EVENT;
    }

    void put(PlayerId id, Vec3 at) {
        places.put(id, at);
    }

    void remove(PlayerId id) {
        places.remove(id);
    }

    /**
     * Counts a second for each pair of players that are near each other.
     *
     * @param names of the players
     */
    void countSecond(Function<PlayerId, String> names) {
        Map<Cube, List<Placed>> cubes = new HashMap<>();
        for (Map.Entry<PlayerId, Vec3> each : places.entrySet()) {
            Placed placed = new Placed(each.getKey(), each.getValue());
            Cube cube = Cube.of(placed.at);
            for (int i = 0; i < NEIGHBOURS; i++) {
                for (Placed other : cubes.getOrDefault(cube.neighbour(i), List.of())) {
                    if (--comparisons < 0) {
                        return;
                    }
                    if (placed.at.distance(other.at) <= NEAR_METRES) {
                        count(Pair.of(names.apply(other.id), names.apply(placed.id)));
                    }
                }
            }
            comparisons -= NEIGHBOURS;
            if (comparisons < 0) {
                return;
            }
            cubes.computeIfAbsent(cube, _ -> new ArrayList<>()).add(placed);
        }
    }

    private void count(Pair pair) {
        if (seconds.size() < MAX_PAIRS || seconds.containsKey(pair)) {
            seconds.merge(pair, 1, Integer::sum);
        }
    }

    /** The names of the pairs that were near each other for the longest time, with its seconds. */
    List<List<Object>> longest(int max) {
        return seconds.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(max)
                .map(it ->
                        List.<Object>of(
                                it.getKey().one() + " – " + it.getKey().other(), it.getValue()))
                .toList();
    }
}
