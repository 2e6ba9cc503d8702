package dev.wishdir.raknet;

import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sending half of a connection: frames messages, bundles frames into datagrams and retransmits
 * lost ones: docs/protocols/raknet.md#splitting and retransmission.
 *
 * <p>Each datagram is kept with its frames until it is acknowledged. Lost frames are sent in a new
 * datagram with a new number, so that a round trip is never measured against the wrong
 * transmission.
 *
 * <p>A peer must acknowledge something within the ACK time-out, and each frame within three times
 * that. RakNet's own peers give up after 10 s of silence, so a time-out of 10 s ends no connection
 * that would have lasted.
 *
 * <p>It has many fields: queues, window, indices and timers, which each datagram and each
 * acknowledgement changes together.
 */
final class RakNetSender {
    /** Maximum datagrams in flight: the receive window of peers. */
    static final int WINDOW = 2048;

    /** Heap of a queued frame with its state, the array of its payload and its queue entry. */
    private static final int FRAME_HEAP_BYTES = 128;

    /** Heap of a datagram in flight with the list of its frames. */
    private static final int DATAGRAM_HEAP_BYTES = 72;

    /** Heap queued or in flight above which a peer is congested. */
    private static final long CONGESTED_BYTES = 256 << 10;

    /** Maximum datagrams retransmitted past a full window after a time-out or NACKs. */
    private static final int MAX_RETRANSMITS = 16;

    private static final long UNSENT = Long.MIN_VALUE;

    private record Sent(long time, int bytes, List<QueuedFrame> parts) {}

    /**
     * The array that the parts of a message share; it takes memory until the last one is released.
     */
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

    private int capacity;
    private final TrafficCounters traffic;
    private final InetSocketAddress remote;
    private final DatagramSink output;
    private final Writer writer;
    private final long ackTimeoutNanos;
    private final CongestionControl congestion;
    private final ArrayDeque<QueuedFrame> unsent = new ArrayDeque<>();
    private final ArrayDeque<QueuedFrame> retransmits = new ArrayDeque<>();
    private final @Nullable Sent[] window = new @Nullable Sent[WINDOW];
    private final int[] orderIndices = new int[OrderingChannels.COUNT];
    private final int[] sequenceIndices = new int[OrderingChannels.COUNT];
    private int messageIndex;
    private int splitId;
    private long oldest;
    private long next;
    private int inFlight;
    private long nacksUntil = Long.MIN_VALUE;
    private int nackedBytes;

    /** Bytes retransmitted past a full window since the last time-out or round of NACKs. */
    private int retransmittedBytes;

    private long retained;
    private long lastProgress;
    private boolean timedOut;

    /**
     * @param capacity maximum length of a datagram, bytes
     * @param ackTimeoutNanos time without any acknowledgement after which the peer has timed out
     * @param traffic counts sent and lost datagrams
     */
    RakNetSender(
            int capacity,
            long ackTimeoutNanos,
            TrafficCounters traffic,
            InetSocketAddress remote,
            DatagramSink output) {
        this.traffic = traffic;
        this.capacity = capacity;
        this.ackTimeoutNanos = ackTimeoutNanos;
        this.remote = remote;
        this.output = output;
        writer = new Writer(capacity);
        congestion = new CongestionControl(capacity, WINDOW);
    }

    /** Lowers the maximum length of a datagram, before anything is sent that is longer. */
    void lowerCapacity(int lower) {
        capacity = Math.min(capacity, lower);
    }

    /** The smoothed round-trip time, nanoseconds. */
    long roundTrip() {
        return congestion.roundTrip();
    }

    /**
     * The heap of everything queued or in flight, bytes. A message counts as a whole until its last
     * part is acknowledged, as its parts share an array.
     */
    long retainedBytes() {
        return retained;
    }

    /** Whether more than 256 KiB is queued or in flight. */
    boolean isCongested() {
        return retained > CONGESTED_BYTES;
    }

    /** Whether the next {@link #flush} sends a frame that is queued now. */
    boolean isOpen() {
        return unsent.isEmpty() && congestion.hasRoom(inFlight) && next - oldest < WINDOW;
    }

    /** Drops everything queued or in flight. */
    void drop() {
        unsent.clear();
        retransmits.clear();
        Arrays.fill(window, null);
        oldest = next;
        inFlight = 0;
        retained = 0;
    }

    /** Whether the peer has left something unacknowledged for too long. */
    boolean isTimedOut(long now) {
        return timedOut || (isOutstanding() && now - lastProgress >= ackTimeoutNanos);
    }

    private boolean isOutstanding() {
        return inFlight > 0 || !retransmits.isEmpty();
    }

    private static int padded(int length) {
        return length + 7 & ~7;
    }

    /** Whether nothing is queued or in flight. */
    boolean isIdle() {
        return unsent.isEmpty() && !isOutstanding();
    }

