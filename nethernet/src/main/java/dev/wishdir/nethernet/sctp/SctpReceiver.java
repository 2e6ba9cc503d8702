package dev.wishdir.nethernet.sctp;

import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * The receiving half of an association: reassembles messages from chunks in any order, and delivers
 * each once.
 *
 * <p>The chunks of a message follow each other, and the messages of a stream are in the order of
 * their first chunks. So the transmission sequence numbers determine what is next; only whole
 * unordered messages overtake.
 */
final class SctpReceiver {
    /** Takes each message once, and may keep the array. */
    @FunctionalInterface
    interface Deliveries {
        void message(int stream, int kind, byte[] message);
    }

    private static final int END = 1;
    private static final int BEGIN = 2;
    private static final int UNORDERED = 4;
    private static final int AHEAD = 1 << 14;
    private static final int MAX_GAPS = 64;

    private static final class Arrived {
        final int flags;
        final int stream;
        final int kind;

        /** Empty if it was delivered already. */
        final byte[] payload;

        Arrived(int flags, int stream, int kind, byte[] payload) {
            this.flags = flags;
            this.stream = stream;
            this.kind = kind;
            this.payload = payload;
        }

        int cost() {
            return HeapFootprint.ENTRY
                    + HeapFootprint.OBJECT
                    + (int) HeapFootprint.bytes(payload.length);
        }
    }

    private final int largestMessage;
    private final TrafficCounters traffic;
    private final Deliveries deliveries;
    private final TreeMap<Long, Arrived> pending = new TreeMap<>();
    private @Nullable ByteArrayOutputStream assembled;
    private int assembledStream;
    private int assembledKind;
    private int window;
    private int held;
    private int gaps;
    private long cumulative;

    /**
     * @param window maximum heap of chunks after a gap, bytes
     * @param traffic counts chunks, and what is missing before one
     */
    SctpReceiver(int window, int largestMessage, TrafficCounters traffic, Deliveries deliveries) {
        this.traffic = traffic;
        this.window = window;
        this.largestMessage = largestMessage;
        this.deliveries = deliveries;
    }

    /** The other side's first number. */
    void begin(int first) {
        cumulative = (first & 0xFFFF_FFFFL) - 1;
    }

    void window(int bytes) {
        window = bytes;
    }

    /** The heap of what is incomplete or behind a gap. */
    int retainedBytes() {
        ByteArrayOutputStream message = assembled;
        return held + (message == null ? 0 : (int) HeapFootprint.bytes(2 * message.size()));
    }

    int cumulative() {
        return (int) cumulative;
    }

    /** The number near to what has come, in full. */
    private long full(int number) {
        return cumulative + (number - (int) cumulative);
    }

    /**
     * Takes in a chunk of data.
     *
     * @return whether it is new and in order: otherwise it is acknowledged at once
     * @throws MalformedPacketException if it breaks the protocol: the association is to end
     */
    boolean data(int flags, Bytes body) {
        Reader r = new Reader(body);
        long number = full(r.i32be("TSN", 0));
        int stream = r.u16be("stream", 0);
        r.u16be("sequence number", 0);
        int kind = r.i32be("payload protocol", 0);
        int length = r.remaining();
        if (length == 0) {
            throw new MalformedPacketException(r.position(), "data", "is empty");
        }
        if (number <= cumulative || number > cumulative + AHEAD || pending.containsKey(number)) {
            return false;
        }
        long highest = pending.isEmpty() ? cumulative : pending.lastKey();
        traffic.sequencedIn((int) Math.max(0, number - highest - 1));
        byte[] payload = body.slice(r.position(), length).toArray();
        Arrived chunk = new Arrived(flags, stream, kind, payload);
        if (number == cumulative + 1) {
            cumulative = number;
            feed(chunk);
            boolean inOrder = pending.isEmpty();
            drain();
            return inOrder;
        }
        boolean joinsLast = pending.containsKey(number - 1);
        boolean joinsNext = pending.containsKey(number + 1);
        if (held + chunk.cost() > window || !joinsLast && !joinsNext && gaps >= MAX_GAPS) {
            return false;
        }
        gaps += 1 - (joinsLast ? 1 : 0) - (joinsNext ? 1 : 0);
        int whole = BEGIN | END | UNORDERED;
        if ((flags & whole) == whole) {
            chunk = new Arrived(flags, stream, kind, new byte[0]);
        }
        keep(number, chunk);
        if (payload.length != chunk.payload.length) {
            deliveries.message(stream, kind, payload);
        }
        return false;
    }

