package dev.wishdir.quake3.server.session;

import dev.wishdir.quake3.protocol.ServerConnection;

/** Sends the fragments of long messages to one client, at intervals against reordering. */
final class FragmentSender {
    private static final long MILLI = 1_000_000;

    /** Minimum interval between fragments: a fragment that overtakes the one before it is lost. */
    private static final long MIN_INTERVAL_NANOS = 15 * MILLI;

    /** Maximum interval between fragments: even a bad network does not reorder these. */
    private static final long MAX_INTERVAL_NANOS = 240 * MILLI;

    private final ClientTransport transport;
    private long interval = MIN_INTERVAL_NANOS;
    private long next;

    FragmentSender(ClientTransport transport) {
        this.transport = transport;
    }

    /** The present interval between fragments, nanoseconds. */
    long interval() {
        return interval;
    }

    /** Doubles the interval, after a fragment was lost or reordered. */
    void slowDown() {
        interval = Math.min(2 * interval, MAX_INTERVAL_NANOS);
    }

    /** Records that a message, perhaps its first fragment, was sent. */
    void onSent(long now) {
        next = now + interval;
    }

    /** Sends the next pending fragment if it is due. Returns whether it was. */
    boolean send(long now) {
        ServerConnection c = transport.connection();
        if (c == null || now < next) {
            return false;
        }
        c.sendFragment(transport.sink());
        onSent(now);
        return true;
    }
}
