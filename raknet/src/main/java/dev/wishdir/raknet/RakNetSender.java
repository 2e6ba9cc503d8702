package dev.wishdir.raknet;

import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sending half of a connection: splits messages into frames, bundles frames into datagrams
 * within a congestion window, and sends again what was not acknowledged in time (RakNet, splitting,
 * retransmission and congestion).
 *
 * <p>Each datagram is kept with its frames until it is acknowledged; what is lost goes out in a new
 * datagram with a new number, so that a round trip is never measured against the wrong sending.
 *
 * <p>A peer must acknowledge something of what waits within the ACK time-out, and each frame within
 * three times that. RakNet's own peers give up after ten seconds of silence, so that a time-out of
 * ten seconds ends no connection that would have lasted.
 */
final class RakNetSender {
    /** No more datagrams than this are on their way: what peers take for a window. */
    static final int WINDOW = 2048;

    /** A queued frame with its bookkeeping, its bytes' array and a place in a queue. */
    private static final int FRAME_HEAP_BYTES = 128;

    /** A datagram that is on its way, with the list of its frames. */
    private static final int DATAGRAM_HEAP_BYTES = 72;

    /** More waiting heap than this, and what is only state should wait for a better moment. */
    private static final long CONGESTED_BYTES = 256 << 10;

    /** The most datagrams that go again after a time-out or NACKs where the window has no room. */
    private static final int MAX_REPEATED = 16;

    private static final long UNSENT = Long.MIN_VALUE;

    private record Sent(long time, int bytes, List<QueuedFrame> parts) {}

    /** The array that all parts of a message share: it takes memory until the last part is gone. */
    private static final class MessageBuffer {
        final int heap;
        int parts;

        MessageBuffer(int length, int parts) {
            heap = padded(length);
            this.parts = parts;
        }
    }

    private static final class QueuedFrame {
        final Frame frame;
        final MessageBuffer buffer;
        long firstSent = UNSENT;

        QueuedFrame(Frame frame, MessageBuffer buffer) {
            this.frame = frame;
            this.buffer = buffer;
        }
    }

    private final int capacity;
    private final TrafficCounters traffic;
    private final Consumer<Writer> output;
    private final Writer writer;
    private final long ackTimeoutNanos;
    private final CongestionControl congestion;
    private final ArrayDeque<QueuedFrame> fresh = new ArrayDeque<>();
    private final ArrayDeque<QueuedFrame> again = new ArrayDeque<>();
    private final @Nullable Sent[] window = new @Nullable Sent[WINDOW];
    private final int[] orderIndices = new int[RakNetReceiver.CHANNELS];
    private final int[] sequenceIndices = new int[RakNetReceiver.CHANNELS];
    private int messageIndex;
    private int splitId;
    private long oldest;
    private long next;
    private int inFlight;
    private int waiting;
    private long nacksUntil = Long.MIN_VALUE;
    private int nackedBytes;

    /**
     * Bytes sent again since the last time-out or round of NACKs, which a full window does not hold
     * back.
     */
    private int repeatedBytes;

    private long held;
    private long progress;
    private boolean overdue;

    /**
     * @param capacity the bytes of the largest datagram
     * @param ackTimeoutNanos how long nothing at all may be acknowledged, nanoseconds
     * @param traffic counts what was lost
     * @param output takes each datagram; the writer is used again after the call
     */
    RakNetSender(
            int capacity, long ackTimeoutNanos, TrafficCounters traffic, Consumer<Writer> output) {
        this.traffic = traffic;
        this.capacity = capacity;
        this.ackTimeoutNanos = ackTimeoutNanos;
        this.output = output;
        writer = new Writer(capacity);
        congestion = new CongestionControl(capacity);
    }

    /** The smoothed round trip, nanoseconds. */
    long roundTrip() {
        return congestion.roundTrip();
    }

    /** Bytes that wait to be sent or acknowledged, as they go over the wire. */
    int pending() {
        return waiting + inFlight;
    }

