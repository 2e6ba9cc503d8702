package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.Optional;

/**
 * The receiving half of a connection: makes messages of the frames of datagrams, each once, joined
 * from their parts and in their channel's order: docs/protocols/raknet.md#receiving.
 *
 * <p>Three counters are separate: datagram numbers are acknowledged, message indices identify
 * duplicates, order indices decide the order. {@link RakNetLimits} bounds memory.
 */
final class RakNetReceiver {
    /** Result of {@link #frame} for a frame that was received before. */
    static final int DUPLICATE = -1;

    private final RakNetLimits limits;
    private final ReceivedDatagrams datagrams;
    private final ReassemblyBudget budget;
    private final DuplicateFilter duplicates = new DuplicateFilter();
    private final SplitReassembly splits;
    private final OrderingChannels channels;

    RakNetReceiver(
            RakNetLimits limits, ReceivedDatagrams datagrams, OrderingChannels.Delivery delivery) {
        this.limits = limits;
        this.datagrams = datagrams;
        budget = new ReassemblyBudget(limits.maxReassemblyBytes());
        splits = new SplitReassembly(limits, budget);
        channels = new OrderingChannels(budget, delivery);
    }

    /**
     * Handles a datagram. A broken limit ends the connection only where a forger is unlikely to
     * have broken it; else the rest of the datagram is ignored.
     *
     * @return false, and nothing has changed, if the datagram is unlikely to be the peer's
     * @throws MalformedPacketException if the peer breaks a limit: the connection must end
     */
    boolean receive(long now, RakNetDatagram datagram) {
        boolean supported = false;
        for (Frame frame : datagram.frames()) {
            if (frame.reliability().reliable()) {
                if (duplicates.isTooFar(frame.messageIndex())) {
                    return false;
                }
                supported |= duplicates.isInWindow(frame.messageIndex());
            }
        }
        boolean near = datagrams.isNear(datagram.number());
        ReceivedDatagrams.Arrival arrival = datagrams.add(now, datagram.number(), supported);
        if (arrival == ReceivedDatagrams.Arrival.IMPLAUSIBLE) {
            return false;
        }
        for (Frame frame : datagram.frames()) {
            boolean reliable = frame.reliability().reliable();
            // A forger may have used the number before. Repeated reliable frames have their filter.
            if (arrival == ReceivedDatagrams.Arrival.REPEATED && !reliable) {
                continue;
            }
            boolean verified = near && reliable && duplicates.isNear(frame.messageIndex());
            try {
                frame(now, frame, verified);
            } catch (MalformedPacketException e) {
                if (verified) {
                    throw e;
                }
                return true;
            }
        }
        return true;
    }

    /**
     * Handles a frame.
     *
     * @param verified see {@link OrderingChannels.Delivery}
     * @return {@link #DUPLICATE}, or the length of the message that this part completed, or 0
     * @throws MalformedPacketException if a limit is broken; nothing has changed
     */
    int frame(long now, Frame frame, boolean verified) {
        boolean reliable = frame.reliability().reliable();
        if (reliable && duplicates.isTooFar(frame.messageIndex())) {
            throw RakNet.violation(
                    "message index", "is " + frame.messageIndex() + ", too far ahead");
        }
        if (reliable && !duplicates.isNew(frame.messageIndex())) {
            return DUPLICATE;
        }
        channels.check(frame);
        if (frame.isPart()) {
            splits.check(frame);
        }
        if (reliable) {
            duplicates.add(frame.messageIndex());
        }
        if (!frame.isPart()) {
            channels.add(now, frame, frame.payload(), verified);
            return 0;
        }
        Optional<Bytes> message = splits.add(now, frame);
        message.ifPresent(whole -> channels.add(now, frame, whole, verified));
        return message.map(Bytes::length).orElse(0);
    }

    /**
     * Checks that no gap and no incomplete message has lasted too long.
     *
     * @throws MalformedPacketException if one has: the connection must end
     */
    void checkStall(long now) {
        long since = now - limits.reassemblyTimeoutNanos();
        if (splits.isStalled(since) || channels.isStalled(since)) {
            throw RakNet.violation("message", "has been incomplete for too long");
        }
    }

    /** The heap of incomplete messages and of messages after a gap, bytes. */
    int retainedBytes() {
        return budget.bytes();
    }
}
