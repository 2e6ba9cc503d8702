package dev.wishdir.quake2.movement;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.Trace;
import dev.wishdir.world.Vec3f;

import java.util.ArrayList;
import java.util.List;

/** Players' bodies as what others run into. See docs/protocols/quake2.md, 6. */
public final class Bodies {
    /** The contents of a body, which only the living stop at. */
    static final int MONSTER = 0x200_0000;

    private static final Vec3f BODY_MINS = new Vec3f(-16, -16, -24);
    private static final Vec3f STANDING_MAXS = new Vec3f(16, 16, 32);
    private static final Vec3f DUCKED_MAXS = new Vec3f(16, 16, 4);

    /** Who is farther away than this, in eighths of a unit, is reached by no packet's commands. */
    private static final int FARTHEST = 1024 * 8;

    /** More eighths of a unit than any body moves in a millisecond: a velocity has 16 bits. */
    private static final int A_MILLISECOND = 40;

    /** More than two bodies, a step and a look ahead are wide, eighths of a unit. */
    private static final int WIDEST = 128 * 8;

    private Bodies() {}

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
        return Math.min(FARTHEST, WIDEST + A_MILLISECOND * msec);
    }

    /** Whether two bodies are at most so far from each other on each axis. */
    public static boolean isNear(PlayerState a, PlayerState b, int reach) {
        return Math.abs(a.origin().x() - b.origin().x()) < reach
                && Math.abs(a.origin().y() - b.origin().y()) < reach
                && Math.abs(a.origin().z() - b.origin().z()) < reach;
    }

    /** Whether two bodies are in each other. */
    public static boolean meet(PlayerState a, PlayerState b) {
        int up = b.origin().z() - a.origin().z();
        return Math.abs(a.origin().x() - b.origin().x()) < 32 * 8
                && Math.abs(a.origin().y() - b.origin().y()) < 32 * 8
                && up < (top(a) + 24) * 8
                && -up < (top(b) + 24) * 8;
    }

    /** Whether a body ducks. */
    public static boolean isDucked(PlayerState state) {
        return (state.pmFlags() & PlayerState.DUCKED) != 0;
    }

    private static int top(PlayerState state) {
        return isDucked(state) ? 4 : 32;
    }
}
