package dev.wishdir.quake2.server.session;

/**
 * Ping of a client: the mean time from a frame to its acknowledgement, over the remembered frames.
 */
final class Ping {
    private final long[] sent;
    private final int[] millis;

    /**
     * @param remembered number of frames
     */
    Ping(int remembered) {
        sent = new long[remembered];
        millis = new int[remembered];
    }

    /** Records a sent frame. */
    void sent(int frame, long now) {
        sent[frame % sent.length] = now;
    }

    /** Records the acknowledgement of a frame. */
    void acknowledged(int frame, long now) {
        int at = frame % sent.length;
        millis[at] = Math.clamp((now - sent[at]) / 1_000_000, 1, 999);
    }

    /** Mean in milliseconds; 0 before the first acknowledgement. */
    int mean() {
        int sum = 0;
        int count = 0;
        for (int ping : millis) {
            sum += ping;
            count += ping > 0 ? 1 : 0;
        }
        return count == 0 ? 0 : sum / count;
    }
}
