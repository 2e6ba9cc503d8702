package dev.wishdir.net.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Netty I/O handler that delays polling, so that one wake-up receives many datagrams (interrupt
 * coalescing). A wake-up costs more than a datagram does. The delay shrinks to zero as traffic
 * grows: the kernel's buffer holds some hundreds of datagrams, and a flood would fill it and
 * displace those of honest clients.
 */
public final class CoalescingIoHandler implements IoHandler {
    /** Maximum pause after the last datagrams, nanoseconds: 5 ms. */
    static final long MAX_PAUSE_NANOS = 5_000_000;

    /**
     * Maximum datagrams expected during a pause, by the recent rate; also the maximum that one
     * socket reads in a poll.
     */
    public static final int MAX_DATAGRAMS = 64;

    /** Minimum pause, nanoseconds; a shorter one is not worth its own wake-up. */
    static final long MIN_PAUSE_NANOS = 500_000;

    /** Window over which the rate is measured, nanoseconds: even players send in bursts. */
    private static final long RATE_WINDOW_NANOS = 20_000_000;

    /** Growth of the pause per window, nanoseconds: slower than the bursts of a flood return. */
    private static final long PAUSE_GROWTH_NANOS = MAX_PAUSE_NANOS / 50;

    private final IoHandler sockets;
    private final LongSupplier until;
    private final LongSupplier received;
    private final LongSupplier clock;
    private final LongConsumer pause;
    private final Runnable onPolled;
    private long lastHandled;
    private long countedDatagrams;
    private long countedAt;
    private long maxPause = MAX_PAUSE_NANOS;
    private boolean moreWaiting;

    /**
     * @param until time before which no datagram is needed
     * @param received total number of datagrams received
     * @param clock nanoseconds
     * @param pause sleeps for at most the given nanoseconds
     * @param onPolled runs after each poll, when all ready sockets have been read
     */
    CoalescingIoHandler(
            IoHandler sockets,
            LongSupplier until,
            LongSupplier received,
            LongSupplier clock,
            LongConsumer pause,
            Runnable onPolled) {
        this.sockets = sockets;
        this.until = until;
        this.received = received;
        this.clock = clock;
        this.pause = pause;
        this.onPolled = onPolled;
        countedAt = clock.getAsLong();
        lastHandled = countedAt - MAX_PAUSE_NANOS;
    }

    @Override
    public int run(IoHandlerContext context) {
        long now = clock.getAsLong();
        updatePause(now);
        long end =
                Math.min(
                        until.getAsLong(),
                        lastHandled + (maxPause < MIN_PAUSE_NANOS ? 0 : maxPause));
        if (end > now && !moreWaiting && context.canBlock()) {
            pause.accept(Math.min(end - now, context.delayNanos(now)));
        }
        long before = received.getAsLong();
        int handled = sockets.run(context);
        onPolled.run();
        moreWaiting = received.getAsLong() - before >= MAX_DATAGRAMS;
        if (handled > 0) {
            lastHandled = clock.getAsLong();
        }
        return handled;
    }

    /** Updates the pause from the rate: it shrinks at once and grows back within a second. */
    private void updatePause(long now) {
        long passed = now - countedAt;
        if (passed < RATE_WINDOW_NANOS) {
            return;
        }
        long total = received.getAsLong();
        long gatherNanos = MAX_DATAGRAMS * (passed / Math.max(1, total - countedDatagrams));
        maxPause = Math.min(Math.min(gatherNanos, maxPause + PAUSE_GROWTH_NANOS), MAX_PAUSE_NANOS);
        countedDatagrams = total;
        countedAt = now;
    }

    @Override
    public void initialize() {
        sockets.initialize();
    }

    @Override
    public void prepareToDestroy() {
        sockets.prepareToDestroy();
    }

    @Override
    public void destroy() {
        sockets.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return sockets.register(handle);
    }

    @Override
    public void wakeup() {
        sockets.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return sockets.isCompatible(handleType);
    }
}
