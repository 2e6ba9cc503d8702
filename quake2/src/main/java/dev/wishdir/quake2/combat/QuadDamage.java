package dev.wishdir.quake2.combat;

/**
 * The quad damage of a player, as frames of the game's ten a second: what it multiplies, and what
 * clients see and hear of it. See docs/protocols/quake2.md.
 */
public final class QuadDamage {
    /** Factor of damage and kick of its player's shots. */
    public static final int FACTOR = 4;

    /** The sound of a player that begins to use it. */
    public static final String USED = "items/damage.wav";

    /** The sound 3 s before its end. */
    public static final String RUNS_OUT = "items/damage2.wav";

    /** The sound of each shot with it. */
    public static final String SHOT = "items/damage3.wav";

    static final String ICON = "p_quad";

    private static final long FRAME_NANOS = 100_000_000;
    private static final int FRAMES_PER_SECOND = 10;

    /** From here on it blinks. */
    private static final int LAST_FRAMES = 30;

    private static final int BLINK = 4;

    private QuadDamage() {}

    /**
     * The full frames for which it lasts.
     *
     * @param left nanoseconds
     */
    public static int frames(long left) {
        return (int) (left / FRAME_NANOS);
    }

    /** The seconds that the status bar shows. */
    public static int seconds(int frames) {
        return frames / FRAMES_PER_SECOND;
    }

    /** Whether its player glows in this frame. */
    public static boolean isVisible(int frames) {
        return frames > LAST_FRAMES || (frames & BLINK) != 0;
    }

    /** Whether it is about to end. */
    static boolean runsOut(int frames) {
        return frames > 0 && frames <= LAST_FRAMES;
    }
}
