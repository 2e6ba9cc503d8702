package dev.wishdir.arena.player;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Chooses spawn points for all games: of the places with the fewest bodies nearby, the farthest
 * from every body. Metres.
 */
public final class SpawnPoints {
    /** Bodies of any two games that are nearer than this may overlap. */
    private static final double NEAR_METRES = 1.5;

    /**
     * A reservation lasts until the body spawns, at most this long: Bedrock clients load slowly.
     */
    private static final long RESERVED_NANOS = 60_000_000_000L;

    /** With more reservations than this the oldest ends. */
    private static final int MAX_RESERVATIONS = 1_024;

    private record Reservation(Optional<PlayerId> player, Vec3 place, long until) {}

    private final Collection<ActivePlayer> activePlayers;
    private final List<Reservation> reservations = new ArrayList<>();
    private int next;

    /**
     * @param activePlayers live view of the players
     */
    public SpawnPoints(Collection<ActivePlayer> activePlayers) {
        this.activePlayers = activePlayers;
    }

    /**
     * Chooses a place and reserves it.
     *
     * @param player empty for a client that has not joined; then the first body that spawns there
     *     takes the reservation
     * @param places at least one
     * @return index into {@code places}
     */
    public int choose(long now, Optional<PlayerId> player, List<Vec3> places) {
        player.ifPresent(this::release);
        List<Vec3> occupied = occupied(now, player);
        int best = 0;
        long fewest = Long.MAX_VALUE;
        double farthest = -1;
        for (int i = 0; i < places.size(); i++) {
            // Start behind the last choice, so that equally good places are used in turn.
            int index = (next + i) % places.size();
            long near = 0;
            double nearest = Double.MAX_VALUE;
            for (Vec3 body : occupied) {
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

    /** Whether a place is free for a player: no other body and no reservation nearby. */
    public boolean isFree(long now, PlayerId player, Vec3 place) {
        return occupied(now, Optional.of(player)).stream()
                .noneMatch(body -> body.distance(place) < NEAR_METRES);
    }

    private List<Vec3> occupied(long now, Optional<PlayerId> player) {
        reservations.removeIf(each -> now >= each.until());
        List<Vec3> occupied = new ArrayList<>();
        for (ActivePlayer other : activePlayers) {
            if (other.embodied() && !other.id.isGhost() && !player.equals(Optional.of(other.id))) {
                occupied.add(other.movement().position());
            }
        }
        reservations.forEach(each -> occupied.add(each.place()));
        return occupied;
    }

    /** Ends the reservation of a body that has spawned. */
    public void appeared(PlayerId player, Vec3 at) {
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

    /**
     * Ends the reservation of a player.
     *
     * @return whether it had one
     */
    public boolean release(PlayerId player) {
        return reservations.removeIf(each -> each.player().equals(Optional.of(player)));
    }
}
