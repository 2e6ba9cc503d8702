package dev.wishdir.net.simulation;

import dev.wishdir.net.loop.Duty;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.random.RandomGenerator;

/**
 * One direction of one link with faults, and the datagrams in flight on it. Each datagram takes the
 * same number of random values whatever the conditions, so that the same seed loses the same
 * datagrams with and without delay. At most {@value #MAX_QUEUED_BYTES} bytes are in flight.
 */
final class LinkEmulator {
    /** Maximum number of bytes in flight, headers included. */
    static final int MAX_QUEUED_BYTES = 1 << 20;

    /** Maximum time that a datagram waits for the rate, as in the buffer of a router. */
    static final long MAX_RATE_QUEUE_NANOS = 500_000_000;

    /** Length of the headers of IPv4 and UDP. */
    static final int HEADER_BYTES = 28;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Takes the datagrams at the end of the link. */
    @FunctionalInterface
    interface Receiver {
        void receive(long now, InetSocketAddress peer, byte[] data);
    }

    /** Counts the datagrams of all links of one direction. */
    static final class Count {
        private long sent;
        private long lost;
        private long overflowed;
        private long duplicated;
        private long reordered;

        LinkCounters counters() {
            return new LinkCounters(sent, lost, overflowed, duplicated, reordered);
        }
    }

    private static final class InFlight {
        final long arrival;
        final long order;
        final InetSocketAddress peer;
        final byte[] data;

        InFlight(long arrival, long order, InetSocketAddress peer, byte[] data) {
            this.arrival = arrival;
            this.order = order;
            this.peer = peer;
            this.data = data;
        }
    }

    private final RandomGenerator random;
    private final Count count;
    private final Queue<InFlight> inFlight =
            new PriorityQueue<>(
                    Comparator.<InFlight>comparingLong(it -> it.arrival)
                            .thenComparingLong(it -> it.order));
    private int queuedBytes;
    private long order;
    private long lastArrival = Long.MIN_VALUE;

    /** Time at which the last datagram has left the sender, at the rate. */
    private long sentUntil = Long.MIN_VALUE;

    /**
     * @param count is shared by the links of a direction
     */
    LinkEmulator(RandomGenerator random, Count count) {
        this.random = random;
        this.count = count;
    }

    /**
     * Sends a datagram. The receiver gets it at once if it has no delay.
     *
     * @param peer the address that the receiver gets
     * @param data is kept
     */
    void send(
            long now,
            LinkConditions conditions,
            InetSocketAddress peer,
            byte[] data,
            Receiver receiver) {
        count.sent++;
        boolean lost = random.nextDouble() < conditions.loss();
        boolean twice = random.nextDouble() < conditions.duplication();
        boolean overtakes = random.nextDouble() < conditions.reordering();
        long jitter = (long) (random.nextDouble() * conditions.jitterNanos());
        if (lost) {
            count.lost++;
            return;
        }
        long sentAt = now;
        if (conditions.bytesPerSecond() > 0) {
            long start = Math.max(now, sentUntil);
            sentAt = start + transmission(data.length, conditions.bytesPerSecond());
            if (start - now > MAX_RATE_QUEUE_NANOS) {
                count.overflowed++;
                return;
            }
            sentUntil = sentAt;
        }
        long delay = conditions.delayNanos() + jitter;
        long arrival = sentAt;
        if (overtakes && delay > 0) {
            count.reordered++;
        } else {
            arrival = Math.max(sentAt + delay, lastArrival);
            lastArrival = arrival;
        }
        int copies = twice ? 2 : 1;
        if (twice) {
            count.duplicated++;
        }
        for (int i = 0; i < copies; i++) {
            if (arrival <= now) {
                receiver.receive(now, peer, data);
            } else {
                enqueue(arrival, peer, data);
            }
        }
    }

    private static long transmission(int length, long bytesPerSecond) {
        return (long) ((length + HEADER_BYTES) * NANOS_PER_SECOND / bytesPerSecond);
    }

    private void enqueue(long arrival, InetSocketAddress peer, byte[] data) {
        int bytes = data.length + HEADER_BYTES;
        if (queuedBytes + bytes > MAX_QUEUED_BYTES) {
            count.overflowed++;
            return;
        }
        queuedBytes += bytes;
        inFlight.add(new InFlight(arrival, order++, peer, data));
    }

    /** Delivers what has arrived; returns the time of the next arrival or {@link Duty#NEVER}. */
    long deliver(long now, Receiver receiver) {
        for (InFlight next = inFlight.peek(); next != null; next = inFlight.peek()) {
            if (next.arrival > now) {
                return next.arrival;
            }
            inFlight.remove();
            queuedBytes -= next.data.length + HEADER_BYTES;
            receiver.receive(now, next.peer, next.data);
        }
        return Duty.NEVER;
    }

    boolean isEmpty() {
        return inFlight.isEmpty();
    }
}
