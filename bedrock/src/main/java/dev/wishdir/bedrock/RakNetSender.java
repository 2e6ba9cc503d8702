package dev.wishdir.bedrock;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sending half of a connection: splits messages into frames, bundles frames into datagrams
 * within a congestion window, and sends again what was not acknowledged in time.
 *
 * <p>Each datagram is kept with its frames until it is acknowledged; what is lost goes out in a new
 * datagram with a new number, so that a round trip is never measured against the wrong sending. The
 * window opens as TCP's does: by a datagram an acknowledgement until the threshold, then by one a
 * round trip; it closes at most once a round trip.
 */
final class RakNetSender {
    /** No more datagrams than this are on their way: what peers take for a window. */
    static final int WINDOW = 2048;

    static final long FIRST_TIMEOUT = 500_000_000;
    static final long LONGEST_TIMEOUT = 2_000_000_000;
    private static final long ACK_TICK = 30_000_000;
    private static final double GAIN = 0.05;
    private static final int CHANNELS = 32;

    private record Sent(long time, int bytes, List<Frame> frames) {}

    private final int capacity;
    private final Consumer<Writer> output;
    private final Writer writer;
    private final ArrayDeque<Frame> fresh = new ArrayDeque<>();
    private final ArrayDeque<Frame> again = new ArrayDeque<>();
    private final @Nullable Sent[] window = new @Nullable Sent[WINDOW];
    private final int[] orderIndices = new int[CHANNELS];
    private final int[] sequenceIndices = new int[CHANNELS];
    private int messageIndex;
    private int splitId;
    private long oldest;
    private long next;
    private int inFlight;
    private int waiting;
    private double roundTrip;
    private double deviation;
    private boolean measured;
    private int backoff;
    private double congestion;
    private double threshold = Double.MAX_VALUE;
    private long reducedAt;
    private long nacksUntil = Long.MIN_VALUE;
    private int nackedBytes;

    /**
     * @param capacity the bytes of the largest datagram
     * @param output takes each datagram; the writer is used again after the call
     */
    RakNetSender(int capacity, Consumer<Writer> output) {
        this.capacity = capacity;
        this.output = output;
        writer = new Writer(capacity);
        congestion = 4.0 * capacity;
    }

    /** The smoothed round trip, nanoseconds. */
    long roundTrip() {
        return (long) roundTrip;
    }

    /** Bytes that wait to be sent or acknowledged. */
    int pending() {
        return waiting + inFlight;
    }

    boolean idle() {
        return fresh.isEmpty() && again.isEmpty() && inFlight == 0;
    }

    /** Queues a message; {@link #flush} sends it. */
    void send(Reliability wished, int channel, Bytes message) {
        boolean split =
                RakNetDatagram.HEADER + wished.header() + message.length() > capacity
                        || message.length() > RakNet.LARGEST_FRAME;
        Reliability reliability = split ? wished.whenSplit() : wished;
        int orderIndex = orderIndices[channel];
        int sequenceIndex = 0;
        if (reliability.ordered()) {
            orderIndices[channel] = orderIndex + 1 & RakNet.INDEX_MASK;
            sequenceIndices[channel] = 0;
        } else if (reliability.sequenced()) {
            sequenceIndex = sequenceIndices[channel];
            sequenceIndices[channel] = sequenceIndex + 1 & RakNet.INDEX_MASK;
        } else {
            orderIndex = 0;
        }
        int flags = reliability.ordinal() << 5;
        if (!split) {
            queue(
                    new Frame(
                            flags,
                            index(reliability),
                            sequenceIndex,
                            orderIndex,
                            channel,
                            0,
                            0,
                            0,
                            message));
            return;
        }
        int part =
                Math.min(
                        RakNet.LARGEST_FRAME,
                        capacity
                                - RakNetDatagram.HEADER
                                - reliability.header()
                                - Frame.SPLIT_HEADER);
        int count = Math.ceilDiv(message.length(), part);
        int id = splitId++ & 0xFFFF;
        for (int i = 0; i < count; i++) {
            int from = i * part;
            queue(
                    new Frame(
                            flags | Frame.SPLIT_FLAG,
                            index(reliability),
                            sequenceIndex,
                            orderIndex,
                            channel,
                            count,
                            id,
                            i,
                            message.slice(from, Math.min(part, message.length() - from))));
        }
    }

    private int index(Reliability reliability) {
        if (!reliability.reliable()) {
            return 0;
        }
        int index = messageIndex;
        messageIndex = index + 1 & RakNet.INDEX_MASK;
        return index;
    }

    private void queue(Frame frame) {
        fresh.add(frame);
        waiting += frame.length();
    }

