package dev.wishdir.raknet;

import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.Writer;

import java.util.List;
import java.util.function.Consumer;

/**
 * Sends the other side ACKs of the datagrams that came and NACKs of those that are missing. They go
 * at once if many ACKs wait, otherwise after 10 ms (RakNet, acknowledgements).
 */
final class AckScheduler {
    private static final long ACK_DELAY_NANOS = 10_000_000;

    private final RakNetReceiver receiver;
    private final TrafficCounters traffic;
    private final Consumer<Writer> output;
    private final Writer writer;
    private final int mostRanges;
    private long due = Long.MAX_VALUE;

    /**
     * @param capacity the bytes of the largest datagram
     * @param traffic counts what is missing
     * @param output takes each datagram; the writer is used again after the call
     */
    AckScheduler(
            RakNetReceiver receiver,
            int capacity,
            TrafficCounters traffic,
            Consumer<Writer> output) {
        this.receiver = receiver;
        this.traffic = traffic;
        this.output = output;
        writer = new Writer(capacity);
        mostRanges = (capacity - AckPacket.HEADER) / AckPacket.MAX_RANGE_BYTES;
    }

    /** When to {@link #acknowledge}, nanoseconds. */
    long due() {
        return due;
    }

    /** A datagram came in. */
    void received(long now) {
        if (receiver.manyAcks()) {
            acknowledge(now);
        } else if (receiver.wantsAcks() && due == Long.MAX_VALUE) {
            due = now + ACK_DELAY_NANOS;
        }
    }

    void acknowledge(long now) {
        report(AckPacket.ACK, receiver.takeAcks());
        List<AckPacket.Range> missing = receiver.takeMissing();
        for (AckPacket.Range range : missing) {
            traffic.lostIn(range.last() - range.first() + 1);
        }
        report(AckPacket.NAK, missing);
        due = receiver.wantsAcks() ? now + ACK_DELAY_NANOS : Long.MAX_VALUE;
    }

    private void report(int flags, List<AckPacket.Range> ranges) {
        for (int from = 0; from < ranges.size(); from += mostRanges) {
            int to = Math.min(ranges.size(), from + mostRanges);
            writer.reset();
            AckPacket.wire(writer, new AckPacket(flags, ranges.subList(from, to)));
            output.accept(writer);
        }
    }
}
