package dev.wishdir.nethernet.ice;

import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The connectivity checks of a controlling agent (RFC 8445).
 *
 * <p>It nominates the first pair that works, and then keeps the peer's consent (RFC 7675).
 */
public final class IceChecks {
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long CONSENT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_CANDIDATES = 8;
    private static final int MAX_PENDING_CHECKS = 64;

    private final List<InetSocketAddress> candidates;
    private final IceCredentials own;
    private final IceCredentials other;
    private final RandomGenerator random;
    private final long tieBreaker;
    private final Map<Bytes, InetSocketAddress> waiting = new EvictingMap<>(MAX_PENDING_CHECKS);
    private @Nullable InetSocketAddress chosen;
    private long due = Long.MIN_VALUE;

    public IceChecks(
            List<InetSocketAddress> candidates,
            IceCredentials own,
            IceCredentials other,
            RandomGenerator random) {
        this.candidates = candidates.subList(0, Math.min(candidates.size(), MAX_CANDIDATES));
        this.own = own;
        this.other = other;
        this.random = random;
        tieBreaker = random.nextLong();
    }

    /**
     * Handles a signed answer.
     *
     * @return the address that works; null if this answers no check
     */
    @Nullable InetSocketAddress answered(Stun answer, InetSocketAddress from) {
        InetSocketAddress asked = waiting.remove(answer.transaction());
        if (asked == null || !asked.equals(from)) {
            return null;
        }
        if (chosen == null) {
            chosen = from;
        }
        return chosen;
    }

    /** Sends what is due; returns the time of the next call. */
    long advance(long now, DatagramSink output) {
        if (now >= due) {
            if (chosen != null) {
                ask(chosen, output);
                due = now + CONSENT_INTERVAL_NANOS;
            } else {
                candidates.forEach(each -> ask(each, output));
                due = now + CHECK_INTERVAL_NANOS;
            }
        }
        return due;
    }

    private void ask(InetSocketAddress to, DatagramSink output) {
        byte[] drawn = new byte[Stun.TRANSACTION];
        random.nextBytes(drawn);
        Bytes transaction = Bytes.wrap(drawn);
        waiting.put(transaction, to);
        byte[] request =
                Stun.request(
                        transaction,
                        other.fragment() + ":" + own.fragment(),
                        tieBreaker,
                        other.password());
        output.send(to, request, 0, request.length);
    }
}
