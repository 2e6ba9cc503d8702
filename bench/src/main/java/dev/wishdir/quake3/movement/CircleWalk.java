package dev.wishdir.quake3.movement;

import dev.wishdir.motion.Vec3f;

/** Bodies that go round in a circle, for nothing. */
public final class CircleWalk {
    private CircleWalk() {}

    /**
     * Puts a body to where it is by then.
     *
     * @param way radians of the circle
     * @param time milliseconds
     */
    public static void move(PlayerBody body, float way, int time) {
        body.origin = new Vec3f((float) Math.cos(way) * 400, (float) Math.sin(way) * 400, 24.125f);
        body.velocity = new Vec3f((float) -Math.sin(way) * 320, (float) Math.cos(way) * 320, 0);
        body.yaw = way * 57 % 180;
        body.bobCycle = time & 255;
        body.commandTime = time - 20;
    }
}
