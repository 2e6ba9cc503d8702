package dev.wishdir.cluster.remote;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** The players of one other node in the own arena. */
final class MirroredPlayers {
    private final Arena arena;
    private final NameAgreement names;
    private final RemoteFights fights;
    private final Map<Integer, MirroredPlayer> players = new HashMap<>();
    private final Queue<MirroredPlayer> joins = new ArrayDeque<>();
    private final List<MirroredPlayer> moved = new ArrayList<>();
    private boolean visible = true;

    MirroredPlayers(Arena arena, NameAgreement names) {
        this.arena = arena;
        this.names = names;
        fights = new RemoteFights(arena, players);
    }

    /** Their part in the match. */
    RemoteFights fights() {
        return fights;
    }

    int count() {
        return players.size();
    }

    @Nullable MirroredPlayer find(int number) {
        return players.get(number);
    }

    /** Whether players wait to be joined. */
    boolean isJoinDue() {
        return !joins.isEmpty();
    }

    /**
     * Joins players that wait.
     *
     * @param max as many at most, since a join goes to all viewers
     * @return the number of them
     */
    int join(long now, int max) {
        int count = 0;
        while (count < max && !joins.isEmpty()) {
            MirroredPlayer player = joins.remove();
            if (players.get(player.id().number()) == player) {
                player.join(now, arena, visible);
                names.onNamed(player);
                fights.show(now, player);
                count++;
            }
        }
        return count;
    }

    /** Adds a player that joined at its node. */
    void add(long now, Player player) {
        MirroredPlayer added = new MirroredPlayer(player);
        MirroredPlayer before = players.put(player.id().number(), added);
        if (before != null) {
            leave(now, before, LeaveReason.LEFT);
        }
        joins.add(added);
    }

    /** Brings the players to the state in a roster. */
    void replace(long now, List<Player> listed) {
        Set<Integer> numbers = new HashSet<>();
        listed.forEach(player -> numbers.add(player.id().number()));
        for (int number : List.copyOf(players.keySet())) {
            if (!numbers.contains(number)) {
                remove(now, number, LeaveReason.LEFT);
            }
        }
        for (Player player : listed) {
            MirroredPlayer known = players.get(player.id().number());
            if (known == null) {
                add(now, player);
            } else if (known.update(now, player, visible)) {
                names.onNamed(known);
            }
        }
    }

    private void remove(long now, int number, LeaveReason reason) {
        MirroredPlayer player = players.remove(number);
        if (player != null) {
            leave(now, player, reason);
        }
    }

    private void leave(long now, MirroredPlayer player, LeaveReason reason) {
        names.onLeft(player);
        player.leave(now, reason);
    }

    /** All leave. */
    void clear(long now, LeaveReason reason) {
        for (int number : List.copyOf(players.keySet())) {
            remove(now, number, reason);
        }
        joins.clear();
        moved.clear();
    }

    /** Sets which of them only watch the match, by their numbers. */
    void setWatching(long now, List<Integer> watchers) {
        Set<Integer> numbers = Set.copyOf(watchers);
        players.forEach((number, player) -> {
            ArenaPlayer handle = player.handle();
            if (handle != null) {
                handle.combatant().setWatching(now, numbers.contains(number));
            }
        });
    }

    /** Shows or hides the bodies of all. */
    void setVisible(long now, boolean visible) {
        if (this.visible != visible) {
            this.visible = visible;
            players.values().forEach(player -> player.show(now, visible));
        }
    }

    /** Stores a movement of a player, if it is known; {@link #flush} passes it on. */
    void move(int number, Movement movement, NativeMovement nativeMovement) {
        MirroredPlayer player = players.get(number);
        if (player != null) {
            player.move(movement, nativeMovement);
            moved.add(player);
        }
    }

    /** Passes on the newest movement of each player. */
    void flush(long now) {
        moved.forEach(player -> player.flush(now));
        moved.clear();
    }

    /**
     * Applies an event of a player, as its node decoded it.
     *
     * @return false if the player does more than a player may
     */
    boolean apply(long now, long nanos, ArenaEvent.OfPlayer event) {
        int number = event.id().number();
        MirroredPlayer player = players.get(number);
        if (player == null) {
            return true;
        }
        Player state = event.player();
        ArenaPlayer handle = player.handle();
        switch (event) {
            case ArenaEvent.Left left -> remove(now, number, left.reason());
            case ArenaEvent.Spawned spawned -> {
                if (!player.allows(nanos, RateLimitedAction.LIFE)) {
                    return false;
                }
                player.spawn(now, spawned.movement(), state.nativeMovement(), visible);
            }
            case ArenaEvent.Despawned _ -> player.despawn(now);
            case ArenaEvent.Teleported teleported -> {
                if (!player.allows(nanos, RateLimitedAction.ACT)) {
                    return false;
                }
                player.teleport(now, teleported.movement(), state.nativeMovement());
            }
            case ArenaEvent.ActionPerformed action -> {
                if (!player.allows(nanos, RateLimitedAction.ACT)) {
                    return false;
                }
                if (handle != null) {
                    handle.performAction(now, action.action());
                }
            }
            case ArenaEvent.Chat chat -> {
                if (!player.allows(nanos, RateLimitedAction.CHAT)) {
                    return false;
                }
                if (handle != null) {
                    handle.say(now, chat.text());
                }
            }
            case ArenaEvent.Renamed renamed -> {
                if (!player.allows(nanos, RateLimitedAction.CHANGE)) {
                    return false;
                }
                player.rename(now, renamed.name());
                names.onNamed(player);
            }
            case ArenaEvent.AppearanceChanged _ -> {
                if (!player.allows(nanos, RateLimitedAction.CHANGE)) {
                    return false;
                }
                if (handle != null) {
                    handle.reportAppearanceChange(now);
                }
            }
            default -> {
                // What concerns only the player's own node.
            }
        }
        return true;
    }
}
