package dev.wishdir.quake2.movement;

import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates the velocity of another player from its recent positions. Two consecutive frames are
 * not enough: a player with 40 or 20 commands a second moves in some frames and not in others. It
 * uses the time between two changes at least a tenth of a second apart, which contains a whole
 * number of commands and of frames at all common rates.
 */
public final class VelocityEstimator {
    /** Minimum time between two positions: that of the game's frames. */
    private static final long MIN_SPAN_CENTISECONDS = 10;

    /** A player at the same position for this long stands still. */
    private static final long STILL_CENTISECONDS = 15;

    private static final int TELEPORT_UNITS = 100;

    /**
     * A former position.
     *
     * @param first frame in which it was there
     * @param last frame in which it was there
     */
    private record Place(int first, int last, Vec3 position) {}

    private final Deque<Place> path = new ArrayDeque<>(4);

    /** The current position, since frame {@link #since}. */
    private Vec3 position;

    private int since;
    private Vec3 velocity = Vec3.ZERO;
    private boolean moves;

    /**
     * @param frame number of the frame in which the player appeared
     */
    public VelocityEstimator(int frame, Vec3 position) {
        this.position = position;
        since = frame;
    }

    /**
     * Processes a frame that shows the player.
     *
     * @param before number of the frame before, which showed it, too
     * @return velocity, metres per second
     */
    public Vec3 update(int before, int frame, int framesPerSecond, Vec3 newPosition) {
        if (position.equals(newPosition)) {
            checkStopped(frame, framesPerSecond);
            return velocity;
        }
        moves = !isTeleport(position, newPosition);
        if (moves) {
            path.add(new Place(since, before, position));
        } else {
            path.clear();
        }
        position = newPosition;
        since = frame;
        velocity = moves ? meanVelocity(frame, framesPerSecond) : Vec3.ZERO;
        return velocity;
    }

    /**
     * Processes a frame that shows the player where it was in the one before.
     *
     * @return whether it has just stopped
     */
    public boolean checkStopped(int frame, int framesPerSecond) {
        if (moves && isStill(since, frame, framesPerSecond)) {
            moves = false;
            velocity = Vec3.ZERO;
            return true;
        }
        return false;
    }

    private static boolean isTeleport(Vec3 from, Vec3 to) {
        return to.distance(from) * Quake2Motion.SCALE >= TELEPORT_UNITS;
    }

    private static boolean isStill(int first, int last, int framesPerSecond) {
        return (last - first) * 100L >= STILL_CENTISECONDS * framesPerSecond;
    }

    /** The mean velocity from the newest position that is old enough to the current one. */
    private Vec3 meanVelocity(int frame, int framesPerSecond) {
        Place from = path.removeFirst();
        while (!path.isEmpty()
                && (frame - path.getFirst().first) * 100L
                        >= MIN_SPAN_CENTISECONDS * framesPerSecond) {
            from = path.removeFirst();
        }
        path.addFirst(from);
        int start = isStill(from.first, from.last, framesPerSecond) ? from.last : from.first;
        double seconds =
                Math.max((double) (frame - start) / framesPerSecond, MIN_SPAN_CENTISECONDS / 100.0);
        return position.minus(from.position).times(1 / seconds);
    }
}
