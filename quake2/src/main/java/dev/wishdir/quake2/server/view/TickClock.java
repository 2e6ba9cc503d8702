package dev.wishdir.quake2.server.view;

/**
 * The ticks of the server. Each twelfth is one of the game's ten frames a second; the ticks between
 * are only run for clients that get more.
 */
public final class TickClock {
    /** Ticks per second; each may send a frame. */
    public static final int TICKS_PER_SECOND = 120;

    /** Ticks per frame of the game's ten a second. */
    public static final int TICKS_PER_FRAME = TICKS_PER_SECOND / 10;

    /** Duration of a frame of the game's ten a second. */
    public static final long FRAME_NANOS = 100_000_000;

    private static final long TICK_NANOS = FRAME_NANOS / TICKS_PER_FRAME;

    /** A clock that differs more than this from the next tick starts over. */
    private static final long MAX_DEVIATION_NANOS = 10 * FRAME_NANOS;

    /**
     * Number of ticks after which the level must begin again: clients count milliseconds of its
     * frames in 31 bits.
     */
    private static final int MAX_TICKS = (int) (0x7000_0000L * TICKS_PER_SECOND / 1_000);

    private int tick;
    private int step = TICKS_PER_FRAME;
    private long next;
    private boolean started;

    /** A clock at its first tick. */
    public TickClock() {}

    /** A clock at a tick. */
    public TickClock(int tick) {
        this.tick = tick;
    }

    /** Counts from the first frame again: another level begins. */
    public void restart() {
        tick %= TICKS_PER_FRAME;
    }

    /** Whether the level must begin again, as its numbers are near their end. */
    public boolean isExhausted() {
        return tick >= MAX_TICKS;
    }

    /** Number of the current tick. */
    public int tick() {
        return tick;
    }

    /** Whether the current tick is one of the game's ten frames a second. */
    public boolean isFrame() {
        return isFrame(tick);
    }

    /** Whether a tick is one of the game's ten frames a second. */
    public static boolean isFrame(int tick) {
        return tick % TICKS_PER_FRAME == 0;
    }

    /** Number of the current frame of the game's ten a second. */
    public int frame() {
        return tick / TICKS_PER_FRAME;
    }

    /** Time of the next tick. */
    public long next() {
        return next;
    }

    /**
     * Advances to the next tick if it is due. Missed ticks are skipped up to the next frame, so
     * that a late server does not get later.
     *
     * @return whether it is due; the caller then calls {@link #schedule}
     */
    public boolean advance(long now) {
        if (!started || now < next - MAX_DEVIATION_NANOS || now > next + MAX_DEVIATION_NANOS) {
            started = true;
            next = now + step * TICK_NANOS;
            return false;
        }
        if (now < next) {
            return false;
        }
        tick += step;
        int missed = (int) Math.min((now - next) / TICK_NANOS, ticksToFrame() % TICKS_PER_FRAME);
        tick += missed;
        next += missed * TICK_NANOS;
        return true;
    }

    /**
     * Schedules the next tick.
     *
     * @param each the next one, rather than the next frame
     */
    public void schedule(boolean each) {
        step = each ? 1 : ticksToFrame();
        next += step * TICK_NANOS;
    }

    private int ticksToFrame() {
        return TICKS_PER_FRAME - tick % TICKS_PER_FRAME;
    }
}
