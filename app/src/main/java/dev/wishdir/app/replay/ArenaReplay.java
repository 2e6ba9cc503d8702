package dev.wishdir.app.replay;

import dev.wishdir.app.replay.EventReadAhead.End;
import dev.wishdir.app.replay.EventReadAhead.Event;
import dev.wishdir.app.replay.EventReadAhead.Failure;
import dev.wishdir.app.replay.EventReadAhead.Interruption;
import dev.wishdir.app.replay.EventReadAhead.Item;
import dev.wishdir.app.replay.EventReadAhead.State;
import dev.wishdir.arena.Arena;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.RecordingTime;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.wire.Quantity;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A recording whose players walk in an arena as ghosts. A duty of the arena's cycle, which must
 * come before the arena's own, so that a movement is relayed in the same turn.
 *
 * <p>The recording's time is mapped to the cycle's clock. If the recording cannot be read fast
 * enough, or has no more for now, the ghosts stand still and go on from there.
 */
public final class ArenaReplay implements Duty, OperatorConsole.Replay {
    public static final double MIN_SPEED = 0.125;

    public static final double MAX_SPEED = 8;

    /** Interval at which the recording is looked at while nothing is read ahead. */
    private static final long STARVED_INTERVAL_NANOS = 10_000_000;

    /** Minimum interval between two turns, so that many events share one. */
    private static final long TURN_NANOS = 1_000_000;

    /** With events that are later than this, the recording's time stood still meanwhile. */
    private static final long MAX_LATE_NANOS = 500_000_000;

    /** Tolerance of the length of a pause: files are written about once a second. */
    private static final long PAUSE_TOLERANCE_NANOS = 1_000_000_000;

    /**
     * Time without bodies after a seek: more than a frame of Quake II, whose clients would
     * otherwise interpolate to the new places.
     */
    static final long RESPAWN_NANOS = 200_000_000;

    /** Maximum number of events in one turn. */
    private static final int MAX_EVENTS_PER_TURN = 1_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private static final Logger LOG = LoggerFactory.getLogger(ArenaReplay.class);

    /**
     * Settings of the replay of a recording.
     *
     * @param name as operators know the recording
     * @param fromNanos where it begins, nanoseconds since 1970
     * @param speed 1 as recorded
     * @param loops whether it begins again at its end
     * @param maxPauseNanos a longer time without events is skipped, except for its last part of
     *     this length: for a recording that is followed, how far behind it is shown
     */
    public record Settings(
            String name, long fromNanos, double speed, boolean loops, long maxPauseNanos) {
        /** Settings of a recording whose pauses are as long as they were. */
        public Settings(String name, long fromNanos, double speed, boolean loops) {
            this(name, fromNanos, speed, loops, NEVER);
        }

        /**
         * @throws IllegalArgumentException if the speed is not allowed
         */
        public Settings {
            checkSpeed(speed);
        }
    }

    private enum Phase {
        /** Its state at the time of a seek is not read yet. */
        SEEKS,
        PLAYS,
        ENDED,
        FAILED
    }

    private final Ghosts ghosts;
    private final Settings settings;
    private final long startNanos;
    private final EventReadAhead readAhead;
    private Phase phase = Phase.SEEKS;
    private boolean paused;
    private double speed;

    /** The recording's time, and the clock when it was reached. */
    private long anchorNanos;

    private long anchored;
    private long respawn;
    private boolean begun;
    private @Nullable Item next;
    private String problem = "";

    /**
     * @param executor runs the reads of the recording, one at a time
     */
    public ArenaReplay(Arena arena, ReplaySource source, Executor executor, Settings settings) {
        ghosts = new Ghosts(arena);
        this.settings = settings;
        startNanos = source.startNanos();
        speed = settings.speed();
        readAhead = new EventReadAhead(source, executor);
    }

