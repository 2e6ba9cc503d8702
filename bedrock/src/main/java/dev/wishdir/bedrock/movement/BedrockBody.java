package dev.wishdir.bedrock.movement;

import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Space;
import dev.wishdir.world.Stride;
import dev.wishdir.world.blocks.Body;

/**
 * A player's body that walks, jumps and falls by the game's own arithmetic, a tick at a time; where
 * nothing is known of the world, on ground as high as that on which it was last put. Canonical
 * units.
 */
public final class BedrockBody {
    /**
     * What a tick did.
     *
     * @param forward of the way wished for, -1..1, with {@code left} no longer than 1
     * @param left as {@code forward}
     * @param delta where the body is against where it was, metres
     * @param jumped whether it left the ground by a jump
     */
    public record Step(double forward, double left, Vec3 delta, boolean jumped) {}

    /** The box of a body, and what it climbs. */
    public static final Body SIZE = new Body("bedrock", 0.6, 1.8, 0.5625, 1.25);

    private static final double FAR = 1e8;

    /** More than a float is wrong by in any arena, metres. */
    private static final double ROUNDED = 1e-5;

    private Movement movement = Movement.ORIGIN;
    private Space even = Space.OPEN;
    private double rising;

    /** What something threw it with, sideways, metres a tick. */
    private Vec3 drift = Vec3.ZERO;

    /** Where it is, and how it moves. */
    public Movement movement() {
        return movement;
    }

    /** Puts it on the ground there, standing. */
    public void put(Vec3 feet, double yaw, double pitch) {
        even = Space.within(new Bounds(new Vec3(-FAR, -FAR, feet.z()), new Vec3(FAR, FAR, FAR)));
        rising = 0;
        drift = Vec3.ZERO;
        movement = new Movement(feet, yaw, pitch, Vec3.ZERO, Stance.STANDING);
    }

    /** Something throws it, metres a tick. */
    public void launch(Vec3 velocity) {
        rising = velocity.z();
        drift = new Vec3(velocity.x(), velocity.y(), 0);
        movement =
                new Movement(
                        movement.position(),
                        movement.yaw(),
                        movement.pitch(),
                        velocity.times(BedrockMotion.TICKS),
                        movement.stance().with(Flag.ON_GROUND, false));
    }

    /** Moves it by one tick, {@link BedrockMotion#TICK}, on even ground. */
    public Step step(Steering steering) {
        return step(steering, even);
    }

    /**
     * Moves it by one tick.
     *
     * @param space what stops it
     */
    public Step step(Steering steering, Space space) {
        double length = Math.hypot(steering.forward(), steering.left());
        double scale = length > 1 ? 1 / length : 1;
        double forward = steering.forward() * scale;
        double left = steering.left() * scale;
        double speed =
                (steering.crouch() ? BedrockMotion.SNEAK : BedrockMotion.WALK)
                        / BedrockMotion.TICKS;
        double yaw = Math.toRadians(steering.yaw());
        double dx = (Math.cos(yaw) * forward - Math.sin(yaw) * left) * speed;
        double dy = (Math.sin(yaw) * forward + Math.cos(yaw) * left) * speed;
        boolean jumped = steering.jump() && movement.stance().onGround();
        if (jumped) {
            rising = BedrockMotion.JUMP;
        }
        boolean stood = movement.stance().onGround() && !jumped;
        double fall = stood ? -BedrockMotion.GRAVITY * BedrockMotion.DRAG : rising;
        Vec3 from = raised(space, movement.position());
        Stride stride =
                Stride.of(
                        space,
                        from,
                        new Vec3(dx + drift.x(), dy + drift.y(), fall),
                        SIZE.width(),
                        SIZE.height(),
                        stood ? SIZE.step() : 0);
        boolean onGround = stride.landed();
        drift = onGround ? Vec3.ZERO : drift.times(BedrockMotion.AIR);
        Vec3 delta = stride.at().minus(movement.position());
        rising = stride.bumped() ? 0 : fall;
        rising = onGround ? 0 : (rising - BedrockMotion.GRAVITY) * BedrockMotion.DRAG;
        movement =
                new Movement(
                        movement.position().plus(delta),
                        Angles.turn(steering.yaw()),
                        Math.clamp(steering.pitch(), -90, 90),
                        delta.times(BedrockMotion.TICKS),
                        Stance.NONE
                                .with(Flag.ON_GROUND, onGround)
                                .with(Flag.CROUCHED, steering.crouch())
                                .with(Flag.JUMPING, steering.jump()));
        return new Step(forward, left, delta, jumped);
    }

    /** Out of the ground, where a server's floats have put it a little below. */
    private static Vec3 raised(Space space, Vec3 feet) {
        if (space.fits(feet, SIZE.width(), SIZE.height())) {
            return feet;
        }
        Vec3 up = feet.plus(new Vec3(0, 0, ROUNDED));
        return space.fits(up, SIZE.width(), SIZE.height()) ? up : feet;
    }
}
