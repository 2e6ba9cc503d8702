package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongConsumer;

/** Applies the rate limits of players; changes over the limit are deferred and applied later. */
public final class ActionRateLimiter {
    /** Interval between attempts to apply deferred changes. */
    private static final long RETRY_NANOS = 500_000_000;

    private final EventDispatcher dispatcher;
    private final IdentityHashMap<ActivePlayer, PlayerRateLimits> limits = new IdentityHashMap<>();
    private final List<ActivePlayer> deferring = new ArrayList<>();

    public ActionRateLimiter(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    private PlayerRateLimits limits(ActivePlayer player) {
        return limits.computeIfAbsent(player, _ -> new PlayerRateLimits());
    }

    /** As {@code ArenaPlayer.change}. */
    public void change(long now, ActivePlayer player, Object kind, LongConsumer change) {
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
    public void cancelChange(ActivePlayer player, Object kind) {
        limits(player).remove(kind);
    }

    /** Whether an action may be shown now; if so, its interval begins again. */
    public boolean tryPerform(long now, ActivePlayer player, PlayerAction action) {
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

    /** As {@code ArenaPlayer.allows}. */
    public boolean allows(long now, ActivePlayer player, RateLimitedAction action, int amount) {
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

    /** As {@code ArenaPlayer.kick}. */
    public void kick(long now, ActivePlayer player, LeaveReason reason) {
        if (player.isHere()) {
            dispatcher.dispatch(
                    new ArenaEvent.KickRequested(now, player.snapshot(), reason), player);
        }
    }

    /** Forgets a player that has left. */
    public void remove(ActivePlayer player) {
        limits.remove(player);
        deferring.remove(player);
    }

    /** Applies the deferred changes that the rate limits allow now. */
    public void applyDeferred(long now) {
        for (int i = deferring.size() - 1; i >= 0; i--) {
            ActivePlayer player = deferring.get(i);
            PlayerRateLimits its = limits(player);
            its.applyDeferred(now);
            if (!its.hasDeferred()) {
                deferring.remove(player);
            }
        }
    }

    /**
     * Time of the next call of {@link #applyDeferred}; {@link Long#MAX_VALUE} if nothing is
     * deferred.
     */
    public long nextAttempt(long now) {
        return deferring.isEmpty() ? Long.MAX_VALUE : now + RETRY_NANOS;
    }
}
