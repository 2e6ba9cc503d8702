package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Team;

import java.util.Optional;

/** The numbers of this game for teams and for the kind of game that has them. */
public final class TeamNumber {
    private static final int FREE = 0;
    private static final int RED = 1;
    private static final int BLUE = 2;

    private static final int FREE_FOR_ALL = 0;
    private static final int TEAM_DEATHMATCH = 3;
    private static final int CAPTURE_THE_FLAG = 4;

    private TeamNumber() {}

    /** The number of a player's team; 0 without one. */
    public static int of(Optional<Team> team) {
        return team.map(it -> it == Team.RED ? RED : BLUE).orElse(FREE);
    }

    /** The value of {@code g_gametype}. */
    public static int gameType(MatchMode mode) {
        if (mode.hasFlags()) {
            return CAPTURE_THE_FLAG;
        }
        return mode.hasTeams() ? TEAM_DEATHMATCH : FREE_FOR_ALL;
    }
}
