package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A message without a wire walk.
 *
 * @param header the id in 10 bits; above them sender and recipient among the players of a shared
 *     screen
 * @param body all bytes after the header
 */
public record Unknown(int header, Bytes body) implements BedrockMessage {
    public int id() {
        return header & 0x3FF;
    }

    /** Walks the rest of a message. */
    public static Unknown wire(Wire w, Unknown m) {
        return new Unknown(m.header, w.rest("body", m.body, MAX_BYTES));
    }
}
