package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The receiving half of a connection: which datagrams came, and from their frames the messages,
 * each once, joined from their parts and in the order of their channel (RakNet, receiving).
 *
 * <p>Three counters are kept apart: datagram numbers are acknowledged, message indices show what
 * came before, order indices show what may be delivered. Memory is bounded by {@link RakNetLimits}.
 */
final class RakNetReceiver {
    /** How far a datagram or ordered message may be ahead. */
    static final int WINDOW = 2048;

    /** What {@link #frame} says of a frame that came before. */
    static final int DUPLICATE = -1;

    /** How far a reliable frame may be ahead. */
    private static final int MESSAGE_WINDOW = 8192;

    /** Channels of ordered and sequenced messages. */
    static final int CHANNELS = 32;

    /** A message that parts are missing of: two maps, a place in another. */
    private static final int SPLIT_HEAP = 224;

    /** A part: an entry of a map with its number, and the bytes' array. */
    private static final int PART_HEAP = 96;

    /** A message behind a gap: an entry of a map with its number, and the bytes' array. */
    private static final int MESSAGE_HEAP = 136;

    private static final int MAX_PENDING_ACKS = 512;

    private static final class Split {
        final int count;
        final long started;
        final Map<Integer, Bytes> parts = new HashMap<>();
        int bytes;

        Split(int count, long started) {
            this.count = count;
            this.started = started;
        }

        int held = SPLIT_HEAP;
    }

    private record Held(Bytes message, long since) {}

    private static final class Channel {
        final Map<Long, Held> held = new HashMap<>();
        long expected;
        long newestOrder;
        int newestSequence = -1;
    }

    private final RakNetLimits limits;
    private final Consumer<Bytes> deliver;
    private final long[] seen = new long[WINDOW / 64];
    private final long[] messages = new long[MESSAGE_WINDOW / 64];
    private final Map<Integer, Split> splits = new HashMap<>();
    private final Channel[] channels = new Channel[CHANNELS];
    private long nextNumber;
    private long judged;
    private long judgeUpTo;
    private long nextMessage;
    private long[] acks = new long[16];
    private int ackCount;
    private int held;

    /**
     * @param deliver takes each message
     */
    RakNetReceiver(RakNetLimits limits, Consumer<Bytes> deliver) {
        this.limits = limits;
        this.deliver = deliver;
        Arrays.setAll(channels, _ -> new Channel());
    }

    private static boolean isSet(long[] bits, long index) {
        return (bits[(int) (index >> 6) & bits.length - 1] >>> index & 1) != 0;
    }

    private static void set(long[] bits, long index) {
        bits[(int) (index >> 6) & bits.length - 1] |= 1L << index;
    }

    private static void clear(long[] bits, long index) {
        bits[(int) (index >> 6) & bits.length - 1] &= ~(1L << index);
    }

    private static MalformedPacketException violation(String field, String problem) {
        return new MalformedPacketException(0, field, problem);
    }

    /** Whether {@link #takeAcks} should be called at once, so that what it keeps stays small. */
    boolean manyAcks() {
        return ackCount >= MAX_PENDING_ACKS;
    }

    /** Whether there is something to acknowledge or a gap to judge. */
    boolean wantsAcks() {
        return ackCount > 0 || judged < nextNumber;
    }

    /**
     * Checks that a datagram may belong to this connection. One that lies far ahead is another's
     * who only pretends to be the peer, or the peer is lost anyway: it is no reason to end
     * anything.
     *
     * @throws MalformedPacketException if its number is outside the window
     */
    void checkNumber(int number) {
        long ahead = RakNet.unwrap(number, nextNumber) - nextNumber;
        if (ahead >= WINDOW) {
            throw violation("number", "is " + ahead + " ahead");
        }
    }

