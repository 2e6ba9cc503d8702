package dev.wishdir.arena;

import java.util.ArrayList;
import java.util.List;

/** Applies the rate limits of players; changes over the limit are deferred and applied later. */
final class ActionRateLimiter {
    /** Interval between attempts to apply deferred changes. */
    private static final long RETRY_NANOS = 500_000_000;

    private final EventDispatcher dispatcher;
    private final List<ActivePlayer> deferring = new ArrayList<>();

    ActionRateLimiter(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** As {@link Arena#change}. */
    void change(long now, ActivePlayer player, Object kind, Arena.Change change) {
        if (allows(now, player, RateLimitedAction.CHANGE, 1)) {
            player.rateLimits.remove(kind);
            change.apply(now);
        } else if (player.isHere()) {
            if (!player.rateLimits.hasDeferred()) {
                deferring.add(player);
            }
            player.rateLimits.defer(kind, change);
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
                    dispatcher.dispatch(
                            new ArenaEvent.RateLimited(now, player.snapshot(), action), player);
            case KICK ->
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
    void kick(long now, ActivePlayer player, LeaveReason reason) {
        if (player.isHere()) {
            dispatcher.dispatch(
                    new ArenaEvent.KickRequested(now, player.snapshot(), reason), player);
        }
    }

    void remove(ActivePlayer player) {
        deferring.remove(player);
    }

    /** Applies the deferred changes that the rate limits allow now. */
    void applyDeferred(long now) {
        for (int i = deferring.size() - 1; i >= 0; i--) {
            ActivePlayer player = deferring.get(i);
            player.rateLimits.applyDeferred(now);
            if (!player.rateLimits.hasDeferred()) {
                deferring.remove(player);
            }
        }
    }

    /** When to call {@link #applyDeferred} again; {@link Long#MAX_VALUE} if nothing is deferred. */
    long nextAttempt(long now) {
        return deferring.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }
}