    /**
     * @throws IllegalArgumentException if the speed is not allowed
     */
    static void checkSpeed(double speed) {
        if (!(speed >= MIN_SPEED && speed <= MAX_SPEED)) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "the speed must be from %s to %.0f, is %s",
                            MIN_SPEED,
                            MAX_SPEED,
                            speed));
        }
    }

    @Override
    public long advance(long now) {
        if (!begun) {
            begun = true;
            seek(now, settings.fromNanos());
        }
        for (int i = 0; i < MAX_EVENTS_PER_TURN; i++) {
            if (next == null) {
                next = readAhead.poll(now);
            }
            switch (next) {
                case null -> {
                    return isIdle() ? NEVER : now + STARVED_INTERVAL_NANOS;
                }
                case State state -> {
                    if (now < respawn) {
                        return respawn;
                    }
                    begin(now, state);
                    next = null;
                }
                case Event event -> {
                    long due = due(event.event().time());
                    if (due != NEVER && due - now - PAUSE_TOLERANCE_NANOS > maxPause()) {
                        anchor(now, event.event().time() - settings.maxPauseNanos());
                        due = due(event.event().time());
                    }
                    if (due > now) {
                        return wake(now, due);
                    }
                    if (now - due > MAX_LATE_NANOS) {
                        anchor(now, event.event().time());
                    }
                    ghosts.repeat(now, event.event());
                    next = null;
                }
                case Interruption interruption -> {
                    long due = due(interruption.nanos());
                    if (due > now) {
                        return wake(now, due);
                    }
                    next = null;
                    ghosts.clear(now);
                }
                case End end -> {
                    long due = due(end.nanos());
                    if (due > now) {
                        return wake(now, due);
                    }
                    next = null;
                    end(now, end.nanos());
                }
                case Failure failure -> {
                    next = null;
                    fail(now, failure.problem());
                }
            }
        }
        return now + TURN_NANOS;
    }

    /** As {@link Settings#maxPauseNanos}, on the cycle's clock. */
    private double maxPause() {
        return settings.maxPauseNanos() == NEVER ? NEVER : settings.maxPauseNanos() / speed;
    }

    private boolean isIdle() {
        return phase == Phase.ENDED || phase == Phase.FAILED || paused && phase == Phase.PLAYS;
    }

    private static long wake(long now, long due) {
        return Math.max(due, now + TURN_NANOS);
    }

    private void begin(long now, State state) {
        phase = Phase.PLAYS;
        anchor(now, state.nanos());
        ghosts.set(now, state.recorded());
        if (paused) {
            ghosts.stop(now);
        }
    }

    private void end(long now, long nanos) {
        if (settings.loops() && nanos > settings.fromNanos()) {
            seek(now, settings.fromNanos());
        } else {
            anchor(now, nanos);
            phase = Phase.ENDED;
            ghosts.clear(now);
            LOG.atInfo().addKeyValue("event", "replay").log("replay of {} ended", settings.name());
        }
    }

    private void fail(long now, String why) {
        anchor(now, position(now));
        phase = Phase.FAILED;
        problem = why;
        ghosts.clear(now);
        LOG.atError()
                .addKeyValue("event", "replay")
                .log("replay of {} ended: cannot read it: {}", settings.name(), why);
    }

    private void anchor(long now, long nanos) {
        anchored = now;
        anchorNanos = nanos;
    }

    private void seek(long now, long nanos) {
        respawn = ghosts.count() == 0 ? now : now + RESPAWN_NANOS;
        ghosts.despawn(now);
        phase = Phase.SEEKS;
        next = null;
        anchor(now, nanos);
        readAhead.seek(now, nanos);
    }

    private boolean isRunning() {
        return phase == Phase.PLAYS && !paused;
    }

    /** The recording's time now. */
    private long position(long now) {
        return isRunning() ? anchorNanos + (long) ((now - anchored) * speed) : anchorNanos;
    }

    /** Time at which a time of the recording is reached; {@link #NEVER} while paused. */
    private long due(long nanos) {
        return isRunning() ? anchored + (long) Math.ceil((nanos - anchorNanos) / speed) : NEVER;
    }

    private double seconds(long nanos) {
        return (nanos - startNanos) / NANOS_PER_SECOND;
    }

    @Override
    public String status(long now) {
        String state =
                switch (phase) {
                    case SEEKS -> paused ? "paused" : "reads";
                    case PLAYS -> paused ? "paused" : "plays";
                    case ENDED -> "ended";
                    case FAILED -> "failed (" + problem + ")";
                };
        return String.format(
                Locale.ROOT,
                "replay: %s %s at %s, speed %s, %s",
                settings.name(),
                state,
                RecordingTime.format(Math.max(0, seconds(position(now)))),
                speed,
                Quantity.of(ghosts.count(), "ghost"));
    }

    @Override
    public void pause(long now) {
        if (!paused) {
            anchor(now, position(now));
            paused = true;
            ghosts.stop(now);
        }
    }

    @Override
    public void play(long now) {
        anchor(now, position(now));
        paused = false;
        if (phase == Phase.ENDED || phase == Phase.FAILED) {
            seek(now, settings.fromNanos());
        }
    }

    @Override
    public void seek(long now, double seconds) {
        long nanos = startNanos + (long) (seconds * NANOS_PER_SECOND);
        if (seconds > TimeUnit.DAYS.toSeconds(10_000)) {
            throw new IllegalArgumentException("the recording has no time " + seconds + " s");
        }
        seek(now, nanos);
    }

    @Override
    public void setSpeed(long now, double speed) {
        checkSpeed(speed);
        anchor(now, position(now));
        this.speed = speed;
    }
}
