package dev.wishdir.blocks.reach;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Breadth-first search for the path with the fewest steps. */
final class ShortestPath {
    private ShortestPath() {}

    /**
     * Finds a path.
     *
     * @param onward the places one step from a place
     * @return the places behind {@code from} up to {@code to}; empty if there is no path
     */
    static <T> List<T> find(T from, T to, Function<T, List<T>> onward) {
        Map<T, T> before = new HashMap<>();
        Deque<T> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty() && !before.containsKey(to)) {
            T at = open.remove();
            for (T next : onward.apply(at)) {
                if (before.putIfAbsent(next, at) == null) {
                    open.add(next);
                }
            }
        }
        List<T> path = new ArrayList<>();
        T at = before.containsKey(to) ? to : from;
        while (!at.equals(from)) {
            path.add(at);
            at = before.getOrDefault(at, from);
        }
        return path.reversed();
    }
}
