package dev.wishdir.bedrock.movement;

import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.StepSlideMove;
import dev.wishdir.motion.Vec3;

/**
 * A player's body that moves by the game's own physics, one tick at a time. In an unknown world the
 * ground has the height at which it was last put. Canonical units.
 */
public final class BedrockBody {
    /**
     * The result of one tick.
     *
     * @param forward part of the requested direction, -1..1; with {@code left} at most of length 1
     * @param left as {@code forward}
     * @param delta displacement of the body, metres
     * @param jumped whether the body jumped from the ground
     */
    public record Step(double forward, double left, Vec3 delta, boolean jumped) {}

    /** The box of a body, and the height of a step that it climbs. */
    public static final BodyDimensions SIZE = new BodyDimensions("bedrock", 0.6, 1.8, 0.5625, 1.25);

    /**
     * Limits that the server checks. Sprinting with jumps has 7.13 m/s; the rest is for the
     * difference of clocks. A jump is 1.2522 m high. Its eighth tick is the last that falls slower
     * than {@link MovementLimits#FALLS}: 0.42, 0.33, 0.25, 0.16, 0.08, 0.003, -0.08 and -0.15 m.
     * Its steps are uneven, and positions have little precision.
     */
    public static final MovementLimits LIMITS =
            new MovementLimits(
                    SIZE, 0.4, 0.25, 7.5, 1.5, 1.75, 8.0 / BedrockMotion.TICKS_PER_SECOND);

    private static final double FAR = 1e8;

    /** Part of the requested direction that must be forward in a sprint. */
    private static final double SPRINT_FORWARD = 0.5;

    /** The speed that a jump adds to a sprint, metres a tick. */
    private static final double SPRINT_JUMP = 0.2;

    /** The factor by which the ground slows that in the tick of the jump. */
    private static final double GROUND = 0.546;

    /** More than the rounding of a float in any arena, metres. */
    private static final double ROUNDED = 1e-5;

    /**
     * The medium at this height above the feet decides whether the body swims or climbs, metres.
     */
    private static final double IMMERSION_HEIGHT_METRES = 0.4;

    /** The factor by which water slows a body each tick. */
    private static final double WATER_DRAG = 0.8;

    /** The acceleration in water, as a part of a tick's walk. */
    private static final double WATER_ACCELERATION = 0.1;

    /** Acceleration in water downwards, and upwards when swimming, metres a tick each tick. */
    private static final double SINK_ACCELERATION = 0.02;

    private static final double SWIM_ACCELERATION = 0.04;

    /** Speeds up a ladder, down it, and out of water over an obstacle, metres a tick. */
    private static final double CLIMB_SPEED = 0.2;

    private static final double LADDER_FALL_SPEED = 0.15;
    private static final double WATER_EXIT_SPEED = 0.3;

    /** Height above the feet that must be free to get out of water, metres. */
    private static final double WATER_EXIT_HEIGHT_METRES = 0.6;

    private Movement movement = Movement.ORIGIN;
    private CollisionSpace even = CollisionSpace.OPEN;
    private double rising;
    private boolean blocked;

    /** Horizontal velocity of a throw, of a jump or of swimming, metres a tick. */
    private Vec3 drift = Vec3.ZERO;

    /** The position and movement of the body. */
    public Movement movement() {
        return movement;
    }

    /** Puts the body on the ground at a place, standing. */
    public void put(Vec3 feet, double yaw, double pitch) {
        even =
                CollisionSpace.within(
                        new Bounds(
                                new Vec3(-FAR, -FAR, Math.min(feet.z(), FAR)),
                                new Vec3(FAR, FAR, FAR)));
        rising = 0;
        drift = Vec3.ZERO;
        movement = new Movement(feet, yaw, pitch, Vec3.ZERO, Stance.STANDING);
    }

    /** Throws the body with a velocity, metres a tick. */
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

    /** Moves the body by one tick, {@link BedrockMotion#TICK_NANOS}, on even ground. */
    public Step step(PlayerInput input) {
        return step(input, even);
    }

