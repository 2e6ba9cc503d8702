package dev.wishdir.arena;

import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Whom one viewer is shown, and what of it: the nearest, as many as it has places for. Who is shown
 * stays so for a while, and until somebody is clearly nearer, so that nobody comes and goes.
 */
final class InterestSet {
    /** Who is shown stays so for so long at least, nanoseconds. */
    static final long MIN_SHOWN_NANOS = 5_000_000_000L;

    /**
     * Who has lost its place comes back no sooner even where one is free, nanoseconds: five seconds
     * for the viewer too, to whom the news of the one and of the other may have taken different
     * time.
     */
    static final long MIN_HIDDEN_NANOS = MIN_SHOWN_NANOS + 500_000_000;

    /** Who has lost its place to somebody nearer takes another's no sooner, nanoseconds. */
    static final long MIN_REPLACED_NANOS = 2 * MIN_SHOWN_NANOS;

    /** How often it is looked who is nearer now. */
    static final long REBALANCE_INTERVAL_NANOS = 1_000_000_000;

    /** So many change places in a review at the most. */
    private static final int MAX_CHANGES_PER_REVIEW = 2;

    /** How much farther one that is shown must be than another that takes its place. */
    private static final double FARTHER = 1.5;

    private static final double FARTHER_METRES = 2;

    /** A change of places: somebody comes into sight, or goes out of it. */
    record Change(ActivePlayer who, boolean comes) {}

    private final ActivePlayer self;

    /**
     * Who is shown, and by the same index what is minded of it: in arrays, as a relay goes through
     * those of each viewer a hundred times a second, and would wait for each object of its own.
     */
    private ActivePlayer[] shown = new ActivePlayer[16];

    private int size;

    /** Since when it is shown. */
    private long[] since = new long[16];

    /** When it may be shown again. */
    private long[] again = new long[16];

    /** How many movements it had made when it was shown last. */
    private long[] movements = new long[16];

    private final Set<ActivePlayer> members = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<ActivePlayer, Long> hiddenSince = new IdentityHashMap<>();
    private final List<Player> movers = new ArrayList<>();
    private int changes;
    private long lastRelay;
    private boolean relayed;
    private long open = Long.MIN_VALUE;
    private long nextReview;

    InterestSet(ActivePlayer self) {
        this.self = self;
    }

    boolean shows(ActivePlayer other) {
        return members.contains(other);
    }

    /** Counts who came into sight, and who went out of it. */
    int changes() {
        return changes;
    }

