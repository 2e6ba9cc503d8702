package dev.wishdir.inspect.link;

import static dev.wishdir.inspect.link.Octets.tail;
import static dev.wishdir.inspect.link.Octets.u8;

import dev.wishdir.wire.Bytes;

/** The rest of a packet after some outer headers were removed. */
public sealed interface Layer {
    /** A layer that cannot contain traffic of a game. */
    Layer NOT_IP = new End(SkipReason.NOT_IP);

    /** A layer that another program can convert. */
    Layer UNSUPPORTED = new End(SkipReason.UNSUPPORTED);

    /** A frame of a link type, by its registered number. */
    record Link(int type, Bytes data) implements Layer {}

    /** The content of a frame, by its EtherType. */
    record Typed(int etherType, Bytes data) implements Layer {
        static final int IPV4 = 0x0800;
        static final int IPV6 = 0x86DD;
    }

    /** The content of an IP packet, by its protocol number. */
    record Payload(int protocol, Bytes source, Bytes destination, Bytes data) implements Layer {}

    /** A fragment of an incomplete IP packet. */
    record Incomplete() implements Layer {}

    /** The end of the decoding, without a datagram. */
    record End(SkipReason why) implements Layer {}

    /** An IP packet, of the version in its first four bits. */
    static Layer ip(Bytes data, int at) {
        return switch (u8(data, at) >> 4) {
            case 4 -> new Layer.Typed(Typed.IPV4, tail(data, at));
            case 6 -> new Layer.Typed(Typed.IPV6, tail(data, at));
            default -> Layer.NOT_IP;
        };
    }
}
