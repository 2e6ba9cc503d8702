package dev.wishdir.quake3.movement;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;

import java.util.Optional;

/**
 * Converts movements between Quake III's units and canonical ones: 32 units a metre; the origin
 * lies 24 units above the feet; pitch is positive downwards. The axes are the same.
 */
public final class Quake3Motion {
    /** Units a metre. */
    public static final double SCALE = 32;

    /** Units from the feet to the origin. */
    public static final double FEET = 24;

    /** The {@code solid} of a standing and of a crouched player. */
    static final int SOLID_STANDING = 0x40180F;

    static final int SOLID_CROUCHED = 0x30180F;

    /** Steps of a full turn in a user command. */
    private static final double TURN = 65_536;

    /** The number of quad damage among the powerups. */
    static final int QUAD = 1;

    /** Its bit in the entity of a player. */
    public static final int QUAD_BIT = 1 << QUAD;

    private static final int DUCKED = 1;
    private static final int ANIMATION = 0x7F;

    /** The kinds of player movement. */
    static final int PM_NORMAL = 0;

    private static final int PM_NOCLIP = 1;

    public static final int PM_SPECTATOR = 2;
    static final int PM_DEAD = 3;

    private static final int PM_FREEZE = 4;

    /** Duration of the attack animation. */
    private static final long ATTACK_NANOS = 600_000_000;

    /** Horizontal speed above which legs show walking, units a second. */
    private static final double MIN_WALK_SPEED = 20;

    private Quake3Motion() {}

    /** The feet in metres of a body whose origin is given in units. */
    public static Vec3 feet(double x, double y, double z) {
        return new Vec3(x / SCALE, y / SCALE, (z - FEET) / SCALE);
    }

    /** The origin in units of a body whose feet are given in metres. */
    static Vec3 origin(Vec3 feet) {
        return new Vec3(feet.x() * SCALE, feet.y() * SCALE, feet.z() * SCALE + FEET);
    }

    /** Degrees as an angle of a user command: 16 bits, truncated toward zero. */
    public static int commandAngle(double degrees) {
        return (int) (Angles.wrap180(degrees) * TURN / 360) & 0xFFFF;
    }

    /** The movement of a client's own body, from the state that the server sends. */
    public static Movement movement(PlayerState state) {
        int type = state.get(PlayerField.PM_TYPE);
        Stance stance =
                stance(
                                state.get(PlayerField.GROUND_ENTITY_NUM),
                                state.get(PlayerField.LEGS_ANIM),
                                (state.get(PlayerField.PM_FLAGS) & DUCKED) != 0)
                        .with(Stance.Flag.FLYING, type != PM_NORMAL && type != PM_DEAD);
        return new Movement(
                feet(
                        state.real(PlayerField.ORIGIN_0),
                        state.real(PlayerField.ORIGIN_1),
                        state.real(PlayerField.ORIGIN_2)),
                Angles.wrap360(state.real(PlayerField.VIEWANGLES_1)),
                pitch(state.real(PlayerField.VIEWANGLES_0)),
                new Vec3(
                                state.real(PlayerField.VELOCITY_0),
                                state.real(PlayerField.VELOCITY_1),
                                state.real(PlayerField.VELOCITY_2))
                        .times(1 / SCALE),
                stance);
    }

    /** The movement of another player's entity. */
    public static Movement movement(EntityState state) {
        Stance stance =
                stance(
                        state.get(EntityField.GROUND_ENTITY_NUM),
                        state.get(EntityField.LEGS_ANIM),
                        state.get(EntityField.SOLID) == SOLID_CROUCHED);
        return new Movement(
                feet(
                        state.real(EntityField.POS_TR_BASE_0),
                        state.real(EntityField.POS_TR_BASE_1),
                        state.real(EntityField.POS_TR_BASE_2)),
                Angles.wrap360(state.real(EntityField.APOS_TR_BASE_1)),
                pitch(state.real(EntityField.APOS_TR_BASE_0)),
                new Vec3(
                                state.real(EntityField.POS_TR_DELTA_0),
                                state.real(EntityField.POS_TR_DELTA_1),
                                state.real(EntityField.POS_TR_DELTA_2))
                        .times(1 / SCALE),
                stance);
    }

    /**
     * Whether a client's state has a body: it is neither a spectator nor dead nor in intermission.
     */
    public static boolean hasBody(PlayerState state) {
        int type = state.get(PlayerField.PM_TYPE);
        return type == PM_NORMAL || type == PM_NOCLIP || type == PM_FREEZE;
    }

    private static double pitch(double down) {
        return Math.clamp(-Angles.wrap180(down), -90, 90);
    }

    private static Stance stance(int ground, int legs, boolean ducked) {
        int animation = legs & ANIMATION;
        return Stance.NONE
                .with(Stance.Flag.ON_GROUND, ground != EntityState.NONE)
                .with(
                        Stance.Flag.CROUCHED,
                        ducked
                                || animation == BodyAnimations.LEGS_WALKCR
                                || animation == BodyAnimations.LEGS_IDLECR
                                || animation == BodyAnimations.LEGS_BACKCR)
                .with(Stance.Flag.IN_WATER, animation == BodyAnimations.LEGS_SWIM)
                .with(
                        Stance.Flag.JUMPING,
                        ground == EntityState.NONE
                                && (animation == BodyAnimations.LEGS_JUMP
                                        || animation == BodyAnimations.LEGS_JUMPB));
    }

