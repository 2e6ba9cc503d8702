package dev.wishdir.quake2.protocol;

import dev.wishdir.arena.event.Team;

import java.util.Optional;

/** The skins of teams, which the game has for each of its models. */
public final class TeamSkin {
    private static final String RED = "ctf_r";
    private static final String BLUE = "ctf_b";

    private TeamSkin() {}

    /** The skin of a team, without its model. */
    public static String of(Team team) {
        return team == Team.RED ? RED : BLUE;
    }

    /** The team of a configstring with name, model and skin; empty if it is no team's. */
    public static Optional<Team> team(String configString) {
        return configString.endsWith("/" + RED)
                ? Optional.of(Team.RED)
                : configString.endsWith("/" + BLUE) ? Optional.of(Team.BLUE) : Optional.empty();
    }
}
