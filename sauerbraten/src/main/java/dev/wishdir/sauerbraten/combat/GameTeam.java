package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.event.Team;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A team of the modes with flags, which clients know by number and name. */
public enum GameTeam {
    GOOD(1, Team.BLUE),
    EVIL(2, Team.RED);

    /** As messages and maps have it. */
    public final int number;

    /** The team of the match whose part it plays. */
    public final Team team;

    GameTeam(int number, Team team) {
        this.number = number;
        this.team = team;
    }

    public static GameTeam of(Team team) {
        return team == Team.BLUE ? GOOD : EVIL;
    }

    /** The team with a number; empty if the modes with flags have none. */
    public static Optional<GameTeam> of(int number) {
        return Arrays.stream(values()).filter(it -> it.number == number).findFirst();
    }

    /** The team with a name; empty if the modes with flags have none. */
    public static Optional<GameTeam> of(String name) {
        return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst();
    }

    /** The name as clients know it: {@code good}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
