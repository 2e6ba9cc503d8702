package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

/** Where a player looked in its newest movements, and whether it falls. */
final class Aim {
    /** Cursor of a screen that is touched, next to mouse and pad. */
    private static final int TOUCH = 2;

    private static final double EYE_METRES = BedrockMotion.EYES;

    private Movement newest;
    private Movement before;
    private boolean isTouch;

    Aim(Movement start) {
        newest = start;
        before = start;
    }

    /** Records a movement that the server accepted. */
    void record(Movement movement) {
        before = newest;
        newest = movement;
    }

    /** Forgets all movements, as the server puts the player at a place. */
    void put(Vec3 place, Movement looking) {
        newest = new Movement(place, looking.yaw(), looking.pitch(), Vec3.ZERO, looking.stance());
        before = newest;
    }

    /** Records the device that the client reports. */
    void setInputMode(int mode) {
        isTouch = mode == TOUCH;
    }

    /** Whether the player points with a finger at what it hits, wherever it looks. */
    boolean isTouch() {
        return isTouch;
    }

    Movement newest() {
        return newest;
    }

    Movement before() {
        return before;
    }

    /** The eyes of a body, metres. */
    static Vec3 eyes(Movement movement) {
        return movement.position().plus(new Vec3(0, 0, EYE_METRES));
    }

    /** The direction of a view, of length 1. */
    static Vec3 direction(Movement movement) {
        double yaw = Math.toRadians(movement.yaw());
        double pitch = Math.toRadians(movement.pitch());
        return new Vec3(
                Math.cos(yaw) * Math.cos(pitch), Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch));
    }

    /** Whether the body falls freely, by its places. */
    boolean isFalling() {
        return newest.position().z() < before.position().z()
                && !newest.stance().onGround()
                && !newest.stance().has(Flag.SPRINTING)
                && !newest.stance().has(Flag.IN_WATER)
                && !newest.stance().has(Flag.FLYING);
    }
}