    /** The entity of a player of another game; it is solid for players of this game. */
    public static EntityState entity(Movement m) {
        Vec3 origin = origin(m.position());
        boolean crouched = m.stance().crouched();
        boolean ground = m.stance().onGround();
        boolean moves = m.velocity().horizontal() * SCALE > MIN_WALK_SPEED;
        int legs =
                !ground && m.stance().has(Stance.Flag.IN_WATER)
                        ? BodyAnimations.LEGS_SWIM
                        : !ground
                                ? BodyAnimations.LEGS_JUMP
                                : crouched
                                        ? moves
                                                ? BodyAnimations.LEGS_WALKCR
                                                : BodyAnimations.LEGS_IDLECR
                                        : moves
                                                ? BodyAnimations.LEGS_RUN
                                                : BodyAnimations.LEGS_IDLE;
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.POS_TR_TYPE, 1)
                .real(EntityField.POS_TR_BASE_0, Math.rint(origin.x()))
                .real(EntityField.POS_TR_BASE_1, Math.rint(origin.y()))
                .real(EntityField.POS_TR_BASE_2, Math.rint(origin.z()))
                .real(EntityField.POS_TR_DELTA_0, m.velocity().x() * SCALE)
                .real(EntityField.POS_TR_DELTA_1, m.velocity().y() * SCALE)
                .real(EntityField.POS_TR_DELTA_2, m.velocity().z() * SCALE)
                .set(EntityField.APOS_TR_TYPE, 1)
                .real(EntityField.APOS_TR_BASE_0, (int) -m.pitch())
                .real(EntityField.APOS_TR_BASE_1, (int) Angles.wrap180(m.yaw()))
                .real(EntityField.ANGLES2_1, direction(m))
                .set(EntityField.LEGS_ANIM, legs)
                .set(EntityField.TORSO_ANIM, BodyAnimations.TORSO_STAND2)
                .set(EntityField.WEAPON, PmoveState.GAUNTLET)
                .set(EntityField.GROUND_ENTITY_NUM, ground ? EntityState.WORLD : EntityState.NONE)
                .set(EntityField.SOLID, crouched ? SOLID_CROUCHED : SOLID_STANDING)
                .build();
    }

    /** Duration of an action's animation, nanoseconds. */
    public static long durationNanos(PlayerAction action) {
        return action == PlayerAction.TAUNT
                ? BodyAnimations.GESTURE_MSEC * 1_000_000L
                : ATTACK_NANOS;
    }

    /** The entity of a player of another game with a weapon of this one in its hand. */
    public static EntityState withWeapon(EntityState state, Weapon weapon) {
        return weapon == Weapon.GAUNTLET
                ? state
                : state.with(EntityField.WEAPON, weapon.number())
                        .with(EntityField.TORSO_ANIM, BodyAnimations.TORSO_STAND);
    }

    /**
     * Shows an action on the entity of a player of another game. The event remains after the end of
     * the action, as a change of it would be another action.
     *
     * @param number of the action, by which clients detect a new one
     * @param running whether the animation is not over
     */
    public static EntityState withAction(
            EntityState state, PlayerAction action, int number, boolean running) {
        boolean taunts = action == PlayerAction.TAUNT;
        boolean hasGun = state.get(EntityField.WEAPON) != PmoveState.GAUNTLET;
        int torso =
                !running
                        ? hasGun ? BodyAnimations.TORSO_STAND : BodyAnimations.TORSO_STAND2
                        : taunts
                                ? BodyAnimations.TORSO_GESTURE
                                : hasGun
                                        ? BodyAnimations.TORSO_ATTACK
                                        : BodyAnimations.TORSO_ATTACK2;
        int event = taunts ? EntityEvents.TAUNT : EntityEvents.FIRE_WEAPON;
        int toggled = (number & 1) * BodyAnimations.TOGGLE;
        return state.with(EntityField.TORSO_ANIM, torso | toggled)
                .with(EntityField.EVENT, event | (number & 3) << 8);
    }

    /** The action that a new event of an entity shows; empty if it shows none. */
    public static Optional<PlayerAction> action(EntityState state) {
        return switch (state.get(EntityField.EVENT) & 0xFF) {
            case EntityEvents.FIRE_WEAPON -> Optional.of(PlayerAction.ATTACK);
            case EntityEvents.TAUNT -> Optional.of(PlayerAction.TAUNT);
            default -> Optional.empty();
        };
    }

    private static int direction(Movement m) {
        if (m.velocity().horizontal() < 0.1) {
            return 0;
        }
        double heading = Angles.yaw(m.velocity().x(), m.velocity().y());
        return (int) Math.round(Angles.wrap360(heading - m.yaw()) / 45) % 8;
    }
}
