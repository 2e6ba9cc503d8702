package dev.wishdir.sauerbraten.movement;

import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;

/**
 * Converts between this game's movement and the canonical one: 8 units are a metre, the position is
 * that of the feet (Cube 2: Sauerbraten, units and axes). The game's frame is left-handed and the
 * canonical one right-handed, so y is mirrored: the game's +y is south. The game's yaw 0 is the
 * canonical 270, and they turn in opposite directions.
 *
 * <p>Resolution on the wire: a sixteenth of a unit, one degree, one unit per second.
 *
 * @param origin position of the canonical origin on the map, units
 */
public record SauerbratenMotion(Vec3 origin) {
    /** Units per metre. */
    public static final double SCALE = 8;

    /** Height of the eye above the feet, units; there is no crouching. */
    public static final double EYE_HEIGHT = 14;

    /** Reach of a fist from the eye, units. */
    public static final double REACH = 14;

    /** The box of a body, and its step height. */
    public static final BodyDimensions BODY =
            new BodyDimensions("sauerbraten", 8.2 / SCALE, 15 / SCALE, 4.1 / SCALE, 2);

    /**
     * Limits that the server checks. A body runs at 12.5 m/s, 1.3 times as fast straight ahead and
     * 1.3 times as fast in the air, for longer than a jump; it jumps 2.45 m high, and is up for
     * 0.72 s. It is round, so its corners may be in a wall. It climbs a step through its edge.
     */
    public static final MovementLimits LIMITS =
            new MovementLimits(BODY, 0.6, BODY.step(), 22, 2, 3, 0.72);

    /** For a map with a side of 1024 units and its floor at half the height, like an empty map. */
    public static final SauerbratenMotion CENTERED = new SauerbratenMotion(new Vec3(512, 512, 512));

    private static final int PHYSSTATE_FLOAT = 0;
    private static final int PHYSSTATE_FALL = 1;
    private static final int PHYSSTATE_SLOPE = 3;
    private static final int PHYSSTATE_FLOOR = 4;
    private static final int PHYSSTATE_STEP_DOWN = 6;

    private static final int MAX_COORDINATE = (1 << 23) - 1;

    /** For a map with this side and its floor at half the height. */
    public static SauerbratenMotion of(int side) {
        double half = side / 2.0;
        return new SauerbratenMotion(new Vec3(half, half, half));
    }

    /** The canonical position, metres, of a point on the map, units. */
    public Vec3 toCanonical(Vec3 units) {
        return mirrored(units.minus(origin).times(1 / SCALE));
    }

    /** The point on the map, units, of a canonical position, metres. */
    public Vec3 toNative(Vec3 metres) {
        return mirrored(metres).times(SCALE).plus(origin);
    }

    /**
     * A point on the map in view direction.
     *
     * @param distance from the eye, units
     */
    public Point ahead(Movement m, double distance) {
        double flat = Math.cos(Math.toRadians(m.pitch()));
        double yaw = Math.toRadians(m.yaw());
        Vec3 look =
                new Vec3(
                        flat * Math.cos(yaw),
                        flat * Math.sin(yaw),
                        Math.sin(Math.toRadians(m.pitch())));
        Vec3 eye = m.position().plus(new Vec3(0, 0, EYE_HEIGHT / SCALE));
        Vec3 place = toNative(eye.plus(look.times(distance / SCALE))).times(16);
        return new Point((int) place.x(), (int) place.y(), (int) place.z());
    }

    /**
     * The bounds of a map, metres.
     *
     * @param side of the map, a cube with a corner at the game's origin, units
     */
    public Bounds bounds(int side) {
        Vec3 corner = toCanonical(Vec3.ZERO);
        Vec3 opposite = toCanonical(new Vec3(side, side, side));
        return new Bounds(
                new Vec3(corner.x(), opposite.y(), corner.z()),
                new Vec3(opposite.x(), corner.y(), opposite.z()));
    }

    /** The canonical velocity, metres a second, of one of the game, units a second. */
    public static Vec3 velocity(Vec3 units) {
        return mirrored(units.times(1 / SCALE));
    }

    /** The game's velocity, units a second, of a canonical one, metres a second. */
    public static Vec3 units(Vec3 velocity) {
        return mirrored(velocity).times(SCALE);
    }

