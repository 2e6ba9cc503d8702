package dev.wishdir.quake2.combat;

import dev.wishdir.motion.Vec3;

/**
 * Effect of a shot on the view of its player for one frame.
 *
 * @param pitch degrees
 * @param yaw degrees
 * @param roll degrees
 * @param eye how far the eye moves, units
 */
public record Recoil(double pitch, double yaw, double roll, Vec3 eye) {
    public static final Recoil NONE = new Recoil(0, 0, 0, Vec3.ZERO);
}
