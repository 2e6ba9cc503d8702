package dev.wishdir.raknet;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Signs of life that a connection asks for and gives. Times inside messages are milliseconds. What
 * is asked for is answered once there is room: however often, one answer of a kind waits.
 */
final class KeepAlive {
    private static final long PING_INTERVAL_NANOS = 3_000_000_000L;
    private static final int MILLI = 1_000_000;

    private final RakNetSender sender;
    private final Consumer<ConnectedMessage> output;
    private ConnectedMessage.@Nullable ConnectedPing unanswered;
    private boolean probed;
    private long due = Long.MAX_VALUE;

    /**
     * @param output sends a message unreliably
     */
    KeepAlive(RakNetSender sender, Consumer<ConnectedMessage> output) {
        this.sender = sender;
        this.output = output;
    }

    /** When to {@link #ask} again, nanoseconds; never before it was called first. */
    long due() {
        return due;
    }

    /** Asks for a sign of life, unless the answer is to come by what is on its way already. */
    void ask(long now) {
        if (sender.isOpen()) {
            output.accept(new ConnectedMessage.ConnectedPing(now / MILLI));
        }
        due = now + PING_INTERVAL_NANOS;
    }

    /** The other side pings. */
    void asked(ConnectedMessage.ConnectedPing ping) {
        unanswered = ping;
    }

    /** The other side wants to be pinged. */
    void probed() {
        probed = true;
    }

    /** Answers what was asked, where there is room. */
    void answer(long now) {
        ConnectedMessage.ConnectedPing ping = unanswered;
        if (ping != null && sender.isOpen()) {
            unanswered = null;
            output.accept(new ConnectedMessage.ConnectedPong(ping.time(), now / MILLI));
            sender.flush(now);
        }
        if (probed && sender.isOpen()) {
            probed = false;
            ask(now);
            sender.flush(now);
        }
    }
}
