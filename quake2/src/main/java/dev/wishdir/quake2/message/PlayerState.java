package dev.wishdir.quake2.message;

import java.util.Map;

/**
 * What a client knows of itself: where its movement goes on from, and what its view is like.
 *
 * <p>See docs/protocols/quake2.md, 3.2.
 *
 * @param pmType {@link #NORMAL}, {@link #SPECTATOR}, {@link #DEAD}, {@link #GIB} or {@link #FREEZE}
 * @param origin eighths of a unit
 * @param velocity eighths of a unit a second
 * @param pmTime eights of milliseconds that a flag still holds
 * @param pmFlags {@link #DUCKED}, {@link #JUMP_HELD}, {@link #ON_GROUND}; 8 water jump, 16 landing,
 *     32 teleport, 64 no prediction
 * @param gravity units a second squared
 * @param deltaAngles what is added to a command's angles, 65536ths of a turn
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
    /** It walks. */
    public static final int NORMAL = 0;

    /** It flies about and meets nothing. */
    public static final int SPECTATOR = 1;

    /** It lies where it died. */
    public static final int DEAD = 2;

    /** It is in pieces, of which one is followed. */
    public static final int GIB = 3;

    /** It cannot move. */
    public static final int FREEZE = 4;

    /** Flag: it ducks. */
    public static final int DUCKED = 1;

    /** Flag: it has to let go of the jump before the next. */
    public static final int JUMP_HELD = 2;

    /** Flag: it stands on something. */
    public static final int ON_GROUND = 4;

    /** Flag: a teleporter holds it. */
    public static final int TELEPORTED = 32;

    /** Of the picture: the eyes are in water. */
    public static final int UNDER_WATER = 1;

    /** All zero. */
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

    /** The same, moving another way: eighths of a unit a second. */
    public PlayerState thrown(Triple velocity) {
        return with(origin, velocity, pmTime, pmFlags, deltaAngles, viewAngles, stats);
    }

    /**
     * The same, at rest elsewhere after a teleporter, which holds it.
     *
     * @param time how long, eight milliseconds each
     */
    public PlayerState teleported(Triple origin, int time, Triple view, Triple delta) {
        return with(origin, Triple.ZERO, time, pmFlags | TELEPORTED, delta, view, stats);
    }

    /** The same with other stats. */
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
