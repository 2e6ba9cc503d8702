package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.Avatar;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Cache of movement messages: each movement is encoded once for all viewers. */
final class MovementCache {
    /** More than the players at once; players with the same slot replace each other. */
    private static final int SIZE = 1 << 10;

    /**
     * A player that has moved. It may have left since, so no session is kept here.
     *
     * @param cn of its client, -1 for a foreign player
     * @param avatar of a foreign player
     * @param position the same for all viewers except for the number in its second byte; empty for
     *     none
     */
    record Mover(Player player, int cn, @Nullable Avatar avatar, Bytes position) {}

    private final ClientRegistry registry;
    private final @Nullable Mover[] movers = new Mover[SIZE];

    MovementCache(ClientRegistry registry) {
        this.registry = registry;
    }

    /** The encoded movement of a player. */
    @SuppressWarnings("ReferenceEquality") // the arena gives one object until a player changes
    Mover of(Player player) {
        PlayerId id = player.id();
        int slot = id.number() & SIZE - 1;
        Mover mover = movers[slot];
        if (mover == null || mover.player != player) {
            SauerbratenSession session = registry.session(id);
            Avatar avatar = session == null ? registry.avatars().find(id) : null;
            Bytes position =
                    avatar == null
                            ? ForeignPlayers.live(player)
                            : registry.avatars().position(player);
            mover = new Mover(player, session == null ? -1 : session.cn, avatar, position);
            if (session != null || avatar != null) {
                movers[slot] = mover;
            }
        }
        return mover;
    }

    /** Clears the cache, as positions are encoded differently from now on. */
    void forget() {
        Arrays.fill(movers, null);
    }
}
