package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * One message, or one part of a split message, inside a datagram: docs/protocols/raknet.md#frames.
 *
 * <p>Indices that the reliability does not have are 0.
 *
 * @param flags bits 5 to 7 the reliability, bit 4 whether it is a part; others are ignored
 * @param messageIndex counts reliable frames, modulo 2^24
 * @param sequenceIndex counts the sequenced messages of a channel since the last ordered one
 * @param orderIndex counts the ordered messages of a channel
 * @param splitCount number of parts; 0 for a whole message
 */
public record Frame(
        int flags,
        int messageIndex,
        int sequenceIndex,
        int orderIndex,
        int channel,
        int splitCount,
        int splitId,
        int splitIndex,
        Bytes payload) {
    public static final Frame BLANK = new Frame(0, 0, 0, 0, 0, 0, 0, 0, Bytes.EMPTY);

    /** Additional length of a part's header, bytes. */
    static final int SPLIT_HEADER = 10;

    public static final int SPLIT_FLAG = 0x10;

    public static Frame wire(Wire w, Frame m) {
        int flags = w.u8("flags", m.flags);
        w.bits("split", 4, 1, flags);
        w.bits("reliability", 5, 3, flags);
        Reliability reliability = Reliability.ofFlags(flags);
        int bits = w.u16be("length", m.payload.length() * 8);
        if (bits == 0) {
            throw w.malformed("length", "is 0");
        }
        int messageIndex = reliability.reliable() ? w.u24le("message index", m.messageIndex) : 0;
        int sequenceIndex =
                reliability.sequenced() ? w.u24le("sequence index", m.sequenceIndex) : 0;
        boolean placed = reliability.ordered() || reliability.sequenced();
        int orderIndex = placed ? w.u24le("order index", m.orderIndex) : 0;
        int channel = placed ? w.u8("channel", m.channel) : 0;
        boolean part = (flags & SPLIT_FLAG) != 0;
        int splitCount = part ? w.i32be("split count", m.splitCount) : 0;
        int splitId = part ? w.u16be("split id", m.splitId) : 0;
        int splitIndex = part ? w.i32be("split index", m.splitIndex) : 0;
        return new Frame(
                flags,
                messageIndex,
                sequenceIndex,
                orderIndex,
                channel,
                splitCount,
                splitId,
                splitIndex,
                w.bytes("payload", m.payload, bits + 7 >> 3));
    }

    public Reliability reliability() {
        return Reliability.ofFlags(flags);
    }

    /** Whether it is a part of a split message. */
    public boolean isPart() {
        return (flags & SPLIT_FLAG) != 0;
    }

    /** The length in a datagram, bytes. */
    public int length() {
        return reliability().headerLength() + (isPart() ? SPLIT_HEADER : 0) + payload.length();
    }
}