    /**
     * Takes a datagram in whose number was checked. All frames are judged by the same rules
     * whichever datagram brought them.
     *
     * @throws MalformedPacketException if a limit is broken: the connection has to end
     */
    void datagram(long now, RakNetDatagram datagram) {
        long number = RakNet.unwrap(datagram.number(), nextNumber);
        if (number < 0) {
            return;
        }
        acknowledge(number);
        if (number < nextNumber && (number < nextNumber - WINDOW || isSet(seen, number))) {
            return;
        }
        for (; nextNumber <= number; nextNumber++) {
            clear(seen, nextNumber);
        }
        set(seen, number);
        for (Frame frame : datagram.frames()) {
            frame(now, frame);
        }
    }

    private void acknowledge(long number) {
        if (ackCount == acks.length) {
            acks = Arrays.copyOf(acks, ackCount * 2);
        }
        acks[ackCount++] = number;
    }

    /**
     * Takes a frame in.
     *
     * @return {@link #DUPLICATE}, or the length of the message that this part completed, or 0
     * @throws MalformedPacketException if a limit is broken: the connection has to end
     */
    int frame(long now, Frame frame) {
        Reliability reliability = frame.reliability();
        if (frame.channel() >= CHANNELS) {
            throw violation("channel", "is " + frame.channel() + ", must be below " + CHANNELS);
        }
        if (reliability.reliable() && !isNew(frame.messageIndex())) {
            return DUPLICATE;
        }
        if (frame.isPart()) {
            return part(now, frame);
        }
        place(now, frame, frame.payload());
        return 0;
    }

    private boolean isNew(int messageIndex) {
        long index = RakNet.unwrap(messageIndex, nextMessage);
        if (index - nextMessage >= MESSAGE_WINDOW) {
            throw violation("message index", "is " + (index - nextMessage) + " ahead");
        }
        if (index < nextMessage || isSet(messages, index)) {
            return false;
        }
        set(messages, index);
        for (; isSet(messages, nextMessage); nextMessage++) {
            clear(messages, nextMessage);
        }
        return true;
    }

    private int part(long now, Frame frame) {
        Split split = splits.get(frame.splitId());
        if (split == null) {
            if (frame.splitCount() < 2 || frame.splitCount() > limits.maxSplitParts()) {
                throw violation(
                        "split count",
                        "is " + frame.splitCount() + ", must be 2.." + limits.maxSplitParts());
            }
            if (splits.size() >= limits.maxPendingSplits()) {
                throw violation(
                        "split id", "opens more than " + limits.maxPendingSplits() + " messages");
            }
            split = new Split(frame.splitCount(), now);
            splits.put(frame.splitId(), split);
            hold(SPLIT_HEAP);
        }
        if (frame.splitCount() != split.count) {
            throw violation(
                    "split count", "changes from " + split.count + " to " + frame.splitCount());
        }
        if (frame.splitIndex() < 0 || frame.splitIndex() >= split.count) {
            throw violation("split index", "is " + frame.splitIndex() + " of " + split.count);
        }
        if (split.parts.putIfAbsent(frame.splitIndex(), frame.payload()) != null) {
            return 0;
        }
        split.bytes += frame.payload().length();
        int heap = PART_HEAP + padded(frame.payload());
        split.held += heap;
        hold(heap);
        if (split.parts.size() == split.count) {
            splits.remove(frame.splitId());
            held -= split.held;
            place(now, frame, joined(split));
            return split.bytes;
        }
        return 0;
    }

    private static Bytes joined(Split split) {
        byte[] whole = new byte[split.bytes];
        int at = 0;
        for (int i = 0; i < split.count; i++) {
            Bytes part = split.parts.getOrDefault(i, Bytes.EMPTY);
            part.copyTo(whole, at);
            at += part.length();
        }
        return Bytes.wrap(whole);
    }

    private static int padded(Bytes bytes) {
        return bytes.length() + 7 & ~7;
    }

    private void hold(int bytes) {
        held += bytes;
        if (held > limits.maxReassemblyBytes()) {
            throw violation(
                    "payload", "makes more than " + limits.maxReassemblyBytes() + " bytes wait");
        }
    }

