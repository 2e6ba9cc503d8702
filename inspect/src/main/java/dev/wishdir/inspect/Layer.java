package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

import java.util.List;

/** The rest of a packet after some outer headers were removed. */
sealed interface Layer {
    /** A layer that cannot contain traffic of a game. */
    Layer NOT_IP = new End(SkipReason.NOT_IP);

    /** A frame of a link type, by its registered number. */
    record Link(int type, Bytes data) implements Layer {}

    /** The content of a frame, by its EtherType. */
    record Typed(int etherType, Bytes data) implements Layer {}

    /** The content of an IP packet, by its protocol number. */
    record Payload(int protocol, Bytes source, Bytes destination, Bytes data) implements Layer {}

    /** Frames that were sent in one. */
    record Several(List<Layer> parts) implements Layer {}

    /** A fragment of an incomplete IP packet. */
    record Incomplete() implements Layer {}

    /** The end of the decoding, without a datagram. */
    record End(SkipReason why) implements Layer {}

    /** An IP packet, of the version in its first four bits. */
    static Layer ip(Bytes data, int at) {
        return switch (u8(data, at) >> 4) {
            case 4 -> new Layer.Typed(EtherType.IPV4, tail(data, at));
            case 6 -> new Layer.Typed(EtherType.IPV6, tail(data, at));
            default -> Layer.NOT_IP;
        };
    }
}