    private static Vec3 mirrored(Vec3 v) {
        return new Vec3(v.x(), -v.y(), v.z());
    }

    /** Converts a yaw in either direction, degrees. */
    public static double yaw(double yaw) {
        return Angles.wrap360(270 - yaw);
    }

    /** The canonical movement of a position; always valid. */
    public Movement toCanonical(Pos pos) {
        int physstate = pos.physstate();
        Vec3 velocity = pos.vel().plus(pos.fall());
        Stance stance =
                Stance.NONE
                        .with(
                                Flag.ON_GROUND,
                                physstate >= PHYSSTATE_SLOPE && physstate <= PHYSSTATE_STEP_DOWN)
                        .with(Flag.FLYING, physstate == PHYSSTATE_FLOAT)
                        .with(Flag.JUMPING, physstate == PHYSSTATE_FALL && velocity.z() > 0);
        return new Movement(
                toCanonical(pos.pos()),
                yaw(pos.yaw()),
                pos.pitch(),
                mirrored(velocity.times(1 / SCALE)),
                stance);
    }

    /**
     * The position that shows a movement to the game's clients. A fall is sent as falling velocity,
     * so that their prediction continues it, and the movement keys match the direction of movement.
     *
     * @param movement must be valid; values outside the range of the wire are clamped
     * @param cn client number of the body
     * @param lifeseq number of its life; clients ignore the position unless its lowest bit is right
     */
    public Pos toNative(Movement movement, int cn, int lifeseq) {
        Vec3 place = toNative(movement.position()).times(16);
        double yaw = yaw(movement.yaw());
        Vec3 velocity = mirrored(movement.velocity()).times(SCALE);
        Vec3 falling = Vec3.ZERO;
        Stance stance = movement.stance();
        int physstate = PHYSSTATE_FALL;
        if (stance.onGround()) {
            physstate = PHYSSTATE_FLOOR;
        } else if (stance.has(Flag.FLYING)) {
            physstate = PHYSSTATE_FLOAT;
        } else if (velocity.z() < 0) {
            falling = new Vec3(0, 0, velocity.z());
            velocity = new Vec3(velocity.x(), velocity.y(), 0);
        }
        int state = physstate | (lifeseq & 1) << 3 | keys(velocity, yaw);
        return Pos.of(
                cn,
                state,
                coordinate(place.x()),
                coordinate(place.y()),
                coordinate(place.z()),
                direction(yaw, movement.pitch()),
                90,
                magnitude(velocity),
                direction(velocity),
                magnitude(falling),
                direction(falling),
                false);
    }

    /** The bits of move and strafe for a velocity, for a view with this yaw of the game. */
    private static int keys(Vec3 velocity, double yaw) {
        if (velocity.horizontal() < 1) {
            return 0;
        }
        double left = Math.toRadians(direction(velocity) % 360 - yaw);
        return key(Math.cos(left)) << 4 | key(-Math.sin(left)) << 6;
    }

    /** 1 if the key leads in this direction, 3 if its opposite does, 0 if neither. */
    private static int key(double part) {
        return part > 0.38 ? 1 : part < -0.38 ? 3 : 0;
    }

    private static int coordinate(double sixteenths) {
        return Math.clamp(Math.round(sixteenths), -1 - MAX_COORDINATE, MAX_COORDINATE);
    }

    private static int magnitude(Vec3 v) {
        return Math.clamp(Math.round(v.length()), 0, 0xFFFF);
    }

    private static int direction(Vec3 v) {
        if (v.length() == 0) {
            return Pos.LEVEL;
        }
        double yaw = Math.toDegrees(-Math.atan2(v.x(), v.y()));
        double pitch = Math.toDegrees(Math.asin(Math.clamp(v.z() / v.length(), -1, 1)));
        return direction(yaw, pitch);
    }

    /** Encodes a direction, to the nearest degree. */
    private static int direction(double yaw, double pitch) {
        int degrees = Math.floorMod((int) Math.round(Angles.wrap360(yaw)), 360);
        return degrees + 360 * (int) (Math.round(Math.clamp(pitch, -90, 90)) + 90);
    }
}
