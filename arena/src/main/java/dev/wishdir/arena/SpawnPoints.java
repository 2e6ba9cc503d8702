package dev.wishdir.arena;

import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The choice of the place where a body appears, for all games at once: of the places with the
 * fewest bodies the one that is farthest from every body. Metres.
 */
final class SpawnPoints {
    /** Bodies of any game that are nearer to each other may be in each other. */
    private static final double NEAR_METRES = 1.5;

    /** A chosen place is reserved for so long, until a body appears there: Bedrock loads long. */
    private static final long RESERVED_NANOS = 60_000_000_000L;

    /** The most reservations; with more, the oldest ends. */
    private static final int MAX_RESERVATIONS = 1_024;

    private record Reservation(Optional<PlayerId> player, Vec3 place, long until) {}

    private final Collection<ActivePlayer> residents;
    private final List<Reservation> reservations = new ArrayList<>();
    private int next;

    /**
     * @param residents the players; a live view
     */
    SpawnPoints(Collection<ActivePlayer> residents) {
        this.residents = residents;
    }

    /**
     * Chooses a place and reserves it.
     *
     * @param player empty for a client that has not joined; then it is reserved for the first body
     *     that appears there
     * @param places at least one
     * @return the index of one of the places
     */
    int choose(long now, Optional<PlayerId> player, List<Vec3> places) {
        player.ifPresent(this::release);
        List<Vec3> taken = taken(now, player);
        int best = 0;
        long fewest = Long.MAX_VALUE;
        double farthest = -1;
        for (int i = 0; i < places.size(); i++) {
            // Of places that are equally good, not always the same.
            int index = (next + i) % places.size();
            long near = 0;
            double nearest = Double.MAX_VALUE;
            for (Vec3 body : taken) {
                double distance = body.distance(places.get(index));
                nearest = Math.min(nearest, distance);
                near += distance < NEAR_METRES ? 1 : 0;
            }
            if (near < fewest || near == fewest && nearest > farthest) {
                best = index;
                fewest = near;
                farthest = nearest;
            }
        }
        next = best + 1;
        reservations.add(new Reservation(player, places.get(best), now + RESERVED_NANOS));
        if (reservations.size() > MAX_RESERVATIONS) {
            reservations.removeFirst();
        }
        return best;
    }

    /** Whether a player's body meets no other at a place, nor one that appears there soon. */
    boolean isFree(long now, PlayerId player, Vec3 place) {
        return taken(now, Optional.of(player)).stream()
                .noneMatch(body -> body.distance(place) < NEAR_METRES);
    }

    private List<Vec3> taken(long now, Optional<PlayerId> player) {
        reservations.removeIf(each -> now >= each.until());
        List<Vec3> taken = new ArrayList<>();
        for (ActivePlayer other : residents) {
            if (other.embodied() && !player.equals(Optional.of(other.id))) {
                taken.add(other.movement().position());
            }
        }
        reservations.forEach(each -> taken.add(each.place()));
        return taken;
    }

    /** Ends the reservation of a body that appears. */
    void appeared(PlayerId player, Vec3 at) {
        if (!release(player)) {
            for (int i = 0; i < reservations.size(); i++) {
                Reservation each = reservations.get(i);
                if (each.player().isEmpty() && each.place().distance(at) < NEAR_METRES) {
                    reservations.remove(i);
                    return;
                }
            }
        }
    }

    /** Ends the reservation of a player; returns whether it had one. */
    boolean release(PlayerId player) {
        return reservations.removeIf(each -> each.player().equals(Optional.of(player)));
    }
}
