package dev.wishdir.quake3.combat;

import dev.wishdir.motion.Vec3f;

/**
 * Feedback to a client about the damage to its player: a red spot on the side that it comes from,
 * and a kick of the view.
 */
public final class DamageFeedback {
    /** Interval of the pain that is shown; between, only the count changes. */
    private static final int PAIN_MILLIS = 700;

    private static final int MAX_COUNT = 255;

    private int sum;
    private Vec3f direction = Vec3f.ZERO;
    private int nextPain;
    private int event;
    private int yaw;
    private int pitch;
    private int count;

    /**
     * Adds damage of the present server frame.
     *
     * @param direction in which the shot flies; zero for damage by the world
     */
    public void add(int points, Vec3f direction) {
        sum += points;
        this.direction = direction;
    }

    /** Suppresses the pain for a while, as something else shows it. */
    public void suppressPain(int time, int millis) {
        nextPain = Math.max(nextPain, time + millis);
    }

    /**
     * Takes over the damage of a server frame.
     *
     * @param time milliseconds of server time
     * @return whether the player shows pain
     */
    public boolean advance(int time) {
        if (sum <= 0) {
            return false;
        }
        count = Math.min(MAX_COUNT, sum);
        sum = 0;
        if (direction.equals(Vec3f.ZERO)) {
            yaw = MAX_COUNT;
            pitch = MAX_COUNT;
        } else {
            double flat = Math.hypot(direction.x(), direction.y());
            yaw = angle(Math.toDegrees(Math.atan2(direction.y(), direction.x())));
            pitch = angle(-Math.toDegrees(Math.atan2(direction.z(), flat)));
        }
        if (time < nextPain) {
            return false;
        }
        nextPain = time + PAIN_MILLIS;
        event++;
        return true;
    }

    /** Degrees in 256 steps of a full turn. */
    private static int angle(double degrees) {
        return (int) ((degrees < 0 ? degrees + 360 : degrees) * 256 / 360) & 0xFF;
    }

    /** Forgets the damage to an earlier body; the number of events goes on. */
    void clear() {
        sum = 0;
        nextPain = 0;
        count = 0;
        yaw = 0;
        pitch = 0;
    }

    public int event() {
        return event;
    }

    public int yaw() {
        return yaw;
    }

    public int pitch() {
        return pitch;
    }

    public int count() {
        return count;
    }
}
