package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Vec3;

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

    /** This flag after a change of it. */
    public FlagStatus after(ArenaEvent.FlagChanged event) {
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

    /** This flag at home: a round begins or ends. */
    public FlagStatus atHome() {
        return new FlagStatus(team, home, new FlagState.Home(), version);
    }
}
