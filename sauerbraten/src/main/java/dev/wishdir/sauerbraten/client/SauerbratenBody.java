package dev.wishdir.sauerbraten.client;

import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.StepSlideMove;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

/**
 * A headless player's body with the game's physics: speed, friction, jump and gravity (Cube 2:
 * Sauerbraten, physics constants). Metres.
 */
final class SauerbratenBody {
    private static final double UNIT = 1 / SauerbratenMotion.SCALE;
    private static final double SPEED = 100 * UNIT;
    private static final double STRAIGHT_FACTOR = 1.3;
    private static final double IN_AIR_FACTOR = 1.3;
    private static final double JUMP = 125 * UNIT;
    private static final double GRAVITY = 200 * UNIT;
    private static final double GROUND_FRICTION = 6;
    private static final double AIR_FRICTION = 30;
    private static final double WATER_FRICTION = 20;

    /** Sinking speed in water, metres per second. */
    private static final double SINK_SPEED = 1;

    /** The box of a body, and its step height. */
    static final BodyDimensions SIZE = SauerbratenMotion.BODY;

    /** Distance to the ground at which a body stands on it. */
    private static final double GROUND_DISTANCE_METRES = 0.01;

    private static final double STEP_SECONDS = 0.005;

    /** Longer pauses between two calls count as standing still. */
    private static final double MAX_STEP_SECONDS = 0.25;

    private CollisionSpace space;
    private double x;
    private double y;
    private double z;
    private double vx;
    private double vy;
    private double vz;
    private double falling;
    private double yaw;
    private double pitch;
    private double remainder;
    private boolean ground;

    /**
     * @param space collision space of the map
     */
    SauerbratenBody(CollisionSpace space) {
        this.space = space;
    }

    /**
     * Changes the map.
     *
     * @return whether the body fits where it is
     */
    boolean enter(CollisionSpace other) {
        space = other;
        return space.fits(new Vec3(x, y, z), SIZE.width(), SIZE.height());
    }

    /** Puts the body at a position, at rest. */
    void place(Vec3 position, double yaw) {
        x = position.x();
        y = position.y();
        z = position.z();
        ground = true;
        vx = 0;
        vy = 0;
        vz = 0;
        falling = 0;
        remainder = 0;
        this.yaw = Angles.wrap360(yaw);
        pitch = 0;
    }

    /** Gives it a velocity in the air, metres per second. */
    void launch(Vec3 velocity) {
        ground = false;
        vx = velocity.x();
        vy = velocity.y();
        vz = velocity.z();
        falling = 0;
    }

    /** The collision space of the map. */
    CollisionSpace space() {
        return space;
    }

    /** Adds a velocity, metres per second, as a hit pushes it. */
    void push(Vec3 velocity) {
        vx += velocity.x();
        vy += velocity.y();
        vz += velocity.z();
        ground = ground && velocity.z() <= 0;
    }

    /**
     * Moves the body.
     *
     * @param seconds since the last call
     */
    void move(double seconds, PlayerInput input) {
        yaw = Angles.wrap360(input.yaw());
        pitch = Math.clamp(input.pitch(), -90, 90);
        double angle = Math.toRadians(yaw);
        double push = Math.hypot(input.forward(), input.left());
        double speed = SPEED * (push > 1 ? 1 / push : 1);
        if (Math.abs(input.left()) < 0.01) {
            speed *= STRAIGHT_FACTOR;
        }
        double wishX = speed * (input.forward() * Math.cos(angle) - input.left() * Math.sin(angle));
        double wishY = speed * (input.forward() * Math.sin(angle) + input.left() * Math.cos(angle));
        for (remainder += Math.min(seconds, MAX_STEP_SECONDS);
                remainder >= STEP_SECONDS;
                remainder -= STEP_SECONDS) {
            if (space.medium(new Vec3(x, y, z + CollisionSpace.WAIST_METRES)) == Medium.AIR) {
                step(wishX, wishY, input.jump());
            } else {
                double rises = Math.sin(Math.toRadians(pitch)) * input.forward();
                swim(wishX, wishY, SPEED * rises, input.jump());
            }
        }
    }

    /** Swims in view direction at half the speed, and sinks slowly. */
    private void swim(double wishX, double wishY, double wishZ, boolean jump) {
        double approach = 1 - Math.pow(1 - 1 / WATER_FRICTION, STEP_SECONDS / 0.02);
        vx += (wishX - vx) * approach;
        vy += (wishY - vy) * approach;
        vz += (wishZ - vz) * approach;
        falling += (-SINK_SPEED - falling) * approach;
        vz = jump ? Math.max(vz, JUMP) : vz;
        Vec3 delta = new Vec3(vx / 2, vy / 2, vz / 2 + falling).times(STEP_SECONDS);
        StepSlideMove move =
                StepSlideMove.of(
                        space,
                        new Vec3(x, y, z),
                        delta,
                        SIZE.width(),
                        SIZE.height(),
                        ground ? SIZE.step() : 0);
        x = move.at().x();
        y = move.at().y();
        z = move.at().z();
        ground = move.landed();
    }

    private void step(double wishX, double wishY, boolean jump) {
        if (ground && jump) {
            vz = JUMP;
            ground = false;
        }
        double airFactor = ground ? 1 : IN_AIR_FACTOR;
        double friction = ground ? GROUND_FRICTION : AIR_FRICTION;
        double approach = 1 - Math.pow(1 - 1 / friction, STEP_SECONDS / 0.02);
        vx += (wishX * airFactor - vx) * approach;
        vy += (wishY * airFactor - vy) * approach;
        if (!ground) {
            vz -= vz * approach;
            falling -= GRAVITY * STEP_SECONDS;
        }
        Vec3 delta =
                new Vec3(
                        vx * STEP_SECONDS,
                        vy * STEP_SECONDS,
                        ground ? -GROUND_DISTANCE_METRES : (vz + falling) * STEP_SECONDS);
        StepSlideMove move =
                StepSlideMove.of(
                        space,
                        new Vec3(x, y, z),
                        delta,
                        SIZE.width(),
                        SIZE.height(),
                        ground ? SIZE.step() : 0);
        x = move.at().x();
        y = move.at().y();
        z = move.at().z();
        if (move.landed() || move.bumped()) {
            vz = 0;
            falling = 0;
        }
        ground = move.landed();
    }

    /** The canonical movement. */
    Movement movement() {
        double up = vz + falling;
        Stance stance =
                Stance.NONE.with(Flag.ON_GROUND, ground).with(Flag.JUMPING, !ground && up > 0);
        return new Movement(new Vec3(x, y, z), yaw, pitch, new Vec3(vx, vy, up), stance);
    }
}
