package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.SendUnsequenced;
import dev.wishdir.enet.IncomingChannel.Sink;
import dev.wishdir.enet.IncomingChannel.Verdict;
import dev.wishdir.net.loop.TrafficCounters;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;

/** The receiving half of an open connection: its channels and unsequenced messages. */
final class MessageReceiver {
    private static final int UNSEQUENCED_WINDOW = 1024;
    private static final int UNSEQUENCED_AHEAD = 32 * UNSEQUENCED_WINDOW;

    private final ReassemblyBudget budget;
    private final Sink sink;
    private final TrafficCounters traffic;
    private IncomingChannel[] channels = {};
    private int receivedGroup;
    private final BitSet receivedGroups = new BitSet(UNSEQUENCED_WINDOW);

    /**
     * @param maxBytes maximum heap of messages that can't be delivered yet, bytes
     */
    MessageReceiver(int maxBytes, Sink sink, TrafficCounters traffic) {
        budget = new ReassemblyBudget(maxBytes);
        this.sink = sink;
        this.traffic = traffic;
    }

    void open(int count) {
        budget.open();
        channels = new IncomingChannel[count];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = new IncomingChannel(i, budget, sink, traffic);
        }
    }

    /** Drops all undelivered messages and ignores further ones. */
    void close() {
        budget.close();
        channels = new IncomingChannel[0];
    }

    /** The retained heap, bytes. */
    int retainedBytes() {
        return budget.bytes();
    }

    /** A channel by its number; null if the connection does not have it. */
    @Nullable IncomingChannel channel(int number) {
        return number < channels.length ? channels[number] : null;
    }

    /** Receives a message of no order; whatever its channel, they share one window. */
    Verdict receive(SendUnsequenced command) {
        int bit = command.group() % UNSEQUENCED_WINDOW;
        int group = command.group() + (command.group() < receivedGroup ? 0x10000 : 0);
        if (group >= receivedGroup + UNSEQUENCED_AHEAD) {
            return Verdict.ACKNOWLEDGE;
        }
        int window = (group & 0xFFFF) - bit;
        if (window != receivedGroup) {
            receivedGroup = window;
            receivedGroups.clear();
        } else if (receivedGroups.get(bit)) {
            return Verdict.ACKNOWLEDGE;
        }
        receivedGroups.set(bit);
        sink.deliver(command.channel(), command.payload(), false);
        return Verdict.ACKNOWLEDGE;
    }

    /** Whether a message stays incomplete past the time in which ENet retransmits. */
    boolean isStalled(long now) {
        for (IncomingChannel channel : channels) {
            if (channel.isStalled(now)) {
                return true;
            }
        }
        return false;
    }
}
