package dev.wishdir.quake3.server.match;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.Match.PlayerScore;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.RunningLevel;

import java.util.List;

/** Scores and ranks on the HUD of this game's players, and the configstrings of a match. */
public final class ScoreBoard {
    private static final String NO_SCORE = "-9999";
    private static final int RED_LEADS = 0;
    private static final int BLUE_LEADS = 1;
    private static final int NO_TEAM_LEADS = 2;

    private final Arena arena;
    private final ClientTable clients;
    private final RunningLevel running;
    private boolean changed = true;

    public ScoreBoard(Arena arena, ClientTable clients, RunningLevel running) {
        this.arena = arena;
        this.clients = clients;
        this.running = running;
    }

    /** Records that a score has changed, or a player has come or gone. */
    public void markChanged() {
        changed = true;
    }

    /** Shows what has changed; called before snapshots are sent. */
    public void advance(long now) {
        Match match = arena.match();
        if (!match.isOn()) {
            return;
        }
        set(Configstrings.WARM_UP, warmUp(now, match));
        set(Configstrings.INTERMISSION, match.phase() == Match.Phase.INTERMISSION ? "1" : "");
        if (!changed) {
            return;
        }
        changed = false;
        List<PlayerScore> standings = match.standings();
        if (match.rules().mode().hasTeams()) {
            showTeams(match, standings);
            return;
        }
        set(Configstrings.BEST_SCORE, score(standings, 0));
        set(Configstrings.SECOND_SCORE, score(standings, 1));
        for (int i = 0; i < standings.size(); i++) {
            PlayerScore each = standings.get(i);
            Quake3Session client = clients.find(each.player().id());
            if (client != null) {
                int frags = each.score().frags();
                int place = i;
                while (place > 0 && standings.get(place - 1).score().frags() == frags) {
                    place--;
                }
                boolean tied =
                        place < i
                                || i + 1 < standings.size()
                                        && standings.get(i + 1).score().frags() == frags;
                client.body().combat().setScore(frags, each.score().deaths(), place, tied);
            }
        }
    }

    /** With teams, the two scores are theirs, and a rank says which one leads. */
    private void showTeams(Match match, List<PlayerScore> standings) {
        int red = match.frags(Team.RED);
        int blue = match.frags(Team.BLUE);
        set(Configstrings.BEST_SCORE, Integer.toString(red));
        set(Configstrings.SECOND_SCORE, Integer.toString(blue));
        int rank = red == blue ? NO_TEAM_LEADS : red > blue ? RED_LEADS : BLUE_LEADS;
        for (PlayerScore each : standings) {
            Quake3Session client = clients.find(each.player().id());
            if (client != null) {
                client.body()
                        .combat()
                        .setScore(each.score().frags(), each.score().deaths(), rank, false);
            }
        }
    }

    private static String score(List<PlayerScore> standings, int place) {
        return place < standings.size()
                ? Integer.toString(standings.get(place).score().frags())
                : NO_SCORE;
    }

    /** The server time at which the round starts; clients count down to it. */
    private String warmUp(long now, Match match) {
        if (match.phase() != Match.Phase.WARM_UP || match.isPaused()) {
            return "";
        }
        return match.timeLeft(now)
                .map(left -> Integer.toString(running.time(now + left.toNanos())))
                .orElse("");
    }

    private void set(int index, String value) {
        if (running.matchStrings().set(index, value)) {
            for (Quake3Session client : clients) {
                client.configstrings().changedString(index);
            }
        }
    }
}
