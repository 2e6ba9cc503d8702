package dev.wishdir.arena;

import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Whom one viewer is shown, and what of it: the nearest, as many as it has places for. Who is shown
 * stays so for a while, and until somebody is clearly nearer, so that nobody comes and goes.
 */
final class Sight {
    /** Who is shown stays so for so long at least, nanoseconds. */
    static final long STAY = 5_000_000_000L;

    /**
     * Who has lost its place comes back no sooner even where one is free, nanoseconds: five seconds
     * for the viewer too, to whom the news of the one and of the other may have taken different
     * time.
     */
    static final long BACK = STAY + 500_000_000;

    /** Who has lost its place to somebody nearer takes another's no sooner, nanoseconds. */
    static final long AWAY = 2 * STAY;

    /** How often it is looked who is nearer now. */
    static final long REVIEW = 1_000_000_000;

    /** So many change places in a review at the most. */
    private static final int MOST_CHANGES = 2;

    /** How much farther one that is shown must be than another that takes its place. */
    private static final double FARTHER = 1.5;

    private static final double FARTHER_METRES = 2;

    private static final class Shown {
        final Resident who;
        final long since;

        /** When it may be shown again. */
        long again;

        long movements;

        Shown(Resident who, long since) {
            this.who = who;
            this.since = since;
            again = since;
            movements = who.movements();
        }
    }

    /** A change of places: somebody comes into sight, or goes out of it. */
    record Change(Resident who, boolean comes) {}

    private final Resident self;
    private final List<Shown> shown = new ArrayList<>();
    private final IdentityHashMap<Resident, Shown> byResident = new IdentityHashMap<>();
    private final IdentityHashMap<Resident, Long> hiddenSince = new IdentityHashMap<>();
    private final List<Player> movers = new ArrayList<>();
    private long lastRelay;
    private boolean relayed;
    private long open = Long.MIN_VALUE;
    private long nextReview;

    Sight(Resident self) {
        this.self = self;
    }

    boolean shows(Resident other) {
        return byResident.containsKey(other);
    }

    /** Everyone who is shown, as it is now. */
    List<Player> players() {
        List<Player> players = new ArrayList<>(shown.size());
        for (int i = 0; i < shown.size(); i++) {
            players.add(shown.get(i).who.snapshot());
        }
        return players;
    }

    /**
     * Somebody has got a body.
     *
     * @return whether there is a place for it
     */
    boolean take(long now, Resident other, int places) {
        if (other == self || shows(other) || shown.size() >= places) {
            return false;
        }
        Shown entry = new Shown(other, now);
        shown.add(entry);
        byResident.put(other, entry);
        hiddenSince.remove(other);
        return true;
    }

    /**
     * Somebody has no body any more, or no place.
     *
     * @return whether it was shown
     */
    boolean lose(Resident other) {
        Shown entry = byResident.remove(other);
        if (entry == null) {
            return false;
        }
        shown.remove(entry);
        return true;
    }

    /** Somebody is gone. */
    void forget(Resident other) {
        lose(other);
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
        long interval = Math.max(least, self.viewer.relayInterval());
        if (relayed) {
            open = after(lastRelay, interval);
        }
        if (relayed && now < open && now >= lastRelay) {
            return open;
        }
        long moverInterval = self.viewer.moverInterval();
        long next = Long.MAX_VALUE;
        long waited = 0;
        movers.clear();
        for (int i = 0; i < shown.size(); i++) {
            Shown entry = shown.get(i);
            if (entry.movements == entry.who.movements()) {
                continue;
            }
            if (now < entry.again && entry.again - now <= moverInterval) {
                next = Math.min(next, entry.again);
            } else {
                // A relay that came late must not put off the next one: who moves nearly as often
                // as it may be shown would wait longer each time.
                entry.again = Math.max(entry.again, now - interval) + moverInterval;
                entry.movements = entry.who.movements();
                movers.add(entry.who.snapshot());
                waited = Math.max(waited, now - entry.who.moved());
            }
        }
        if (!movers.isEmpty()) {
            relayed = true;
            lastRelay = now;
            open = after(now, interval);
            waits.accept(waited);
            self.viewer.moved(Collections.unmodifiableList(movers));
        }
        return next;
    }

    /**
     * When the next relay may be, as the last look at it found; in the past where it may be now.
     */
    long open() {
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
    List<Change> review(long now, Collection<Resident> all, int places) {
        if (now < nextReview && nextReview - now <= REVIEW) {
            return List.of();
        }
        nextReview = now + REVIEW;
        List<Resident> hidden = new ArrayList<>();
        for (Resident other : all) {
            if (other != self && other.spawned() && !shows(other)) {
                hidden.add(other);
            }
        }
        if (hidden.isEmpty() && shown.size() <= places) {
            return List.of();
        }
        Vec3 here = self.movement().position();
        hidden.sort(Comparator.comparingDouble(other -> distance(here, other)));
        List<Resident> leaving = new ArrayList<>();
        for (Shown entry : shown) {
            if (now - entry.since >= STAY || shown.size() > places) {
                leaving.add(entry.who);
            }
        }
        leaving.sort(
                Comparator.comparingDouble((Resident other) -> distance(here, other)).reversed());
        List<Change> changes = new ArrayList<>();
        int free = places - shown.size();
        int left = 0;
        for (; free < 0 && left < leaving.size(); free++) {
            changes.add(new Change(leaving.get(left++), false));
        }
        int swapped = 0;
        for (Resident comer : hidden) {
            long away = now - hiddenSince.getOrDefault(comer, now - AWAY);
            if (free > 0) {
                if (away < BACK) {
                    continue;
                }
                free--;
            } else if (swapped < MOST_CHANGES
                    && left < leaving.size()
                    && away >= AWAY
                    && distance(here, comer) * FARTHER + FARTHER_METRES
                            < distance(here, leaving.get(left))) {
                Resident goer = leaving.get(left++);
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

    private static double distance(Vec3 here, Resident other) {
        return here.distance(other.movement().position());
    }
}