    private void place(long now, Frame frame, Bytes message) {
        Reliability reliability = frame.reliability();
        if (reliability.ordered()) {
            order(now, channels[frame.channel()], frame.orderIndex(), message);
        } else if (reliability.sequenced()) {
            sequence(channels[frame.channel()], frame, message);
        } else {
            deliver.accept(message);
        }
    }

    private void order(long now, Channel channel, int orderIndex, Bytes message) {
        long index = RakNet.unwrap(orderIndex, channel.expected);
        if (index - channel.expected >= WINDOW) {
            throw violation("order index", "is " + (index - channel.expected) + " ahead");
        }
        if (index > channel.expected) {
            if (channel.held.putIfAbsent(index, new Held(message, now)) == null) {
                hold(MESSAGE_HEAP + padded(message));
            }
        } else if (index == channel.expected) {
            channel.expected++;
            deliver.accept(message);
            for (Held next = channel.held.remove(channel.expected);
                    next != null;
                    next = channel.held.remove(channel.expected)) {
                held -= MESSAGE_HEAP + padded(next.message);
                channel.expected++;
                deliver.accept(next.message);
            }
        }
    }

    /** The sequence index starts over with each ordered message, so the order index weighs more. */
    private void sequence(Channel channel, Frame frame, Bytes message) {
        long order = RakNet.unwrap(frame.orderIndex(), channel.newestOrder);
        int ahead = (frame.sequenceIndex() - channel.newestSequence) << 8 >> 8;
        if (order > channel.newestOrder || (order == channel.newestOrder && ahead > 0)) {
            channel.newestOrder = order;
            channel.newestSequence = frame.sequenceIndex();
            deliver.accept(message);
        }
    }

    /**
     * Ends a connection whose gap or incomplete message lasts too long.
     *
     * @throws MalformedPacketException if one does
     */
    void checkStall(long now) {
        for (Split split : splits.values()) {
            stalled(now, split.started);
        }
        for (Channel channel : channels) {
            for (Held waiting : channel.held.values()) {
                stalled(now, waiting.since);
            }
        }
    }

    private void stalled(long now, long since) {
        if (now - since > limits.reassemblyTimeoutNanos()) {
            throw violation("message", "has been incomplete for too long");
        }
    }

    /** The heap of incomplete messages and of those behind gaps. */
    int retainedBytes() {
        return held;
    }

    /** The datagrams that came since the last call, as ranges in ascending order. */
    List<AckPacket.Range> takeAcks() {
        Arrays.sort(acks, 0, ackCount);
        List<AckPacket.Range> ranges = new ArrayList<>();
        for (int i = 0; i < ackCount; ) {
            long first = acks[i];
            long last = first;
            for (i++; i < ackCount && acks[i] <= last + 1; i++) {
                last = acks[i];
            }
            range(ranges, first, last);
        }
        ackCount = 0;
        return ranges;
    }

    /**
     * The datagrams that are missing, each named once: a gap is judged at the call after the one
     * that saw it first, so that what was only overtaken is not asked for.
     */
    List<AckPacket.Range> takeMissing() {
        List<AckPacket.Range> ranges = new ArrayList<>();
        long from = Math.max(judged, nextNumber - WINDOW);
        for (long number = from; number < judgeUpTo; number++) {
            if (!isSet(seen, number)) {
                long last = number;
                while (last + 1 < judgeUpTo && !isSet(seen, last + 1)) {
                    last++;
                }
                range(ranges, number, last);
                number = last;
            }
        }
        judged = judgeUpTo;
        judgeUpTo = nextNumber;
        return ranges;
    }

    /** A range may not wrap on the wire. */
    private static void range(List<AckPacket.Range> ranges, long first, long last) {
        int from = (int) first & RakNet.INDEX_MASK;
        int to = (int) last & RakNet.INDEX_MASK;
        if (from <= to) {
            ranges.add(new AckPacket.Range(from, to));
        } else {
            ranges.add(new AckPacket.Range(from, RakNet.INDEX_MASK));
            ranges.add(new AckPacket.Range(0, to));
        }
    }
}
