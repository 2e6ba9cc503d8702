package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.server.view.MatchBoard;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The match that is played: its mode, its time, and whether it is paused. */
public final class CurrentMatch {
    private static final long MATCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long INTERMISSION_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NEVER = Long.MAX_VALUE;

    /** The seconds that clients are sent for a round without an end. */
    private static final long ENDLESS_SECONDS = 86_400;

    private final Broadcaster broadcaster;
    private final Match arenaMatch;
    private final MatchClock clock;
    private final MatchBoard board;
    private GameMode mode;

    /** The played time at which the match or the intermission ends, nanoseconds. */
    private long endsAt;

    private boolean intermission;

    /**
     * @param arenaMatch if it is on, it decides when this one ends
     */
    public CurrentMatch(long now, GameMode mode, Broadcaster broadcaster, Match arenaMatch) {
        this.mode = mode;
        this.arenaMatch = arenaMatch;
        this.broadcaster = broadcaster;
        clock = new MatchClock(now);
        board = new MatchBoard(arenaMatch);
        start(now, mode);
    }

    /** Starts another match, which may be paused. */
    public void start(long now, GameMode next) {
        mode = next;
        intermission = false;
        board.start(next);
        endsAt = next.timed() && !arenaMatch.isOn() ? clock.played(now) + MATCH_NANOS : NEVER;
    }

    public GameMode mode() {
        return mode;
    }

    /** The scores and teams of the arena's match. */
    public MatchBoard board() {
        return board;
    }

    /** Whether the arena's match has teams; then it decides about those of this game. */
    public boolean hasArenaTeams() {
        return arenaMatch.rules().mode().hasTeams();
    }

    /** Whether the arena's match is played with flags, which the levels have. */
    public boolean hasFlags() {
        return !arenaMatch.flags().all().isEmpty();
    }

    /** The scores of the teams of the arena's match. */
    public List<TeamScore> teamScores() {
        return arenaMatch.teamScores();
    }

    /** The time played so far, nanoseconds; it never decreases. */
    public long played(long now) {
        return clock.played(now);
    }

    /**
     * Whether the match, or its intermission, is over.
     *
     * @param played the time played until now, nanoseconds
     */
    public boolean isOver(long played) {
        return played >= endsAt;
    }

    public boolean isIntermission() {
        return intermission;
    }

    /** The match is over; unless the arena's match decides it, the next starts in ten seconds. */
    public void startIntermission(long played) {
        intermission = true;
        endsAt = arenaMatch.isOn() ? NEVER : played + INTERMISSION_NANOS;
    }

    /**
     * Time at which the match ends, or something else is due, if nothing changes; nanoseconds.
     *
     * @param due the played time at which something else is due
     */
    public long nextDeadline(long due) {
        return clock.timeOf(Math.min(due, endsAt));
    }

    /** The seconds left to play; 0 in a mode without time and in the intermission. */
    public int secondsLeft(long now) {
        return secondsLeft(now, mode, ENDLESS_SECONDS);
    }

    /**
     * The mode for server lists. In coop edit, in which clients fetch an arena, it is that of the
     * arena's match.
     */
    public GameMode listedMode() {
        return mode.coopEdit() && arenaMatch.isOn() ? GameMode.of(arenaMatch.rules().mode()) : mode;
    }

    /**
     * The seconds left to play in the {@link #listedMode mode for server lists}; before a round its
     * time limit, if it has one.
     */
    public int listedSecondsLeft(long now) {
        Duration limit = arenaMatch.rules().timeLimit();
        return secondsLeft(now, listedMode(), limit.isZero() ? ENDLESS_SECONDS : limit.toSeconds());
    }

    private int secondsLeft(long now, GameMode mode, long untimed) {
        if (arenaMatch.isOn()) {
            return intermission || !mode.timed()
                    ? 0
                    : (int)
                            arenaMatch
                                    .timeLeft(now)
                                    .map(Duration::toSeconds)
                                    .map(seconds -> Math.max(1, seconds))
                                    .orElse(untimed)
                                    .longValue();
        }
        if (endsAt == NEVER || intermission) {
            return 0;
        }
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toSeconds(endsAt - clock.played(now)));
    }

    public boolean isPaused() {
        return clock.paused();
    }

    /** Whether bodies hang where they are, also in the air, as clients do not move them. */
    public boolean stopsPhysics() {
        return isPaused() || intermission;
    }

    /**
     * Pauses or continues the match.
     *
     * @param by the client number of the master; -1 for the server
     */
    public void setPaused(long now, boolean paused, int by) {
        if (paused != clock.paused()) {
            clock.setPaused(now, paused);
            broadcaster.publish(SharedStateKey.PAUSE, new AdminMessage.PauseGame(paused, by));
        }
    }

    /** The speed of the match, percent of real time. */
    public int speed() {
        return clock.speed();
    }

    /**
     * Sets the speed of the match.
     *
     * @param by the client number of the master
     */
    public void setSpeed(long now, int percent, int by) {
        clock.setSpeed(now, percent);
        broadcaster.publish(SharedStateKey.SPEED, new AdminMessage.GameSpeed(percent, by));
    }
}
