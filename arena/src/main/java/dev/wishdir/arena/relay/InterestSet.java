package dev.wishdir.arena.relay;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The interest set of one viewer: the nearest players up to its capacity, and when each was last
 * relayed. A visible player keeps its place for at least 5 s and until another is clearly nearer
 * (hysteresis), to avoid flicker.
 */
public final class InterestSet {
    /** Minimum time that a player stays visible. */
    static final long MIN_VISIBLE_NANOS = 5_000_000_000L;

    /**
     * Minimum time that a player stays hidden even if there is room: five seconds as the viewer
     * sees them, as its two notifications may have taken different times.
     */
    static final long MIN_HIDDEN_NANOS = MIN_VISIBLE_NANOS + 500_000_000;

    /** Minimum time before a player that a nearer one replaced may replace another. */
    static final long MIN_REPLACED_NANOS = 2 * MIN_VISIBLE_NANOS;

    /** Interval at which the set is compared with the distances of all players. */
    static final long REBALANCE_INTERVAL_NANOS = 1_000_000_000;

    /** Maximum number of replacements per rebalance. */
    private static final int MAX_REPLACEMENTS = 2;

    /**
     * A hidden player replaces a visible one only if {@code distance * ratio + metres} is less than
     * the other's.
     */
    private static final double REPLACE_DISTANCE_RATIO = 1.5;

    private static final double REPLACE_DISTANCE_METRES = 2;

    /** A change of the set: a player becomes visible or hidden. */
    record Change(ActivePlayer player, boolean visible) {}

    private final ActivePlayer self;
    private final Viewer viewer;

    /**
     * The visible players; the arrays below have the same indices. Arrays, as a relay iterates over
     * those of each viewer a hundred times a second, and would wait for the memory of separate
     * objects.
     */
    private ActivePlayer[] visiblePlayers = new ActivePlayer[16];

    private int size;

    /** Times at which they became visible. */
    private long[] since = new long[16];

    /** Times at which they may be relayed again. */
    private long[] nextUpdate = new long[16];

    /** The number of its movements at its last relay. */
    private long[] movements = new long[16];

    private final Set<ActivePlayer> members = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<ActivePlayer, Long> hiddenSince = new IdentityHashMap<>();
    private final List<Player> movers = new ArrayList<>();
    private int changes;
    private long lastRelay;
    private boolean relayed;
    private long nextRelay = Long.MIN_VALUE;
    private long nextRebalance;

    InterestSet(ActivePlayer self, Viewer viewer) {
        this.self = self;
        this.viewer = viewer;
    }

    public boolean contains(ActivePlayer other) {
        return members.contains(other);
    }

    /** Number of changes so far. */
    public int changes() {
        return changes;
    }

