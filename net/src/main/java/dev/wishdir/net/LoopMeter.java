package dev.wishdir.net;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Limit on the loop's time that a session, or a network without a session, takes with its
 * datagrams.
 *
 * <p>Each has a token bucket of nanoseconds. The handling of a datagram is paid from it, whatever
 * the datagram asks for; while the bucket is empty, further datagrams are dropped unread, as a
 * network may drop any. A session that goes on for 5 s is ended with a reason. What a session costs
 * in its first seconds is also paid by its network, so that new sessions do not bring new time. One
 * a server, used by its one thread.
 *
 * <p>Time is the cycle's clock while more than half of a bucket is left, and the time that the
 * thread worked below that: a pause of the host or of the heap's collector costs nobody more than
 * that half.
 */
public final class LoopMeter {
    /** Share of the loop's time of one session, percent. */
    public static final int DEFAULT_SHARE_PERCENT = 5;

    private static final Logger LOG = LoggerFactory.getLogger(LoopMeter.class);

    /** What a session may take at once: some joins in a Java that has just started. */
    private static final double BURST_NANOS = 500e6;

    /** What is owed at most, so that a bucket is full again within a minute. */
    private static final double MAX_DEBT_NANOS = 2e9;

    /** Networks have twice the share and the burst of a session: more than one client may join. */
    private static final int NETWORK_SHARES = 2;

    private static final long NEW_NANOS = 10_000_000_000L;
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    private static final int MAX_REFUSED = 50;
    private static final String REASON = "You take more than your share of the server's time.";

    private static final class Share {
        final long begun;
        double left = BURST_NANOS;
        long stamp;
        long refusedSince;
        int refused;

        Share(long now) {
            begun = now;
            stamp = now;
        }
    }

    private final int sharePercent;
    private final Counters counters;
    private final Map<MemoryConsumer, Share> shares = new WeakHashMap<>();
    private final PrefixRateLimiter networks;
    private final TokenBucket lines = new TokenBucket(3, 1);

    /** Whether the log has the addresses of clients. */
    private boolean logAddresses = true;

    /**
     * @param sharePercent of the loop's time, for one session; 100 or more for no limit
     * @param counters where {@code loop.refused} counts dropped datagrams, {@code loop.ended}
     *     sessions
     * @throws IllegalArgumentException if the share is less than 1
     */
    public LoopMeter(int sharePercent, Counters counters) {
        if (sharePercent < 1) {
            throw new IllegalArgumentException(
                    "the share of a session must be at least 1 percent, is " + sharePercent);
        }
        this.sharePercent = sharePercent;
        this.counters = counters;
        networks =
                new PrefixRateLimiter(
                        NETWORK_SHARES * BURST_NANOS + MAX_DEBT_NANOS,
                        NETWORK_SHARES * nanosASecond(),
                        new SecureRandom().nextLong());
    }

    private double nanosASecond() {
        return sharePercent * 1e7;
    }

    /** From now on the log has no addresses of clients. */
    public void hideAddresses() {
        logAddresses = false;
    }

    /** A cycle that meters what comes to its sockets; all else goes to the given one. */
    public DutyCycle around(DutyCycle cycle) {
        return sharePercent >= 100 ? cycle : new MeteredCycle(cycle);
    }

    private final class MeteredCycle extends ForwardingCycle {
        MeteredCycle(DutyCycle cycle) {
            super(cycle);
        }

        @Override
        protected void received(
                DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
            Optional<MemoryConsumer> payer = handler.payer(from, data);
            int network = networks.buckets(from.getAddress());
            double left;
            Share share = null;
            if (payer.isPresent()) {
                share = shares.computeIfAbsent(payer.get(), _ -> new Share(now));
                left = left(now, share);
            } else {
                left = networks.left(now, network) - MAX_DEBT_NANOS;
            }
            if (left <= 0) {
                counters.count("loop.refused");
                if (share != null) {
                    refuse(now, payer.get(), share);
                }
                return;
            }
            boolean exact = left < BURST_NANOS / 2;
            long began = exact ? worked() : now();
            try {
                super.received(handler, now, from, data);
            } finally {
                double taken = (double) (exact ? worked() : now()) - began;
                if (!exact) {
                    taken = Math.min(taken, BURST_NANOS / 2);
                }
                if (share != null) {
                    share.left = Math.max(-MAX_DEBT_NANOS, share.left - taken);
                }
                if (share == null || now - share.begun < NEW_NANOS) {
                    networks.left(now, network);
                    networks.take(network, taken);
                }
            }
        }
    }

    private double left(long now, Share share) {
        share.left =
                Math.min(
                        BURST_NANOS,
                        share.left + Math.max(0, now - share.stamp) / 1e9 * nanosASecond());
        share.stamp = now;
        if (share.left >= BURST_NANOS / 2) {
            share.refused = 0;
        }
        return share.left;
    }

    private void refuse(long now, MemoryConsumer payer, Share share) {
        if (share.refused++ == 0) {
            share.refusedSince = now;
            log(now, payer, "some of its datagrams are dropped");
        }
        if (share.refused > MAX_REFUSED && now - share.refusedSince >= PATIENCE_NANOS) {
            // What acknowledges the farewell is taken in.
            share.refused = 0;
            share.left = BURST_NANOS;
            counters.count("loop.ended");
            log(now, payer, "it was ended");
            payer.sendAway(now, REASON);
        }
    }

    private void log(long now, MemoryConsumer payer, String what) {
        int unsaid = lines.refused();
        if (lines.tryAcquire(now)) {
            LOG.warn(
                    "{} takes more than {} % of the server's time: {}{}",
                    logAddresses ? payer : payer.withoutAddress(),
                    sharePercent,
                    what,
                    unsaid == 0 ? "" : ", after " + unsaid + " lines more");
        }
    }
}
