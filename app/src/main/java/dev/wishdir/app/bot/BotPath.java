package dev.wishdir.app.bot;

import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The path of a walking bot. Each stays within 20 m of its start. */
public enum BotPath {
    CIRCLE,
    SQUARE,
    RANDOM,
    STILL;

    /** Distance from its start at which a bot turns back. */
    private static final double MAX_DISTANCE_METRES = 20;

    private static final double DEGREES_PER_SECOND = 60;
    private static final double SIDE_SECONDS = 1.5;

    /** A bot that moved less than {@link #STUCK_METRES} in this time is stuck. */
    private static final long STUCK_CHECK_NANOS = 500_000_000L;

    private static final double STUCK_METRES = 0.4;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A controller that walks this path. */
    public BotController controller(RandomGenerator random) {
        return new Walk(this, random);
    }

    private static final class Walk implements BotController {
        private final BotPath path;
        private final RandomGenerator random;
        private boolean started;
        private long start;
        private Vec3 home = Vec3.ZERO;
        private double heading;
        private long nextTurn;
        private long nextStuckCheck;
        private Vec3 checkedPosition = Vec3.ZERO;
        private double detour;
        private boolean jumps;
        private long detourUntil;

        Walk(BotPath path, RandomGenerator random) {
            this.path = path;
            this.random = random;
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            if (!started) {
                started = true;
                start = now;
                nextTurn = now;
                nextStuckCheck = now + STUCK_CHECK_NANOS;
                checkedPosition = self.position();
                detourUntil = now;
                home = self.position();
                heading = random.nextDouble(360);
            }
            if (path == STILL) {
                return PlayerInput.look(heading, 0);
            }
            Vec3 out = self.position().minus(home);
            double direction = direction((now - start) / 1e9, now);
            if (out.horizontal() > MAX_DISTANCE_METRES) {
                direction = Angles.yaw(-out.x(), -out.y());
                heading = direction;
            }
            if (now >= nextStuckCheck) {
                checkStuck(now, self.position(), direction);
            }
            if (now < detourUntil) {
                PlayerInput walk = PlayerInput.walk(detour, detour, 0);
                return new PlayerInput(
                        walk.yaw(), walk.pitch(), walk.forward(), walk.left(), jumps, false);
            }
            return PlayerInput.walk(direction, direction, 0);
        }

        /** A bot that is stuck jumps, or walks in another direction for a while. */
        private void checkStuck(long now, Vec3 at, double direction) {
            if (at.distance(checkedPosition) < STUCK_METRES) {
                jumps = random.nextBoolean();
                detour = jumps ? direction : random.nextDouble(360);
                detourUntil = now + random.nextLong(STUCK_CHECK_NANOS, 4 * STUCK_CHECK_NANOS);
                heading = detour;
            }
            checkedPosition = at;
            nextStuckCheck = now + STUCK_CHECK_NANOS;
        }

        private double direction(double seconds, long now) {
            return switch (path) {
                case CIRCLE -> Angles.turn(heading + seconds * DEGREES_PER_SECOND);
                case SQUARE -> Angles.turn(heading + 90 * (int) (seconds / SIDE_SECONDS));
                case RANDOM -> {
                    if (now >= nextTurn) {
                        heading = random.nextDouble(360);
                        nextTurn = now + random.nextLong(500_000_000L, 2_500_000_000L);
                    }
                    yield heading;
                }
                case STILL -> heading;
            };
        }
    }
}
