package dev.wishdir.bedrock.movement;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;
import dev.wishdir.world.StepSlideMove;
import dev.wishdir.world.blocks.BodyDimensions;

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
    public static final BodyDimensions SIZE = new BodyDimensions("bedrock", 0.6, 1.8, 0.5625, 1.25);

    private static final double FAR = 1e8;

    /** More than a float is wrong by in any arena, metres. */
    private static final double ROUNDED = 1e-5;

    /** Higher than this above its feet it is in water, or at a ladder, when it moves in it. */
    private static final double IMMERSED = 0.4;

    /** What water leaves of a speed each tick. */
    private static final double SLOWS = 0.8;

    /** Of a tick's walk the part that it gets faster by in water. */
    private static final double PADDLES = 0.1;

    /** Metres a tick, each tick: what draws it down in water, and what swimming up adds. */
    private static final double SINKS = 0.02;

    private static final double SWIMS = 0.04;

    /** Metres a tick: up a ladder, down it, and out of water over what is in the way. */
    private static final double CLIMBS = 0.2;

    private static final double SLIDES = 0.15;
    private static final double LEAPS = 0.3;

    /** Metres above its feet where it needs room to get out of water. */
    private static final double OVER = 0.6;

    private Movement movement = Movement.ORIGIN;
    private CollisionSpace even = CollisionSpace.OPEN;
    private double rising;
    private boolean blocked;

    /** What something threw it with, sideways, or how it swims, metres a tick. */
    private Vec3 drift = Vec3.ZERO;

    /** Where it is, and how it moves. */
    public Movement movement() {
        return movement;
    }

    /** Puts it on the ground there, standing. */
    public void put(Vec3 feet, double yaw, double pitch) {
        even =
                CollisionSpace.within(
                        new Bounds(new Vec3(-FAR, -FAR, feet.z()), new Vec3(FAR, FAR, FAR)));
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
                        velocity.times(BedrockMotion.TICKS_PER_SECOND),
                        movement.stance().with(Flag.ON_GROUND, false));
    }

    /** Moves it by one tick, {@link BedrockMotion#TICK_NANOS}, on even ground. */
    public Step step(PlayerInput input) {
        return step(input, even);
    }

    /**
     * Moves it by one tick.
     *
     * @param space what stops it
     */
    public Step step(PlayerInput input, CollisionSpace space) {
        double length = Math.hypot(input.forward(), input.left());
        double scale = length > 1 ? 1 / length : 1;
        double forward = input.forward() * scale;
        double left = input.left() * scale;
        double speed =
                (input.crouch() ? BedrockMotion.SNEAK_SPEED : BedrockMotion.WALK_SPEED)
                        / BedrockMotion.TICKS_PER_SECOND;
        double yaw = Math.toRadians(input.yaw());
        double dx = (Math.cos(yaw) * forward - Math.sin(yaw) * left) * speed;
        double dy = (Math.sin(yaw) * forward + Math.cos(yaw) * left) * speed;
        Medium medium = space.medium(movement.position().plus(new Vec3(0, 0, IMMERSED)));
        boolean falls = medium == Medium.AIR;
        boolean jumped = falls && input.jump() && movement.stance().onGround();
        if (jumped) {
            rising = BedrockMotion.JUMP;
        }
        boolean stood = falls && movement.stance().onGround() && !jumped;
        if (medium == Medium.WATER) {
            drift = new Vec3(drift.x() * SLOWS + dx * PADDLES, drift.y() * SLOWS + dy * PADDLES, 0);
            rising = rising * SLOWS - SINKS + (input.jump() ? SWIMS : 0);
        } else if (medium == Medium.LADDER) {
            rising = input.jump() || blocked ? CLIMBS : input.crouch() ? 0 : -SLIDES;
        }
        double fall = stood ? -BedrockMotion.GRAVITY * BedrockMotion.DRAG : rising;
        Vec3 way =
                medium == Medium.WATER
                        ? new Vec3(drift.x(), drift.y(), fall)
                        : new Vec3(dx + drift.x(), dy + drift.y(), fall);
        Vec3 from = raised(space, movement.position());
        StepSlideMove move =
                StepSlideMove.of(
                        space, from, way, SIZE.width(), SIZE.height(), stood ? SIZE.step() : 0);
        boolean onGround = move.landed();
        blocked = move.blocked();
        drift =
                onGround && falls
                        ? Vec3.ZERO
                        : medium == Medium.WATER ? drift : drift.times(BedrockMotion.AIR);
        Vec3 delta = move.at().minus(movement.position());
        rising = move.bumped() || onGround ? 0 : fall;
        if (falls && !onGround) {
            rising = (rising - BedrockMotion.GRAVITY) * BedrockMotion.DRAG;
        } else if (medium == Medium.WATER && blocked && leaves(space, dx, dy)) {
            rising = LEAPS;
        }
        movement =
                new Movement(
                        movement.position().plus(delta),
                        Angles.turn(input.yaw()),
                        Math.clamp(input.pitch(), -90, 90),
                        delta.times(BedrockMotion.TICKS_PER_SECOND),
                        Stance.NONE
                                .with(Flag.ON_GROUND, onGround)
                                .with(Flag.CROUCHED, input.crouch())
                                .with(Flag.IN_WATER, medium == Medium.WATER)
                                .with(Flag.JUMPING, input.jump()));
        return new Step(forward, left, delta, jumped);
    }

    /** Whether it gets over what is before it, out of the water. */
    private boolean leaves(CollisionSpace space, double dx, double dy) {
        Vec3 ahead = movement.position().plus(new Vec3(dx, dy, OVER));
        return space.fits(ahead, SIZE.width(), SIZE.height());
    }

    /** Out of the ground, where a server's floats have put it a little below. */
    private static Vec3 raised(CollisionSpace space, Vec3 feet) {
        if (space.fits(feet, SIZE.width(), SIZE.height())) {
            return feet;
        }
        Vec3 up = feet.plus(new Vec3(0, 0, ROUNDED));
        return space.fits(up, SIZE.width(), SIZE.height()) ? up : feet;
    }
}
