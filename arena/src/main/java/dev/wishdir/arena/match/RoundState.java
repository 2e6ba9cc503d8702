package dev.wishdir.arena.match;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Team;

import java.time.Duration;
import java.util.Optional;

/**
 * The round of a match as all servers of an arena play it.
 *
 * @param round its number; each round has a higher one than the last
 * @param left time until the stage ends; empty if it does not end by itself
 * @param end why the round ended; empty before its end, and if none was played
 * @param winner the best player; empty before the end, if none is the best, and in a match of teams
 * @param winningTeam empty before the end, and without a winning team
 */
public record RoundState(
        long round,
        Stage stage,
        boolean paused,
        Optional<Duration> left,
        Optional<RoundEndReason> end,
        Optional<PlayerId> winner,
        Optional<Team> winningTeam) {
    /** Stage of a round. */
    public enum Stage {
        WARM_UP,
        PLAYING,
        INTERMISSION
    }
}
