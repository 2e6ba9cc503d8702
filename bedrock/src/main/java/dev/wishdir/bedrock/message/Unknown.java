package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A message that is not walked.
 *
 * @param header its number, and above its 10 bits which players of a shared screen it is from and
 *     to
 * @param body all bytes behind the header
 */
public record Unknown(int header, Bytes body) implements BedrockMessage {
    /** Its number. */
    public int id() {
        return header & 0x3FF;
    }

    /** Reads what is left of a message. */
    public static Unknown wire(Wire w, Unknown m) {
        return new Unknown(m.header, w.rest("body", m.body, MAX_BYTES));
    }
}