    /** Queues a message; {@link #flush} sends it. */
    void send(Reliability requested, int channel, Bytes message) {
        boolean split =
                RakNetDatagram.HEADER + requested.headerLength() + message.length() > capacity
                        || message.length() > RakNet.MAX_FRAME_BYTES;
        Reliability reliability = split ? requested.whenSplit() : requested;
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
                                - reliability.headerLength()
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
        unsent.add(queued);
        retained += FRAME_HEAP_BYTES + (frame.splitIndex() == 0 ? buffer.heap : 0);
    }

    private void release(QueuedFrame queued) {
        retained -= FRAME_HEAP_BYTES + (--queued.buffer.parts == 0 ? queued.buffer.heap : 0);
    }

    /**
     * Sends what the window allows: lost frames first, then new ones.
     *
     * <p>After a time-out at most {@link #MAX_RETRANSMITS} datagrams go past a full window: a peer
     * that acknowledges one datagram of many would otherwise be sent a wide window at each
     * time-out.
     */
    void flush(long now) {
        if (!isOutstanding()) {
            lastProgress = now;
        }
        while (next - oldest < WINDOW) {
            boolean room = congestion.hasRoom(inFlight);
            boolean retransmit =
                    !retransmits.isEmpty()
                            && (room || retransmittedBytes < MAX_RETRANSMITS * capacity);
            if (!retransmit && (unsent.isEmpty() || !room)) {
                return;
            }
            List<QueuedFrame> parts = new ArrayList<>();
            int bytes = RakNetDatagram.HEADER;
            if (retransmit) {
                bytes = take(retransmits, parts, bytes);
                retransmittedBytes += bytes;
            }
            if (room) {
                bytes = take(unsent, parts, bytes);
            }
            boolean more =
                    !(retransmits.isEmpty() && unsent.isEmpty())
                            && congestion.hasRoom(inFlight + bytes);
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
            retained += DATAGRAM_HEAP_BYTES;
        } else if (oldest == next) {
            oldest++;
        }
        next++;
        traffic.out(writer.position());
        output.send(remote, writer.array(), 0, writer.position());
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
     * Handles the acknowledgement of datagrams; those not in flight are ignored.
     *
     * @return whether any was in flight
     */
    boolean onAck(long now, AckPacket.Range range) {
        boolean found = false;
        long to = RakNet.unwrap(range.last(), next);
        long from = to - (range.last() - range.first());
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null) {
                found = true;
                forget(number, sent);
                for (QueuedFrame queued : sent.parts) {
                    release(queued);
                }
                congestion.onAck(now - sent.time);
            }
        }
        if (found) {
            lastProgress = now;
        }
        skipAcknowledged();
        return found;
    }

    /**
     * Handles a NACK of datagrams: retransmits their frames, at most a window of bytes per round
     * trip, so that a flood of NACKs brings no more.
     *
     * @return whether any was in flight
     */
    boolean onNack(long now, AckPacket.Range range) {
        if (now >= nacksUntil) {
            nacksUntil = now + Math.max(roundTrip(), 10_000_000);
            nackedBytes = 0;
            retransmittedBytes = 0;
        }
        boolean found = false;
        long to = RakNet.unwrap(range.last(), next);
        long from = to - (range.last() - range.first());
        for (long number = Math.max(from, oldest); number <= to; number++) {
            Sent sent = window[slot(number)];
            if (sent != null && congestion.hasRoom(nackedBytes)) {
                found = true;
                nackedBytes += sent.bytes;
                lost(now, number, sent);
                congestion.onNack(number, next);
            }
        }
        skipAcknowledged();
        return found;
    }

    private void forget(long number, Sent sent) {
        window[slot(number)] = null;
        inFlight -= sent.bytes;
        retained -= DATAGRAM_HEAP_BYTES;
    }

    private void lost(long now, long number, Sent sent) {
        forget(number, sent);
        traffic.lostOut(1);
        for (QueuedFrame queued : sent.parts) {
            retransmits.add(queued);
            timedOut |= now - queued.firstSent >= 3 * ackTimeoutNanos;
        }
    }

    private void skipAcknowledged() {
        while (oldest < next && window[slot(oldest)] == null) {
            oldest++;
        }
    }

    /**
     * Moves what was not acknowledged in time to the retransmissions of the next {@link #flush}.
     */
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
            congestion.onTimeout(number, next);
        }
        if (expired) {
            retransmittedBytes = 0;
            congestion.backOff();
            skipAcknowledged();
        }
    }

    /** Latest time of the next {@link #expire}, nanoseconds. */
    long deadline() {
        Sent first = oldest < next ? window[slot(oldest)] : null;
        return first == null ? Long.MAX_VALUE : first.time + congestion.timeout();
    }
}
