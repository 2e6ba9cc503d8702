package dev.wishdir.quake3.movement;

/**
 * The movement settings of a server.
 *
 * @param fixed {@code pmove_fixed}: commands run in slices of equal length
 * @param msec {@code pmove_msec}: that length, 8..33 milliseconds
 * @param keepsFractions {@code pmove_float}: velocities are not rounded to whole numbers
 */
public record PmoveSettings(boolean fixed, int msec, boolean keepsFractions) {
    /** The defaults of Quake III. */
    public static final PmoveSettings QUAKE3 = new PmoveSettings(false, 8, false);

    /** The defaults of OpenArena 0.8.8. */
    public static final PmoveSettings OPENARENA = new PmoveSettings(false, 8, true);

    public PmoveSettings {
        msec = Math.clamp(msec, 8, 33);
    }
}
