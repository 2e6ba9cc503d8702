package dev.wishdir.arena;

import java.util.ArrayList;
import java.util.List;

/**
 * What players may do that reaches others: it is paid for, and a change that can't be waits until
 * it can.
 */
final class ActionRateLimiter {
    /** How soon to look again whether a change can be paid for. */
    private static final long RETRY_NANOS = 500_000_000;

    private final EventDispatcher dispatcher;
    private final List<ActivePlayer> waiting = new ArrayList<>();

    ActionRateLimiter(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** As {@link Arena#change}. */
    void change(long now, ActivePlayer player, Object kind, Arena.Change change) {
        if (allows(now, player, RateLimitedAction.CHANGE, 1)) {
            player.rateLimits.forget(kind);
            change.make(now);
        } else if (player.isHere()) {
            if (!player.rateLimits.hasWaiting()) {
                waiting.add(player);
            }
            player.rateLimits.keep(kind, change);
        }
    }

    /** As {@link Arena#allows}. */
    boolean allows(long now, ActivePlayer player, RateLimitedAction action, int amount) {
        switch (player.rateLimits.take(now, action, amount)) {
            case GRANTED -> {
                return true;
            }
            case REFUSED -> {}
            case REFUSED_FIRST ->
                    dispatcher.tell(
                            new ArenaEvent.RateLimited(now, player.snapshot(), action), player);
            case DISMISSED ->
                    kick(
                            now,
                            player,
                            new LeaveReason(
                                    LeaveReason.Code.RATE_LIMIT,
                                    PlayerNotices.kickedByRateLimit(action)));
        }
        return false;
    }

    /** As {@link Arena#kick}. */
    void kick(long now, ActivePlayer player, LeaveReason why) {
        if (player.isHere()) {
            dispatcher.tell(new ArenaEvent.KickRequested(now, player.snapshot(), why), player);
        }
    }

    /** Somebody has left. */
    void forget(ActivePlayer player) {
        waiting.remove(player);
    }

    /** Makes the changes that waited, as far as they can be paid for now. */
    void makeWaiting(long now) {
        for (int i = waiting.size() - 1; i >= 0; i--) {
            ActivePlayer player = waiting.get(i);
            player.rateLimits.makeWaiting(now);
            if (!player.rateLimits.hasWaiting()) {
                waiting.remove(player);
            }
        }
    }

    /** When to {@link #makeWaiting} again, {@link Long#MAX_VALUE} where nothing waits. */
    long next(long now) {
        return waiting.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }
}
