package dev.wishdir.raknet;

import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Sends ACKs of received and NACKs of missing datagrams: docs/protocols/raknet.md#acknowledgements.
 *
 * <p>At once if many wait, else after 10 ms.
 */
final class AckScheduler {
    private static final long ACK_DELAY_NANOS = 10_000_000;

    private final ReceivedDatagrams datagrams;
    private final TrafficCounters traffic;
    private final InetSocketAddress remote;
    private final DatagramSink output;
    private final Writer writer;
    private final int maxRanges;
    private long due = Long.MAX_VALUE;

    /**
     * @param capacity maximum length of a datagram, bytes
     * @param traffic counts sent and missing datagrams
     */
    AckScheduler(
            ReceivedDatagrams datagrams,
            int capacity,
            TrafficCounters traffic,
            InetSocketAddress remote,
            DatagramSink output) {
        this.datagrams = datagrams;
        this.traffic = traffic;
        this.remote = remote;
        this.output = output;
        writer = new Writer(capacity);
        maxRanges = (capacity - AckPacket.HEADER) / AckPacket.MAX_RANGE_BYTES;
    }

    /** Time of the next {@link #acknowledge}, nanoseconds. */
    long due() {
        return due;
    }

    /** Schedules the acknowledgement of a received datagram. */
    void onReceived(long now) {
        if (datagrams.hasManyAcks()) {
            acknowledge(now);
        } else if (datagrams.hasReports() && due == Long.MAX_VALUE) {
            due = now + ACK_DELAY_NANOS;
        }
    }

    void acknowledge(long now) {
        report(AckPacket.ACK, datagrams.takeAcks());
        List<AckPacket.Range> missing = datagrams.takeMissing();
        for (AckPacket.Range range : missing) {
            traffic.lostIn(range.last() - range.first() + 1);
        }
        report(AckPacket.NAK, missing);
        due = datagrams.hasReports() ? now + ACK_DELAY_NANOS : Long.MAX_VALUE;
    }

    private void report(int flags, List<AckPacket.Range> ranges) {
        for (int from = 0; from < ranges.size(); from += maxRanges) {
            int to = Math.min(ranges.size(), from + maxRanges);
            writer.reset();
            AckPacket.wire(writer, new AckPacket(flags, ranges.subList(from, to)));
            traffic.out(writer.position());
            output.send(remote, writer.array(), 0, writer.position());
        }
    }
}
