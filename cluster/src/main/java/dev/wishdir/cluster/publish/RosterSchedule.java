package dev.wishdir.cluster.publish;

import dev.wishdir.net.limit.TokenBucket;

/**
 * Schedule by which the roster of a node is requested: at once, then at growing intervals until it
 * comes.
 */
public final class RosterSchedule {
    /** Requests that are not answered for longer are forgotten, as are further ones at once. */
    private static final int MAX_AWAITED = 8;

    /** Gaps that follow each other faster are reported. */
    private static final long FREQUENT_NANOS = 1_000_000_000L;

    private final TokenBucket reports = new TokenBucket(1, 1.0 / 60);

    private int awaited;
    private long lastGap = Long.MIN_VALUE / 2;
    private long askedAt;
    private long next;
    private long interval;

    /** Whether a roster was requested and has not come. */
    public boolean isAsked() {
        return awaited > 0;
    }

    /**
     * Whether to request now.
     *
     * @param wanted whether there is a reason to
     */
    public boolean ask(long nanos, boolean wanted, long minInterval, long maxInterval) {
        if (!wanted) {
            interval = 0;
            return false;
        }
        if (interval > 0 && nanos < next) {
            return false;
        }
        interval = Math.clamp(interval * 2, minInterval, maxInterval);
        next = nanos + interval;
        awaited = Math.min(awaited + 1, MAX_AWAITED);
        askedAt = nanos;
        return true;
    }

    /** The next request is made at once. */
    public void reset() {
        interval = 0;
    }

    /** An event was missed; returns whether that is to be reported, as it happens often. */
    public boolean addGap(long nanos) {
        boolean frequent = nanos - lastGap < FREQUENT_NANOS;
        lastGap = nanos;
        return frequent && reports.tryAcquire(nanos);
    }

    /** A roster has come; returns whether it was requested. */
    public boolean accept(long nanos, long maxAnswer) {
        if (nanos - askedAt > maxAnswer) {
            awaited = 0;
        }
        boolean expected = awaited > 0;
        awaited = Math.max(0, awaited - 1);
        return expected;
    }
}
