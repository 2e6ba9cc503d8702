package dev.wishdir.arena;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Tells events: one after the other, each whole before the next, whatever listeners do meanwhile. A
 * listener that fails keeps nothing from the others.
 */
final class EventDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Arena.class);

    /** How soon to look again at a viewer that was behind, nanoseconds. */
    private static final long RETRY_NANOS = 25_000_000;

    /**
     * An event that waits.
     *
     * @param number of the event; a player is told of those after its own joining
     * @param subject whom it is about, null where it is about nobody
     * @param viewers who is told, null for all whom it concerns
     * @param observed whether observers are told
     */
    private record Waiting(
            long number,
            ArenaEvent event,
            @Nullable ActivePlayer subject,
            @Nullable List<ActivePlayer> viewers,
            boolean observed) {}

    private final Collection<ActivePlayer> residents;
    private final List<ArenaListener> observers = new CopyOnWriteArrayList<>();
    private final Queue<Waiting> queue = new ArrayDeque<>();

    /** Whose viewers have not been told all. */
    private final Set<ActivePlayer> behind = new LinkedHashSet<>();

    private LongConsumer waits = _ -> {};
    private long events;
    private boolean telling;

    /**
     * @param residents who is here; a live view
     */
    EventDispatcher(Collection<ActivePlayer> residents) {
        this.residents = residents;
    }

    void addListener(ArenaListener observer) {
        observers.add(observer);
    }

    void removeListener(ArenaListener observer) {
        observers.remove(observer);
    }

    void waits(LongConsumer waits) {
        this.waits = waits;
    }

    boolean isObserved() {
        return !observers.isEmpty();
    }

    /** The number of the newest event. */
    long events() {
        return events;
    }

    /** Tells an event that is about nobody, after those that are being told. */
    void tell(ArenaEvent event) {
        tell(event, null, null, true);
    }

    /** Tells what happened to somebody. */
    void tell(ArenaEvent.OfPlayer event, ActivePlayer subject) {
        tell(event, subject, null, true);
    }

    /** Tells those viewers who see the body of somebody what happened to it. */
    void tellSeeing(ArenaEvent.OfPlayer event, ActivePlayer subject) {
        List<ActivePlayer> viewers = new ArrayList<>();
        for (ActivePlayer viewer : residents) {
            if (viewer.interestSet.shows(subject)) {
                viewers.add(viewer);
            }
        }
        tell(event, subject, viewers, true);
    }

    /** Tells one viewer what it sees of somebody from now on. */
    void tellOne(ActivePlayer viewer, ArenaEvent.OfPlayer event, ActivePlayer subject) {
        tell(event, subject, List.of(viewer), false);
    }

    private void tell(
            ArenaEvent event,
            @Nullable ActivePlayer subject,
            @Nullable List<ActivePlayer> viewers,
            boolean observed) {
        queue.add(new Waiting(++events, event, subject, viewers, observed));
        if (!telling) {
            telling = true;
            finish(null);
        }
    }

    /** Tells what waits, and throws the first error of all that was told. */
    private void finish(@Nullable Error before) {
        @Nullable Error error = before;
        try {
            for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
                error = first(error, tell(next));
            }
        } finally {
            telling = false;
        }
        if (error != null) {
            throw error;
        }
    }

    private @Nullable Error tell(Waiting waiting) {
        ArenaEvent event = waiting.event();
        ActivePlayer subject = waiting.subject();
        List<ActivePlayer> viewers = waiting.viewers();
        @Nullable Error error = null;
        if (viewers == null) {
            viewers = audience(event, subject);
        }
        for (ActivePlayer viewer : viewers) {
            if (viewer.since < waiting.number() && viewer.isHere()) {
                error = first(error, guarded(() -> tell(viewer, event, subject), viewer));
            }
        }
        if (waiting.observed()) {
            for (ArenaListener observer : observers) {
                error = first(error, guarded(() -> observer.onEvent(event), observer));
            }
        }
        return error;
    }

    private List<ActivePlayer> audience(ArenaEvent event, @Nullable ActivePlayer subject) {
        return switch (event) {
            case ArenaEvent.MovementViolation _, ArenaEvent.JoinRefused _, ArenaEvent.Moved _ ->
                    List.of();
            case ArenaEvent.ToPlayer _ -> subject == null ? List.of() : List.of(subject);
            case ArenaEvent.OfPlayer _ -> {
                List<ActivePlayer> others = new ArrayList<>(residents);
                others.remove(subject);
                yield others;
            }
            case ArenaEvent.Announcement _, ArenaEvent.LevelChanged _ -> List.copyOf(residents);
        };
    }

    private void tell(ActivePlayer viewer, ArenaEvent event, @Nullable ActivePlayer subject) {
        DeferredEvents deferred = viewer.deferred;
        if (event instanceof ArenaEvent.Whisper && viewer.viewer.isCongested()) {
            missed(viewer);
            return;
        }
        if (event instanceof ArenaEvent.ToPlayer) {
            viewer.viewer.onEvent(event);
            return;
        }
        if (!deferred.isEmpty() && !viewer.viewer.isCongested()) {
            deferred.tell(event.time(), viewer);
        }
        if (viewer.viewer.isCongested() || deferred.holds(subject)) {
            deferred.keep(event, subject);
            behind.add(viewer);
        } else {
            viewer.viewer.onEvent(event);
        }
    }

    /** A viewer was not shown a deed. */
    void missed(ActivePlayer viewer) {
        viewer.deferred.miss();
        behind.add(viewer);
    }

    /**
     * Shows viewers who has moved, as far as it is time.
     *
     * @param least nanoseconds in which a viewer has one relay at the most
     * @return when to come again
     */
    long relay(long now, long least) {
        long[] next = {Long.MAX_VALUE};
        toEach(
                List.copyOf(residents),
                viewer -> next[0] = Math.min(next[0], viewer.interestSet.relay(now, least, waits)));
        return next[0];
    }

    /** When the next viewer may be shown who has moved; in the past where one may be now. */
    long open() {
        long open = Long.MAX_VALUE;
        for (ActivePlayer viewer : residents) {
            open = Math.min(open, viewer.interestSet.nextRelayNanos());
        }
        return open;
    }

    /** Tells viewers what they could not be told before; gives the time of the next look. */
    long advance(long now) {
        if (!behind.isEmpty()) {
            toEach(List.copyOf(behind), viewer -> viewer.deferred.tell(now, viewer));
            behind.removeIf(viewer -> !viewer.isHere() || viewer.deferred.isEmpty());
        }
        return behind.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }

    /** Tells players something; what happens meanwhile is told after it. */
    private void toEach(List<ActivePlayer> listeners, Consumer<ActivePlayer> telling) {
        boolean within = this.telling;
        this.telling = true;
        @Nullable Error error = null;
        for (ActivePlayer listener : listeners) {
            if (listener.isHere()) {
                error = first(error, guarded(() -> telling.accept(listener), listener));
            }
        }
        if (!within) {
            finish(error);
        } else if (error != null) {
            throw error;
        }
    }

    private static @Nullable Error first(@Nullable Error one, @Nullable Error other) {
        return one == null ? other : one;
    }

    /** Runs a listener; what it fails with is logged, and an error is given back for the loop. */
    private static @Nullable Error guarded(Runnable listener, Object who) {
        try {
            listener.run();
            return null;
        } catch (RuntimeException e) {
            LOG.error("defect in a listener of the arena, {}", who, e);
            return null;
        } catch (Error e) {
            return e;
        }
    }
}
