package dev.wishdir.game;

import dev.wishdir.motion.Movement;

import java.util.Locale;

/**
 * Steers a headless client. Called each time the client is about to send a movement, at its game's
 * rate, on the thread of its duty cycle.
 */
@FunctionalInterface
public interface BotController {
    /**
     * @param now the cycle's clock, nanoseconds
     * @param self the client's own movement
     */
    PlayerInput steer(long now, Movement self);

    /**
     * Input of a player.
     *
     * @param yaw view angle, canonical degrees
     * @param pitch view angle, canonical degrees
     * @param forward -1..1, along the view's yaw
     * @param left -1..1, to the left of the view's yaw
     * @param sprint goes forward as fast as the game lets it; all games but Bedrock always do
     */
    record PlayerInput(
            double yaw,
            double pitch,
            double forward,
            double left,
            boolean jump,
            boolean crouch,
            boolean sprint) {
        /**
         * @throws IllegalArgumentException if a number is not finite
         */
        public PlayerInput {
            if (!Double.isFinite(yaw + pitch + forward + left)) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "yaw, pitch, forward and left must be finite, are %s, %s, %s, %s",
                                yaw,
                                pitch,
                                forward,
                                left));
            }
        }

        /** Input without a sprint. */
        public PlayerInput(
                double yaw,
                double pitch,
                double forward,
                double left,
                boolean jump,
                boolean crouch) {
            this(yaw, pitch, forward, left, jump, crouch, false);
        }

        /** Stands still and looks in a direction. */
        public static PlayerInput look(double yaw, double pitch) {
            return new PlayerInput(yaw, pitch, 0, 0, false, false);
        }

        /** Looks in another direction, and walks on as before. */
        public PlayerInput looking(double yaw, double pitch) {
            double turn = Math.toRadians(this.yaw - yaw);
            return new PlayerInput(
                    yaw,
                    pitch,
                    forward * Math.cos(turn) - left * Math.sin(turn),
                    forward * Math.sin(turn) + left * Math.cos(turn),
                    jump,
                    crouch,
                    sprint);
        }

        /** Walks in one direction and looks in another. */
        public static PlayerInput walk(double direction, double yaw, double pitch) {
            double turn = Math.toRadians(direction - yaw);
            return new PlayerInput(yaw, pitch, Math.cos(turn), Math.sin(turn), false, false);
        }
    }
}
