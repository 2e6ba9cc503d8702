package dev.wishdir.arena;

import dev.wishdir.wire.Bytes;

/**
 * A movement as a game's own wire carries it, immutable. It travels beside the canonical movement
 * and is opaque to the arena. A viewer of the same game that knows the {@link #form} puts its own
 * number for the player into it and passes it on, exact to the bit.
 */
public interface NativeMovement {
    /** Names game and encoding of {@link #bytes}: {@code sauerbraten/260}. */
    String form();

    /** The movement in the game's own bytes; may be made when asked for. */
    Bytes bytes();

    /** Whether nobody would see a difference to another: counters and times may differ. */
    default boolean looksLike(NativeMovement other) {
        return equals(other);
    }

    /** One from a recording or another process. */
    record Stored(String form, Bytes bytes) implements NativeMovement {
        /** No game's: the canonical movement is all that there is. */
        public static final NativeMovement NONE = new Stored("", Bytes.EMPTY);
    }
}
