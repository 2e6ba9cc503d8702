package dev.wishdir.quake2.message;

import java.util.Map;

/**
 * The state of the client's own player (player_state): movement, view, weapon and status bar.
 *
 * <p>See docs/protocols/quake2.md, 3.2.
 *
 * @param pmType {@link #NORMAL}, {@link #SPECTATOR}, {@link #DEAD}, {@link #GIB} or {@link #FREEZE}
 * @param origin eighths of a unit
 * @param velocity eighths of a unit per second
 * @param pmTime remaining time of a flag, in units of eight milliseconds
 * @param pmFlags {@link #DUCKED}, {@link #JUMP_HELD}, {@link #ON_GROUND}; 8 water jump, 16 landing,
 *     32 teleport, 64 no prediction
 * @param gravity units per second squared
 * @param deltaAngles added to a command's angles, 65536ths of a turn
 * @param viewOffset from the origin to the eye, quarters of a unit
 * @param viewAngles 65536ths of a turn
 * @param kickAngles quarters of a degree
 * @param gunOffset quarters of a unit
 * @param gunAngles quarters of a degree
 * @param fov degrees
 * @param rdFlags {@link #UNDER_WATER}
 */
public record PlayerState(
        int pmType,
        Triple origin,
        Triple velocity,
        int pmTime,
        int pmFlags,
        int gravity,
        Triple deltaAngles,
        Triple viewOffset,
        Triple viewAngles,
        Triple kickAngles,
        int gunIndex,
        int gunFrame,
        Triple gunOffset,
        Triple gunAngles,
        Blend blend,
        int fov,
        int rdFlags,
        Stats stats) {
    /** Walks. */
    public static final int NORMAL = 0;

    /** Flies, without collisions. */
    public static final int SPECTATOR = 1;

    /** Dead; the body lies on the ground. */
    public static final int DEAD = 2;

    /** In pieces; the view follows one of them. */
    public static final int GIB = 3;

    /** Can't move. */
    public static final int FREEZE = 4;

    /** Flag: ducked. */
    public static final int DUCKED = 1;

    /** Flag: the jump key must be released before the next jump. */
    public static final int JUMP_HELD = 2;

    /** Flag: stands on something. */
    public static final int ON_GROUND = 4;

    /** Flag: held by a teleporter. */
    public static final int TELEPORTED = 32;

    /** Render flag: the eyes are under water. */
    public static final int UNDER_WATER = 1;

    public static final PlayerState ZERO =
            new PlayerState(
                    0,
                    Triple.ZERO,
                    Triple.ZERO,
                    0,
                    0,
                    0,
                    Triple.ZERO,
                    Triple.ZERO,
                    Triple.ZERO,
                    Triple.ZERO,
                    0,
                    0,
                    Triple.ZERO,
                    Triple.ZERO,
                    Blend.NONE,
                    0,
                    0,
                    Stats.ZERO);

    /** This state with another velocity, eighths of a unit per second. */
    public PlayerState pushed(Triple velocity) {
        return with(origin, velocity, pmTime, pmFlags, deltaAngles, viewAngles, stats);
    }

    /**
     * This state at the exit of a teleporter, at rest and held.
     *
     * @param time of the hold, in units of eight milliseconds
     */
    public PlayerState teleported(Triple origin, int time, Triple view, Triple delta) {
        return with(origin, Triple.ZERO, time, pmFlags | TELEPORTED, delta, view, stats);
    }

    /** This state as another kind of player: {@link #DEAD}, {@link #FREEZE}. */
    public PlayerState as(int type) {
        return new PlayerState(
                type,
                origin,
                velocity,
                pmTime,
                pmFlags,
                gravity,
                deltaAngles,
                viewOffset,
                viewAngles,
                kickAngles,
                gunIndex,
                gunFrame,
                gunOffset,
                gunAngles,
                blend,
                fov,
                rdFlags,
                stats);
    }

    /**
     * This state with what its player sees of a fight.
     *
     * @param gun model index of the gun in its hands, 0 for none
     */
    public PlayerState seen(
            Triple viewOffset,
            Triple viewAngles,
            Triple kickAngles,
            int gun,
            int gunFrame,
            Blend blend,
            Stats stats) {
        return new PlayerState(
                pmType,
                origin,
                velocity,
                pmTime,
                pmFlags,
                gravity,
                deltaAngles,
                viewOffset,
                viewAngles,
                kickAngles,
                gun,
                gunFrame,
                gunOffset,
                gunAngles,
                blend,
                fov,
                rdFlags,
                stats);
    }

    /** This state as seen from elsewhere, without a gun. */
    public PlayerState seenFrom(Triple eye, Triple angles) {
        PlayerState there = with(eye, Triple.ZERO, pmTime, pmFlags, deltaAngles, angles, stats);
        return there.seen(Triple.ZERO, angles, Triple.ZERO, 0, 0, blend, stats);
    }

    /** This state with other stats. */
    public PlayerState with(Stats stats) {
        return with(origin, velocity, pmTime, pmFlags, deltaAngles, viewAngles, stats);
    }

    private PlayerState with(
            Triple origin,
            Triple velocity,
            int pmTime,
            int pmFlags,
            Triple deltaAngles,
            Triple viewAngles,
            Stats stats) {
        return new PlayerState(
                pmType,
                origin,
                velocity,
                pmTime,
                pmFlags,
                gravity,
                deltaAngles,
                viewOffset,
                viewAngles,
                kickAngles,
                gunIndex,
                gunFrame,
                gunOffset,
                gunAngles,
                blend,
                fov,
                rdFlags,
                stats);
    }

    /** All fields by name, in raw wire units. */
    public Map<String, ?> fields() {
        return FieldCodecs.of(
                "pm_type", pmType,
                "origin", origin.list(),
                "velocity", velocity.list(),
                "pm_time", pmTime,
                "pm_flags", pmFlags,
                "gravity", gravity,
                "delta_angles", deltaAngles.list(),
                "viewoffset", viewOffset.list(),
                "viewangles", viewAngles.list(),
                "kick", kickAngles.list(),
                "gunindex", gunIndex,
                "gunframe", gunFrame,
                "gunoffset", gunOffset.list(),
                "gunangles", gunAngles.list(),
                "blend", blend.list(),
                "fov", fov,
                "rdflags", rdFlags,
                "stats", stats.fields());
    }
}
