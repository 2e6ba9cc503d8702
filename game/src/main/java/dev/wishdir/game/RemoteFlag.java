package dev.wishdir.game;

import dev.wishdir.motion.Vec3;

import java.util.Objects;
import java.util.Optional;

/**
 * A snapshot of a flag as a headless client sees it. Places are metres.
 *
 * @param team that it belongs to, named as in {@link Client#teams}
 * @param home its base; empty until the client has seen it
 * @param place where it was last seen: at its base, on the ground, or the feet of its carrier;
 *     empty if the client does not know where it is now
 * @param carrier id of the player that has it, which may be this client; {@link
 *     ClientListener#UNKNOWN_PLAYER} if no player has it, or the client does not see which
 */
public record RemoteFlag(
        String team, State state, Optional<Vec3> home, Optional<Vec3> place, long carrier) {
    /** The state of a flag as its game shows it. */
    public enum State {
        HOME,
        CARRIED,
        DROPPED
    }

    public RemoteFlag {
        Objects.requireNonNull(team, "team");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(place, "place");
    }
}
