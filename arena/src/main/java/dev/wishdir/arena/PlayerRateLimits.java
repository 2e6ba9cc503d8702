package dev.wishdir.arena;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What one player may still do, and its changes that wait until it may. */
final class PlayerRateLimits {
    /** Who was refused so often, and for so long, is not honest, and is sent away. */
    private static final int MAX_REFUSALS = 50;

    private static final long MIN_REFUSAL_NANOS = 10_000_000_000L;

    /** Who was refused so often is sent away at once. */
    private static final int MAX_FLOOD_REFUSALS = 5_000;

    /** What came of asking. */
    enum Answer {
        GRANTED,
        /** Refused, and for the first time in a while: the player is told. */
        REFUSED_FIRST,
        REFUSED,
        /** Refused too often: the player is sent away. */
        DISMISSED
    }

    private static final class Bucket {
        private final RateLimitedAction action;
        private final Allowance allowance;
        private long refusedSince;
        private int refused;

        Bucket(RateLimitedAction action) {
            this.action = action;
            allowance = new Allowance(action.burst(), action.aSecond());
        }

        boolean trySpend(long now, double price) {
            if (allowance.isFull(now)) {
                refused = 0;
            }
            return allowance.trySpend(now, price);
        }

        Answer take(long now, int amount) {
            // More than a burst is never there: it takes all, when all is there.
            if (trySpend(now, Math.min(amount, action.burst()))) {
                return Answer.GRANTED;
            }
            if (refused++ == 0) {
                refusedSince = now;
                return Answer.REFUSED_FIRST;
            }
            boolean goesOn = refused > MAX_REFUSALS && now - refusedSince >= MIN_REFUSAL_NANOS;
            return goesOn || refused > MAX_FLOOD_REFUSALS ? Answer.DISMISSED : Answer.REFUSED;
        }
    }

    private final Map<RateLimitedAction, Bucket> pockets = new EnumMap<>(RateLimitedAction.class);
    private final Map<Object, Arena.Change> waiting = new LinkedHashMap<>();

    /** Pays for a deed, or says why not; nothing is taken then. */
    Answer take(long now, RateLimitedAction action, int amount) {
        return pockets.computeIfAbsent(action, Bucket::new).take(now, amount);
    }

    /** Keeps a change until it can be paid for, instead of an earlier one of the same kind. */
    void keep(Object what, Arena.Change change) {
        waiting.put(what, change);
    }

    /** Forgets a change that was kept: a newer one was made. */
    void forget(Object what) {
        waiting.remove(what);
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Makes the changes that were kept, as far as they can be paid for. */
    void makeWaiting(long now) {
        while (!waiting.isEmpty()) {
            if (!pockets.computeIfAbsent(RateLimitedAction.CHANGE, Bucket::new).trySpend(now, 1)) {
                return;
            }
            Map.Entry<Object, Arena.Change> first = waiting.entrySet().iterator().next();
            waiting.remove(first.getKey());
            first.getValue().make(now);
        }
    }
}
