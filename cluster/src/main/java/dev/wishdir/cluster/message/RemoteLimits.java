package dev.wishdir.cluster.message;

import dev.wishdir.net.limit.TokenBucket;

/**
 * Limits of what another node may send: several times what a node with 4,096 players sends, so that
 * only a defect or an attack exceeds it.
 */
public final class RemoteLimits {
    private final TokenBucket messages = new TokenBucket(4096, 2048);
    private final TokenBucket bytes = new TokenBucket(32 << 20, 16 << 20);
    private final TokenBucket events = new TokenBucket(16_384, 2048);
    private final TokenBucket requests = new TokenBucket(16, 8);
    private final TokenBucket orders = new TokenBucket(64, 16);
    private final TokenBucket announcements = new TokenBucket(5, 1);
    private final TokenBucket rounds = new TokenBucket(10, 1);
    private final TokenBucket flags = new TokenBucket(64, 16);
    private final TokenBucket bestTimes = new TokenBucket(512, 64);

    /** Whether the node may change a flag. */
    public boolean allowsFlag(long nanos) {
        return flags.tryAcquire(nanos);
    }

    /** Whether the node may send a message of this length, of whatever kind. */
    public boolean allowsMessage(long nanos, int length) {
        return messages.tryAcquire(nanos) && bytes.tryAcquire(nanos, length);
    }

    public boolean allowsEvent(long nanos) {
        return events.tryAcquire(nanos);
    }

    /** Whether the node may get a roster of this one. */
    public boolean allowsRequest(long nanos) {
        return requests.tryAcquire(nanos);
    }

    public boolean allowsOrder(long nanos) {
        return orders.tryAcquire(nanos);
    }

    /** Whether the node may send a text or a ban to all. */
    public boolean allowsAnnouncement(long nanos) {
        return announcements.tryAcquire(nanos);
    }

    /**
     * Whether the node may change a best time of a race.
     *
     * @param isAnnounced whether it is announced to all
     */
    public boolean allowsBestTime(long nanos, boolean isAnnounced) {
        return bestTimes.tryAcquire(nanos) && (!isAnnounced || allowsAnnouncement(nanos));
    }

    /** Whether the node may change the round of all. */
    public boolean allowsRound(long nanos) {
        return rounds.tryAcquire(nanos);
    }
}
