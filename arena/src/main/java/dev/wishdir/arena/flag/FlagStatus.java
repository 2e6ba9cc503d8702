package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Objects;

/**
 * A flag at one moment.
 *
 * @param home its foot at its base, metres
 * @param state with times of the clock of its source; {@link Long#MAX_VALUE} for a time that is not
 *     known
 * @param version a number that grows with each change
 */
public record FlagStatus(Team team, Vec3 home, FlagState state, int version) {
    public FlagStatus {
        Objects.requireNonNull(team, "team");
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(state, "state");
    }

    /** Flags after an event: a change of one, or a round, which begins and ends at home. */
    public static List<FlagStatus> after(List<FlagStatus> flags, ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.FlagChanged changed ->
                    flags.stream()
                            .map(it -> it.team() == changed.flag() ? it.after(changed) : it)
                            .toList();
            case ArenaEvent.RoundStarted _, ArenaEvent.RoundEnded _ ->
                    flags.stream().map(FlagStatus::atHome).toList();
            default -> flags;
        };
    }

    /** This flag after a change of it. */
    private FlagStatus after(ArenaEvent.FlagChanged event) {
        return switch (event.change()) {
            case TAKEN ->
                    event.player()
                            .map(Player::id)
                            .map(by -> with(new FlagState.Carried(by, event.time()), event))
                            .orElse(this);
            case DROPPED -> with(new FlagState.Dropped(event.place(), Long.MAX_VALUE), event);
            case RETURNED, RESET, CAPTURED ->
                    new FlagStatus(team, event.place(), new FlagState.Home(), event.version());
        };
    }

    private FlagStatus with(FlagState next, ArenaEvent.FlagChanged event) {
        return new FlagStatus(team, home, next, event.version());
    }

    /** This flag at home. */
    public FlagStatus atHome() {
        return new FlagStatus(team, home, new FlagState.Home(), version);
    }
}
