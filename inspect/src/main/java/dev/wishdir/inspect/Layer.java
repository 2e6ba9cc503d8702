package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.util.List;

/** What is left of a packet when its outer headers are off. */
sealed interface Layer {
    /** Nothing of a game can be in it. */
    Layer NOT_IP = new End(CaptureReader.Skipped.NOT_IP);

    /** A frame of a link type, by its registered number. */
    record Link(int type, Bytes data) implements Layer {}

    /** The content of a frame, by its EtherType. */
    record Typed(int etherType, Bytes data) implements Layer {}

    /** The content of an IP packet, by its protocol number. */
    record Payload(int protocol, Bytes source, Bytes destination, Bytes data) implements Layer {}

    /** Frames that were sent as one. */
    record Several(List<Layer> parts) implements Layer {}

    /** A fragment of an IP packet that is not whole yet. */
    record Held() implements Layer {}

    /** Nothing more. */
    record End(CaptureReader.Skipped why) implements Layer {}
}
