package dev.wishdir.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sockets that are left alone for a moment, so that a thread wakes once for all that has come
 * meanwhile. A wake-up costs more than a datagram does. Where much comes it waits for less time or
 * not at all: the kernel's buffer holds some hundreds of datagrams, and a flood would fill it at
 * the expense of the honest.
 */
final class CoalescingIoHandler implements IoHandler {
    /** How long something may wait behind what came last, nanoseconds. */
    static final long MAX_PAUSE_NANOS = 5_000_000;

    /** So many datagrams may gather, at the pace of late; one socket brings no more in a look. */
    static final int MAX_DATAGRAMS = 64;

    /** A shorter pause is not worth its own wake-up, nanoseconds. */
    static final long MIN_PAUSE_NANOS = 500_000;

    /** What comes is counted over so long, nanoseconds: even players send in bursts. */
    private static final long RATE_WINDOW_NANOS = 20_000_000;

    /** By so much a pause may grow each time: a flood in bursts has them more often than that. */
    private static final long PAUSE_GROWTH_NANOS = MAX_PAUSE_NANOS / 50;

    private final IoHandler sockets;
    private final LongSupplier until;
    private final LongSupplier received;
    private final LongSupplier clock;
    private final LongConsumer pause;
    private long last;
    private long counted;
    private long countedAt;
    private long mayWait = MAX_PAUSE_NANOS;
    private boolean moreIsThere;

    /**
     * @param until before when nothing that comes is needed
     * @param received how many datagrams have been taken in
     * @param clock nanoseconds
     * @param pause lets so many nanoseconds pass, or fewer
     */
    CoalescingIoHandler(
            IoHandler sockets,
            LongSupplier until,
            LongSupplier received,
            LongSupplier clock,
            LongConsumer pause) {
        this.sockets = sockets;
        this.until = until;
        this.received = received;
        this.clock = clock;
        this.pause = pause;
        countedAt = clock.getAsLong();
        last = countedAt - MAX_PAUSE_NANOS;
    }

    @Override
    public int run(IoHandlerContext context) {
        long now = clock.getAsLong();
        count(now);
        long end = Math.min(until.getAsLong(), last + (mayWait < MIN_PAUSE_NANOS ? 0 : mayWait));
        if (end > now && !moreIsThere && context.canBlock()) {
            pause.accept(Math.min(end - now, context.delayNanos(now)));
        }
        long before = received.getAsLong();
        int handled = sockets.run(context);
        moreIsThere = received.getAsLong() - before >= MAX_DATAGRAMS;
        if (handled > 0) {
            last = clock.getAsLong();
        }
        return handled;
    }

    /** Pauses get shorter at once where more comes, and longer again within a second. */
    private void count(long now) {
        long passed = now - countedAt;
        if (passed < RATE_WINDOW_NANOS) {
            return;
        }
        long all = received.getAsLong();
        long gathering = MAX_DATAGRAMS * (passed / Math.max(1, all - counted));
        mayWait = Math.min(Math.min(gathering, mayWait + PAUSE_GROWTH_NANOS), MAX_PAUSE_NANOS);
        counted = all;
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
