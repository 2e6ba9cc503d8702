package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The ordering of received messages by channel: ordered ones wait for earlier ones, late sequenced
 * ones are dropped: docs/protocols/raknet.md#receiving.
 */
final class OrderingChannels {
    /** Number of channels. */
    static final int COUNT = 32;

    /** Distance from the next expected ordered message within which one is kept. */
    static final int WINDOW = 2048;

    /** Heap of a message after a gap besides its payload, bytes: a map entry and the array. */
    private static final int MESSAGE_HEAP = 136;

    /** Takes the messages of a connection. */
    interface Delivery {
        /**
         * Takes a message.
         *
         * @param ordered whether it was sent reliably and in order
         * @param verified whether its frame was reliable and expected so exactly that a forger is
         *     unlikely to have sent it; false does not say that one has
         */
        void deliver(Bytes message, boolean ordered, boolean verified);
    }

    private record Early(Bytes message, long since) {}

    private static final class Channel {
        final Map<Long, Early> early = new HashMap<>();
        long expected;
        long newestOrder;
        int newestSequence = -1;
    }

    private final ReassemblyBudget budget;
    private final Delivery delivery;
    private final Channel[] channels = new Channel[COUNT];

    OrderingChannels(ReassemblyBudget budget, Delivery delivery) {
        this.budget = budget;
        this.delivery = delivery;
        Arrays.setAll(channels, _ -> new Channel());
    }

    /**
     * Checks that a message can be added.
     *
     * @param frame the message or one of its parts
     * @throws MalformedPacketException if it breaks a limit
     */
    void check(Frame frame) {
        if (frame.channel() >= COUNT) {
            throw RakNet.violation("channel", "is " + frame.channel() + ", must be below " + COUNT);
        }
        if (frame.reliability().ordered()) {
            Channel channel = channels[frame.channel()];
            long ahead = RakNet.unwrap(frame.orderIndex(), channel.expected) - channel.expected;
            if (ahead >= WINDOW) {
                throw RakNet.violation("order index", "is " + ahead + " ahead");
            }
            if (ahead > 0 && !frame.isPart()) {
                budget.check(ReassemblyBudget.heap(MESSAGE_HEAP, frame.payload()));
            }
        }
    }

    /**
     * Adds a message that was checked, and delivers what is in order with it.
     *
     * @param frame the message or its last part
     * @param verified see {@link Delivery}
     */
    void add(long now, Frame frame, Bytes message, boolean verified) {
        Reliability reliability = frame.reliability();
        if (reliability.ordered()) {
            order(now, channels[frame.channel()], frame.orderIndex(), message, verified);
        } else if (!reliability.sequenced() || isNewest(channels[frame.channel()], frame)) {
            delivery.deliver(message, false, verified);
        }
    }

    private void order(long now, Channel channel, int orderIndex, Bytes message, boolean verified) {
        long index = RakNet.unwrap(orderIndex, channel.expected);
        if (index > channel.expected) {
            if (channel.early.putIfAbsent(index, new Early(message, now)) == null) {
                budget.reserve(ReassemblyBudget.heap(MESSAGE_HEAP, message));
            }
        } else if (index == channel.expected) {
            channel.expected++;
            delivery.deliver(message, true, verified);
            for (Early next = channel.early.remove(channel.expected);
                    next != null;
                    next = channel.early.remove(channel.expected)) {
                budget.release(ReassemblyBudget.heap(MESSAGE_HEAP, next.message));
                channel.expected++;
                delivery.deliver(next.message, true, false);
            }
        }
    }

    /** The sequence index restarts with each ordered message, so the order index decides first. */
    private static boolean isNewest(Channel channel, Frame frame) {
        long order = RakNet.unwrap(frame.orderIndex(), channel.newestOrder);
        int ahead = (frame.sequenceIndex() - channel.newestSequence) << 8 >> 8;
        boolean newest = order > channel.newestOrder || (order == channel.newestOrder && ahead > 0);
        if (newest) {
            channel.newestOrder = order;
            channel.newestSequence = frame.sequenceIndex();
        }
        return newest;
    }

    /** Whether a message has waited after a gap since before the given time, nanoseconds. */
    boolean isStalled(long since) {
        for (Channel channel : channels) {
            for (Early early : channel.early.values()) {
                if (early.since < since) {
                    return true;
                }
            }
        }
        return false;
    }
}
