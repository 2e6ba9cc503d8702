package dev.wishdir.game.capture;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.wire.EvictingMap;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server in a capture: its players, and the captured connections to it. */
final class CapturedServer {
    private static final int MAX_CONNECTIONS = 10_000;

    private final CapturedEvents all;
    private final String game;
    private final Map<Object, CapturedPlayer> players = new LinkedHashMap<>();

    /** The open connections, the oldest first. */
    private final Map<Object, Boolean> connections = new EvictingMap<>(MAX_CONNECTIONS);

    private String level = "";

    CapturedServer(CapturedEvents all, String game) {
        this.all = all;
        this.game = game;
    }

    /** Adds a connection. */
    void open(Object connection) {
        connections.put(connection, true);
    }

    /** Whether a connection is the oldest open one, from which events of no player are taken. */
    boolean isFirst(Object connection) {
        return !connections.isEmpty() && connections.keySet().iterator().next().equals(connection);
    }

    CapturedPlayer player(Object key) {
        CapturedPlayer known = players.get(key);
        if (known == null) {
            known = new CapturedPlayer(all, game, key, all.join());
            if (known.isCounted()) {
                players.put(key, known);
            }
        }
        return known;
    }

    /** The player of a name; null if there is none. */
    @Nullable CapturedPlayer named(String name) {
        for (CapturedPlayer player : players.values()) {
            if (player.isNamed(name)) {
                return player;
            }
        }
        return null;
    }

    void changeLevel(String map, Bounds bounds) {
        String name = BlockArena.nameOfMap(map);
        if (!level.equals(name)) {
            level = name;
            all.emit(new ArenaEvent.LevelChanged(all.now(), game, new Level(name, bounds), bounds));
        }
    }

    void remove(CapturedPlayer player, LeaveReason reason) {
        player.leave(reason);
        if (players.remove(player.key(), player)) {
            all.leave();
        }
    }

    /** Ends a connection: its own players leave, and those that only it showed lose their body. */
    void close(Object connection, LeaveReason reason) {
        connections.remove(connection);
        for (CapturedPlayer player : List.copyOf(players.values())) {
            if (player.isSource(connection)) {
                if (player.isOwn()) {
                    remove(player, reason);
                } else {
                    player.despawn();
                    player.release();
                }
            }
        }
    }

    /** All players leave. */
    void clear() {
        for (CapturedPlayer player : List.copyOf(players.values())) {
            remove(player, LeaveReason.LEFT);
        }
    }
}
