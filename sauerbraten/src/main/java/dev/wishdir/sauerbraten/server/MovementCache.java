package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Movements encoded once for all clients that receive them. */
final class MovementCache {
    /** More than the players at once: two players with the same slot replace each other. */
    private static final int SIZE = 1 << 10;

    /**
     * A player that has moved. It may have left since, so no session is kept here.
     *
     * @param cn the client number; -1 for a foreign player
     * @param avatar of a foreign player
     * @param position the same for all clients but for the number in its second byte; may be empty
     */
    record Mover(Player player, int cn, @Nullable ForeignPlayer avatar, Bytes position) {}

    private final ClientRegistry registry;
    private final @Nullable Mover[] known = new Mover[SIZE];

    MovementCache(ClientRegistry registry) {
        this.registry = registry;
    }

    /** The encoded movement of a player as it is now. */
    @SuppressWarnings("ReferenceEquality") // the arena gives one object until a player changes
    Mover of(Player player) {
        PlayerId id = player.id();
        int slot = id.number() & SIZE - 1;
        Mover there = known[slot];
        if (there == null || there.player != player) {
            SauerbratenSession session = registry.session(id);
            ForeignPlayer avatar = session == null ? registry.foreignPlayers().find(id) : null;
            Bytes position =
                    avatar == null
                            ? ForeignPlayers.nativePosition(player)
                            : registry.foreignPlayers().position(player);
            there = new Mover(player, session == null ? -1 : session.cn, avatar, position);
            if (session != null || avatar != null) {
                known[slot] = there;
            }
        }
        return there;
    }

    /** Every player must be encoded again. */
    void clear() {
        Arrays.fill(known, null);
    }
}
