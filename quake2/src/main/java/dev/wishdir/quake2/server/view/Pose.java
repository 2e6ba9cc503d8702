package dev.wishdir.quake2.server.view;

import dev.wishdir.quake2.message.EntityState;

/**
 * An animation of a body for a while. See docs/protocols/quake2.md, 3.3.
 *
 * @param since frame in which it began, of the game's ten a second
 * @param last frame that shows it
 */
record Pose(Act act, int since, int last) {
    /** Act of a body, with its animations standing and crouching. */
    enum Act {
        ATTACK(new Frames(46, 8), new Frames(160, 9)),
        /** A crouching body does not taunt. */
        TAUNT(new Frames(95, 17), Frames.NONE),
        /** It throws a hand grenade: a wave backwards. A crouching body attacks as with a gun. */
        THROW(new Frames(118, 7, -1), new Frames(160, 9)),
        /** It was hit. */
        PAIN(new Frames(54, 4), new Frames(169, 4));

        private final Frames standing;
        private final Frames crouched;

        Act(Frames standing, Frames crouched) {
            this.standing = standing;
            this.crouched = crouched;
        }
    }

    /**
     * A range of consecutive animation frames of the model.
     *
     * @param step 1, or -1 for one that runs backwards
     */
    private record Frames(int first, int count, int step) {
        static final Frames NONE = new Frames(0, 0);

        Frames(int first, int count) {
            this(first, count, 1);
        }

        /** The n-th frame of the cycle; the first one also for the ticks just before it. */
        int at(int n) {
            return first + step * (Math.max(0, n) % count);
        }
    }

    /** The pose of an act that begins in a frame. */
    static Pose of(Act act, int frame) {
        return new Pose(act, frame, frame + act.standing.count - 1);
    }

    /** The newer of two poses; the same one continues, and pain does not interrupt an attack. */
    Pose followedBy(Pose newer) {
        boolean attacks = act == Act.ATTACK || act == Act.THROW;
        if (attacks && newer.act == Act.PAIN && newer.since <= last) {
            return this;
        }
        boolean continues = newer.act == act && newer.since <= last;
        return new Pose(newer.act, continues ? since : newer.since, newer.last);
    }

    /** A body's entity in this pose. */
    EntityState apply(EntityState body, int now, boolean isCrouched) {
        Frames frames = isCrouched ? act.crouched : act.standing;
        return frames.equals(Frames.NONE) ? body : body.posed(frames.at(now - since));
    }
}
