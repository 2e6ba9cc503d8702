package dev.wishdir.arena.event;

import dev.wishdir.wire.Bytes;

/**
 * A movement in the encoding of a game's own protocol; immutable. It accompanies the canonical
 * movement and is opaque to the arena. A viewer of the same game that knows the {@link #form}
 * replaces the player number in it and passes it on, exact to the bit.
 */
public interface NativeMovement {
    /** Game and encoding of {@link #bytes}: {@code sauerbraten/260}. */
    String form();

    /** The encoded movement; may be encoded by this call. */
    Bytes bytes();

    /** Whether both look the same to a viewer: counters and times may differ. */
    default boolean looksLike(NativeMovement other) {
        return equals(other);
    }

    /** A movement from a recording or another process. */
    record Stored(String form, Bytes bytes) implements NativeMovement {
        /** No native form: there is only the canonical movement. */
        public static final NativeMovement NONE = new Stored("", Bytes.EMPTY);
    }
}
