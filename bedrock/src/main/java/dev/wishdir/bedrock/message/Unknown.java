package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/** A message that is not walked: its number and its bytes. */
public record Unknown(int id, Bytes body) implements BedrockMessage {
    /** Reads what is left of a message. */
    public static Unknown wire(Wire w, Unknown m) {
        return new Unknown(m.id, w.rest("body", m.body, LARGEST));
    }
}
