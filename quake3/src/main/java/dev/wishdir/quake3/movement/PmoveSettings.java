package dev.wishdir.quake3.movement;

/**
 * How a server moves its players.
 *
 * @param fixed {@code pmove_fixed}: time advances in slices of one length
 * @param msec {@code pmove_msec}: that length, 8..33 milliseconds
 * @param keepsFractions {@code pmove_float}: velocities are not rounded to whole numbers
 */
public record PmoveSettings(boolean fixed, int msec, boolean keepsFractions) {
    /** Quake III as it comes. */
    public static final PmoveSettings QUAKE3 = new PmoveSettings(false, 8, false);

    /** OpenArena 0.8.8 as it comes. */
    public static final PmoveSettings OPENARENA = new PmoveSettings(false, 8, true);

    public PmoveSettings {
        msec = Math.clamp(msec, 8, 33);
    }
}
