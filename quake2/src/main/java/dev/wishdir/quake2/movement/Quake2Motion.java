package dev.wishdir.quake2.movement;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.idtech.IntermissionView;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;

import java.util.Optional;

/**
 * Converts between this game's movement and the canonical one: 32 units are a metre, axes and yaw
 * are the same, pitch is positive downwards, and a body's origin is 24 units above its feet.
 *
 * <p>Resolution on the wire: an eighth of a unit, an eighth of a unit per second, and 360/65536
 * degrees; for other players' angles 360/256 degrees, and a third of the pitch.
 *
 * <p>See docs/protocols/quake2.md, 6.
 */
public final class Quake2Motion {
    /** Units per metre. */
    public static final double SCALE = 32;

    /** Height of the origin above the feet, units. */
    public static final double FEET = 24;

    /** Height of the eye above the origin, units. */
    public static final int EYE = 22;

    /** Height of a ducked player's eye above the origin, units. */
    public static final int DUCKED_EYE = -2;

    private static final double EIGHTHS = 8;

    /** The weapon in the skin of a player with a hand grenade. */
    private static final int HAND_GRENADE_NUMBER = 6;

    private Quake2Motion() {}

    /** The canonical position of the feet of a body with this origin in eighths of a unit. */
    public static Vec3 toCanonical(Triple origin) {
        return new Vec3(
                origin.x() / (EIGHTHS * SCALE),
                origin.y() / (EIGHTHS * SCALE),
                (origin.z() / EIGHTHS - FEET) / SCALE);
    }

    /** A body at rest with an origin in units and a yaw in degrees. */
    public static Movement placed(double x, double y, double z, double yaw) {
        return Movement.at(new Vec3(x, y, z - FEET).times(1 / SCALE), Angles.wrap360(yaw));
    }

    /** The origin, in eighths of a unit, of a body with its feet at a canonical position. */
    public static Triple toNative(Vec3 feet) {
        return new Triple(
                eighths(feet.x() * SCALE),
                eighths(feet.y() * SCALE),
                eighths(feet.z() * SCALE + FEET));
    }

    /** A state as its player is shown it between two rounds. */
    public static PlayerState seenFrom(PlayerState state, IntermissionView view) {
        Vec3f eye = view.eye();
        Vec3f angles = view.angles();
        return state.seenFrom(
                new Triple(eighths(eye.x()), eighths(eye.y()), eighths(eye.z())),
                new Triple(angle16(angles.x()), angle16(angles.y()), angle16(angles.z())));
    }

    /** A canonical velocity in eighths of a unit per second. */
    public static Triple velocity(Vec3 velocity) {
        return new Triple(
                eighths(velocity.x() * SCALE),
                eighths(velocity.y() * SCALE),
                eighths(velocity.z() * SCALE));
    }

    private static int eighths(double units) {
        return Math.clamp(Math.round(units * EIGHTHS), Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** Degrees in 65536ths of a turn, signed. */
    public static int angle16(double degrees) {
        return (short) Math.round(degrees * 65536 / 360);
    }

    /** Degrees, -180..180, from 65536ths of a turn. */
    public static double degrees16(int angle) {
        return (short) angle * 360.0 / 65536;
    }

    /** Degrees in 256ths of a turn, 0..255. */
    public static int angle8(double degrees) {
        return (int) Math.round(degrees * 256 / 360) & 0xFF;
    }

    /** Degrees, -180..180, from 256ths of a turn. */
    public static double degrees8(int angle) {
        return (byte) angle * 360.0 / 256;
    }

    /** The canonical movement of a player state; always valid. */
    public static Movement toCanonical(PlayerState state) {
        Triple velocity = state.velocity();
        boolean ground = (state.pmFlags() & PlayerState.ON_GROUND) != 0;
        Stance stance =
                Stance.NONE
                        .with(Flag.ON_GROUND, ground)
                        .with(Flag.CROUCHED, (state.pmFlags() & PlayerState.DUCKED) != 0)
                        .with(
                                Flag.JUMPING,
                                !ground
                                        && velocity.z() > 0
                                        && (state.pmFlags() & PlayerState.JUMP_HELD) != 0)
                        .with(Flag.FLYING, state.pmType() == PlayerState.SPECTATOR);
        return new Movement(
                toCanonical(state.origin()),
                Angles.wrap360(degrees16(state.viewAngles().y())),
                Math.clamp(-degrees16(state.viewAngles().x()), -90, 90),
                new Vec3(velocity.x(), velocity.y(), velocity.z()).times(1 / (EIGHTHS * SCALE)),
                stance);
    }

    /**
     * The movement of another player's entity.
     *
     * @param position of its origin, converted by {@link #toCanonical(Triple)}
     * @param velocity estimated, as entities have none
     */
    public static Movement toCanonical(EntityState entity, Vec3 position, Vec3 velocity) {
        boolean crouched = entity.frame() >= 135 && entity.frame() <= 168;
        boolean jumping = entity.frame() >= 66 && entity.frame() <= 71;
        Stance stance =
                Stance.NONE
                        .with(Flag.ON_GROUND, !jumping)
                        .with(Flag.CROUCHED, crouched)
                        .with(Flag.JUMPING, jumping && velocity.z() > 0);
        return new Movement(
                position,
                Angles.wrap360(degrees8(entity.angles().y())),
                Math.clamp(-3 * degrees8(entity.angles().x()), -90, 90),
                velocity,
                stance);
    }

    /** The action that an entity's animation shows; empty if it shows none. */
    public static Optional<PlayerAction> action(EntityState entity) {
        int frame = entity.frame();
        // The throw of a hand grenade is the end of a wave, backwards.
        boolean throwsGrenade =
                frame >= 112 && frame <= 118 && entity.skin() >> 8 == HAND_GRENADE_NUMBER;
        boolean attacks =
                frame >= 46 && frame <= 53 || frame >= 160 && frame <= 168 || throwsGrenade;
        boolean taunts = frame >= 72 && frame <= 134;
        return attacks
                ? Optional.of(PlayerAction.ATTACK)
                : taunts ? Optional.of(PlayerAction.TAUNT) : Optional.empty();
    }

    /** The player state of a canonical movement; all other fields are zero. */
    public static PlayerState toNative(Movement movement) {
        Stance stance = movement.stance();
        int flags =
                (stance.onGround() ? PlayerState.ON_GROUND : 0)
                        | (stance.crouched() ? PlayerState.DUCKED : 0)
                        | (stance.has(Flag.JUMPING) ? PlayerState.JUMP_HELD : 0);
        return new PlayerState(
                stance.has(Flag.FLYING) ? PlayerState.SPECTATOR : PlayerState.NORMAL,
                toNative(movement.position()),
                velocity(movement.velocity()),
                0,
                flags,
                0,
                Triple.ZERO,
                Triple.ZERO,
                new Triple(angle16(-movement.pitch()), angle16(movement.yaw()), 0),
                Triple.ZERO,
                0,
                0,
                Triple.ZERO,
                Triple.ZERO,
                Blend.NONE,
                0,
                0,
                Stats.ZERO);
    }
}
