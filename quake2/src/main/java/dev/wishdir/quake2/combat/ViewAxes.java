package dev.wishdir.quake2.combat;

import dev.wishdir.motion.Vec3;

/** The directions of a view: unit vectors in the axes of the game. */
public record ViewAxes(Vec3 forward, Vec3 right, Vec3 up) {
    /**
     * The axes of a view without roll.
     *
     * @param pitch degrees, positive downwards
     * @param yaw degrees
     */
    public static ViewAxes of(double pitch, double yaw) {
        double p = Math.toRadians(pitch);
        double y = Math.toRadians(yaw);
        return new ViewAxes(
                new Vec3(Math.cos(p) * Math.cos(y), Math.cos(p) * Math.sin(y), -Math.sin(p)),
                new Vec3(Math.sin(y), -Math.cos(y), 0),
                new Vec3(Math.sin(p) * Math.cos(y), Math.sin(p) * Math.sin(y), Math.cos(p)));
    }

    /** A vector by its parts along the axes. */
    public Vec3 of(double ahead, double aside, double above) {
        return forward.times(ahead).plus(right.times(aside)).plus(up.times(above));
    }
}
