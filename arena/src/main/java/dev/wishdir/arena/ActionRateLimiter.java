package dev.wishdir.arena;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongConsumer;

/** Applies the rate limits of players; changes over the limit are deferred and applied later. */
final class ActionRateLimiter {
    /** Interval between attempts to apply deferred changes. */
    private static final long RETRY_NANOS = 500_000_000;

    private final EventDispatcher dispatcher;
    private final IdentityHashMap<ActivePlayer, PlayerRateLimits> limits = new IdentityHashMap<>();
    private final List<ActivePlayer> deferring = new ArrayList<>();

    ActionRateLimiter(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    private PlayerRateLimits limits(ActivePlayer player) {
        return limits.computeIfAbsent(player, _ -> new PlayerRateLimits());
    }

    /** As {@link ArenaPlayer#change}. */
    void change(long now, ActivePlayer player, Object kind, LongConsumer change) {
        if (allows(now, player, RateLimitedAction.CHANGE, 1)) {
            limits(player).remove(kind);
            change.accept(now);
        } else if (player.isHere()) {
            if (!limits(player).hasDeferred()) {
                deferring.add(player);
            }
            limits(player).defer(kind, change);
        }
    }

    /** Drops a deferred change. */
    void cancelChange(ActivePlayer player, Object kind) {
        limits(player).remove(kind);
    }

    /** Whether an action may be shown now; if so, its interval begins again. */
    boolean tryPerform(long now, ActivePlayer player, PlayerAction action) {
        return limits(player).tryPerform(now, action);
    }

    /** Whether a violation may be reported now; if so, the interval begins again. */
    boolean tryReportViolation(long now, ActivePlayer player) {
        return limits(player).tryReportViolation(now);
    }

    /** Whether a wrong shot may still be an accident. */
    boolean allowsShotViolation(long now, ActivePlayer player) {
        return limits(player).allowsShotViolation(now);
    }

    /** As {@link ArenaPlayer#allows}. */
    boolean allows(long now, ActivePlayer player, RateLimitedAction action, int amount) {
        switch (limits(player).take(now, action, amount)) {
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

    /** As {@link ArenaPlayer#kick}. */
    void kick(long now, ActivePlayer player, LeaveReason reason) {
        if (player.isHere()) {
            dispatcher.dispatch(
                    new ArenaEvent.KickRequested(now, player.snapshot(), reason), player);
        }
    }

    /** Forgets a player that has left. */
    void remove(ActivePlayer player) {
        limits.remove(player);
        deferring.remove(player);
    }

    /** Applies the deferred changes that the rate limits allow now. */
    void applyDeferred(long now) {
        for (int i = deferring.size() - 1; i >= 0; i--) {
            ActivePlayer player = deferring.get(i);
            PlayerRateLimits its = limits(player);
            its.applyDeferred(now);
            if (!its.hasDeferred()) {
                deferring.remove(player);
            }
        }
    }

    /** When to call {@link #applyDeferred} again; {@link Long#MAX_VALUE} if nothing is deferred. */
    long nextAttempt(long now) {
        return deferring.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }
}
