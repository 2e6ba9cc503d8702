package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.RateLimitedAction;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** The rate limits of one player (token buckets), and its changes that wait for them. */
final class PlayerRateLimits {
    /** Minimum interval between two reported violations of one player. */
    private static final long VIOLATION_INTERVAL_NANOS = 1_000_000_000;

    /**
     * A player with more refusals than this, over at least {@link #MIN_REFUSAL_NANOS}, is kicked.
     */
    private static final int MAX_REFUSALS = 50;

    private static final long MIN_REFUSAL_NANOS = 10_000_000_000L;

    /** A player with more refusals than this is kicked at once. */
    private static final int MAX_FLOOD_REFUSALS = 5_000;

    /** Wrong shots at once, and a second, that may be accidents. */
    private static final int MAX_WRONG_SHOTS = 10;

    private static final double WRONG_SHOTS_PER_SECOND = 0.2;

    /** Result of a request. */
    enum Result {
        GRANTED,
        /** Refused for the first time since the bucket was full: the player gets a notice. */
        REFUSED_FIRST,
        REFUSED,
        /** Refused too often. */
        KICK
    }

    private static final class Bucket {
        private final RateLimitedAction action;
        private final Allowance tokens;
        private long refusedSince;
        private int refused;

        Bucket(RateLimitedAction action) {
            this.action = action;
            tokens = new Allowance(action.burst(), action.perSecond());
        }

        boolean tryTake(long now, double amount) {
            if (tokens.isFull(now)) {
                refused = 0;
            }
            return tokens.trySpend(now, amount);
        }

        Result take(long now, int amount) {
            // A request above the burst could never be granted: it takes the whole full bucket.
            if (tryTake(now, Math.min(amount, action.burst()))) {
                return Result.GRANTED;
            }
            if (refused++ == 0) {
                refusedSince = now;
                return Result.REFUSED_FIRST;
            }
            boolean persistent = refused > MAX_REFUSALS && now - refusedSince >= MIN_REFUSAL_NANOS;
            return persistent || refused > MAX_FLOOD_REFUSALS ? Result.KICK : Result.REFUSED;
        }
    }

    private final Map<RateLimitedAction, Bucket> buckets = new EnumMap<>(RateLimitedAction.class);
    private final Map<Object, LongConsumer> deferred = new LinkedHashMap<>();

    private final Map<PlayerAction, Long> lastActions = new EnumMap<>(PlayerAction.class);
    private long lastViolation = Long.MIN_VALUE / 2;
    private final Allowance wrongShots = new Allowance(MAX_WRONG_SHOTS, WRONG_SHOTS_PER_SECOND);

    /** Whether an action may be shown now; if so, its interval begins again. */
    boolean tryPerform(long now, PlayerAction action) {
        Long last = lastActions.get(action);
        if (last != null && now - last < action.minIntervalNanos()) {
            return false;
        }
        lastActions.put(action, now);
        return true;
    }

    /** Whether a violation may be reported now; if so, the interval begins again. */
    boolean tryReportViolation(long now) {
        if (now - lastViolation < VIOLATION_INTERVAL_NANOS) {
            return false;
        }
        lastViolation = now;
        return true;
    }

    /** Whether a wrong shot may still be an accident; if so, it is counted. */
    boolean allowsShotViolation(long now) {
        return wrongShots.trySpend(now, 1);
    }

    /** Takes tokens for an action; none if it is refused. */
    Result take(long now, RateLimitedAction action, int amount) {
        return buckets.computeIfAbsent(action, Bucket::new).take(now, amount);
    }

    /** Defers a change; it replaces an earlier one of the same kind. */
    void defer(Object kind, LongConsumer change) {
        deferred.put(kind, change);
    }

    /** Drops a deferred change, as a newer one was applied. */
    void remove(Object kind) {
        deferred.remove(kind);
    }

    boolean hasDeferred() {
        return !deferred.isEmpty();
    }

    /** Applies deferred changes while there are tokens. */
    void applyDeferred(long now) {
        while (!deferred.isEmpty()) {
            if (!buckets.computeIfAbsent(RateLimitedAction.CHANGE, Bucket::new).tryTake(now, 1)) {
                return;
            }
            Map.Entry<Object, LongConsumer> first = deferred.entrySet().iterator().next();
            deferred.remove(first.getKey());
            first.getValue().accept(now);
        }
    }
}
