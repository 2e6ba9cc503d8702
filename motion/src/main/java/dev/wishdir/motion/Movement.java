package dev.wishdir.motion;

/**
 * A body's movement at one moment, in the units and axes that all games share: metres, seconds,
 * degrees; right-handed, x east, y north, z up.
 *
 * @param position the middle of the feet, metres
 * @param yaw where the body looks, counter-clockwise from +x, 0..360
 * @param pitch where it looks, positive upwards, -90..90
 * @param velocity metres per second
 */
public record Movement(Vec3 position, double yaw, double pitch, Vec3 velocity, Stance stance) {
    /** At rest in the origin, looking east. */
    public static final Movement ORIGIN = at(Vec3.ZERO, 0);

    /** Standing still. */
    public static Movement at(Vec3 position, double yaw) {
        return new Movement(position, yaw, 0, Vec3.ZERO, Stance.STANDING);
    }

    /** True where every number is finite and pitch is in range: what may enter an arena. */
    public boolean isValid() {
        return position.isFinite()
                && velocity.isFinite()
                && Double.isFinite(yaw)
                && pitch >= -90
                && pitch <= 90;
    }
}
