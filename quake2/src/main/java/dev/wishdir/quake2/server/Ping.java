package dev.wishdir.quake2.server;

/** How long frames take until the client says that it has them, of those that are remembered. */
final class Ping {
    private final long[] sent;
    private final int[] millis;

    /**
     * @param remembered how many frames
     */
    Ping(int remembered) {
        sent = new long[remembered];
        millis = new int[remembered];
    }

    /** A frame goes out. */
    void sent(int frame, long now) {
        sent[frame % sent.length] = now;
    }

    /** A client has a frame. */
    void acknowledged(int frame, long now) {
        int at = frame % sent.length;
        millis[at] = Math.clamp((now - sent[at]) / 1_000_000, 1, 999);
    }

    /** The mean, milliseconds; 0 before the first. */
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