    /**
     * The heap that waits to be sent or acknowledged. A message's bytes count here whoever else has
     * them, and whole until its last part is acknowledged, for so long they stay.
     */
    long retainedBytes() {
        return held;
    }

    /** Whether so much waits that state should be sent later, as its newest value. */
    boolean isCongested() {
        return held > CONGESTED_BYTES;
    }

    /** Whether a frame that is queued now goes out with the next {@link #flush}. */
    boolean isOpen() {
        return fresh.isEmpty() && congestion.hasRoom(inFlight) && next - oldest < WINDOW;
    }

    /** Forgets all that waits. */
    void drop() {
        fresh.clear();
        again.clear();
        Arrays.fill(window, null);
        oldest = next;
        waiting = 0;
        inFlight = 0;
        held = 0;
    }

    /** Whether the other side has left something unacknowledged for too long. */
    boolean isOverdue(long now) {
        return overdue || (isOutstanding() && now - progress >= ackTimeoutNanos);
    }

    private boolean isOutstanding() {
        return inFlight > 0 || !again.isEmpty();
    }

    private static int padded(int length) {
        return length + 7 & ~7;
    }

    boolean idle() {
        return fresh.isEmpty() && !isOutstanding();
    }

    /** Queues a message; {@link #flush} sends it. */
    void send(Reliability wished, int channel, Bytes message) {
        boolean split =
                RakNetDatagram.HEADER + wished.header() + message.length() > capacity
                        || message.length() > RakNet.MAX_FRAME_BYTES;
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
                    new MessageBuffer(message.length(), 1),
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
                        RakNet.MAX_FRAME_BYTES,
                        capacity
                                - RakNetDatagram.HEADER
                                - reliability.header()
                                - Frame.SPLIT_HEADER);
        int count = Math.ceilDiv(message.length(), part);
        int id = splitId++ & 0xFFFF;
        MessageBuffer buffer = new MessageBuffer(message.length(), count);
        for (int i = 0; i < count; i++) {
            int from = i * part;
            queue(
                    buffer,
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

    private void queue(MessageBuffer buffer, Frame frame) {
        QueuedFrame queued = new QueuedFrame(frame, buffer);
        fresh.add(queued);
        waiting += frame.length();
        held += FRAME_HEAP_BYTES + (frame.splitIndex() == 0 ? buffer.heap : 0);
    }

    private void release(QueuedFrame queued) {
        held -= FRAME_HEAP_BYTES + (--queued.buffer.parts == 0 ? queued.buffer.heap : 0);
    }

    /**
     * Sends what the window allows: lost frames first, then new ones. A time-out lets {@link
     * #MAX_REPEATED} datagrams go again past a full window, not all that was on its way: else a
     * peer that acknowledges one datagram of many is sent a wide window with each time-out.
     */
    void flush(long now) {
        if (!isOutstanding()) {
            progress = now;
        }
        while (next - oldest < WINDOW) {
            boolean room = congestion.hasRoom(inFlight);
            boolean repeats = !again.isEmpty() && (room || repeatedBytes < MAX_REPEATED * capacity);
            if (!repeats && (fresh.isEmpty() || !room)) {
                return;
            }
            List<QueuedFrame> parts = new ArrayList<>();
            int bytes = RakNetDatagram.HEADER;
            if (repeats) {
                bytes = take(again, parts, bytes);
                repeatedBytes += bytes;
            }
            if (room) {
                bytes = take(fresh, parts, bytes);
            }
            boolean more =
                    !(again.isEmpty() && fresh.isEmpty()) && congestion.hasRoom(inFlight + bytes);
            transmit(now, parts, more);
        }
    }

    private int take(ArrayDeque<QueuedFrame> queue, List<QueuedFrame> parts, int bytes) {
        int total = bytes;
        for (QueuedFrame queued = queue.peek(); queued != null; queued = queue.peek()) {
            int length = queued.frame.length();
            if (total + length > capacity) {
                break;
            }
            queue.remove();
            waiting -= length;
            parts.add(queued);
            total += length;
        }
        return total;
    }

    private void transmit(long now, List<QueuedFrame> parts, boolean more) {
        writer.reset();
        List<Frame> frames = new ArrayList<>(parts.size());
        for (QueuedFrame queued : parts) {
            frames.add(queued.frame);
        }
        RakNetDatagram.wire(
                writer,
                new RakNetDatagram(
                        more ? RakNetDatagram.CONTINUOUS : RakNetDatagram.SINGLE,
                        (int) next & RakNet.INDEX_MASK,
                        frames));
        parts.removeIf(queued -> {
            boolean done = !queued.frame.reliability().reliable();
            if (done) {
                release(queued);
            } else if (queued.firstSent == UNSENT) {
                queued.firstSent = now;
            }
            return done;
        });
        if (!parts.isEmpty()) {
            window[slot(next)] = new Sent(now, writer.position(), List.copyOf(parts));
            inFlight += writer.position();
            held += DATAGRAM_HEAP_BYTES;
        } else if (oldest == next) {
            oldest++;
        }
        next++;
        output.accept(writer);
    }

    private static int slot(long number) {
        return (int) number & WINDOW - 1;
    }

    /** Whether all datagrams of a range were sent. */
    boolean wasSent(AckPacket.Range range) {
        long last = RakNet.unwrap(range.last(), next);
        return last < next && last - (range.last() - range.first()) >= 0;
    }

    /**
     * The other side has these datagrams; numbers that are not on their way are passed over.
     *
     * @return whether any was on its way
     */
    boolean acknowledged(long now, AckPacket.Range range) {
        boolean news = false;
        long to = RakNet.unwrap(range.last(), next);
        long from = to - (range.last() - range.first());
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null) {
                news = true;
                forget(number, sent);
                for (QueuedFrame queued : sent.parts) {
                    release(queued);
                }
                congestion.acknowledged(now - sent.time);
            }
        }
        if (news) {
            progress = now;
        }
        passOver();
        return news;
    }