    private void keep(long number, Arrived chunk) {
        pending.put(number, chunk);
        held += chunk.cost();
    }

    private void drain() {
        while (!pending.isEmpty() && pending.firstKey() == cumulative + 1) {
            Arrived next = pending.firstEntry().getValue();
            pending.remove(++cumulative);
            held -= next.cost();
            if (!pending.containsKey(cumulative + 1)) {
                gaps--;
            }
            if (next.payload.length > 0) {
                feed(next);
            }
        }
    }

    private void feed(Arrived chunk) {
        boolean begins = (chunk.flags & BEGIN) != 0;
        boolean ends = (chunk.flags & END) != 0;
        ByteArrayOutputStream message = assembled;
        if (begins != (message == null)) {
            throw new MalformedPacketException(
                    0, "data", "does not continue the message before it");
        }
        if (begins && ends) {
            checkLength(chunk.payload.length);
            deliveries.message(chunk.stream, chunk.kind, chunk.payload);
            return;
        }
        if (message == null) {
            message = new ByteArrayOutputStream(2 * chunk.payload.length);
            assembled = message;
            assembledStream = chunk.stream;
            assembledKind = chunk.kind;
        } else if (chunk.stream != assembledStream || chunk.kind != assembledKind) {
            throw new MalformedPacketException(0, "data", "is part of another message");
        }
        checkLength(message.size() + chunk.payload.length);
        message.writeBytes(chunk.payload);
        if (ends) {
            assembled = null;
            deliveries.message(assembledStream, assembledKind, message.toByteArray());
        }
    }

    private void checkLength(int length) {
        if (length > largestMessage) {
            throw new MalformedPacketException(0, "message", "has more than " + largestMessage);
        }
    }

    /** The other side gives up what it sent up to a number. */
    void forward(int to) {
        long number = full(to);
        if (number <= cumulative || number > cumulative + AHEAD) {
            return;
        }
        assembled = null;
        while (!pending.isEmpty() && pending.firstKey() <= number) {
            Map.Entry<Long, Arrived> next = pending.firstEntry();
            pending.remove(next.getKey());
            Arrived chunk = next.getValue();
            held -= chunk.cost();
            if (!pending.containsKey(next.getKey() + 1)) {
                gaps--;
            }
            boolean follows = next.getKey() == cumulative + 1;
            cumulative = next.getKey();
            if (!follows) {
                assembled = null;
            }
            if (chunk.payload.length > 0 && ((chunk.flags & BEGIN) != 0) == (assembled == null)) {
                feed(chunk);
            }
        }
        if (cumulative < number) {
            cumulative = number;
            assembled = null;
        }
        drain();
    }

    /** Writes the acknowledgement of all that has come. */
    void acknowledge(Writer w) {
        int blocks = Math.min(gaps, (w.remaining() - 16) / 4);
        SctpPacket.chunk(w, SctpPacket.SACK, 0, 12 + 4 * blocks);
        w.i32be("cumulative TSN", (int) cumulative);
        // A message that is being assembled has a bound of its own, and must get its rest.
        w.i32be("window", Math.max(0, window - held));
        w.u16be("gap blocks", blocks);
        w.u16be("duplicates", 0);
        long start = -1;
        long last = -1;
        int written = 0;
        for (Long number : pending.keySet()) {
            if (number != last + 1 && start >= 0) {
                written += block(w, start, last, written, blocks);
                start = -1;
            }
            if (start < 0) {
                start = number;
            }
            last = number;
        }
        if (start >= 0) {
            block(w, start, last, written, blocks);
        }
    }

    private int block(Writer w, long start, long end, int written, int most) {
        if (written >= most) {
            return 0;
        }
        w.u16be("gap start", (int) (start - cumulative));
        w.u16be("gap end", (int) (end - cumulative));
        return 1;
    }
}
