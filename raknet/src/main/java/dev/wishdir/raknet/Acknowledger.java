package dev.wishdir.raknet;

import dev.wishdir.net.Carried;
import dev.wishdir.wire.Writer;

import java.util.List;
import java.util.function.Consumer;

/**
 * Tells the other side what came and what is missing: at once if it is much, or a little later
 * (RakNet, acknowledgements).
 */
final class Acknowledger {
    private static final long DELAY = 10_000_000;

    private final RakNetReceiver receiver;
    private final Carried carried;
    private final Consumer<Writer> output;
    private final Writer writer;
    private final int mostRanges;
    private long due = Long.MAX_VALUE;

    /**
     * @param capacity the bytes of the largest datagram
     * @param carried counts what is missing
     * @param output takes each datagram; the writer is used again after the call
     */
    Acknowledger(RakNetReceiver receiver, int capacity, Carried carried, Consumer<Writer> output) {
        this.receiver = receiver;
        this.carried = carried;
        this.output = output;
        writer = new Writer(capacity);
        mostRanges = (capacity - Acknowledgement.HEADER) / Acknowledgement.LONGEST_RANGE;
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
            due = now + DELAY;
        }
    }

    void acknowledge(long now) {
        report(Acknowledgement.ARRIVED, receiver.takeAcks());
        List<Acknowledgement.Range> missing = receiver.takeMissing();
        for (Acknowledgement.Range range : missing) {
            carried.lostIn(range.last() - range.first() + 1);
        }
        report(Acknowledgement.MISSING, missing);
        due = receiver.wantsAcks() ? now + DELAY : Long.MAX_VALUE;
    }

    private void report(int flags, List<Acknowledgement.Range> ranges) {
        for (int from = 0; from < ranges.size(); from += mostRanges) {
            int to = Math.min(ranges.size(), from + mostRanges);
            writer.reset();
            Acknowledgement.wire(writer, new Acknowledgement(flags, ranges.subList(from, to)));
            output.accept(writer);
        }
    }
}