    /** Sends what the window allows: lost frames first, then new ones. */
    void flush(long now) {
        while (next - oldest < WINDOW) {
            boolean room = inFlight < congestion;
            if (again.isEmpty() && (fresh.isEmpty() || !room)) {
                return;
            }
            List<Frame> frames = new ArrayList<>();
            int bytes = RakNetDatagram.HEADER;
            bytes = take(again, frames, bytes);
            if (room) {
                bytes = take(fresh, frames, bytes);
            }
            boolean more = !again.isEmpty() || (!fresh.isEmpty() && inFlight + bytes < congestion);
            transmit(now, frames, more);
        }
    }

    private int take(ArrayDeque<Frame> queue, List<Frame> frames, int bytes) {
        int total = bytes;
        for (Frame frame = queue.peek(); frame != null; frame = queue.peek()) {
            if (total + frame.length() > capacity) {
                break;
            }
            queue.remove();
            waiting -= frame.length();
            frames.add(frame);
            total += frame.length();
        }
        return total;
    }

    private void transmit(long now, List<Frame> frames, boolean more) {
        writer.reset();
        RakNetDatagram.wire(
                writer,
                new RakNetDatagram(
                        more ? RakNetDatagram.CONTINUOUS : RakNetDatagram.SINGLE,
                        (int) next & RakNet.INDEX_MASK,
                        frames));
        frames.removeIf(frame -> !frame.reliability().reliable());
        if (!frames.isEmpty()) {
            window[slot(next)] = new Sent(now, writer.position(), frames);
            inFlight += writer.position();
        } else if (oldest == next) {
            oldest++;
        }
        next++;
        output.accept(writer);
    }

    private static int slot(long number) {
        return (int) number & WINDOW - 1;
    }

    /** The other side has these datagrams; numbers that are not on their way are passed over. */
    void acknowledged(long now, Acknowledgement.Range range) {
        long from = first(range);
        long to = Math.min(from + range.last() - range.first(), next - 1);
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null) {
                forget(number, sent);
                sample(now - sent.time);
                backoff = 0;
                congestion +=
                        congestion < threshold
                                ? capacity
                                : (double) capacity * capacity / congestion;
                congestion = Math.min(congestion, (double) WINDOW * capacity);
            }
        }
        passOver();
    }

    /**
     * The other side misses these datagrams. Their frames are sent again, in all at most as many
     * bytes a round trip as the window holds: the timer covers what a flood of these asks for.
     */
    void missing(long now, Acknowledgement.Range range) {
        if (now >= nacksUntil) {
            nacksUntil = now + Math.max(roundTrip(), 10_000_000);
            nackedBytes = 0;
        }
        long from = first(range);
        long to = Math.min(from + range.last() - range.first(), next - 1);
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null && nackedBytes < congestion) {
                nackedBytes += sent.bytes;
                lost(number, sent);
                reduce(number, 0.75, 0.75);
            }
        }
        passOver();
    }

    /** The number that a range starts with, unwrapped to at most the next to be sent. */
    private long first(Acknowledgement.Range range) {
        return next - ((int) next - range.first() & RakNet.INDEX_MASK);
    }

    private void forget(long number, Sent sent) {
        window[slot(number)] = null;
        inFlight -= sent.bytes;
    }

    private void lost(long number, Sent sent) {
        forget(number, sent);
        for (Frame frame : sent.frames) {
            again.add(frame);
            waiting += frame.length();
        }
    }

    private void passOver() {
        while (oldest < next && window[slot(oldest)] == null) {
            oldest++;
        }
    }

    /** Closes the window, but only once for all that was on its way when it was closed last. */
    private void reduce(long number, double thresholdFactor, double windowFactor) {
        if (number >= reducedAt) {
            reducedAt = next;
            threshold = Math.max(congestion * thresholdFactor, 2.0 * capacity);
            congestion = Math.max(congestion * windowFactor, 2.0 * capacity);
        }
    }

    private void sample(long rtt) {
        if (!measured) {
            measured = true;
            roundTrip = rtt;
            deviation = rtt;
        } else {
            double off = rtt - roundTrip;
            roundTrip += GAIN * off;
            deviation += GAIN * (Math.abs(off) - deviation);
        }
    }

    /** How long a datagram may go unacknowledged, nanoseconds. */
    long timeout() {
        double base = measured ? 2 * roundTrip + 4 * deviation + ACK_TICK : FIRST_TIMEOUT;
        return (long) Math.min(base * (1 << Math.min(backoff, 6)), LONGEST_TIMEOUT);
    }

    /** Takes back what was not acknowledged in time, for the next {@link #flush}. */
    void expire(long now) {
        long timeout = timeout();
        boolean expired = false;
        for (long number = oldest; number < next; number++) {
            Sent sent = window[slot(number)];
            if (sent == null) {
                continue;
            }
            if (now - sent.time < timeout) {
                break;
            }
            expired = true;
            lost(number, sent);
            reduce(number, 0.5, 0);
        }
        if (expired) {
            backoff++;
            passOver();
        }
    }

    /** When {@link #expire} has to be called, nanoseconds. */
    long deadline() {
        Sent first = oldest < next ? window[slot(oldest)] : null;
        return first == null ? Long.MAX_VALUE : first.time + timeout();
    }
}
