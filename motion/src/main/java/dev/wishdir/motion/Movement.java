package dev.wishdir.motion;

/**
 * A body's movement at one moment, in the units and axes that all games share. Metres, seconds,
 * degrees; right-handed, x east, y north, z up.
 *
 * @param position centre of the feet, metres
 * @param yaw view direction, counter-clockwise from +x, [0, 360)
 * @param pitch view elevation, positive upwards, -90..90
 * @param velocity metres per second
 */
public record Movement(Vec3 position, double yaw, double pitch, Vec3 velocity, Stance stance) {
    /** Standing at the origin, facing east. */
    public static final Movement ORIGIN = at(Vec3.ZERO, 0);

    /** Standing at rest on the ground. */
    public static Movement at(Vec3 position, double yaw) {
        return new Movement(position, yaw, 0, Vec3.ZERO, Stance.STANDING);
    }

    /**
     * True if all numbers are finite and pitch is in range; only such a movement may enter an
     * arena.
     */
    public boolean isValid() {
        return position.isFinite()
                && velocity.isFinite()
                && Double.isFinite(yaw)
                && pitch >= -90
                && pitch <= 90;
    }
}