    /** Everyone who is shown, as it is now. */
    List<Player> players() {
        List<Player> players = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            players.add(shown[i].snapshot());
        }
        return players;
    }

    /**
     * Somebody has got a body.
     *
     * @return whether there is a place for it
     */
    boolean add(long now, ActivePlayer other, int places) {
        if (other == self || size >= places || !members.add(other)) {
            return false;
        }
        if (size == shown.length) {
            shown = Arrays.copyOf(shown, 2 * size);
            since = Arrays.copyOf(since, 2 * size);
            again = Arrays.copyOf(again, 2 * size);
            movements = Arrays.copyOf(movements, 2 * size);
        }
        shown[size] = other;
        since[size] = now;
        again[size] = now;
        movements[size++] = other.movements();
        hiddenSince.remove(other);
        changes++;
        return true;
    }

    /**
     * Somebody has no body any more, or no place.
     *
     * @return whether it was shown
     */
    boolean remove(ActivePlayer other) {
        if (!members.remove(other)) {
            return false;
        }
        int at = 0;
        while (shown[at] != other) {
            at++;
        }
        int after = size - at - 1;
        System.arraycopy(shown, at + 1, shown, at, after);
        System.arraycopy(since, at + 1, since, at, after);
        System.arraycopy(again, at + 1, again, at, after);
        System.arraycopy(movements, at + 1, movements, at, after);
        shown[--size] = self;
        changes++;
        return true;
    }

    /** Somebody is gone. */
    void forget(ActivePlayer other) {
        remove(other);
        hiddenSince.remove(other);
    }

    /**
     * Shows who has moved, where it is time.
     *
     * @param least nanoseconds in which there is one relay at the most
     * @param waits gets what the movement waited that waited longest, nanoseconds
     * @return when to come again, {@link Long#MAX_VALUE} where nothing waits
     */
    long relay(long now, long least, LongConsumer waits) {
        long interval = Math.max(least, self.viewer.relayIntervalNanos());
        if (relayed) {
            open = after(lastRelay, interval);
        }
        if (relayed && now < open && now >= lastRelay) {
            return open;
        }
        long moverInterval = self.viewer.minUpdateIntervalNanos();
        long next = Long.MAX_VALUE;
        long waited = 0;
        movers.clear();
        for (int i = 0; i < size; i++) {
            ActivePlayer mover = shown[i];
            if (movements[i] == mover.movements()) {
                continue;
            }
            if (now < again[i] && again[i] - now <= moverInterval) {
                next = Math.min(next, again[i]);
            } else {
                // A relay that came late must not put off the next one: who moves nearly as often
                // as it may be shown would wait longer each time.
                again[i] = Math.max(again[i], now - interval) + moverInterval;
                movements[i] = mover.movements();
                movers.add(mover.snapshot());
                waited = Math.max(waited, now - mover.moved());
            }
        }
        if (!movers.isEmpty()) {
            relayed = true;
            lastRelay = now;
            open = after(now, interval);
            waits.accept(waited);
            self.viewer.onMovement(Collections.unmodifiableList(movers));
        }
        return next;
    }

    /**
     * When the next relay may be, as the last look at it found; in the past where it may be now.
     */
    long nextRelayNanos() {
        return open;
    }

    /**
     * Viewers with the same interval have their relays together, so that what is equal for them is
     * made once and sent in one go: in two halves, so that the last of many does not wait for all.
     */
    private long after(long relay, long interval) {
        long half = self.id.number() % 2 * (interval / 2);
        return (Math.floorDiv(relay - half, interval) + 1) * interval + half;
    }

    /**
     * Who comes into sight and who goes out of it, as others are nearer by now.
     *
     * @return in the order to tell; nothing is changed yet
     */
    List<Change> rebalance(long now, Collection<ActivePlayer> all, int places) {
        if (now < nextReview && nextReview - now <= REBALANCE_INTERVAL_NANOS) {
            return List.of();
        }
        nextReview = now + REBALANCE_INTERVAL_NANOS;
        List<ActivePlayer> hidden = new ArrayList<>();
        for (ActivePlayer other : all) {
            if (other != self && other.spawned() && !shows(other)) {
                hidden.add(other);
            }
        }
        if (hidden.isEmpty() && size <= places) {
            return List.of();
        }
        Vec3 here = self.movement().position();
        hidden.sort(Comparator.comparingDouble(other -> distance(here, other)));
        List<ActivePlayer> leaving = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (now - since[i] >= MIN_SHOWN_NANOS || size > places) {
                leaving.add(shown[i]);
            }
        }
        leaving.sort(
                Comparator.comparingDouble((ActivePlayer other) -> distance(here, other))
                        .reversed());
        List<Change> changes = new ArrayList<>();
        int free = places - size;
        int left = 0;
        for (; free < 0 && left < leaving.size(); free++) {
            changes.add(new Change(leaving.get(left++), false));
        }
        int swapped = 0;
        for (ActivePlayer comer : hidden) {
            long away = now - hiddenSince.getOrDefault(comer, now - MIN_REPLACED_NANOS);
            if (free > 0) {
                if (away < MIN_HIDDEN_NANOS) {
                    continue;
                }
                free--;
            } else if (swapped < MAX_CHANGES_PER_REVIEW
                    && left < leaving.size()
                    && away >= MIN_REPLACED_NANOS
                    && distance(here, comer) * FARTHER + FARTHER_METRES
                            < distance(here, leaving.get(left))) {
                ActivePlayer goer = leaving.get(left++);
                swapped++;
                hiddenSince.put(goer, now);
                changes.add(new Change(goer, false));
            } else {
                continue;
            }
            changes.add(new Change(comer, true));
        }
        return changes;
    }

    private static double distance(Vec3 here, ActivePlayer other) {
        return here.distance(other.movement().position());
    }
}
