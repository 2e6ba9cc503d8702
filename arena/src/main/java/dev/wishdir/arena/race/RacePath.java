package dev.wishdir.arena.race;

import dev.wishdir.motion.Movement;

import java.util.List;

/**
 * The movements of a finished run, which a ghost repeats.
 *
 * @param game of the runner
 * @param name of the runner
 * @param millis its time
 * @param steps in the order of time; at most {@link #MAX_STEPS}
 */
record RacePath(String game, String name, int millis, List<Step> steps) {
    /** The path of a longer run is not kept, nanoseconds. */
    static final long MAX_NANOS = 600_000_000_000L;

    /** Minimum time between two steps, nanoseconds. */
    static final long STEP_NANOS = 30_000_000;

    static final int MAX_STEPS = (int) (MAX_NANOS / STEP_NANOS) + 2;

    /**
     * A movement.
     *
     * @param nanos since the start of the run
     */
    record Step(long nanos, Movement movement) {}

    RacePath {
        steps = List.copyOf(steps);
    }
}
