package dev.wishdir.net.loop;

/** Timed work of a {@link DutyCycle}: retransmissions, relays, time-outs. */
@FunctionalInterface
public interface Duty {
    /** A deadline that never comes. */
    long NEVER = Long.MAX_VALUE;

    /** Delay before a duty that threw is called again, nanoseconds. */
    long DEFECT_RETRY_NANOS = 1_000_000_000L;

    /**
     * Does what is due.
     *
     * @param now the cycle's clock, nanoseconds
     * @return the latest time of the next call, on the same clock; {@link #NEVER} to be called only
     *     after other events
     */
    long advance(long now);

    /**
     * The next deadline of a periodic task. Missed periods are skipped and the phase is kept, so
     * that tasks that were delayed together do not run in step afterwards.
     *
     * @param due the previous deadline, not after {@code now}
     * @param interval nanoseconds
     */
    static long nextDeadline(long due, long interval, long now) {
        return due + ((now - due) / interval + 1) * interval;
    }
}
