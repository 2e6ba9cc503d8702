package dev.wishdir.enet;

import dev.wishdir.net.Duty;
import dev.wishdir.net.TrafficCounters;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The reliable commands that are on their way to a peer: their time-outs and repetitions, and how
 * many bytes may be under way. ENet 1.3, reliability, timers. Times are milliseconds.
 */
final class RetransmitQueue {
    private static final int MIN_TIMEOUT_MILLIS = 5000;
    private static final int MAX_TIMEOUT_MILLIS = 30_000;
    private static final long NO_TIMEOUT = -1;

    /**
     * How long one command may go unacknowledged, from its first sending, while the peer
     * acknowledges others: as long as ENet itself waits for a peer that acknowledges nothing.
     */
    private static final int ACK_TIMEOUT_MILLIS = MAX_TIMEOUT_MILLIS;

    /**
     * The time-out up to which a command of a peer that acknowledges others backs off. It bounds
     * the repetitions to two windows a second, and costs an honest peer at a high loss no more than
     * this for each further loss of the same command.
     */
    private static final int MAX_BACK_OFF_MILLIS = 500;

    /** Datagrams of repeated messages that are on their way to a peer that is silent. */
    private static final int MAX_PROBES = 4;

    private final RoundTripEstimator roundTrip;
    private final TrafficCounters traffic;
    private final Map<Integer, OutgoingCommand> inFlight = new HashMap<>();
    private final NavigableSet<OutgoingCommand> repeats = new TreeSet<>(OutgoingCommand.BY_AGE);
    private int window = NegotiatedParameters.MAX_WINDOW;
    private int bytes;

    /** Those in flight whose time-out has not passed, the earliest first. */
    private final NavigableSet<OutgoingCommand> timeouts =
            new TreeSet<>(OutgoingCommand.BY_DEADLINE);

    private long earliestTimeout = NO_TIMEOUT;

    /** Whether a time-out has passed without any acknowledgement since. */
    private boolean silent;

    private long lastAck;

    RetransmitQueue(RoundTripEstimator roundTrip, TrafficCounters traffic) {
        this.roundTrip = roundTrip;
        this.traffic = traffic;
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
        timeouts.clear();
        bytes = 0;
        earliestTimeout = NO_TIMEOUT;
    }

    /**
     * Whether a command that has to leave again must wait. While the peer is silent only a few
     * datagrams are on their way, which show whether it is there again.
     */
    boolean mustWait(OutgoingCommand again, int mtu) {
        return silent && bytes + again.payload() > MAX_PROBES * mtu || isFull(again, mtu);
    }

    /** Whether there is no room for a command in the window. */
    boolean isFull(OutgoingCommand outgoing, int mtu) {
        return outgoing.payload() > 0
                && bytes + outgoing.payload()
                        > Math.max(
                                window * roundTrip.throttle() / RoundTripEstimator.FULL_THROTTLE,
                                mtu);
    }

    /** A command leaves for the first time. */
    void start(OutgoingCommand outgoing, long now) {
        outgoing.first(now, roundTrip.timeout());
        inFlight.put(key(outgoing.command().channel(), outgoing.command().seq()), outgoing);
        sent(outgoing, now);
    }

    /** The next command that has to leave again; null if none has. */
    @Nullable OutgoingCommand repeated() {
        return repeats.isEmpty() ? null : repeats.first();
    }

    /** The next command that had to has left again. */
    void repeat(long now) {
        traffic.lostOut(1);
        sent(repeats.removeFirst(), now);
    }

    boolean repeats() {
        return !repeats.isEmpty();
    }

    private void sent(OutgoingCommand outgoing, long now) {
        outgoing.sent(now);
        bytes += outgoing.payload();
        timeouts.add(outgoing);
    }

    @Nullable OutgoingCommand find(int channel, int seq) {
        return inFlight.get(key(channel, seq));
    }

    private static int key(int channel, int seq) {
        return channel << 16 | seq;
    }

    void arrived(OutgoingCommand outgoing, long now) {
        inFlight.remove(key(outgoing.command().channel(), outgoing.command().seq()));
        lastAck = now;
        earliestTimeout = NO_TIMEOUT;
        silent = false;
        if (outgoing.expired()) {
            repeats.remove(outgoing);
        } else {
            timeouts.remove(outgoing);
            bytes -= outgoing.payload();
        }
    }

    /** When {@link #expire} has to be called. */
    long deadline() {
        return timeouts.isEmpty() ? Duty.NEVER : timeouts.first().deadline();
    }

    /**
     * Looks for commands that were not acknowledged in time.
     *
     * <p>ENet itself drops a peer for one command that it repeated in vain, even if the peer
     * acknowledges others all the time: at a fifth of loss each way that happens within minutes.
     * Here only silence counts against the peer, until it has left one command unacknowledged for
     * {@link #ACK_TIMEOUT_MILLIS}: what waits behind a full window waits for those in flight. A
     * command's time-out doubles each time, while the peer acknowledges others only up to {@link
     * #MAX_BACK_OFF_MILLIS}: at a fifth of loss each way every hundredth command is lost four
     * times.
     *
     * @return false if the other side acknowledges nothing for so long that it must be gone
     */
    boolean expire(long now) {
        while (now >= deadline()) {
            OutgoingCommand outgoing = timeouts.removeFirst();
            if (now - outgoing.firstSent() >= ACK_TIMEOUT_MILLIS) {
                return false;
            }
            if (lastAck > outgoing.sentTime()) {
                outgoing.backOff(roundTrip.timeout(), MAX_BACK_OFF_MILLIS);
            } else if (silentTooLong(now, outgoing)) {
                return false;
            } else {
                silent = true;
                outgoing.doubleTimeout();
            }
            outgoing.expire();
            bytes -= outgoing.payload();
            repeats.add(outgoing);
        }
        return true;
    }

    private boolean silentTooLong(long now, OutgoingCommand expired) {
        if (earliestTimeout == NO_TIMEOUT || expired.sentTime() < earliestTimeout) {
            earliestTimeout = expired.sentTime();
        }
        long elapsed = now - earliestTimeout;
        return elapsed >= MAX_TIMEOUT_MILLIS
                || elapsed >= MIN_TIMEOUT_MILLIS && expired.reachedLimit();
    }
}
