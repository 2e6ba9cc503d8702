package dev.wishdir.motion;

/** Arithmetic on degrees. */
public final class Angles {
    private Angles() {}

    /** The same direction in [0, 360). */
    public static double wrap360(double degrees) {
        double wrapped = degrees % 360;
        if (wrapped < 0) {
            wrapped += 360;
        }
        return wrapped >= 360 ? 0 : wrapped;
    }

    /** The same direction in [-180, 180). */
    public static double wrap180(double degrees) {
        return wrap360(degrees + 180) - 180;
    }

    /** The angle between two directions, 0..180. */
    public static double between(double a, double b) {
        return Math.abs(wrap180(a - b));
    }

    /** The canonical yaw of a horizontal direction: counter-clockwise from +x, 0..360. */
    public static double yaw(double x, double y) {
        return wrap360(Math.toDegrees(Math.atan2(y, x)));
    }
}
