package dev.wishdir.raknet;

/** Limit on the datagrams of one peer in 10 ms. */
final class BurstLimiter {
    private static final long INTERVAL_NANOS = 10_000_000;

    private final int max;
    private long until = Long.MIN_VALUE;
    private int count;

    BurstLimiter(int max) {
        this.max = max;
    }

    /** Counts a datagram; false if it exceeds the limit. */
    boolean tryAcquire(long now) {
        if (now >= until) {
            until = now + INTERVAL_NANOS;
            count = 0;
        }
        return ++count <= max;
    }
}
