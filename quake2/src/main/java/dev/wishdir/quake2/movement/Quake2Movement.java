package dev.wishdir.quake2.movement;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.Optional;

/**
 * The native form of a movement: the complete player state, as servers of this game send it to its
 * own player.
 */
public record Quake2Movement(PlayerState state) implements NativeMovement {
    /**
     * Form of the bytes: a playerinfo of a frame, without its number, as a delta of the zero state.
     */
    public static final String FORM = "quake2/34/playerinfo";

    private static final int MAX_BYTES = 256;

    private static final PlayerDelta BLANK =
            PlayerDelta.between(PlayerState.ZERO, PlayerState.ZERO);

    /** The player state of a movement; empty if it has another form. */
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

    /** Timers, view effects and the status bar are invisible to other players. */
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
