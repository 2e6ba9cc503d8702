package dev.wishdir.motion;

/** Arithmetic on degrees. */
public final class Angles {
    private Angles() {}

    /** The same direction in [0, 360). */
    public static double turn(double degrees) {
        double turned = degrees % 360;
        if (turned < 0) {
            turned += 360;
        }
        return turned >= 360 ? 0 : turned;
    }

    /** The same direction in [-180, 180). */
    public static double signed(double degrees) {
        return turn(degrees + 180) - 180;
    }

    /** The angle between two directions, 0..180. */
    public static double between(double a, double b) {
        return Math.abs(signed(a - b));
    }

    /** The canonical yaw of a horizontal direction: counter-clockwise from +x, 0..360. */
    public static double yaw(double x, double y) {
        return turn(Math.toDegrees(Math.atan2(y, x)));
    }
}
