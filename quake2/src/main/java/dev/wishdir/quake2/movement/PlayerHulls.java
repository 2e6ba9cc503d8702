package dev.wishdir.quake2.movement;

import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.Trace;
import dev.wishdir.world.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * Players' bodies as what others run into: the boxes that clients are told, of whatever game the
 * players are. See docs/protocols/quake2.md, 6.
 */
public final class PlayerHulls {
    /** The contents of a body, which only the living stop at. */
    static final int MONSTER = 0x200_0000;

    /** Units from the origin. */
    private static final int SIDE = 16;

    private static final int DOWN = 24;
    private static final int UP = 32;
    private static final int DUCKED_UP = 4;

    /** Where a client takes the head of a ducked body to be: eights of units are told. */
    private static final int DUCKED_UP_AS_TOLD = 0;

    private static final Vec3f BODY_MINS = new Vec3f(-SIDE, -SIDE, -DOWN);
    private static final Vec3f STANDING_MAXS = new Vec3f(SIDE, SIDE, UP);
    private static final Vec3f DUCKED_MAXS = new Vec3f(SIDE, SIDE, DUCKED_UP_AS_TOLD);

    /** Who is farther away than this, in eighths of a unit, is reached by no packet's commands. */
    private static final int MAX_REACH_EIGHTHS = 1024 * 8;

    /** More eighths of a unit than any body moves in a millisecond: a velocity has 16 bits. */
    private static final int MAX_EIGHTHS_PER_MILLI = 40;

    /** More than two bodies, a step and a look ahead are wide, eighths of a unit. */
    private static final int MAX_WIDTH_EIGHTHS = 128 * 8;

    private PlayerHulls() {}

    /** Others in a body's way: all but those that it is in already, so that it can leave them. */
    static List<Obstacle> around(PlayerState body, List<PlayerState> others) {
        List<Obstacle> bodies = new ArrayList<>();
        for (PlayerState other : others) {
            if (!meet(body, other)) {
                Vec3f maxs = isDucked(other) ? DUCKED_MAXS : STANDING_MAXS;
                bodies.add(new Obstacle(Trace.WORLD, at(other.origin()), BODY_MINS, maxs, MONSTER));
            }
        }
        return bodies;
    }

    private static Vec3f at(Triple origin) {
        return new Vec3f(origin.x() * 0.125f, origin.y() * 0.125f, origin.z() * 0.125f);
    }

    /** How far away, in eighths of a unit, others are to be minded by commands of so much time. */
    static int reach(int msec) {
        return Math.min(MAX_REACH_EIGHTHS, MAX_WIDTH_EIGHTHS + MAX_EIGHTHS_PER_MILLI * msec);
    }

    /** Whether two places, in eighths of a unit, are at most so far apart on each axis. */
    public static boolean isNear(Triple a, Triple b, int reach) {
        return Math.abs(a.x() - b.x()) < reach
                && Math.abs(a.y() - b.y()) < reach
                && Math.abs(a.z() - b.z()) < reach;
    }

    /** Whether a body is in another's box; one that touches it is, since it could not move. */
    public static boolean meet(PlayerState body, PlayerState other) {
        return meet(body, other.origin(), isDucked(other));
    }

    /** Whether a body is in a player's box as a frame shows it. */
    public static boolean meet(PlayerState body, EntityState other) {
        return other.solid() != 0 && meet(body, other.origin(), other.solid() == solid(true));
    }

    private static boolean meet(PlayerState body, Triple other, boolean ducked) {
        int top = isDucked(body) ? DUCKED_UP : UP;
        int up = other.z() - body.origin().z();
        return Math.abs(other.x() - body.origin().x()) <= 2 * SIDE * 8
                && Math.abs(other.y() - body.origin().y()) <= 2 * SIDE * 8
                && up <= (top + DOWN) * 8
                && -up <= ((ducked ? DUCKED_UP_AS_TOLD : UP) + DOWN) * 8;
    }

    /** The {@code solid} of a player's entity. */
    public static int solid(boolean ducked) {
        return EntityState.solid(SIDE, DOWN, ducked ? DUCKED_UP : UP);
    }

    /** Whether a body ducks. */
    public static boolean isDucked(PlayerState state) {
        return (state.pmFlags() & PlayerState.DUCKED) != 0;
    }
}
