package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.ToIntFunction;

/** Movements encoded once for all clients that receive them. */
public final class MovementCache {
    /**
     * At least the players that all clients together are shown: two players with the same slot
     * replace each other.
     */
    private static final int SIZE = 1 << 14;

    /**
     * A player that has moved. It may have left since, so no session is kept here.
     *
     * @param cn the client number; -1 for a foreign player
     * @param foreignPlayer of a foreign player
     * @param position the same for all clients but for the number in its second byte; may be empty
     */
    public record Mover(
            Player player, int cn, @Nullable ForeignPlayer foreignPlayer, Bytes position) {}

    private final ToIntFunction<PlayerId> clientNumber;
    private final ForeignPlayers foreignPlayers;
    private final @Nullable Mover[] known = new Mover[SIZE];
    private SauerbratenMotion motion;

    /**
     * @param clientNumber the client number of a player; -1 for a foreign player
     */
    public MovementCache(ToIntFunction<PlayerId> clientNumber, ForeignPlayers foreignPlayers) {
        this.clientNumber = clientNumber;
        this.foreignPlayers = foreignPlayers;
        motion = foreignPlayers.motion();
    }

    /** The encoded movement of a player as it is now. */
    @SuppressWarnings("ReferenceEquality") // the arena gives one object until a player changes
    public Mover of(Player player) {
        if (motion != foreignPlayers.motion()) {
            motion = foreignPlayers.motion();
            Arrays.fill(known, null);
        }
        int slot = player.id().hashCode() & SIZE - 1;
        Mover there = known[slot];
        if (there == null || there.player != player) {
            there = encode(player);
            if (there.cn >= 0 || there.foreignPlayer != null) {
                known[slot] = there;
            }
        }
        return there;
    }

    private Mover encode(Player player) {
        int cn = clientNumber.applyAsInt(player.id());
        ForeignPlayer foreign = cn < 0 ? foreignPlayers.find(player.id()) : null;
        Bytes position =
                foreign == null
                        ? ForeignPlayers.nativePosition(player)
                        : foreignPlayers.position(player);
        return new Mover(player, cn, foreign, position);
    }
}
