package dev.wishdir.quake3.client;

/**
 * A client's estimate of the server time: the newest snapshot's, advanced by the client's own
 * clock, kept slightly behind: docs/protocols/quake3.md#choreography.
 */
final class ServerClock {
    private static final int RESET_ERROR_MILLIS = 500;
    private static final int HALVE_ERROR_MILLIS = 100;

    private boolean known;
    private int offset;

    /** Forgets the estimate: a new level has its own clock. */
    void reset() {
        known = false;
    }

    /** Whether a snapshot of this level has come. */
    boolean isKnown() {
        return known;
    }

    /** Adjusts the estimate by a snapshot; both times in milliseconds. */
    void snapshot(int now, int serverTime) {
        int error = serverTime - now - offset;
        if (!known || Math.abs(error) > RESET_ERROR_MILLIS) {
            offset = serverTime - now;
            known = true;
        } else if (Math.abs(error) > HALVE_ERROR_MILLIS) {
            offset += error / 2;
        } else {
            offset += error > 0 ? 1 : error < 0 ? -2 : 0;
        }
    }

    /** The estimated server time, milliseconds; means nothing before the first snapshot. */
    int at(int now) {
        return now + offset;
    }
}
