package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Match;
import dev.wishdir.arena.TeamScore;
import dev.wishdir.sauerbraten.message.AdminMessage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The match that is played: its mode, its time, and whether it is paused. */
final class CurrentMatch {
    private static final long MATCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long INTERMISSION_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NEVER = Long.MAX_VALUE;

    /** The seconds that clients are sent for a round without an end. */
    private static final int ENDLESS_SECONDS = 86_400;

    private final Broadcaster broadcaster;
    private final Match arenaMatch;
    private final MatchClock clock;
    private GameMode mode;

    /** The played time at which the match or the intermission ends, nanoseconds. */
    private long endsAt;

    private boolean intermission;

    /**
     * @param arenaMatch if it is on, it decides when this one ends
     */
    CurrentMatch(long now, GameMode mode, Broadcaster broadcaster, Match arenaMatch) {
        this.mode = mode;
        this.arenaMatch = arenaMatch;
        this.broadcaster = broadcaster;
        clock = new MatchClock(now);
        start(now, mode);
    }

    /** Starts another match, which may be paused. */
    void start(long now, GameMode next) {
        mode = next;
        intermission = false;
        endsAt = next.timed() && !arenaMatch.isOn() ? clock.played(now) + MATCH_NANOS : NEVER;
    }

    GameMode mode() {
        return mode;
    }

    /** Whether the arena's match has teams; then it decides about those of this game. */
    boolean hasArenaTeams() {
        return arenaMatch.rules().mode().hasTeams();
    }

    /** The scores of the teams of the arena's match. */
    List<TeamScore> teamScores() {
        return arenaMatch.teamScores();
    }

    /** The time played so far, nanoseconds; it never decreases. */
    long played(long now) {
        return clock.played(now);
    }

    /**
     * Whether the match, or its intermission, is over.
     *
     * @param played the time played until now, nanoseconds
     */
    boolean isOver(long played) {
        return played >= endsAt;
    }

    boolean isIntermission() {
        return intermission;
    }

    /** The match is over; unless the arena's match decides it, the next starts in ten seconds. */
    void startIntermission(long played) {
        intermission = true;
        endsAt = arenaMatch.isOn() ? NEVER : played + INTERMISSION_NANOS;
    }

    /**
     * When the match ends, or something else is due, if nothing changes; nanoseconds.
     *
     * @param due the played time at which something else is due
     */
    long nextDeadline(long due) {
        return clock.timeOf(Math.min(due, endsAt));
    }

    /** The seconds left to play; 0 in a mode without time and in the intermission. */
    int secondsLeft(long now) {
        if (arenaMatch.isOn()) {
            return intermission || !mode.timed()
                    ? 0
                    : (int)
                            arenaMatch
                                    .timeLeft(now)
                                    .map(Duration::toSeconds)
                                    .map(seconds -> Math.max(1, seconds))
                                    .orElse((long) ENDLESS_SECONDS)
                                    .longValue();
        }
        if (endsAt == NEVER || intermission) {
            return 0;
        }
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toSeconds(endsAt - clock.played(now)));
    }

    boolean isPaused() {
        return clock.paused();
    }

    /** Whether bodies hang where they are, also in the air, as clients do not move them. */
    boolean stopsPhysics() {
        return isPaused() || intermission;
    }

    /**
     * Pauses or continues the match.
     *
     * @param by the client number of the master; -1 for the server
     */
    void setPaused(long now, boolean paused, int by) {
        if (paused != clock.paused()) {
            clock.setPaused(now, paused);
            broadcaster.publish(SharedStateKey.PAUSE, new AdminMessage.PauseGame(paused, by));
        }
    }

    /** The speed of the match, percent of real time. */
    int speed() {
        return clock.speed();
    }

    /**
     * Sets the speed of the match.
     *
     * @param by the client number of the master
     */
    void setSpeed(long now, int percent, int by) {
        clock.setSpeed(now, percent);
        broadcaster.publish(SharedStateKey.SPEED, new AdminMessage.GameSpeed(percent, by));
    }
}