    /**
     * The other side misses these datagrams. Their frames are sent again, in all at most as many
     * bytes a round trip as the window holds: the timer covers what a flood of these asks for.
     *
     * @return whether any was on its way
     */
    boolean missing(long now, AckPacket.Range range) {
        if (now >= nacksUntil) {
            nacksUntil = now + Math.max(roundTrip(), 10_000_000);
            nackedBytes = 0;
            repeatedBytes = 0;
        }
        boolean news = false;
        long to = RakNet.unwrap(range.last(), next);
        long from = to - (range.last() - range.first());
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null && congestion.hasRoom(nackedBytes)) {
                news = true;
                nackedBytes += sent.bytes;
                lost(now, number, sent);
                congestion.missed(number, next);
            }
        }
        passOver();
        return news;
    }

    private void forget(long number, Sent sent) {
        window[slot(number)] = null;
        inFlight -= sent.bytes;
        held -= DATAGRAM_HEAP_BYTES;
    }

    private void lost(long now, long number, Sent sent) {
        forget(number, sent);
        traffic.lostOut(1);
        for (QueuedFrame queued : sent.parts) {
            again.add(queued);
            waiting += queued.frame.length();
            overdue |= now - queued.firstSent >= 3 * ackTimeoutNanos;
        }
    }

    private void passOver() {
        while (oldest < next && window[slot(oldest)] == null) {
            oldest++;
        }
    }

    /** Takes back what was not acknowledged in time, for the next {@link #flush}. */
    void expire(long now) {
        long timeout = congestion.timeout();
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
            lost(now, number, sent);
            congestion.expired(number, next);
        }
        if (expired) {
            repeatedBytes = 0;
            congestion.backOff();
            passOver();
        }
    }

    /** When {@link #expire} has to be called, nanoseconds. */
    long deadline() {
        Sent first = oldest < next ? window[slot(oldest)] : null;
        return first == null ? Long.MAX_VALUE : first.time + congestion.timeout();
    }
}
