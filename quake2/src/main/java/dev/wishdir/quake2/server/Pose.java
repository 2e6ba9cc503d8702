package dev.wishdir.quake2.server;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.quake2.message.EntityState;

/**
 * What a body is seen to do for a while. See docs/protocols/quake2.md, 3.3.
 *
 * @param since the frame in which it began, of the game's ten a second
 * @param last frame that shows it
 */
record Pose(PlayerAction act, int since, int last) {
    /** Some of the model's frames, which follow one another. */
    private record Frames(int first, int count) {
        /** The frame so many after the first, which is also that of the ticks just before it. */
        int at(int n) {
            return first + Math.max(0, n) % count;
        }
    }

    private static final Frames ATTACK = new Frames(46, 8);
    private static final Frames CROUCHED_ATTACK = new Frames(160, 9);
    private static final Frames TAUNT = new Frames(95, 17);

    /** One that begins in a frame. */
    static Pose of(PlayerAction action, int frame) {
        Frames frames = action == PlayerAction.ATTACK ? ATTACK : TAUNT;
        return new Pose(action, frame, frame + frames.count - 1);
    }

    /** The newer of two; the same again goes on where it is. */
    Pose followedBy(Pose newer) {
        boolean goesOn = newer.act == act && newer.since <= last;
        return new Pose(newer.act, goesOn ? since : newer.since, newer.last);
    }

    /** An entity as it is seen then; a body that crouches does not taunt. */
    EntityState on(EntityState body, int now, boolean crouched) {
        if (act == PlayerAction.TAUNT) {
            return crouched ? body : body.posed(TAUNT.at(now - since));
        }
        return body.posed((crouched ? CROUCHED_ATTACK : ATTACK).at(now - since));
    }
}
