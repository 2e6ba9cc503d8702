package dev.wishdir.quake2.movement;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.Optional;

/** A movement as this game's servers tell a player its own: the state, whole. */
public record Quake2Movement(PlayerState state) implements NativeMovement {
    /** The bytes are a playerinfo of a frame, without its number, that is a delta of nothing. */
    public static final String FORM = "quake2/34/playerinfo";

    private static final int MAX_BYTES = 256;

    private static final PlayerDelta BLANK =
            PlayerDelta.between(PlayerState.ZERO, PlayerState.ZERO);

    /** The state in a movement; empty where it is none of this form. */
    public static Optional<PlayerState> in(NativeMovement movement) {
        if (movement instanceof Quake2Movement own) {
            return Optional.of(own.state);
        }
        if (!movement.form().equals(FORM)) {
            return Optional.empty();
        }
        try {
            Reader r = new Reader(movement.bytes().toArray());
            PlayerState state = PlayerDelta.wire(r, BLANK).applyTo(PlayerState.ZERO);
            return r.remaining() == 0 ? Optional.of(state) : Optional.empty();
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    @Override
    public String form() {
        return FORM;
    }

    @Override
    public Bytes bytes() {
        Writer w = new Writer(MAX_BYTES);
        PlayerDelta.wire(w, PlayerDelta.between(PlayerState.ZERO, state));
        return Bytes.wrap(w.toByteArray());
    }

    /** Timers, the view's own movement and the status bar are nobody else's. */
    @Override
    public boolean looksLike(NativeMovement other) {
        return other instanceof Quake2Movement that
                && state.pmType() == that.state.pmType()
                && state.pmFlags() == that.state.pmFlags()
                && state.origin().equals(that.state.origin())
                && state.velocity().equals(that.state.velocity())
                && state.viewAngles().equals(that.state.viewAngles());
    }
}