    /** Snapshots of the visible players. */
    public List<Player> players() {
        List<Player> players = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            players.add(visiblePlayers[i].snapshot());
        }
        return players;
    }

    /** Calls with each visible player. */
    public void forEach(Consumer<ActivePlayer> action) {
        for (int i = 0; i < size; i++) {
            action.accept(visiblePlayers[i]);
        }
    }

    /**
     * Adds a player with a body.
     *
     * @return whether there was room for it
     */
    boolean add(long now, ActivePlayer other, int capacity) {
        if (other == self || size >= capacity || !members.add(other)) {
            return false;
        }
        if (size == visiblePlayers.length) {
            visiblePlayers = Arrays.copyOf(visiblePlayers, 2 * size);
            since = Arrays.copyOf(since, 2 * size);
            nextUpdate = Arrays.copyOf(nextUpdate, 2 * size);
            movements = Arrays.copyOf(movements, 2 * size);
        }
        visiblePlayers[size] = other;
        since[size] = now;
        nextUpdate[size] = now;
        movements[size++] = other.movements();
        hiddenSince.remove(other);
        other.addViewer();
        changes++;
        return true;
    }

    /**
     * Removes a player that has lost its body or its place.
     *
     * @return whether it was visible
     */
    boolean remove(ActivePlayer other) {
        if (!members.remove(other)) {
            return false;
        }
        int at = 0;
        while (visiblePlayers[at] != other) {
            at++;
        }
        int after = size - at - 1;
        System.arraycopy(visiblePlayers, at + 1, visiblePlayers, at, after);
        System.arraycopy(since, at + 1, since, at, after);
        System.arraycopy(nextUpdate, at + 1, nextUpdate, at, after);
        System.arraycopy(movements, at + 1, movements, at, after);
        visiblePlayers[--size] = self;
        other.removeViewer();
        changes++;
        return true;
    }

    /** Removes all players, as the viewer has left. */
    public void clear() {
        for (int i = 0; i < size; i++) {
            visiblePlayers[i].removeViewer();
        }
        Arrays.fill(visiblePlayers, self);
        size = 0;
        members.clear();
        hiddenSince.clear();
    }

    /** Removes a player that has left. */
    void removeLeft(ActivePlayer other) {
        remove(other);
        hiddenSince.remove(other);
    }

    /**
     * Relays movement if it is due.
     *
     * @param minInterval minimum interval between two relays, nanoseconds
     * @param delays receives how long the oldest movement of the relay waited, nanoseconds
     * @return when to call again, {@link Long#MAX_VALUE} if nothing waits
     */
    long relay(long now, long minInterval, LongConsumer delays) {
        long interval = Math.max(minInterval, viewer.relayIntervalNanos());
        if (relayed) {
            nextRelay = nextSlot(lastRelay, interval);
        }
        if (relayed && now < nextRelay && now >= lastRelay) {
            return nextRelay;
        }
        long moverInterval = viewer.minUpdateIntervalNanos();
        long next = Long.MAX_VALUE;
        long waited = 0;
        movers.clear();
        for (int i = 0; i < size; i++) {
            ActivePlayer mover = visiblePlayers[i];
            if (movements[i] == mover.movements()) {
                continue;
            }
            if (now < nextUpdate[i] && nextUpdate[i] - now <= moverInterval) {
                next = Math.min(next, nextUpdate[i]);
            } else {
                // A late relay must not postpone the next one: a player that moves nearly as often
                // as it may be relayed would wait longer each time.
                nextUpdate[i] = Math.max(nextUpdate[i], now - interval) + moverInterval;
                movements[i] = mover.movements();
                movers.add(mover.snapshot());
                waited = Math.max(waited, now - mover.moved());
            }
        }
        if (!movers.isEmpty()) {
            relayed = true;
            lastRelay = now;
            nextRelay = nextSlot(now, interval);
            delays.accept(waited);
            viewer.onMovement(Collections.unmodifiableList(movers));
        }
        return next;
    }

    /** Time at which the next relay may be sent, as of the last call; in the past if now. */
    long nextRelayNanos() {
        return nextRelay;
    }

    /**
     * The next slot. Relays of viewers with the same interval are aligned, so that equal content is
     * encoded once and sent together; in two halves, so that the last of many viewers does not wait
     * for all.
     */
    private long nextSlot(long relay, long interval) {
        long half = self.id.number() % 2 * (interval / 2);
        return (Math.floorDiv(relay - half, interval) + 1) * interval + half;
    }

    /**
     * Players that become visible or hidden, by their distance.
     *
     * @param grid of all players
     * @return in the order to apply; nothing is changed yet
     */
    List<Change> rebalance(long now, PlayerGrid grid, int capacity) {
        if (now < nextRebalance && nextRebalance - now <= REBALANCE_INTERVAL_NANOS) {
            return List.of();
        }
        nextRebalance = now + REBALANCE_INTERVAL_NANOS;
        Vec3 here = self.movement().position();
        List<ActivePlayer> removable = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (now - since[i] >= MIN_VISIBLE_NANOS || size > capacity) {
                removable.add(visiblePlayers[i]);
            }
        }
        PlayerGrid.Search candidates = candidates(grid, capacity, here, removable);
        if (candidates.isEmpty() && size <= capacity) {
            return List.of();
        }
        removable.sort(
                Comparator.comparingDouble((ActivePlayer other) -> distance(here, other))
                        .reversed());
        List<Change> changes = new ArrayList<>();
        int free = capacity - size;
        int index = 0;
        for (; free < 0 && index < removable.size(); free++) {
            changes.add(new Change(removable.get(index++), false));
        }
        int swapped = 0;
        while (!candidates.isEmpty()) {
            double distance = candidates.distance();
            boolean isReplacing =
                    swapped < MAX_REPLACEMENTS
                            && index < removable.size()
                            && isNearer(distance, distance(here, removable.get(index)));
            if (free <= 0 && !isReplacing) {
                // All others are farther.
                break;
            }
            ActivePlayer candidate = candidates.remove();
            long hiddenNanos = now - hiddenSince.getOrDefault(candidate, now - MIN_REPLACED_NANOS);
            if (free > 0) {
                if (hiddenNanos < MIN_HIDDEN_NANOS) {
                    continue;
                }
                free--;
            } else if (hiddenNanos >= MIN_REPLACED_NANOS) {
                ActivePlayer replaced = removable.get(index++);
                swapped++;
                hiddenSince.put(replaced, now);
                changes.add(new Change(replaced, false));
            } else {
                continue;
            }
            changes.add(new Change(candidate, true));
        }
        return changes;
    }

    /**
     * The hidden players that may become visible now, the nearest first. Where there is no room,
     * those are only the few that are clearly nearer than the farthest visible one.
     *
     * @param removable the visible players that may be replaced
     */
    private PlayerGrid.Search candidates(
            PlayerGrid grid, int capacity, Vec3 here, List<ActivePlayer> removable) {
        double limit = size < capacity ? Double.POSITIVE_INFINITY : 0;
        for (ActivePlayer other : removable) {
            limit = Math.max(limit, distance(here, other));
        }
        return grid.around(
                here,
                (limit - REPLACE_DISTANCE_METRES) / REPLACE_DISTANCE_RATIO,
                other -> other != self && other.spawned() && !contains(other));
    }

    /** Whether a distance is clearly less than that of a visible player, metres. */
    private static boolean isNearer(double distance, double visible) {
        return distance * REPLACE_DISTANCE_RATIO + REPLACE_DISTANCE_METRES < visible;
    }

    private static double distance(Vec3 here, ActivePlayer other) {
        return here.distance(other.movement().position());
    }
}
