package dev.wishdir.quake2.client;

import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where another player was shown of late, and how fast that makes it. From one frame to the next
 * says little: who moves with 40 or 20 commands a second is elsewhere in some frames and not in
 * others. What counts is the time between two changes that lie a tenth of a second apart or more,
 * which at all usual rates holds a whole number of commands and of frames.
 */
final class VelocityEstimator {
    /** The least time between two places, in hundredths of a second: that of the game's frames. */
    private static final long MIN_SPAN_CENTISECONDS = 10;

    /** Who is shown at the same place for so many hundredths of a second stands still. */
    private static final long STILL_CENTISECONDS = 15;

    private static final int TELEPORT_UNITS = 100;

    /**
     * A place that it has left.
     *
     * @param first frame in which it was shown there
     * @param last frame in which it was shown there
     */
    private record Place(int first, int last, Vec3 position) {}

    private final Deque<Place> left = new ArrayDeque<>(4);

    /** Where it is now, from the frame {@link #since} on. */
    private Vec3 position;

    private int since;
    private Vec3 velocity = Vec3.ZERO;
    private boolean moves;

    /**
     * It appears in a frame.
     *
     * @param frame its number
     */
    VelocityEstimator(int frame, Vec3 position) {
        this.position = position;
        since = frame;
    }

    /**
     * It is shown in a frame.
     *
     * @param before the number of the frame before, in which it was shown too
     * @param frame its number
     * @return its velocity, metres a second
     */
    Vec3 shown(int before, int frame, int framesASecond, Vec3 where) {
        if (position.equals(where)) {
            stops(frame, framesASecond);
            return velocity;
        }
        moves = !isTeleport(position, where);
        if (moves) {
            left.add(new Place(since, before, position));
        } else {
            left.clear();
        }
        position = where;
        since = frame;
        velocity = moves ? mean(frame, framesASecond) : Vec3.ZERO;
        return velocity;
    }

    /**
     * It is shown in a frame where it was in the one before.
     *
     * @return whether it moved until then, and stands still from now on
     */
    boolean stops(int frame, int framesASecond) {
        if (moves && stood(since, frame, framesASecond)) {
            moves = false;
            velocity = Vec3.ZERO;
            return true;
        }
        return false;
    }

    private static boolean isTeleport(Vec3 from, Vec3 to) {
        return to.distance(from) * Quake2Motion.SCALE >= TELEPORT_UNITS;
    }

    private static boolean stood(int first, int last, int framesASecond) {
        return (last - first) * 100L >= STILL_CENTISECONDS * framesASecond;
    }

    /** From the newest place that it came to long enough ago to the one where it is now. */
    private Vec3 mean(int frame, int framesASecond) {
        Place from = left.removeFirst();
        while (!left.isEmpty()
                && (frame - left.getFirst().first) * 100L
                        >= MIN_SPAN_CENTISECONDS * framesASecond) {
            from = left.removeFirst();
        }
        left.addFirst(from);
        int start = stood(from.first, from.last, framesASecond) ? from.last : from.first;
        double seconds =
                Math.max((double) (frame - start) / framesASecond, MIN_SPAN_CENTISECONDS / 100.0);
        return position.minus(from.position).times(1 / seconds);
    }
}
