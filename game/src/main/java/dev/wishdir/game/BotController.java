package dev.wishdir.game;

import dev.wishdir.motion.Movement;

/**
 * Steers a headless client. Asked each time the client is about to send a movement, as often as its
 * game does, on the thread of the client's duty cycle.
 */
@FunctionalInterface
public interface BotController {
    /**
     * @param now the cycle's clock, nanoseconds
     * @param self where the client is, as it knows it
     */
    PlayerInput steer(long now, Movement self);

    /**
     * What a player's hands do.
     *
     * @param yaw where to look, canonical degrees
     * @param pitch where to look, canonical degrees
     * @param forward -1..1, along the view's yaw
     * @param left -1..1, to the left of the view's yaw
     */
    record PlayerInput(
            double yaw, double pitch, double forward, double left, boolean jump, boolean crouch) {
        /** Standing still, looking somewhere. */
        public static PlayerInput look(double yaw, double pitch) {
            return new PlayerInput(yaw, pitch, 0, 0, false, false);
        }

        /** Walking in one direction while looking in another. */
        public static PlayerInput walk(double direction, double yaw, double pitch) {
            double turn = Math.toRadians(direction - yaw);
            return new PlayerInput(yaw, pitch, Math.cos(turn), Math.sin(turn), false, false);
        }
    }
}
