package dev.wishdir.quake2.server;

import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.Bodies;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The bodies of clients, which stand in each other's way. */
final class Crowd {
    private final Collection<Quake2Session> sessions;
    private int spawns;

    /**
     * @param sessions whose bodies they are, as they come and go
     */
    Crowd(Collection<Quake2Session> sessions) {
        this.sessions = sessions;
    }

    /** Where the next body appears: in nobody else's, as long as there is such a place. */
    Movement spawnPoint(Quake2Session session, List<Movement> places) {
        Movement place = places.getFirst();
        for (int i = 0; i < places.size(); i++) {
            place = places.get(Math.floorMod(spawns++, places.size()));
            if (isFree(session, Quake2Motion.toNative(place))) {
                break;
            }
        }
        return place;
    }

    private boolean isFree(Quake2Session session, PlayerState place) {
        for (Quake2Session other : sessions) {
            if (other != session && other.isInTheWay() && Bodies.meet(place, other.state())) {
                return false;
            }
        }
        return true;
    }

    /** The bodies of others that are at most so far away, eighths of a unit. */
    List<PlayerState> near(Quake2Session session, int reach) {
        List<PlayerState> near = new ArrayList<>();
        for (Quake2Session other : sessions) {
            if (other != session
                    && Bodies.isNear(session.state(), other.state(), reach)
                    && other.isInTheWay()) {
                near.add(other.state());
            }
        }
        return near;
    }
}
