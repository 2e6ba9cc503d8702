package dev.wishdir.quake2.movement;

import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;

import java.util.ArrayList;
import java.util.List;

/**
 * Collision boxes of players of all games, with the dimensions that clients get. See
 * docs/protocols/quake2.md, 6.
 */
public final class PlayerHulls {
    /** Contents of a body, which block only living players. */
    static final int MONSTER = 0x200_0000;

    /** Distances from the origin, units. */
    private static final int SIDE_UNITS = 16;

    private static final int DOWN_UNITS = 24;
    private static final int UP_UNITS = 32;
    private static final int DUCKED_UP = 4;

    /** The top of a ducked body as clients decode it: the wire has steps of eight units. */
    private static final int DUCKED_UP_DECODED = 0;

    private static final Vec3f BODY_MINS = new Vec3f(-SIDE_UNITS, -SIDE_UNITS, -DOWN_UNITS);
    private static final Vec3f STANDING_MAXS = new Vec3f(SIDE_UNITS, SIDE_UNITS, UP_UNITS);
    private static final Vec3f DUCKED_MAXS = new Vec3f(SIDE_UNITS, SIDE_UNITS, DUCKED_UP_DECODED);

    /**
     * Bodies farther away than this, in eighths of a unit, are out of reach for the commands of any
     * packet.
     */
    private static final int MAX_REACH_EIGHTHS = 1024 * 8;

    /** More eighths of a unit than any body moves per millisecond: a velocity has 16 bits. */
    private static final int MAX_EIGHTHS_PER_MILLI = 40;

    /** More than the width of two bodies, a step and a look ahead, eighths of a unit. */
    private static final int MAX_WIDTH_EIGHTHS = 128 * 8;

    private PlayerHulls() {}

    /**
     * The obstacles for a body: all others except those that it overlaps, so that it can leave
     * them.
     */
    static List<Obstacle> around(PlayerState body, List<PlayerState> others) {
        List<Obstacle> bodies = new ArrayList<>();
        for (PlayerState other : others) {
            if (!overlaps(body, other)) {
                Vec3f maxs = isDucked(other) ? DUCKED_MAXS : STANDING_MAXS;
                bodies.add(
                        new Obstacle(
                                Trace.WORLD, vector(other.origin()), BODY_MINS, maxs, MONSTER));
            }
        }
        return bodies;
    }

    private static Vec3f vector(Triple origin) {
        return new Vec3f(origin.x() * 0.125f, origin.y() * 0.125f, origin.z() * 0.125f);
    }

    /**
     * Distance, in eighths of a unit, within which others matter for commands of this total time.
     */
    static int reach(int msec) {
        return Math.min(MAX_REACH_EIGHTHS, MAX_WIDTH_EIGHTHS + MAX_EIGHTHS_PER_MILLI * msec);
    }

    /** Whether two points are nearer than a distance on each axis, eighths of a unit. */
    public static boolean isNear(Triple a, Triple b, int reach) {
        return Math.abs(a.x() - b.x()) < reach
                && Math.abs(a.y() - b.y()) < reach
                && Math.abs(a.z() - b.z()) < reach;
    }

    /** Whether a body overlaps another's box; touching counts, as it could not move then. */
    public static boolean overlaps(PlayerState body, PlayerState other) {
        return overlaps(body, other.origin(), isDucked(other));
    }

    /** Whether a body overlaps a player's box as a frame encodes it. */
    public static boolean overlaps(PlayerState body, EntityState other) {
        return other.solid() != 0 && overlaps(body, other.origin(), other.solid() == solid(true));
    }

    private static boolean overlaps(PlayerState body, Triple other, boolean ducked) {
        int top = isDucked(body) ? DUCKED_UP : UP_UNITS;
        int up = other.z() - body.origin().z();
        return Math.abs(other.x() - body.origin().x()) <= 2 * SIDE_UNITS * 8
                && Math.abs(other.y() - body.origin().y()) <= 2 * SIDE_UNITS * 8
                && up <= (top + DOWN_UNITS) * 8
                && -up <= ((ducked ? DUCKED_UP_DECODED : UP_UNITS) + DOWN_UNITS) * 8;
    }

    /** The {@code solid} field of a player's entity. */
    public static int solid(boolean ducked) {
        return EntityState.solid(SIDE_UNITS, DOWN_UNITS, ducked ? DUCKED_UP : UP_UNITS);
    }

    public static boolean isDucked(PlayerState state) {
        return (state.pmFlags() & PlayerState.DUCKED) != 0;
    }
}
