package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.combat.GameTeam;

import java.util.Optional;

/** The scores and teams of the arena's match, as clients of this game have them. */
public final class MatchBoard {
    private final Match match;

    private boolean hasGameTeams;

    public MatchBoard(Match match) {
        this.match = match;
    }

    /** Starts a mode, which names the teams. */
    public void start(GameMode mode) {
        hasGameTeams = mode.hasFlags();
    }

    /** The name of a team: only the modes with flags need those of the game. */
    public String name(Team team) {
        return hasGameTeams ? GameTeam.of(team).toString() : team.toString();
    }

    /** The team that a player writes. */
    public Optional<Team> team(String name) {
        return Team.of(name)
                .or(() -> GameTeam.of(name).filter(_ -> hasGameTeams).map(it -> it.team));
    }

    /** The name of a player's team; empty in a match without teams. */
    public Optional<String> teamName(PlayerId player) {
        return match.team(player).map(this::name);
    }

    /** The score of a player; empty without a match. */
    public Optional<Score> score(PlayerId player) {
        return match.isOn() ? Optional.of(match.score(player)) : Optional.empty();
    }

    public int captures(PlayerId player) {
        return match.captures(player);
    }

    /**
     * The score of a team. In modes with flags it is the frags of its players, as the clients count
     * captures themselves; in an arena they have no other score than this.
     */
    public int frags(Team team) {
        return hasGameTeams ? match.points(team) : match.frags(team);
    }
}
