package dev.wishdir.arena.race;

import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The runs of one player over a race course, one after the other. Times are interpolated on the
 * straight line between two movements. All boxes are tested with the middle of the feet.
 */
final class RaceRun {
    /** Receives what happens in a run. Times of the run are milliseconds since its start. */
    interface Listener {
        void onStarted(long now);

        /**
         * @param number of the check point, from 1
         */
        void onCheckpoint(long now, int number, int millis);

        /**
         * @param path empty if it was too long to be kept
         */
        void onFinished(long now, int millis, List<RacePath.Step> path);
    }

    /** A run ends where two movements are farther apart: the line between them was not walked. */
    private static final double MAX_STEP_METRES = 8;

    /**
     * The client's own time counts if it differs from the server's by at most this; a client whose
     * clock runs slow gains no more.
     */
    private static final long CLOCK_ALLOWANCE_NANOS = 250_000_000;

    /**
     * A moment of the path.
     *
     * @param now the server's time, nanoseconds
     * @param own the client's time, nanoseconds
     */
    private record Point(long now, long own, Vec3 at) {
        Point towards(Point to, double part) {
            return new Point(
                    now + Math.round((to.now - now) * part),
                    own + Math.round((to.own - own) * part),
                    at.plus(to.at.minus(at).times(part)));
        }
    }

    private final Listener listener;
    private @Nullable RaceCourse course;

    /** The last movement; null if the next one begins a path. */
    private @Nullable Point last;

    /** Beginning of the run; null while there is none. */
    private @Nullable Point start;

    /** Number of the check points that are passed. */
    private int passed;

    private boolean keepsPath;
    private List<RacePath.Step> path = new ArrayList<>();

    RaceRun(Listener listener) {
        this.listener = listener;
    }

    /** Ends the run without a time; the next one begins in the start. */
    void abort() {
        last = null;
        stop();
    }

    private void stop() {
        start = null;
        passed = 0;
        path = new ArrayList<>();
    }

    /**
     * The player has walked.
     *
     * @param own the client's own time, nanoseconds; {@code now} if the client has none
     * @param maxPathNanos the path of a longer run is not kept
     */
    void move(long now, long own, Movement movement, RaceCourse current, long maxPathNanos) {
        if (!current.equals(course)) {
            abort();
            course = current;
        }
        Point to = new Point(now, own, movement.position());
        Point from = last;
        if (from == null || from.at().distance(to.at()) > MAX_STEP_METRES || own < from.own()) {
            stop();
            last = to;
            return;
        }
        last = to;
        double[] inStart = crossing(current.start(), from.at(), to.at());
        if (inStart == null) {
            advance(now, from, to, 0, 1, current);
        } else {
            advance(now, from, to, 0, inStart[0], current);
            stop();
            if (inStart[1] < 1) {
                start = from.towards(to, inStart[1]);
                keepsPath = true;
                listener.onStarted(now);
                advance(now, from, to, inStart[1], 1, current);
            }
        }
        keep(to, movement, maxPathNanos);
    }

    private void keep(Point to, Movement movement, long maxPathNanos) {
        Point began = start;
        if (began == null || !keepsPath) {
            return;
        }
        long nanos = to.now() - began.now();
        if (nanos > maxPathNanos) {
            keepsPath = false;
            path = new ArrayList<>();
        } else if (path.isEmpty() || nanos - path.getLast().nanos() >= RacePath.STEP_NANOS) {
            path.add(new RacePath.Step(nanos, movement));
        }
    }

    /** Passes what lies on a part of the line from one movement to the next. */
    private void advance(
            long now, Point from, Point to, double first, double end, RaceCourse current) {
        double at = first;
        while (start != null) {
            boolean finishes = passed == current.checkpoints().size();
            Bounds box = finishes ? current.finish() : current.checkpoints().get(passed);
            double[] inside = crossing(box, from.at(), to.at());
            if (inside == null || inside[1] < at || inside[0] > end) {
                return;
            }
            at = Math.max(at, inside[0]);
            int millis = millis(start, from.towards(to, at));
            if (finishes) {
                List<RacePath.Step> walked = path;
                stop();
                listener.onFinished(now, millis, walked);
            } else {
                passed++;
                listener.onCheckpoint(now, passed, millis);
            }
        }
    }

    private static int millis(Point start, Point end) {
        long own = end.own() - start.own();
        long server = end.now() - start.now();
        long nanos = Math.abs(own - server) <= CLOCK_ALLOWANCE_NANOS ? own : server;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.round(nanos / 1e6)));
    }

    /**
     * The part of a line that lies in a box.
     *
     * @return where the line enters and leaves the box, 0 to 1; null if it does not meet it
     */
    private static double @Nullable [] crossing(Bounds box, Vec3 from, Vec3 to) {
        double[] part = {0, 1};
        Vec3 way = to.minus(from);
        boolean meets =
                clip(part, from.x(), way.x(), box.min().x(), box.max().x())
                        && clip(part, from.y(), way.y(), box.min().y(), box.max().y())
                        && clip(
                                part,
                                from.z(),
                                way.z(),
                                box.min().z() - RaceCourse.GROUND_ALLOWANCE_METRES,
                                box.max().z());
        return meets ? part : null;
    }

    private static boolean clip(double[] part, double from, double way, double min, double max) {
        if (way == 0) {
            return from >= min && from <= max;
        }
        double one = (min - from) / way;
        double other = (max - from) / way;
        part[0] = Math.max(part[0], Math.min(one, other));
        part[1] = Math.min(part[1], Math.max(one, other));
        return part[0] <= part[1];
    }
}
