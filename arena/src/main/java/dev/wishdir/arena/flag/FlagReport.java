package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Vec3;

import java.util.Objects;
import java.util.Optional;

/**
 * A report to the server that decides about the flags: a player touches one or loses it.
 *
 * @param player empty for an operator, who brings it home
 * @param flag the team that it belongs to
 * @param version of the flag that its server knows
 * @param place of the player's feet, or where the flag is to fall; metres
 * @param loss why the player loses it; empty if it touches it
 */
public record FlagReport(
        Optional<PlayerId> player, Team flag, int version, Vec3 place, Optional<FlagCause> loss) {
    public FlagReport {
        Objects.requireNonNull(player, "player");
        Objects.requireNonNull(flag, "flag");
        Objects.requireNonNull(place, "place");
        Objects.requireNonNull(loss, "loss");
    }
}
