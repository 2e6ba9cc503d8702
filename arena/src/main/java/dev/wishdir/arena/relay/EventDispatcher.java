package dev.wishdir.arena.relay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.player.ActivePlayer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Sends events to viewers and listeners, one whole event after the other, whatever they change
 * meanwhile. A failing listener does not affect the others.
 */
public final class EventDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);

    /** Interval between attempts to send to a viewer that was congested. */
    private static final long RETRY_NANOS = 25_000_000;

    /**
     * An event in the queue.
     *
     * @param number of the event; a player gets those after its own join
     * @param subject the player that it is about, null for none
     * @param viewers recipients, null for all that it concerns
     * @param observed whether listeners get it
     */
    private record QueuedEvent(
            long number,
            ArenaEvent event,
            @Nullable ActivePlayer subject,
            @Nullable List<Subscriber> viewers,
            boolean observed) {}

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final List<ArenaListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<QueuedEvent> queue = new ArrayDeque<>();

    /** The subscribers with deferred events. */
    private final Set<Subscriber> congested = new LinkedHashSet<>();

    private BiConsumer<Object, Throwable> onDefect = EventDispatcher::log;
    private LongConsumer relayDelays = _ -> {};
    private long events;
    private boolean dispatching;

    public void addSubscriber(Subscriber subscriber) {
        subscribers.add(subscriber);
    }

    public void removeSubscriber(Subscriber subscriber) {
        subscribers.remove(subscriber);
    }

    /** All subscribers in the order of joining; may change while it is iterated over. */
    public List<Subscriber> subscribers() {
        return subscribers;
    }

    public void addListener(ArenaListener listener) {
        listeners.add(listener);
    }

    public void removeListener(ArenaListener listener) {
        listeners.remove(listener);
    }

    public void onRelayDelay(LongConsumer relayDelays) {
        this.relayDelays = relayDelays;
    }

    public void onDefect(BiConsumer<Object, Throwable> onDefect) {
        this.onDefect = onDefect;
    }

    private static void log(Object listener, Throwable thrown) {
        if (LOG instanceof NOPLogger) {
            // Without a logging provider, it would be lost.
            System.err.println("arena listener " + listener + " failed: " + thrown);
        }
        LOG.error("arena listener {} failed", listener, thrown);
    }

    public boolean isObserved() {
        return !listeners.isEmpty();
    }

    /** Number of the newest event. */
    public long events() {
        return events;
    }

    /** Sends an event that is about no player, after those that are being sent. */
    public void dispatch(ArenaEvent event) {
        dispatch(event, null, null, true);
    }

    /** Sends an event of a player to its audience. */
    public void dispatch(ArenaEvent.OfPlayer event, ActivePlayer subject) {
        dispatch(event, subject, null, true);
    }

    /** Sends an event of a player to the viewers that see its body. */
    public void dispatchToViewersOf(ArenaEvent.OfPlayer event, ActivePlayer subject) {
        List<Subscriber> viewers = new ArrayList<>();
        for (Subscriber viewer : subscribers) {
            if (viewer.interestSet.contains(subject)) {
                viewers.add(viewer);
            }
        }
        dispatch(event, subject, viewers, true);
    }

    /** Sends an event to one viewer only, and to no listener. */
    void dispatchTo(Subscriber viewer, ArenaEvent.OfPlayer event, ActivePlayer subject) {
        dispatch(event, subject, List.of(viewer), false);
    }

    /** Sends an announcement to one viewer only, and to no listener. */
    public void dispatchTo(Subscriber viewer, ArenaEvent.Announcement event) {
        dispatch(event, null, List.of(viewer), false);
    }

    private void dispatch(
            ArenaEvent event,
            @Nullable ActivePlayer subject,
            @Nullable List<Subscriber> viewers,
            boolean observed) {
        queue.add(new QueuedEvent(++events, event, subject, viewers, observed));
        if (!dispatching) {
            dispatching = true;
            finish(null);
        }
    }

    /** Sends the queued events, and throws the first error of all. */
    private void finish(@Nullable Error before) {
        @Nullable Error error = before;
        try {
            for (QueuedEvent next = queue.poll(); next != null; next = queue.poll()) {
                error = first(error, dispatch(next));
            }
        } finally {
            dispatching = false;
        }
        if (error != null) {
            throw error;
        }
    }

    private @Nullable Error dispatch(QueuedEvent queued) {
        ArenaEvent event = queued.event();
        ActivePlayer subject = queued.subject();
        List<Subscriber> viewers = queued.viewers();
        @Nullable Error error = null;
        if (viewers == null) {
            viewers = audience(event, subject);
        }
        for (Subscriber viewer : viewers) {
            if (viewer.since < queued.number() && viewer.player.isHere()) {
                error = first(error, guarded(() -> dispatch(viewer, event, subject), viewer));
            }
        }
        if (queued.observed()) {
            for (ArenaListener listener : listeners) {
                error = first(error, guarded(() -> listener.onEvent(event), listener));
            }
        }
        return error;
    }

    private List<Subscriber> audience(ArenaEvent event, @Nullable ActivePlayer subject) {
        return switch (event) {
            case ArenaEvent.MovementViolation _,
                    ArenaEvent.JoinRefused _,
                    ArenaEvent.Moved _,
                    ArenaEvent.Proved _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _ ->
                    List.of();
            case ArenaEvent.ToPlayer _ ->
                    subscribers.stream().filter(it -> it.player == subject).toList();
            case ArenaEvent.OfFight _,
                    ArenaEvent.Announcement _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.FlagChanged _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _ ->
                    List.copyOf(subscribers);
            case ArenaEvent.OfPlayer _ ->
                    subscribers.stream().filter(it -> it.player != subject).toList();
        };
    }

    private void dispatch(Subscriber viewer, ArenaEvent event, @Nullable ActivePlayer subject) {
        DeferredEvents deferred = viewer.deferred;
        boolean isText = event instanceof ArenaEvent.Whisper || event instanceof ArenaEvent.Notice;
        if (isText && viewer.viewer.isCongested()) {
            dropEvent(viewer);
            return;
        }
        if (event instanceof ArenaEvent.ToPlayer) {
            viewer.viewer.onEvent(event);
            return;
        }
        if (!deferred.isEmpty() && !viewer.viewer.isCongested()) {
            deferred.deliver(event.time());
        }
        if (viewer.viewer.isCongested() || deferred.isDeferred(subject)) {
            deferred.defer(event, subject);
            congested.add(viewer);
        } else {
            viewer.viewer.onEvent(event);
        }
    }

    /** Counts an event that a viewer was not sent. */
    public void dropEvent(Subscriber viewer) {
        viewer.deferred.countDropped();
        congested.add(viewer);
    }

    /**
     * Relays movement to the viewers that are due.
     *
     * @param minIntervalNanos minimum interval between two relays to one viewer
     * @return when to call again
     */
    long relay(long now, long minIntervalNanos) {
        long[] next = {Long.MAX_VALUE};
        toEach(
                subscribers,
                viewer ->
                        next[0] =
                                Math.min(
                                        next[0],
                                        viewer.interestSet.relay(
                                                now, minIntervalNanos, relayDelays)));
        return next[0];
    }

    /** Time at which the next viewer may get a relay; in the past if one may get it now. */
    long nextRelayNanos() {
        long next = Long.MAX_VALUE;
        for (Subscriber viewer : subscribers) {
            next = Math.min(next, viewer.interestSet.nextRelayNanos());
        }
        return next;
    }

    /** Sends deferred events to viewers; returns when to call again. */
    public long advance(long now) {
        if (!congested.isEmpty()) {
            toEach(List.copyOf(congested), viewer -> viewer.deferred.deliver(now));
            congested.removeIf(viewer -> !viewer.player.isHere() || viewer.deferred.isEmpty());
        }
        return congested.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }

    /** Calls viewers; events that they cause are sent afterwards. */
    private void toEach(List<Subscriber> viewers, Consumer<Subscriber> action) {
        boolean nested = dispatching;
        dispatching = true;
        @Nullable Error error = null;
        for (Subscriber viewer : viewers) {
            if (viewer.player.isHere()) {
                error = first(error, guarded(() -> action.accept(viewer), viewer));
            }
        }
        if (!nested) {
            finish(error);
        } else if (error != null) {
            throw error;
        }
    }

    private static @Nullable Error first(@Nullable Error one, @Nullable Error other) {
        return one == null ? other : one;
    }

    /** Runs a listener; reports its exceptions and returns its error, which the loop must see. */
    private @Nullable Error guarded(Runnable call, Object listener) {
        try {
            call.run();
            return null;
        } catch (RuntimeException e) {
            onDefect.accept(listener, e);
            return null;
        } catch (Error e) {
            return e;
        }
    }
}
