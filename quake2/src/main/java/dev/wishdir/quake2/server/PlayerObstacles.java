package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.ArrayList;
import java.util.List;

/** The bodies of the arena's players of all games, which block the movement of clients. */
final class PlayerObstacles {
    private final Arena arena;
    private final PlayerEntityTable entityTable;

    PlayerObstacles(Arena arena, PlayerEntityTable entityTable) {
        this.arena = arena;
        this.entityTable = entityTable;
    }

    /** The bodies that a player sees within a distance, eighths of a unit. */
    List<PlayerState> near(PlayerId self, Triple origin, int distance) {
        List<PlayerState> near = new ArrayList<>();
        for (Player other : arena.visiblePlayers(self)) {
            if (PlayerHulls.isNear(
                            origin, Quake2Motion.toNative(other.movement().position()), distance)
                    && entityTable.slot(other.id()) >= 0) {
                near.add(PlayerEntities.state(other));
            }
        }
        return near;
    }
}
