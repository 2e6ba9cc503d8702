package dev.wishdir.raknet;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Pings of a connection, sent and answered. Times in messages are milliseconds.
 *
 * <p>A reply is sent when the congestion window has room, and at most one of each kind waits.
 */
final class KeepAlive {
    private static final long PING_INTERVAL_NANOS = 3_000_000_000L;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final RakNetSender sender;
    private final Consumer<ConnectedMessage> output;
    private ConnectedMessage.@Nullable ConnectedPing pending;
    private boolean probed;
    private long due = Long.MAX_VALUE;

    /**
     * @param output sends a message unreliably
     */
    KeepAlive(RakNetSender sender, Consumer<ConnectedMessage> output) {
        this.sender = sender;
        this.output = output;
    }

    /** Time of the next {@link #ping}, nanoseconds; never before the first call. */
    long due() {
        return due;
    }

    /**
     * Sends a ping, unless the window is full: then acknowledgements show whether the peer lives.
     */
    void ping(long now) {
        if (sender.isOpen()) {
            output.accept(new ConnectedMessage.ConnectedPing(now / NANOS_PER_MILLI));
        }
        due = now + PING_INTERVAL_NANOS;
    }

    /** Handles a ping. */
    void onPing(ConnectedMessage.ConnectedPing ping) {
        pending = ping;
    }

    /** Handles a request to be pinged. */
    void onProbe() {
        probed = true;
    }

    /** Sends the replies that wait, if the window has room. */
    void reply(long now) {
        ConnectedMessage.ConnectedPing ping = pending;
        if (ping != null && sender.isOpen()) {
            pending = null;
            output.accept(new ConnectedMessage.ConnectedPong(ping.time(), now / NANOS_PER_MILLI));
            sender.flush(now);
        }
        if (probed && sender.isOpen()) {
            probed = false;
            ping(now);
            sender.flush(now);
        }
    }
}
