package dev.wishdir.arena;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells events: one after the other, each whole before the next, whatever listeners do meanwhile. A
 * listener that fails keeps nothing from the others.
 */
final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Arena.class);

    /** How soon to look again at a viewer that was behind, nanoseconds. */
    private static final long PATIENCE = 25_000_000;

    /**
     * An event that waits.
     *
     * @param number of the event; a player is told of those after its own joining
     */
    private record Numbered(long number, ArenaEvent event) {}

    private final Collection<Player> players;
    private final List<ArenaListener> observers = new CopyOnWriteArrayList<>();
    private final Queue<Numbered> queue = new ArrayDeque<>();

    /** Whose viewers have not been told all. */
    private final Set<Player> behind = new LinkedHashSet<>();

    private long events;
    private boolean telling;

    /**
     * @param players who is here; a live view
     */
    Delivery(Collection<Player> players) {
        this.players = players;
    }

    void observe(ArenaListener observer) {
        observers.add(observer);
    }

    void ignore(ArenaListener observer) {
        observers.remove(observer);
    }

    boolean isObserved() {
        return !observers.isEmpty();
    }

    /** The number of the newest event. */
    long events() {
        return events;
    }

    /** Tells an event, after those that are being told. */
    void tell(ArenaEvent event) {
        queue.add(new Numbered(++events, event));
        if (!telling) {
            telling = true;
            finish(null);
        }
    }

    /** Tells what waits, and throws the first error of all that was told. */
    private void finish(@Nullable Error before) {
        @Nullable Error error = before;
        try {
            for (Numbered next = queue.poll(); next != null; next = queue.poll()) {
                error = first(error, tell(next));
            }
        } finally {
            telling = false;
        }
        if (error != null) {
            throw error;
        }
    }

    private @Nullable Error tell(Numbered numbered) {
        ArenaEvent event = numbered.event();
        @Nullable Error error = null;
        if (!(event instanceof ArenaEvent.Moved)) {
            for (Player player : List.copyOf(players)) {
                if (player.since() < numbered.number()
                        && player.isHere()
                        && concerns(event, player)) {
                    error = first(error, guarded(() -> tell(player, event), player));
                }
            }
        }
        for (ArenaListener observer : observers) {
            error = first(error, guarded(() -> observer.told(event), observer));
        }
        return error;
    }

    private static boolean concerns(ArenaEvent event, Player player) {
        return switch (event) {
            case ArenaEvent.ToPlayer own -> own.player() == player;
            case ArenaEvent.Verdict _, ArenaEvent.Refused _, ArenaEvent.Moved _ -> false;
            case ArenaEvent.OfPlayer of -> of.player() != player;
            case ArenaEvent.Announced _ -> true;
        };
    }

    private void tell(Player player, ArenaEvent event) {
        Backlog backlog = player.backlog();
        if (event instanceof ArenaEvent.ToPlayer) {
            player.viewer().told(event);
            return;
        }
        if (!backlog.isEmpty() && !player.viewer().isBehind()) {
            backlog.tell(event.time(), player);
        }
        if (player.viewer().isBehind() || backlog.holds(event)) {
            backlog.keep(event);
            behind.add(player);
        } else {
            player.viewer().told(event);
        }
    }

    /** A viewer was not shown a deed. */
    void missed(Player player) {
        if (player.isHere()) {
            player.backlog().miss();
            behind.add(player);
        }
    }

    /** Shows all viewers who has moved. */
    void relay(List<Player> movers) {
        toEach(List.copyOf(players), player -> player.viewer().moved(movers));
    }

    /** Tells viewers what they could not be told before; gives the time of the next look. */
    long advance(long now) {
        if (!behind.isEmpty()) {
            toEach(List.copyOf(behind), player -> player.backlog().tell(now, player));
            behind.removeIf(player -> !player.isHere() || player.backlog().isEmpty());
        }
        return behind.isEmpty() ? Long.MAX_VALUE : now + PATIENCE;
    }

    /** Tells players something; what happens meanwhile is told after it. */
    private void toEach(List<Player> listeners, Consumer<Player> telling) {
        boolean within = this.telling;
        this.telling = true;
        @Nullable Error error = null;
        for (Player player : listeners) {
            if (player.isHere()) {
                error = first(error, guarded(() -> telling.accept(player), player));
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
