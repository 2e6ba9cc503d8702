package dev.wishdir.quake3.client;

/**
 * A client's estimate of the server's clock: that of the newest snapshot, advanced by the client's
 * own, so that it stays just behind: Quake III, choreography.
 */
final class ServerClock {
    private static final int RESET = 500;
    private static final int HALVE = 100;

    private boolean known;
    private int offset;

    /** Forgets: a new level has its own clock. */
    void reset() {
        known = false;
    }

    /** A snapshot came; all milliseconds. */
    void snapshot(int now, int serverTime) {
        int error = serverTime - now - offset;
        if (!known || Math.abs(error) > RESET) {
            offset = serverTime - now;
            known = true;
        } else if (Math.abs(error) > HALVE) {
            offset += error / 2;
        } else {
            offset += error > 0 ? 1 : error < 0 ? -2 : 0;
        }
    }

    /** The server's time. */
    int at(int now) {
        return now + offset;
    }
}
