package dev.wishdir.quake2.combat;

import java.util.List;

/**
 * The animation of a view model, in the order of its frames: taking up, fire, idle, putting away.
 *
 * @param upLast last frame of taking up, which begins with 0
 * @param fireLast last frame of fire
 * @param idleLast last frame of idle
 * @param downLast last frame of putting away; that of idle if there is none
 * @param shots the frames of fire in which it shoots
 * @param waits the idle frames at which it usually waits
 */
record GunFrames(
        int upLast,
        int fireLast,
        int idleLast,
        int downLast,
        List<Integer> shots,
        List<Integer> waits) {
    int fireFirst() {
        return upLast + 1;
    }

    int idleFirst() {
        return fireLast + 1;
    }

    int downFirst() {
        return idleLast + 1;
    }

    /** Whether the weapon is put away in frames of its own. */
    boolean hasDown() {
        return downLast > idleLast;
    }
}
