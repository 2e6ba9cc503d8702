package dev.wishdir.net.loop;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.PrefixRateLimiter;
import dev.wishdir.net.limit.TokenBucket;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.function.Predicate;

/**
 * Limit on the loop time that the datagrams of a session, or of a network without one, may take.
 *
 * <p>Each has a token bucket of nanoseconds, to which the handling of its datagrams is charged;
 * while the bucket is empty, further datagrams are dropped unread, as a network may drop any. A
 * session that keeps this up for 5 s is disconnected with a reason. The time of a session's first
 * 10 s is also charged to its network, so that reconnecting does not bring new time. Only the
 * networks of trusted addresses have no limit: many players may join from there at once. Until a
 * minute after the first session a third of the time is charged: code that has not run before is
 * slow, whoever comes first. One per server, used only by its thread.
 *
 * <p>Time is measured by the cycle's clock while more than half of a bucket is left, and by CPU
 * time below that: a pause of the host or of the garbage collector costs a client at most that
 * half.
 */
public final class LoopMeter {
    /** Default share of the loop's time for one session, percent. */
    public static final int DEFAULT_SHARE_PERCENT = 5;

    private static final Logger LOG = LoggerFactory.getLogger(LoopMeter.class);

    /** Burst of a session: some joins in a JVM that has just started. */
    private static final double BURST_NANOS = 500e6;

    /** Maximum debt of a bucket, so that it is full again within a minute. */
    private static final double MAX_DEBT_NANOS = 2e9;

    /**
     * A network has this multiple of a session's share and burst: more than one client may join.
     */
    private static final int NETWORK_SHARES = 2;

    private static final long NEW_SESSION_NANOS = 10_000_000_000L;
    private static final long DISCONNECT_AFTER_NANOS = 5_000_000_000L;
    private static final int MAX_REFUSED = 50;
    private static final String REASON =
            "Disconnected: your client uses too much of the server's time.";

    /** Time from a server's first session until its code is compiled. */
    private static final long WARM_UP_NANOS = 60_000_000_000L;

    /** Of a join in a JVM that has just started to one a minute later. */
    private static final int WARM_UP_FACTOR = 3;

    private static final class Share {
        final long firstSeen;
        double nanosLeft = BURST_NANOS;
        long stamp;
        long refusedSince;
        int refused;

        Share(long now) {
            firstSeen = now;
            stamp = now;
        }
    }

    private final int sharePercent;
    private final Predicate<InetAddress> trusted;
    private final Counters counters;
    private final Map<MemoryConsumer, Share> shares = new WeakHashMap<>();
    private final PrefixRateLimiter networks;
    private final TokenBucket logLimit = new TokenBucket(3, 1);

    private OptionalLong warmAt = OptionalLong.empty();

    /** Whether the log has the addresses of clients. */
    private boolean logAddresses = true;

    /**
     * @param sharePercent of the loop's time for one session; 100 or more for no limit
     * @param trusted addresses without a limit on their network
     * @param counters where {@code loop.refused} counts dropped datagrams and {@code loop.ended}
     *     disconnected sessions
     * @throws IllegalArgumentException if the share is less than 1
     */
    public LoopMeter(int sharePercent, Predicate<InetAddress> trusted, Counters counters) {
        if (sharePercent < 1) {
            throw new IllegalArgumentException(
                    "share of a session must be at least 1 percent, is " + sharePercent);
        }
        this.sharePercent = sharePercent;
        this.trusted = Objects.requireNonNull(trusted, "trusted");
        this.counters = Objects.requireNonNull(counters, "counters");
        networks =
                new PrefixRateLimiter(
                        NETWORK_SHARES * BURST_NANOS + MAX_DEBT_NANOS,
                        NETWORK_SHARES * nanosPerSecond(),
                        new SecureRandom().nextLong());
    }

    private double nanosPerSecond() {
        return sharePercent * 1e7;
    }

    /** Leaves addresses of clients out of the log from now on. */
    public void hideAddresses() {
        logAddresses = false;
    }

    /** Wraps a cycle to meter the datagrams of its sockets. */
    public DutyCycle around(DutyCycle cycle) {
        return sharePercent >= 100 ? cycle : new MeteredCycle(cycle);
    }

