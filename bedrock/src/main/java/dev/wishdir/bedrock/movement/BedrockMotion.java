package dev.wishdir.bedrock.movement;

import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import java.util.List;

/**
 * Conversion between Bedrock's movement and the canonical one:
 * docs/protocols/bedrock.md#units-and-axes. Bedrock has metres with x east, y up and z south, and
 * 20 ticks a second. Its yaw is 0 to the south and grows clockwise; its pitch grows downwards. The
 * position of a player is that of its eyes, 1.62001 m above the feet in every stance. The quantum
 * is that of single precision.
 */
public final class BedrockMotion {
    /** Height of the eyes above the feet, metres; the same when sneaking. */
    public static final float EYES = 1.62001f;

    public static final int TICKS_PER_SECOND = 20;

    public static final long TICK_NANOS = 1_000_000_000L / TICKS_PER_SECOND;

    /** Speed of walking, metres a second. */
    static final double WALK_SPEED = 4.317;

    /** Speed of sprinting without jumps, metres a second. */
    static final double SPRINT_SPEED = 5.612;

    /** Speed of sneaking, metres a second. */
    static final double SNEAK_SPEED = 1.295;

    /** The upward speed of a jump, metres a tick. */
    static final double JUMP = 0.42;

    /** Gravity, metres a tick each tick, and the factor by which the air slows a fall each tick. */
    static final double GRAVITY = 0.08;

    static final double DRAG = 0.98;

    /** The factor by which the air slows horizontal movement each tick. */
    static final double AIR = 0.91;

    private static final double MAX_THROW_SPEED = 8;

    /** Maximum speed of any tick of a jump, metres a second, horizontal and vertical. */
    private static final double MAX_TICK_SPEED = 12.5;

    /** Maximum height of the feet of a body that stands on even ground at height 0, metres. */
    private static final double STANDING = 0.01;

    private static final double SOUTH = 270;

    private BedrockMotion() {}

    /**
     * The velocity of a throw whose apex is at a place, metres a tick.
     *
     * @param way from the start to that place, upwards, metres
     */
    public static Vec3 launchVelocity(Vec3 way) {
        double up = GRAVITY;
        while (up < MAX_THROW_SPEED && rise(up).height < way.z()) {
            up += GRAVITY / 8;
        }
        double path = (1 - Math.pow(AIR, rise(up).ticks)) / (1 - AIR);
        return new Vec3(way.x() / path, way.y() / path, up);
    }

    /**
     * The velocity that a client is sent for a push, metres a tick.
     *
     * @param velocity metres a second
     */
    public static Vec3 clampedThrow(Vec3 velocity) {
        Vec3 perTick = velocity.times(1.0 / TICKS_PER_SECOND);
        double length = perTick.length();
        return length > MAX_THROW_SPEED ? perTick.times(MAX_THROW_SPEED / length) : perTick;
    }

    /**
     * Distance of a throw until the air has stopped the body, up and down included, metres.
     *
     * @param perTick its velocity, metres a tick
     */
    public static double throwLength(Vec3 perTick) {
        double up = perTick.z() > 0 ? rise(Math.min(perTick.z(), MAX_THROW_SPEED)).height : 0;
        return perTick.horizontal() / (1 - AIR) + 2 * up + Math.max(0, -perTick.z());
    }

    private record Rise(double height, int ticks) {}

    private static Rise rise(double up) {
        double height = 0;
        int ticks = 0;
        for (double v = up; v > 0; v = (v - GRAVITY) * DRAG) {
            height += v;
            ticks++;
        }
        return new Rise(height, ticks);
    }

    /** Converts a canonical point to Bedrock's. */
    public static Vec3f point(Vec3 p) {
        return new Vec3f((float) p.x(), (float) p.z(), (float) -p.y());
    }

    /** Converts Bedrock's point to a canonical one. */
    public static Vec3 point(Vec3f p) {
        return new Vec3(p.x(), -p.z(), p.y());
    }

    /** The position of the eyes of a body. */
    public static Vec3f eyes(Vec3 feet) {
        return new Vec3f((float) feet.x(), (float) (feet.z() + EYES), (float) -feet.y());
    }

    /** The position of the feet of a body. */
    public static Vec3 feet(Vec3f eyes) {
        return new Vec3(eyes.x(), -eyes.z(), (double) eyes.y() - EYES);
    }

