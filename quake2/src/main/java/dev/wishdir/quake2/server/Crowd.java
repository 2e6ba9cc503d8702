package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.Bodies;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bodies of the arena's players, whatever they play, which stand in clients' way. */
final class Crowd {
    private final Arena arena;
    private final Cast cast;
    private int spawns;

    Crowd(Arena arena, Cast cast) {
        this.arena = arena;
        this.cast = cast;
    }

    /**
     * Where the next body appears: in nobody else's, as long as there is such a place.
     *
     * @param self whose it is; empty for one who has no body yet
     */
    Movement spawnPoint(Optional<PlayerId> self, List<Movement> places) {
        List<PlayerState> bodies = new ArrayList<>();
        for (Player other : arena.players()) {
            if (other.spawned() && !self.equals(Optional.of(other.id()))) {
                bodies.add(Body.state(other));
            }
        }
        Movement place = places.getFirst();
        for (int i = 0; i < places.size(); i++) {
            place = places.get(Math.floorMod(spawns++, places.size()));
            PlayerState there = Quake2Motion.toNative(place);
            if (bodies.stream().noneMatch(other -> Bodies.meet(there, other))) {
                break;
            }
        }
        return place;
    }

    /** The bodies that a player is shown and that are so near to it, in eighths of a unit. */
    List<PlayerState> near(PlayerId self, Triple origin, int reach) {
        List<PlayerState> near = new ArrayList<>();
        for (Player other : arena.shown(self)) {
            if (Bodies.isNear(origin, Quake2Motion.toNative(other.movement().position()), reach)
                    && cast.slot(other.id()) >= 0) {
                near.add(Body.state(other));
            }
        }
        return near;
    }
}
