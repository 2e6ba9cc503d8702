package dev.wishdir.enet;

import dev.wishdir.net.Carried;
import dev.wishdir.net.Duty;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reliable commands that are on their way to a peer: their time-outs and repetitions, and how
 * many bytes may be under way. ENet 1.3, reliability, timers. Times are milliseconds.
 */
final class EnetFlight {
    private static final int TIMEOUT_MINIMUM = 5000;
    private static final int TIMEOUT_MAXIMUM = 30_000;
    private static final long NO_TIMEOUT = -1;

    /**
     * How long one command may go unacknowledged, from its first sending, while the peer
     * acknowledges others: as long as ENet itself waits for a peer that acknowledges nothing.
     */
    private static final int PATIENCE = TIMEOUT_MAXIMUM;

    private final EnetRoundTrip roundTrip;
    private final Carried carried;
    private final Map<Integer, EnetOutgoing> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<EnetOutgoing> repeats = new ArrayDeque<>();
    private int window = EnetAgreement.MAX_WINDOW;
    private int bytes;
    private long nextTimeout = Duty.NEVER;
    private long earliestTimeout = NO_TIMEOUT;
    private long lastAck;

    EnetFlight(EnetRoundTrip roundTrip, Carried carried) {
        this.roundTrip = roundTrip;
        this.carried = carried;
    }

    /** The connection is up, which shows that the other side lives. */
    void open(long now, int window) {
        this.window = window;
        lastAck = now;
    }

    /** The most bytes of messages that may be under way. */
    void window(int window) {
        this.window = window;
    }

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    /** When something was acknowledged last. */
    long lastAck() {
        return lastAck;
    }

    void clear() {
        repeats.clear();
        inFlight.clear();
        bytes = 0;
        nextTimeout = Duty.NEVER;
        earliestTimeout = NO_TIMEOUT;
    }

    /** Whether there is no room for a command in the window. */
    boolean isFull(EnetOutgoing outgoing, int mtu) {
        return outgoing.payload() > 0
                && bytes + outgoing.payload()
                        > Math.max(
                                window * roundTrip.throttle() / EnetRoundTrip.FULL_THROTTLE, mtu);
    }

    /** A command leaves for the first time. */
    void start(EnetOutgoing outgoing, long now) {
        outgoing.first(now, roundTrip.timeout());
        inFlight.put(key(outgoing.command().channel(), outgoing.command().seq()), outgoing);
        sent(outgoing, now);
    }

    /** The next command that has to leave again; null if none has. */
    @Nullable EnetOutgoing repeated() {
        EnetOutgoing first = repeats.peek();
        while (first != null && first.acknowledged()) {
            repeats.remove();
            first = repeats.peek();
        }
        return first;
    }

    /** The next command that had to has left again. */
    void repeat(long now) {
        carried.lostOut(1);
        sent(repeats.remove(), now);
    }

    boolean repeats() {
        return !repeats.isEmpty();
    }

    private void sent(EnetOutgoing outgoing, long now) {
        if (inFlight.size() == 1) {
            nextTimeout = Duty.NEVER;
        }
        outgoing.sent(now);
        bytes += outgoing.payload();
        nextTimeout = Math.min(nextTimeout, outgoing.deadline());
    }

    @Nullable EnetOutgoing find(int channel, int seq) {
        return inFlight.get(key(channel, seq));
    }

    private static int key(int channel, int seq) {
        return channel << 16 | seq;
    }

    void arrived(EnetOutgoing outgoing, long now) {
        inFlight.remove(key(outgoing.command().channel(), outgoing.command().seq()));
        lastAck = now;
        earliestTimeout = NO_TIMEOUT;
        outgoing.acknowledge();
        if (!outgoing.expired()) {
            bytes -= outgoing.payload();
        }
    }

    /** When {@link #expire} has to be called. */
    long deadline() {
        return inFlight.isEmpty() ? Duty.NEVER : nextTimeout;
    }

    /**
     * Looks for commands that were not acknowledged in time.
     *
     * <p>ENet itself drops a peer for one command that it repeated in vain, even if the peer
     * acknowledges others all the time: at a fifth of loss each way that happens within minutes.
     * Here only silence makes a command's time-outs longer and counts against the peer, until it
     * has left one command unacknowledged for {@link #PATIENCE}: what waits behind a full window
     * waits for those in flight.
     *
     * @return false if the other side acknowledges nothing for so long that it must be gone
     */
    boolean expire(long now) {
        if (now < deadline()) {
            return true;
        }
        long next = Duty.NEVER;
        for (EnetOutgoing outgoing : inFlight.values()) {
            if (outgoing.expired()) {
                continue;
            }
            if (!outgoing.isDue(now)) {
                next = Math.min(next, outgoing.deadline());
                continue;
            }
            if (now - outgoing.firstSent() >= PATIENCE) {
                return false;
            }
            if (lastAck > outgoing.sentTime()) {
                outgoing.setTimeout(roundTrip.timeout());
            } else if (silentTooLong(now, outgoing)) {
                return false;
            } else {
                outgoing.doubleTimeout();
            }
            outgoing.expire();
            bytes -= outgoing.payload();
            repeats.add(outgoing);
        }
        nextTimeout = next;
        return true;
    }

    private boolean silentTooLong(long now, EnetOutgoing expired) {
        if (earliestTimeout == NO_TIMEOUT || expired.sentTime() < earliestTimeout) {
            earliestTimeout = expired.sentTime();
        }
        long elapsed = now - earliestTimeout;
        return elapsed >= TIMEOUT_MAXIMUM || elapsed >= TIMEOUT_MINIMUM && expired.reachedLimit();
    }
}
