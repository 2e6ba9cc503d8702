package dev.wishdir.raknet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers of received datagrams: which are plausible, which to acknowledge, which are missing.
 *
 * <p>Anyone can forge the peer's address, but not guess its numbers at once. A datagram outside the
 * window is ignored. One that is far ahead is ignored, too, unless a message index supports it or
 * the peer has been silent: otherwise a few thousand forged datagrams, a window apart, would move
 * the window away from the peer. See docs/protocols/raknet.md#forged-datagrams.
 */
final class ReceivedDatagrams {
    /** Distance from the next expected datagram within which one is accepted. */
    static final int WINDOW = 2048;

    /** Distance within which a number or message index is unlikely to be guessed. */
    static final int NEAR = 64;

    /** Time after which the peer is silent and any datagram in the window is plausible. */
    private static final long SILENCE_NANOS = 5_000_000_000L;

    private static final int MAX_PENDING_ACKS = 512;

    /** Meaning of a datagram's number. */
    enum Arrival {
        NEW,
        /** A datagram with this number was received before. */
        REPEATED,
        /** It is unlikely to be the peer's. */
        IMPLAUSIBLE
    }

    private final SequenceBits received = new SequenceBits(WINDOW);
    private long next;
    private long lastPlausible;
    private long reportedUpTo;
    private long detectedUpTo;
    private long[] acks = new long[16];
    private int ackCount;

    ReceivedDatagrams(long now) {
        lastPlausible = now;
    }

    private long unwrap(int number) {
        return RakNet.unwrap(number, next);
    }

    /** Whether a number is so near to the expected one that a forger is unlikely to guess it. */
    boolean isNear(int number) {
        return Math.abs(unwrap(number) - next) < NEAR;
    }

    /**
     * Records a datagram, to acknowledge it, if it is plausible.
     *
     * @param supported whether it has a reliable frame, with a message index in its window
     */
    Arrival add(long now, int wrapped, boolean supported) {
        long number = unwrap(wrapped);
        long ahead = number - next;
        if (number < 0 || ahead >= WINDOW || ahead < -WINDOW) {
            return Arrival.IMPLAUSIBLE;
        }
        if (ahead >= NEAR && !supported && now - lastPlausible < SILENCE_NANOS) {
            return Arrival.IMPLAUSIBLE;
        }
        lastPlausible = now;
        acknowledge(number);
        if (ahead < 0 && received.isSet(number)) {
            return Arrival.REPEATED;
        }
        for (; next <= number; next++) {
            received.clear(next);
        }
        received.set(number);
        return Arrival.NEW;
    }

    private void acknowledge(long number) {
        if (ackCount == acks.length) {
            acks = Arrays.copyOf(acks, ackCount * 2);
        }
        acks[ackCount++] = number;
    }

    /** Whether {@link #takeAcks} should be called at once, so that few acknowledgements queue. */
    boolean hasManyAcks() {
        return ackCount >= MAX_PENDING_ACKS;
    }

    /** Whether there is something to acknowledge, or a gap that may have to be reported. */
    boolean hasReports() {
        return ackCount > 0 || reportedUpTo < next;
    }

    /** The datagrams received since the last call, as ranges in ascending order. */
    List<AckPacket.Range> takeAcks() {
        Arrays.sort(acks, 0, ackCount);
        List<AckPacket.Range> ranges = new ArrayList<>();
        for (int i = 0; i < ackCount; ) {
            long first = acks[i];
            long last = first;
            for (i++; i < ackCount && acks[i] <= last + 1; i++) {
                last = acks[i];
            }
            addRange(ranges, first, last);
        }
        ackCount = 0;
        return ranges;
    }

    /**
     * The missing datagrams, each reported once: at the second call after the gap was detected, so
     * that reordered datagrams are not requested again.
     */
    List<AckPacket.Range> takeMissing() {
        List<AckPacket.Range> ranges = new ArrayList<>();
        long from = Math.max(reportedUpTo, next - WINDOW);
        for (long number = from; number < detectedUpTo; number++) {
            if (!received.isSet(number)) {
                long last = number;
                while (last + 1 < detectedUpTo && !received.isSet(last + 1)) {
                    last++;
                }
                addRange(ranges, number, last);
                number = last;
            }
        }
        reportedUpTo = detectedUpTo;
        detectedUpTo = next;
        return ranges;
    }

    /** Adds a range, in two parts where it wraps: on the wire a range may not. */
    private static void addRange(List<AckPacket.Range> ranges, long first, long last) {
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
