package dev.wishdir.net;

/** Work of a {@link DutyCycle} that time brings about: retransmissions, relays, time-outs. */
@FunctionalInterface
public interface Duty {
    /** A deadline that never comes. */
    long NEVER = Long.MAX_VALUE;

    /** Nanoseconds after which a duty that threw something is called again. */
    long DEFECT_RETRY_NANOS = 1_000_000_000L;

    /**
     * Does what is due.
     *
     * @param now the cycle's clock, nanoseconds
     * @return when to call again at the latest, on the same clock; {@link #NEVER} for not until
     *     something happens
     */
    long advance(long now);

    /**
     * When something that is done in a steady rhythm is due again. What was missed is left out
     * rather than put off, so that many who were held up together keep their own rhythm and don't
     * go on as one.
     *
     * @param due when it was due, not after {@code now}
     * @param interval nanoseconds
     */
    static long nextDeadline(long due, long interval, long now) {
        return due + ((now - due) / interval + 1) * interval;
    }
}
