package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.TrafficCounters;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The reliable commands in flight to a peer, their time-outs and the send window, in milliseconds:
 * docs/protocols/enet.md#reliability and timers.
 */
final class RetransmitQueue {
    private static final int MIN_TIMEOUT_MILLIS = 5000;
    private static final int MAX_TIMEOUT_MILLIS = 30_000;
    private static final long NO_TIMEOUT = -1;

    /**
     * Time that one command may stay unacknowledged while the peer acknowledges others: as long as
     * ENet itself waits for a peer that acknowledges nothing.
     */
    private static final int ACK_TIMEOUT_MILLIS = MAX_TIMEOUT_MILLIS;

    /**
     * Maximum back-off of a command whose peer acknowledges others. It limits retransmission to two
     * windows a second, and delays an honest peer at high loss by at most this for each further
     * loss of the same command.
     */
    private static final int MAX_BACK_OFF_MILLIS = 500;

    /**
     * Maximum time-out of a connect request: a server that starts meanwhile is soon found. ENet's
     * own, which only doubles, leaves pauses of 8 and 16 s.
     */
    private static final int MAX_CONNECT_INTERVAL_MILLIS = 2_000;

    /** Maximum datagrams of retransmitted messages in flight to a silent peer. */
    private static final int MAX_PROBES = 4;

    private final RoundTripEstimator roundTrip;
    private final TrafficCounters traffic;
    private final Map<Integer, OutgoingCommand> inFlight = new HashMap<>();
    private final NavigableSet<OutgoingCommand> retransmits = new TreeSet<>(OutgoingCommand.BY_AGE);
    private int window = NegotiatedParameters.MAX_WINDOW;
    private int bytes;

    /** Commands in flight whose time-out has not passed, earliest first. */
    private final NavigableSet<OutgoingCommand> timeouts =
            new TreeSet<>(OutgoingCommand.BY_DEADLINE);

    private long earliestTimeout = NO_TIMEOUT;

    /** Whether a time-out has passed since the last acknowledgement. */
    private boolean silent;

    private long lastAck;

    RetransmitQueue(RoundTripEstimator roundTrip, TrafficCounters traffic) {
        this.roundTrip = roundTrip;
        this.traffic = traffic;
    }

    /** Opens the queue; the handshake counts as an acknowledgement. */
    void open(long now, int window) {
        this.window = window;
        lastAck = now;
    }

    /** Sets the send window: maximum bytes of messages in flight. */
    void window(int window) {
        this.window = window;
    }

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    /** Time of the last acknowledgement. */
    long lastAck() {
        return lastAck;
    }

    void clear() {
        retransmits.clear();
        inFlight.clear();
        timeouts.clear();
        bytes = 0;
        earliestTimeout = NO_TIMEOUT;
    }

    /**
     * Whether a retransmission must wait. To a silent peer only a few datagrams are in flight, as
     * probes.
     */
    boolean mustWait(OutgoingCommand outgoing, int mtu) {
        return silent && bytes + outgoing.payload() > MAX_PROBES * mtu || isFull(outgoing, mtu);
    }

    /** Whether the window has no room for a command. */
    boolean isFull(OutgoingCommand outgoing, int mtu) {
        return outgoing.payload() > 0
                && bytes + outgoing.payload()
                        > Math.max(
                                window * roundTrip.throttle() / RoundTripEstimator.FULL_THROTTLE,
                                mtu);
    }

    /** Adds a command at its first transmission. */
    void add(OutgoingCommand outgoing, long now) {
        outgoing.onFirstSent(now, roundTrip.timeout());
        inFlight.put(key(outgoing.command().channel(), outgoing.command().seq()), outgoing);
        onSent(outgoing, now);
    }

    /** The next command to retransmit; null if there is none. */
    @Nullable OutgoingCommand nextRetransmit() {
        return retransmits.isEmpty() ? null : retransmits.first();
    }

    /** Records the retransmission of {@link #nextRetransmit}. */
    void onRetransmitted(long now) {
        traffic.lostOut(1);
        onSent(retransmits.removeFirst(), now);
    }

    boolean hasRetransmits() {
        return !retransmits.isEmpty();
    }

    private void onSent(OutgoingCommand outgoing, long now) {
        outgoing.onSent(now);
        bytes += outgoing.payload();
        timeouts.add(outgoing);
    }

    @Nullable OutgoingCommand find(int channel, int seq) {
        return inFlight.get(key(channel, seq));
    }

    private static int key(int channel, int seq) {
        return channel << 16 | seq;
    }

    void onAcknowledged(OutgoingCommand outgoing, long now) {
        inFlight.remove(key(outgoing.command().channel(), outgoing.command().seq()));
        lastAck = now;
        earliestTimeout = NO_TIMEOUT;
        silent = false;
        if (outgoing.expired()) {
            retransmits.remove(outgoing);
        } else {
            timeouts.remove(outgoing);
            bytes -= outgoing.payload();
        }
    }

    /** Latest time of the next {@link #expire}. */
    long deadline() {
        return timeouts.isEmpty() ? Duty.NEVER : timeouts.first().deadline();
    }

    /**
     * Moves commands whose time-out has passed to the retransmissions.
     *
     * <p>ENet itself drops a peer for one command that it retransmitted in vain, even if the peer
     * acknowledges others: at 20 % loss each way that happens within minutes. Here only silence
     * counts, until one command stays unacknowledged for {@link #ACK_TIMEOUT_MILLIS}. A command's
     * time-out doubles each time; while the peer acknowledges others only up to {@link
     * #MAX_BACK_OFF_MILLIS}, as at 20 % loss each way every hundredth command is lost four times.
     *
     * @return false if the peer has timed out
     */
    boolean expire(long now) {
        while (now >= deadline()) {
            OutgoingCommand outgoing = timeouts.removeFirst();
            if (now - outgoing.firstSent() >= ACK_TIMEOUT_MILLIS) {
                return false;
            }
            if (lastAck > outgoing.sentTime()) {
                outgoing.backOff(roundTrip.timeout(), MAX_BACK_OFF_MILLIS);
            } else if (isTimedOut(now, outgoing)) {
                return false;
            } else {
                silent = true;
                outgoing.doubleTimeout(
                        outgoing.command() instanceof Connect
                                ? MAX_CONNECT_INTERVAL_MILLIS
                                : Long.MAX_VALUE);
            }
            outgoing.expire();
            bytes -= outgoing.payload();
            retransmits.add(outgoing);
        }
        return true;
    }

    private boolean isTimedOut(long now, OutgoingCommand expired) {
        if (earliestTimeout == NO_TIMEOUT || expired.sentTime() < earliestTimeout) {
            earliestTimeout = expired.sentTime();
        }
        long elapsed = now - earliestTimeout;
        return elapsed >= MAX_TIMEOUT_MILLIS
                || elapsed >= MIN_TIMEOUT_MILLIS && expired.reachedLimit();
    }
}
