package dev.wishdir.quake2.movement;

import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.combat.WallTrace;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.Triple;

import java.util.Optional;

/** Space that shots meet in a map: its solids by the game's own rules, and the boxes of bodies. */
public record ShotSpace(PlaneWorld world) implements WallTrace, SplashLaw {
    /** Units per metre. */
    public static final double SCALE = Quake2Motion.SCALE;

    /** Knock-back by a point of kick, units a second: of a body of the usual mass. */
    private static final double KNOCKBACK_UNITS = 2.5;

    /** The box of all bodies for shots of this game. */
    public static final BodyBox BODY = new BodyBox(32 / SCALE, 56 / SCALE, 28 / SCALE);

    /** Surfaces that show no impact: the sky. */
    private static final int SKY = 4;

    /** Contents that stop shots: solids and windows. */
    private static final int SHOT_MASK = 3;

    /** Contents that stop blasts. */
    private static final int SOLID = 1;

    /** Contents of lava, slime and water. */
    private static final int LIQUIDS = 0x38;

    /** A blast reaches a body past an edge by so much to each side of its origin, units. */
    private static final int BLAST_SIDE_UNITS = 15;

    /** Follows a line up to the first solid, units. */
    public Trace sweep(Vec3 from, Vec3 to) {
        return sweep(from, to, SHOT_MASK);
    }

    /** Follows a line up to the first solid that is no window, units. */
    public Trace sweepSolid(Vec3 from, Vec3 to) {
        return sweep(from, to, SOLID);
    }

    /** Whether a place is in water, slime or lava, units. */
    public boolean isLiquid(Vec3 units) {
        return (world.contents(single(units)) & LIQUIDS) != 0;
    }

    private Trace sweep(Vec3 from, Vec3 to, int mask) {
        return world.trace(single(from), Vec3f.ZERO, Vec3f.ZERO, single(to), mask);
    }

    /** The change of a victim's velocity by a kick, metres a second. */
    public static Vec3 knockback(Vec3 direction, double kick) {
        return direction.times(kick * KNOCKBACK_UNITS / SCALE);
    }

    /** Whether a surface is the sky. */
    public static boolean isSky(int surface) {
        return (surface & SKY) != 0;
    }

    @Override
    public Optional<WallHit> trace(Vec3 from, Vec3 to) {
        Trace trace = sweep(from.times(SCALE), to.times(SCALE));
        return trace.fraction() >= 1
                ? Optional.empty()
                : Optional.of(
                        new WallHit(
                                trace.fraction(), wide(trace.plane().normal()), trace.surface()));
    }

    @Override
    public double distance(Vec3 explosion, BodyBox.Placed box) {
        return explosion.distance(box.centre());
    }

    @Override
    public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
        Vec3 origin = box.feet().times(SCALE).plus(new Vec3(0, 0, Quake2Motion.FEET));
        Vec3 from = explosion.times(SCALE);
        if (isClear(from, origin)) {
            return true;
        }
        for (int x = -1; x <= 1; x += 2) {
            for (int y = -1; y <= 1; y += 2) {
                Vec3 side = new Vec3(x * BLAST_SIDE_UNITS, y * BLAST_SIDE_UNITS, 0);
                if (isClear(from, origin.plus(side))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isClear(Vec3 from, Vec3 to) {
        return sweep(from, to, SOLID).fraction() >= 1;
    }

    public static Vec3f single(Vec3 v) {
        return new Vec3f((float) v.x(), (float) v.y(), (float) v.z());
    }

    public static Vec3 wide(Vec3f v) {
        return new Vec3(v.x(), v.y(), v.z());
    }

    /** A place in units as effects have it, cut towards zero. */
    public static Triple eighths(Vec3 units) {
        return new Triple(eighths(units.x()), eighths(units.y()), eighths(units.z()));
    }

    private static int eighths(double units) {
        return Math.clamp((long) (units * 8), Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** The angles of an entity that flies along a direction. */
    public static Triple angles8(Vec3 direction) {
        double pitch = Math.toDegrees(Math.atan2(-direction.z(), direction.horizontal()));
        double yaw = Math.toDegrees(Math.atan2(direction.y(), direction.x()));
        return new Triple(Quake2Motion.angle8(pitch), Quake2Motion.angle8(yaw), 0);
    }
}