    /** Its handlers' turns and sockets are the cycle's own: only datagrams are metered. */
    private final class MeteredCycle extends ForwardingCycle {
        private final DutyCycle cycle;

        MeteredCycle(DutyCycle cycle) {
            super(cycle);
            this.cycle = cycle;
        }

        @Override
        public <H extends DatagramHandler> H open(
                InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
            Objects.requireNonNull(maker, "maker");
            return cycle.open(local, socket -> new MeteredHandler<>(cycle, maker.create(socket)))
                    .handler;
        }
    }

    private final class MeteredHandler<H extends DatagramHandler> implements DatagramHandler {
        private final DutyCycle cycle;
        private final H handler;

        MeteredHandler(DutyCycle cycle, H handler) {
            this.cycle = cycle;
            this.handler = Objects.requireNonNull(handler, "the handler that the maker made");
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return handler.payer(from, data);
        }

        @Override
        public long advance(long now) {
            return handler.advance(now);
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            Optional<MemoryConsumer> payer = handler.payer(from, data);
            if (warmAt.isEmpty() && payer.isPresent()) {
                warmAt = OptionalLong.of(now + WARM_UP_NANOS);
            }
            double nanosLeft;
            Share share = null;
            if (payer.isPresent()) {
                share = shares.computeIfAbsent(payer.get(), _ -> new Share(now));
                nanosLeft = refill(now, share);
            } else if (trusted.test(from.getAddress())) {
                nanosLeft = BURST_NANOS;
            } else {
                nanosLeft = networkNanosLeft(now, from.getAddress());
            }
            if (nanosLeft <= 0) {
                counters.count("loop.refused");
                if (share != null) {
                    refuse(now, payer.get(), share);
                }
                return;
            }
            boolean byCpuTime = nanosLeft < BURST_NANOS / 2;
            long start = byCpuTime ? cycle.cpuNanos() : cycle.now();
            try {
                handler.receive(now, from, data);
            } finally {
                double taken = (double) (byCpuTime ? cycle.cpuNanos() : cycle.now()) - start;
                if (!byCpuTime) {
                    taken = Math.min(taken, BURST_NANOS / 2);
                }
                if (now < warmAt.orElse(Long.MAX_VALUE)) {
                    taken /= WARM_UP_FACTOR;
                }
                if (share != null) {
                    share.nanosLeft = Math.max(-MAX_DEBT_NANOS, share.nanosLeft - taken);
                }
                boolean isNew = share == null || now - share.firstSeen < NEW_SESSION_NANOS;
                if (isNew && !trusted.test(from.getAddress())) {
                    networkNanosLeft(now, from.getAddress());
                    networks.take(networks.buckets(from.getAddress()), taken);
                }
            }
        }
    }

    /** Remaining time of a network, nanoseconds; refills its bucket. */
    private double networkNanosLeft(long now, InetAddress from) {
        return networks.left(now, networks.buckets(from)) - MAX_DEBT_NANOS;
    }

    private double refill(long now, Share share) {
        share.nanosLeft =
                Math.min(
                        BURST_NANOS,
                        share.nanosLeft + Math.max(0, now - share.stamp) / 1e9 * nanosPerSecond());
        share.stamp = now;
        if (share.nanosLeft >= BURST_NANOS / 2) {
            share.refused = 0;
        }
        return share.nanosLeft;
    }

    private void refuse(long now, MemoryConsumer payer, Share share) {
        if (share.refused++ == 0) {
            share.refusedSince = now;
            log(now, payer, "datagrams were dropped");
        }
        if (share.refused > MAX_REFUSED && now - share.refusedSince >= DISCONNECT_AFTER_NANOS) {
            // So that acknowledgements of the last message are received.
            share.refused = 0;
            share.nanosLeft = BURST_NANOS;
            counters.count("loop.ended");
            log(now, payer, "disconnected");
            payer.disconnect(now, REASON);
        }
    }

    private void log(long now, MemoryConsumer payer, String what) {
        int notLogged = logLimit.refused();
        if (logLimit.tryAcquire(now)) {
            LOG.warn(
                    "{} took more than {} % of the server's time: {}{}",
                    logAddresses ? payer : payer.nameWithoutAddress(),
                    sharePercent,
                    what,
                    notLogged == 0 ? "" : ", " + notLogged + " more lines not logged");
        }
    }
}
