package dev.wishdir.sauerbraten.client;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;
import dev.wishdir.world.StepSlideMove;
import dev.wishdir.world.blocks.BodyDimensions;

/**
 * A headless player's body, moved as the game moves one: speed, friction, jump and gravity of Cube
 * 2: Sauerbraten, physics constants. Metres.
 */
final class SauerbratenBody {
    private static final double UNIT = 1 / SauerbratenMotion.SCALE;
    private static final double SPEED = 100 * UNIT;
    private static final double STRAIGHT = 1.3;
    private static final double IN_AIR = 1.3;
    private static final double JUMP = 125 * UNIT;
    private static final double GRAVITY = 200 * UNIT;
    private static final double GROUND_FRICTION = 6;
    private static final double AIR_FRICTION = 30;
    private static final double WATER_FRICTION = 20;

    /** Metres a second. */
    private static final double SINK = 1;

    /** The box of a body, and the stairs that it climbs. */
    static final BodyDimensions SIZE = SauerbratenMotion.BODY;

    /** How near the ground is that a body stands on. */
    private static final double NEAR = 0.01;

    private static final double STEP = 0.005;

    /** A body that was not moved for longer than this stood still meanwhile. */
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
    private double left;
    private boolean ground;

    /**
     * @param space what stops the body
     */
    SauerbratenBody(CollisionSpace space) {
        this.space = space;
    }

    /** Another map is played; returns whether the body fits where it is. */
    boolean enter(CollisionSpace other) {
        space = other;
        return space.fits(new Vec3(x, y, z), SIZE.width(), SIZE.height());
    }

    /** Puts the body somewhere, at rest. */
    void place(Vec3 where, double yaw) {
        x = where.x();
        y = where.y();
        z = where.z();
        ground = true;
        vx = 0;
        vy = 0;
        vz = 0;
        falling = 0;
        left = 0;
        this.yaw = Angles.turn(yaw);
        pitch = 0;
    }

    /** Something throws it, metres a second. */
    void launch(Vec3 velocity) {
        ground = false;
        vx = velocity.x();
        vy = velocity.y();
        vz = velocity.z();
        falling = 0;
    }

    /**
     * Moves the body.
     *
     * @param seconds since the last call
     */
    void move(double seconds, PlayerInput input) {
        yaw = Angles.turn(input.yaw());
        pitch = Math.clamp(input.pitch(), -90, 90);
        double angle = Math.toRadians(yaw);
        double push = Math.hypot(input.forward(), input.left());
        double speed = SPEED * (push > 1 ? 1 / push : 1);
        if (Math.abs(input.left()) < 0.01) {
            speed *= STRAIGHT;
        }
        double wishX = speed * (input.forward() * Math.cos(angle) - input.left() * Math.sin(angle));
        double wishY = speed * (input.forward() * Math.sin(angle) + input.left() * Math.cos(angle));
        for (left += Math.min(seconds, MAX_STEP_SECONDS); left >= STEP; left -= STEP) {
            if (space.medium(new Vec3(x, y, z + CollisionSpace.WAIST)) == Medium.AIR) {
                step(wishX, wishY, input.jump());
            } else {
                double rises = Math.sin(Math.toRadians(pitch)) * input.forward();
                swim(wishX, wishY, SPEED * rises, input.jump());
            }
        }
    }

    /** It goes where it looks, half as fast, and sinks slowly. */
    private void swim(double wishX, double wishY, double wishZ, boolean jump) {
        double approach = 1 - Math.pow(1 - 1 / WATER_FRICTION, STEP / 0.02);
        vx += (wishX - vx) * approach;
        vy += (wishY - vy) * approach;
        vz += (wishZ - vz) * approach;
        falling += (-SINK - falling) * approach;
        vz = jump ? Math.max(vz, JUMP) : vz;
        Vec3 way = new Vec3(vx / 2, vy / 2, vz / 2 + falling).times(STEP);
        StepSlideMove move =
                StepSlideMove.of(
                        space,
                        new Vec3(x, y, z),
                        way,
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
        double in = ground ? 1 : IN_AIR;
        double friction = ground ? GROUND_FRICTION : AIR_FRICTION;
        double approach = 1 - Math.pow(1 - 1 / friction, STEP / 0.02);
        vx += (wishX * in - vx) * approach;
        vy += (wishY * in - vy) * approach;
        if (!ground) {
            vz -= vz * approach;
            falling -= GRAVITY * STEP;
        }
        Vec3 way = new Vec3(vx * STEP, vy * STEP, ground ? -NEAR : (vz + falling) * STEP);
        StepSlideMove move =
                StepSlideMove.of(
                        space,
                        new Vec3(x, y, z),
                        way,
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

    /** Where it is and how it moves, canonical. */
    Movement movement() {
        double up = vz + falling;
        Stance stance =
                Stance.NONE.with(Flag.ON_GROUND, ground).with(Flag.JUMPING, !ground && up > 0);
        return new Movement(new Vec3(x, y, z), yaw, pitch, new Vec3(vx, vy, up), stance);
    }
}
