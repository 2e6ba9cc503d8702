package dev.wishdir.quake2.server;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.quake2.message.EntityState;

/**
 * An animation of a body for a while. See docs/protocols/quake2.md, 3.3.
 *
 * @param since frame in which it began, of the game's ten a second
 * @param last frame that shows it
 */
record Pose(PlayerAction act, int since, int last) {
    /** A range of consecutive animation frames of the model. */
    private record Frames(int first, int count) {
        /** The n-th frame of the cycle; the first one also for the ticks just before it. */
        int at(int n) {
            return first + Math.max(0, n) % count;
        }
    }

    private static final Frames ATTACK = new Frames(46, 8);
    private static final Frames CROUCHED_ATTACK = new Frames(160, 9);
    private static final Frames TAUNT = new Frames(95, 17);

    /** The pose of an action that begins in a frame. */
    static Pose of(PlayerAction action, int frame) {
        Frames frames = action == PlayerAction.ATTACK ? ATTACK : TAUNT;
        return new Pose(action, frame, frame + frames.count - 1);
    }

    /** The newer of two poses; the same one continues. */
    Pose followedBy(Pose newer) {
        boolean continues = newer.act == act && newer.since <= last;
        return new Pose(newer.act, continues ? since : newer.since, newer.last);
    }

    /** A body's entity in this pose; a crouching body does not taunt. */
    EntityState apply(EntityState body, int now, boolean crouched) {
        if (act == PlayerAction.TAUNT) {
            return crouched ? body : body.posed(TAUNT.at(now - since));
        }
        return body.posed((crouched ? CROUCHED_ATTACK : ATTACK).at(now - since));
    }
}
