package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.Avatar;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Who moves and where to, looked up and encoded once for all clients who are shown it. */
final class MovementCache {
    /** More than play at once: who shares a place with another is looked up again. */
    private static final int SIZE = 1 << 10;

    /**
     * One who has moved. It may have left since, so that no session is kept here.
     *
     * @param cn of the client that it is, -1 where it is none of this endpoint
     * @param avatar what speaks for it where it is none
     * @param position the same for all but for the number in its second byte; empty for none
     */
    record Mover(Player player, int cn, @Nullable Avatar avatar, Bytes position) {}

    private final ClientRegistry registry;
    private final @Nullable Mover[] known = new Mover[SIZE];

    MovementCache(ClientRegistry registry) {
        this.registry = registry;
    }

    /** What there is to show of a player as it is now. */
    @SuppressWarnings("ReferenceEquality") // the arena gives one object until a player changes
    Mover of(Player player) {
        PlayerId id = player.id();
        int slot = id.number() & SIZE - 1;
        Mover there = known[slot];
        if (there == null || there.player != player) {
            SauerbratenSession session = registry.session(id);
            Avatar avatar = session == null ? registry.avatars().find(id) : null;
            Bytes position =
                    avatar == null
                            ? ForeignPlayers.live(player)
                            : registry.avatars().position(player);
            there = new Mover(player, session == null ? -1 : session.cn, avatar, position);
            if (session != null || avatar != null) {
                known[slot] = there;
            }
        }
        return there;
    }

    /** Everybody has to be encoded anew. */
    void forget() {
        Arrays.fill(known, null);
    }
}
