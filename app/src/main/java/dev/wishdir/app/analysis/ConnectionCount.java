package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The number of connected players over time, by game, from what a recording has of them. */
final class ConnectionCount {
    private final int maxPoints;
    private final Map<PlayerId, String> connected = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, List<double[]>> points = new TreeMap<>();
    private int size;

    /**
     * @param maxPoints after these, changes are left out
     */
    ConnectionCount(int maxPoints) {
        this.maxPoints = maxPoints;
    }

    /** Begins a recording with the players that are there. */
    void start(double seconds, Collection<Player> players) {
        connected.clear();
        counts.replaceAll((_, _) -> 0);
        players.forEach(player -> connect(seconds, player));
        counts.keySet().forEach(game -> mark(seconds, game));
    }

    /** Takes up an event; a player whose joining is not recorded joins with its first event. */
    void add(double seconds, ArenaEvent event) {
        if (event instanceof ArenaEvent.Left left) {
            String game = connected.remove(left.id());
            if (game != null) {
                change(seconds, game, -1);
            }
        } else if (event instanceof ArenaEvent.OfPlayer of && !connected.containsKey(of.id())) {
            connect(seconds, of.player());
        }
    }

    /** Draws the lines to the end of the recording. */
    void end(double seconds) {
        counts.keySet().forEach(game -> mark(seconds, game));
    }

    private void connect(double seconds, Player player) {
        connected.put(player.id(), player.game());
        change(seconds, player.game(), 1);
    }

    /** A step: the count before and after, at the same time. */
    private void change(double seconds, String game, int by) {
        counts.putIfAbsent(game, 0);
        mark(seconds, game);
        counts.merge(game, by, Integer::sum);
        mark(seconds, game);
    }

    private void mark(double seconds, String game) {
        if (size < maxPoints) {
            size++;
            points.computeIfAbsent(game, _ -> new ArrayList<>())
                    .add(
                            new double[] {
                                Math.rint(seconds * 1000) / 1000, counts.getOrDefault(game, 0)
                            });
        }
    }

    /** By game: seconds, those of further recordings after the first, and number of players. */
    Map<String, List<double[]>> points() {
        return points;
    }
}
