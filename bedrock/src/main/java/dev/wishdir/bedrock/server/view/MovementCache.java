package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.movement.BedrockMovement;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.wire.Writer;

import java.util.HashMap;
import java.util.Map;

/** Encoded movements of all players: each is encoded once for all clients of a version. */
public final class MovementCache {
    private static final int MAX_BYTES = 128;

    private static final class Encoded {
        final Player player;
        final Map<BedrockCodec, byte[]> byVersion = new HashMap<>(2);

        Encoded(Player player) {
            this.player = player;
        }
    }

    private final Map<PlayerId, Encoded> newest = new HashMap<>();
    private final Writer writer = new Writer(MAX_BYTES);

    /**
     * The encoded movement of a player, with its header; must not be changed.
     *
     * @param runtimeId by which all clients know the player
     */
    @SuppressWarnings("ReferenceEquality") // The same object stands for what has not changed.
    public byte[] of(Player player, long runtimeId, BedrockCodec codec) {
        Encoded encoded = newest.get(player.id());
        if (encoded == null || encoded.player != player) {
            encoded = new Encoded(player);
            newest.put(player.id(), encoded);
        }
        byte[] bytes = encoded.byVersion.get(codec);
        if (bytes == null) {
            writer.reset();
            codec.write(writer, BedrockMovement.toMessage(player, runtimeId));
            bytes = writer.toByteArray();
            encoded.byVersion.put(codec, bytes);
        }
        return bytes;
    }

    /** Forgets the movement of a player that left. */
    public void forget(PlayerId id) {
        newest.remove(id);
    }

    /** Forgets all movements, as no client is left that could receive one. */
    public void forgetAll() {
        newest.clear();
    }
}