    /**
     * Converts a canonical yaw to Bedrock's, -180..180; it is its own inverse, but for whole turns.
     */
    public static float yaw(double yaw) {
        return (float) Angles.wrap180(SOUTH - yaw);
    }

    /** Converts Bedrock's yaw to a canonical one. */
    public static double canonicalYaw(float yaw) {
        return Angles.wrap360(SOUTH - yaw);
    }

    /** Converts Bedrock's pitch to a canonical one. */
    public static double canonicalPitch(float pitch) {
        return Math.clamp(-(double) pitch, -90, 90);
    }

    /** Normalizes Bedrock's yaw to -180..180; one in that range keeps its bits. */
    static float normalizedYaw(float yaw) {
        return Math.abs(yaw) <= 180 ? yaw : (float) Angles.wrap180(yaw);
    }

    /** Clamps Bedrock's pitch to -90..90. */
    static float clampedPitch(float pitch) {
        return Math.clamp(pitch, -90f, 90f);
    }

    /** Limits a canonical velocity to what a body can have. */
    public static Vec3 clampedVelocity(Vec3 velocity) {
        double along = Math.hypot(velocity.x(), velocity.y());
        double scale = along > MAX_TICK_SPEED ? MAX_TICK_SPEED / along : 1;
        return new Vec3(
                velocity.x() * scale,
                velocity.y() * scale,
                Math.clamp(velocity.z(), -MAX_TICK_SPEED, MAX_TICK_SPEED));
    }

    /** Converts a movement to the message that other clients receive. */
    public static MovePlayer toNative(long runtimeId, Movement m) {
        float yaw = yaw(m.yaw());
        return new MovePlayer(
                runtimeId,
                eyes(m.position()),
                new Vec2f((float) -m.pitch(), yaw),
                yaw,
                MovePlayer.NORMAL,
                m.stance().onGround(),
                0);
    }

    /**
     * The message that relays a client's movement to other clients: as it came, except for angles
     * that no client sends.
     */
    public static MovePlayer relayed(
            long runtimeId, Vec3f eyes, Vec2f rotation, float headYaw, boolean onGround) {
        return new MovePlayer(
                runtimeId,
                eyes,
                new Vec2f(clampedPitch(rotation.x()), normalizedYaw(rotation.y())),
                normalizedYaw(headYaw),
                MovePlayer.NORMAL,
                onGround,
                0);
    }

    /** The movement that a message reports; velocity and stance are not in the message. */
    public static Movement toCanonical(MovePlayer m, Vec3 velocity, Stance stance) {
        return new Movement(
                feet(m.position()),
                canonicalYaw(m.rotation().y()),
                canonicalPitch(m.rotation().x()),
                velocity,
                stance.with(Flag.ON_GROUND, m.onGround()));
    }

    /** The movement of a player that is added. */
    public static Movement toCanonical(AddPlayer m) {
        return new Movement(
                point(m.position()),
                canonicalYaw(m.yaw()),
                canonicalPitch(m.pitch()),
                point(m.velocity()).times(TICKS_PER_SECOND),
                stance(Stance.STANDING, m.metadata()));
    }

    /** The movement that a message reports; its position must be finite. */
    public static Movement toCanonical(MoveActorAbsolute m, Movement before) {
        return new Movement(
                feet(m.position()),
                canonicalYaw(degrees(m.yaw())),
                canonicalPitch(signed(m.pitch())),
                before.velocity(),
                before.stance().with(Flag.ON_GROUND, (m.flags() & 1) != 0));
    }

    /** The movement after a message that reports only what has changed; it may not be finite. */
    public static Movement toCanonical(MoveActorDelta m, Movement before) {
        Vec3f eyes = eyes(before.position());
        int flags = m.flags();
        Vec3f at =
                new Vec3f(
                        (flags & 1) != 0 ? m.x() : eyes.x(),
                        (flags & 2) != 0 ? m.y() : eyes.y(),
                        (flags & 4) != 0 ? m.z() : eyes.z());
        return new Movement(
                feet(at),
                (flags & 16) != 0 ? canonicalYaw(degrees(m.yaw())) : before.yaw(),
                (flags & 8) != 0 ? canonicalPitch(signed(m.pitch())) : before.pitch(),
                before.velocity(),
                before.stance().with(Flag.ON_GROUND, (flags & 64) != 0));
    }

