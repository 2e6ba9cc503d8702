package dev.wishdir.quake3.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.Configstrings;

import java.util.HashMap;
import java.util.Map;

/** Teams by the configstrings of a client. */
final class TeamInfo {
    /** The first kind of game with teams. */
    private static final int FIRST_TEAM_GAME = 3;

    private static final int RED = 1;
    private static final int BLUE = 2;

    private TeamInfo() {}

    private static boolean hasTeams(Configstrings strings) {
        return strings.server().number("g_gametype", 0) >= FIRST_TEAM_GAME;
    }

    /** The teams of players, by slot; without spectators. */
    static Map<Long, String> teams(Configstrings strings) {
        Map<Long, String> teams = new HashMap<>();
        if (hasTeams(strings)) {
            for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
                int number = strings.player(slot).number("t", 0);
                if (number == RED || number == BLUE) {
                    teams.put((long) slot, (number == RED ? Team.RED : Team.BLUE).toString());
                }
            }
        }
        return teams;
    }

    /** The scores of the teams; empty without teams. */
    static Map<String, Integer> frags(Configstrings strings) {
        String red = strings.get(Configstrings.BEST_SCORE);
        String blue = strings.get(Configstrings.SECOND_SCORE);
        return hasTeams(strings) && isScore(red) && isScore(blue)
                ? Map.of(
                        Team.RED.toString(),
                        Integer.parseInt(red),
                        Team.BLUE.toString(),
                        Integer.parseInt(blue))
                : Map.of();
    }

    private static boolean isScore(String text) {
        return text.matches("-?\\d{1,6}");
    }
}
