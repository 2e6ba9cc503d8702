package dev.wishdir.raknet;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A datagram of frames inside a connection: docs/protocols/raknet.md#frames.
 *
 * @param number counts the datagrams of one direction, modulo 2^24; retransmitted frames are in a
 *     datagram with a new number
 */
public record RakNetDatagram(int flags, int number, List<Frame> frames) {
    public static final RakNetDatagram BLANK = new RakNetDatagram(0, 0, List.of());

    public static final int VALID = 0x80;
    public static final int ACK = 0x40;
    public static final int NACK = 0x20;

    /** Flags of a datagram after which no other follows at once. */
    public static final int SINGLE = 0x84;

    /** Flags of a datagram after which another follows at once. */
    public static final int CONTINUOUS = 0x8C;

    /** Length of the header before the frames, bytes. */
    static final int HEADER = 4;

    public static RakNetDatagram wire(Wire w, RakNetDatagram m) {
        int flags = w.u8("flags", m.flags);
        int number = w.u24le("number", m.number);
        List<Frame> frames = new ArrayList<>(Math.max(1, m.frames.size()));
        for (int i = 0; w.reading() ? w.remaining() > 0 : i < m.frames.size(); i++) {
            w.pushScope("frame ", i);
            frames.add(Frame.wire(w, Wire.item(m.frames, i, Frame.BLANK)));
            w.popScope();
        }
        if (frames.isEmpty()) {
            throw w.malformed("frames", "are missing");
        }
        return new RakNetDatagram(flags, number, List.copyOf(frames));
    }
}