    private static float degrees(int angle) {
        return angle * 360 / 256f;
    }

    private static float signed(int angle) {
        return (float) Angles.wrap180(degrees(angle));
    }

    /** The stance that an actor's metadata show. */
    public static Stance stance(Stance before, List<Metadata> metadata) {
        Stance stance = before;
        for (Metadata each : metadata) {
            if (each.key() == Metadata.FLAGS && each.value() instanceof Metadata.OfLong flags) {
                stance =
                        stance.with(Flag.CROUCHED, (flags.value() & Metadata.SNEAKING) != 0)
                                .with(Flag.SPRINTING, (flags.value() & Metadata.SPRINTING) != 0)
                                .with(Flag.IN_WATER, (flags.value() & Metadata.SWIMMING) != 0);
            }
        }
        return stance;
    }

    /** The movement that an input reports. */
    public static Movement toCanonical(PlayerAuthInput m, Stance stance) {
        return new Movement(
                feet(m.position()),
                canonicalYaw(m.rotation().y()),
                canonicalPitch(m.rotation().x()),
                point(m.delta()).times(TICKS_PER_SECOND),
                stance);
    }

    /**
     * Whether a body is on the ground after an input. Clients of older versions do not report
     * contacts: they are on the ground if they are as low as the arena's even ground.
     */
    private static boolean isOnGround(PlayerAuthInput m, Dialect d) {
        boolean touching =
                d.has(ProtocolChange.COLLISION_INPUTS)
                        ? (m.input() & Input.VERTICAL_COLLISION) != 0
                        : feet(m.position()).z() < STANDING;
        return touching && m.delta().y() <= 0;
    }

    /** The stance after an input. Some inputs are states, others are the start and end of one. */
    public static Stance stance(Stance before, PlayerAuthInput m, Dialect d) {
        long input = m.input();
        return before.with(Flag.ON_GROUND, isOnGround(m, d))
                .with(
                        Flag.CROUCHED,
                        lasting(
                                before.crouched(),
                                input,
                                Input.START_SNEAKING,
                                Input.STOP_SNEAKING,
                                Input.SNEAKING))
                .with(
                        Flag.SPRINTING,
                        lasting(
                                before.has(Flag.SPRINTING),
                                input,
                                Input.START_SPRINTING,
                                Input.STOP_SPRINTING,
                                Input.SPRINTING))
                .with(Flag.JUMPING, (input & (Input.JUMPING | Input.START_JUMPING)) != 0)
                .with(
                        Flag.FLYING,
                        lasting(
                                before.has(Flag.FLYING),
                                input,
                                Input.START_FLYING,
                                Input.STOP_FLYING,
                                0))
                .with(
                        Flag.IN_WATER,
                        lasting(
                                before.has(Flag.IN_WATER),
                                input,
                                Input.START_SWIMMING,
                                Input.STOP_SWIMMING,
                                0));
    }

    private static boolean lasting(boolean before, long input, long start, long stop, long held) {
        return (input & stop) == 0 && (before || (input & (start | held)) != 0);
    }

    /** Whether all numbers of a message are finite, and its position is in the world. */
    public static boolean isSane(MovePlayer m) {
        return isInWorld(m.position()) && m.rotation().isFinite() && Float.isFinite(m.headYaw());
    }

    /** Whether all numbers of an input are finite, and its position is in the world. */
    public static boolean isSane(PlayerAuthInput m) {
        return isInWorld(m.position())
                && m.rotation().isFinite()
                && Float.isFinite(m.headYaw())
                && isUnit(m.move())
                && m.interactRotation().isFinite()
                && m.delta().isFinite()
                && Math.abs(m.delta().x()) < 100
                && Math.abs(m.delta().y()) < 100
                && Math.abs(m.delta().z()) < 100
                && m.vehicleRotation().orElse(Vec2f.ZERO).isFinite()
                && m.analogue().isFinite()
                && m.camera().isFinite()
                && m.rawMove().isFinite();
    }

    private static boolean isUnit(Vec2f move) {
        return Math.hypot(move.x(), move.y()) <= 1.01;
    }

    private static boolean isInWorld(Vec3f p) {
        return p.isFinite()
                && Math.abs(p.x()) <= 3e7f
                && Math.abs(p.z()) <= 3e7f
                && Math.abs(p.y()) <= 1e5f;
    }
}
