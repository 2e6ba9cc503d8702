package dev.wishdir.quake2.server;

import dev.wishdir.quake2.protocol.Snapshots;

/** How long frames take until the client says that it has them, of the last sixteen. */
final class Ping {
    private static final int MASK = Snapshots.REMEMBERED - 1;

    private final long[] sent = new long[Snapshots.REMEMBERED];
    private final int[] millis = new int[Snapshots.REMEMBERED];

    /** A frame goes out. */
    void sent(int frame, long now) {
        sent[frame & MASK] = now;
    }

    /** A client has a frame. */
    void acknowledged(int frame, long now) {
        millis[frame & MASK] = Math.clamp((now - sent[frame & MASK]) / 1_000_000, 1, 999);
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
