package dev.wishdir.raknet;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/**
 * An acknowledgement of received, or a report of missing, datagrams:
 * docs/protocols/raknet.md#acknowledgements.
 *
 * <p>It has no number and is not acknowledged itself.
 *
 * @param flags {@link #ACK} or {@link #NAK}, by the bits of {@link RakNetDatagram}
 */
public record AckPacket(int flags, List<Range> ranges) {
    public static final int ACK = 0xC0;
    public static final int NAK = 0xA0;

    public static final AckPacket BLANK = new AckPacket(ACK, List.of());

    /** Length of the header before the ranges, bytes. */
    static final int HEADER = 3;

    /** Maximum length of a range, bytes. */
    static final int MAX_RANGE_BYTES = 7;

    /** The datagram numbers from {@code first} to {@code last}, both inclusive. */
    public record Range(int first, int last) {
        public static final Range BLANK = new Range(0, 0);

        public static Range wire(Wire w, Range m) {
            boolean single = w.bool("single", m.first == m.last);
            int first = w.u24le("first", m.first);
            int last = single ? first : w.u24le("last", m.last);
            if (last < first) {
                throw w.malformed("last", "is " + last + ", before the first, " + first);
            }
            return new Range(first, last);
        }
    }

    public static AckPacket wire(Wire w, AckPacket m) {
        int flags = w.u8("flags", m.flags);
        int count = w.u16be("count", m.ranges.size());
        // An announced count is believed only as far as the packet can hold it.
        if (w.reading() && count * 4L > w.remaining()) {
            throw w.malformed("count", "is " + count + ", " + w.remaining() + " bytes left");
        }
        List<Range> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(Range.wire(w, Wire.item(m.ranges, i, Range.BLANK)));
        }
        return new AckPacket(flags, List.copyOf(ranges));
    }
}
