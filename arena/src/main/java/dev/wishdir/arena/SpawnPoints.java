package dev.wishdir.arena;

import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/**
 * The choice of the place where a body appears, for all games at once: the one that is farthest
 * from everybody else. Where all are taken, the one with the fewest bodies.
 */
final class SpawnPoints {
    /** Bodies that are nearer to each other may be in each other, metres: in every game. */
    private static final double NEAR_METRES = 1.5;

    /** So long a place is kept for a player that was given it and has not appeared, nanoseconds. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    /** Farther than this nobody is in the way: any such place will do, metres. */
    private static final double FAR_METRES = 1_000;

    private final Collection<Resident> residents;

    /**
     * @param residents who is here; a live view
     */
    SpawnPoints(Collection<Resident> residents) {
        this.residents = residents;
    }

    /** Keeps a place for a player until it has appeared; returns false where somebody else is. */
    boolean keep(long now, Resident self, Vec3 place) {
        for (Resident other : residents) {
            if (other != self && other.distance(now - KEPT_NANOS, place) < NEAR_METRES) {
                return false;
            }
        }
        self.expect(now, place);
        return true;
    }

    /**
     * Chooses a place, and keeps it for the player until it has appeared.
     *
     * @param self empty of what is not a player yet
     * @return the index of one of the places
     */
    int choose(long now, @Nullable Resident self, List<Vec3> places) {
        int best = 0;
        long fewest = Long.MAX_VALUE;
        double farthest = -1;
        for (int i = 0; i < places.size(); i++) {
            Vec3 place = places.get(i);
            long near = 0;
            double nearest = FAR_METRES;
            for (Resident other : residents) {
                if (other != self) {
                    double distance = other.distance(now - KEPT_NANOS, place);
                    nearest = Math.min(nearest, distance);
                    near += distance < NEAR_METRES ? 1 : 0;
                }
            }
            if (near < fewest || near == fewest && nearest > farthest) {
                best = i;
                fewest = near;
                farthest = nearest;
            }
        }
        if (self != null) {
            self.expect(now, places.get(best));
        }
        return best;
    }
}