    /**
     * Moves the body by one tick.
     *
     * @param space that the body collides with
     */
    public Step step(PlayerInput input, CollisionSpace space) {
        double length = Math.hypot(input.forward(), input.left());
        // A key is down or up: who sprints goes at full speed.
        boolean sprints =
                input.sprint() && !input.crouch() && input.forward() > SPRINT_FORWARD * length;
        double scale = length > 1 || sprints ? 1 / length : 1;
        double forward = input.forward() * scale;
        double left = input.left() * scale;
        double speed =
                (input.crouch()
                                ? BedrockMotion.SNEAK_SPEED
                                : sprints ? BedrockMotion.SPRINT_SPEED : BedrockMotion.WALK_SPEED)
                        / BedrockMotion.TICKS_PER_SECOND;
        double yaw = Math.toRadians(input.yaw());
        double dx = (Math.cos(yaw) * forward - Math.sin(yaw) * left) * speed;
        double dy = (Math.sin(yaw) * forward + Math.cos(yaw) * left) * speed;
        Medium medium =
                space.medium(movement.position().plus(new Vec3(0, 0, IMMERSION_HEIGHT_METRES)));
        boolean falls = medium == Medium.AIR;
        boolean jumped = falls && input.jump() && movement.stance().onGround();
        if (jumped) {
            rising = BedrockMotion.JUMP;
        }
        boolean leaps = jumped && sprints;
        if (leaps) {
            drift = new Vec3(Math.cos(yaw), Math.sin(yaw), 0).times(SPRINT_JUMP);
        }
        boolean stood = falls && movement.stance().onGround() && !jumped;
        if (medium == Medium.WATER) {
            drift =
                    new Vec3(
                            drift.x() * WATER_DRAG + dx * WATER_ACCELERATION,
                            drift.y() * WATER_DRAG + dy * WATER_ACCELERATION,
                            0);
            rising =
                    rising * WATER_DRAG
                            - SINK_ACCELERATION
                            + (input.jump() ? SWIM_ACCELERATION : 0);
        } else if (medium == Medium.LADDER) {
            rising =
                    input.jump() || blocked ? CLIMB_SPEED : input.crouch() ? 0 : -LADDER_FALL_SPEED;
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
                        : medium == Medium.WATER
                                ? drift
                                : drift.times(leaps ? GROUND : BedrockMotion.AIR);
        Vec3 delta = move.at().minus(movement.position());
        rising = move.bumped() || onGround ? 0 : fall;
        if (falls && !onGround) {
            rising = (rising - BedrockMotion.GRAVITY) * BedrockMotion.DRAG;
        } else if (medium == Medium.WATER && blocked && canLeaveWater(space, dx, dy)) {
            rising = WATER_EXIT_SPEED;
        }
        movement =
                new Movement(
                        movement.position().plus(delta),
                        Angles.wrap360(input.yaw()),
                        Math.clamp(input.pitch(), -90, 90),
                        delta.times(BedrockMotion.TICKS_PER_SECOND),
                        Stance.NONE
                                .with(Flag.ON_GROUND, onGround)
                                .with(Flag.CROUCHED, input.crouch())
                                .with(Flag.SPRINTING, sprints)
                                .with(Flag.IN_WATER, medium == Medium.WATER)
                                .with(Flag.JUMPING, input.jump()));
        return new Step(forward, left, delta, jumped);
    }

    /** Whether the body can leave the water over the obstacle in its way. */
    private boolean canLeaveWater(CollisionSpace space, double dx, double dy) {
        Vec3 ahead = movement.position().plus(new Vec3(dx, dy, WATER_EXIT_HEIGHT_METRES));
        return space.fits(ahead, SIZE.width(), SIZE.height());
    }

    /** Raises a position that the rounding of floats has put below the ground. */
    private static Vec3 raised(CollisionSpace space, Vec3 feet) {
        if (space.fits(feet, SIZE.width(), SIZE.height())) {
            return feet;
        }
        Vec3 up = feet.plus(new Vec3(0, 0, ROUNDED));
        return space.fits(up, SIZE.width(), SIZE.height()) ? up : feet;
    }
}
