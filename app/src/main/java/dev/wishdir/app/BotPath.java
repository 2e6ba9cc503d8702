package dev.wishdir.app;

import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The ways that bots walk. Each stays within a short walk of where it began. */
enum BotPath {
    CIRCLE,
    SQUARE,
    RANDOM,
    STILL;

    /** Metres from its beginning at which a bot turns back. */
    private static final double REACH = 20;

    private static final double TURN_A_SECOND = 60;
    private static final double SIDE_SECONDS = 1.5;

    /** Nanoseconds between two looks whether it gets anywhere, and the metres that are nowhere. */
    private static final long LOOK_INTERVAL_NANOS = 500_000_000L;

    private static final double STUCK = 0.4;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A pilot that walks this way. */
    BotController pilot(RandomGenerator random) {
        return new Walk(this, random);
    }

    private static final class Walk implements BotController {
        private final BotPath path;
        private final RandomGenerator random;
        private boolean begun;
        private long start;
        private Vec3 home = Vec3.ZERO;
        private double heading;
        private long turnAt;
        private long lookAt;
        private Vec3 looked = Vec3.ZERO;
        private double detour;
        private boolean jumps;
        private long detourUntil;

        Walk(BotPath path, RandomGenerator random) {
            this.path = path;
            this.random = random;
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            if (!begun) {
                begun = true;
                start = now;
                turnAt = now;
                lookAt = now + LOOK_INTERVAL_NANOS;
                looked = self.position();
                detourUntil = now;
                home = self.position();
                heading = random.nextDouble(360);
            }
            if (path == STILL) {
                return PlayerInput.look(heading, 0);
            }
            Vec3 out = self.position().minus(home);
            double direction = direction((now - start) / 1e9, now);
            if (out.horizontal() > REACH) {
                direction = Angles.yaw(-out.x(), -out.y());
                heading = direction;
            }
            if (now >= lookAt) {
                look(now, self.position(), direction);
            }
            if (now < detourUntil) {
                PlayerInput walk = PlayerInput.walk(detour, detour, 0);
                return new PlayerInput(
                        walk.yaw(), walk.pitch(), walk.forward(), walk.left(), jumps, false);
            }
            return PlayerInput.walk(direction, direction, 0);
        }

        /** Who gets nowhere jumps, or goes elsewhere for a while. */
        private void look(long now, Vec3 at, double direction) {
            if (at.distance(looked) < STUCK) {
                jumps = random.nextBoolean();
                detour = jumps ? direction : random.nextDouble(360);
                detourUntil = now + random.nextLong(LOOK_INTERVAL_NANOS, 4 * LOOK_INTERVAL_NANOS);
                heading = detour;
            }
            looked = at;
            lookAt = now + LOOK_INTERVAL_NANOS;
        }

        private double direction(double seconds, long now) {
            return switch (path) {
                case CIRCLE -> Angles.turn(heading + seconds * TURN_A_SECOND);
                case SQUARE -> Angles.turn(heading + 90 * (int) (seconds / SIDE_SECONDS));
                case RANDOM -> {
                    if (now >= turnAt) {
                        heading = random.nextDouble(360);
                        turnAt = now + random.nextLong(500_000_000L, 2_500_000_000L);
                    }
                    yield heading;
                }
                case STILL -> heading;
            };
        }
    }
}
