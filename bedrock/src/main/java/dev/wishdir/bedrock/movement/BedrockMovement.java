package dev.wishdir.bedrock.movement;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.Optional;

/**
 * A movement in this game's form. Its bytes are the message with its header in the reference
 * version, whatever the versions of sender and receivers.
 */
public record BedrockMovement(MovePlayer message) implements NativeMovement {
    private static final BedrockCodec REFERENCE = BedrockCodec.V748;

    public static final String FORM = BedrockCodec.NAME + "/" + REFERENCE.protocol();

    private static final int MAX_BYTES = 128;

    @Override
    public String form() {
        return FORM;
    }

    @Override
    public Bytes bytes() {
        Writer w = new Writer(MAX_BYTES);
        REFERENCE.write(w, message);
        return w.toBytes();
    }

    @Override
    public boolean looksLike(NativeMovement other) {
        return other instanceof BedrockMovement that && message.looksLike(that.message);
    }

    /**
     * The movement of a player for clients of this game: as the player's own client sent it if that
     * has this game, here or in another process, else the canonical movement.
     *
     * @param runtimeId by which the receiving clients know the player
     */
    public static MovePlayer toMessage(Player player, long runtimeId) {
        return of(player.nativeMovement())
                .map(message -> message.of(runtimeId))
                .orElseGet(() -> BedrockMotion.toNative(runtimeId, player.movement()));
    }

    private static Optional<MovePlayer> of(NativeMovement movement) {
        if (movement instanceof BedrockMovement here) {
            return Optional.of(here.message);
        }
        if (!movement.form().equals(FORM)) {
            return Optional.empty();
        }
        try {
            BedrockMessage read = REFERENCE.read(new Reader(movement.bytes()));
            return read instanceof MovePlayer message && BedrockMotion.isSane(message)
                    ? Optional.of(message)
                    : Optional.empty();
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }
}
