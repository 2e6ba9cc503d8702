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
final class Track {
    /** The least time between two places, in hundredths of a second: that of the game's frames. */
    private static final long LEAST = 10;

    /** Who is shown at the same place for so many hundredths of a second stands still. */
    private static final long STILL = 15;

    private static final int TELEPORT_UNITS = 100;

    /**
     * A place.
     *
     * @param first frame in which it was shown there
     * @param last frame in which it was shown there, of one that it has left
     */
    private record Place(int first, int last, Vec3 position) {}

    private final Deque<Place> places = new ArrayDeque<>();

    /** The last frame in which it was shown at the newest place. */
    private int until;

    private Vec3 velocity = Vec3.ZERO;

    /**
     * It is shown in a frame.
     *
     * @param frame its number, more than that of the one before
     * @return its velocity, metres a second
     */
    Vec3 shown(int frame, int framesASecond, Vec3 position) {
        Place last = places.pollLast();
        if (last == null || isTeleport(last.position, position)) {
            places.clear();
            places.add(new Place(frame, frame, position));
            velocity = Vec3.ZERO;
        } else if (last.position.equals(position)) {
            places.add(last);
            return stays(frame, framesASecond);
        } else {
            places.add(new Place(last.first, until, last.position));
            places.add(new Place(frame, frame, position));
            velocity = mean(frame, framesASecond);
        }
        until = frame;
        return velocity;
    }

    /** It is shown in a frame where it was in the one before. */
    Vec3 stays(int frame, int framesASecond) {
        until = frame;
        if (stood(places.getLast().first, frame, framesASecond)) {
            velocity = Vec3.ZERO;
        }
        return velocity;
    }

    private static boolean isTeleport(Vec3 from, Vec3 to) {
        return to.distance(from) * Quake2Motion.SCALE >= TELEPORT_UNITS;
    }

    private static boolean stood(int first, int last, int framesASecond) {
        return (last - first) * 100L >= STILL * framesASecond;
    }

    /** From the newest place that it came to long enough ago to the one where it is now. */
    private Vec3 mean(int frame, int framesASecond) {
        Place from = places.removeFirst();
        while ((frame - places.getFirst().first) * 100L >= LEAST * framesASecond) {
            from = places.removeFirst();
        }
        places.addFirst(from);
        int since = stood(from.first, from.last, framesASecond) ? from.last : from.first;
        double seconds = Math.max((double) (frame - since) / framesASecond, LEAST / 100.0);
        return places.getLast().position.minus(from.position).times(1 / seconds);
    }
}
