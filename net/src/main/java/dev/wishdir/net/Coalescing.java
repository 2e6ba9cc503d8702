package dev.wishdir.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sockets that are left alone for a moment, so that a thread wakes once for all that has come
 * meanwhile. A wake-up costs more than a datagram does.
 */
final class Coalescing implements IoHandler {
    /** How long something may wait behind what came last, nanoseconds. */
    static final long MOST = 5_000_000;

    private final IoHandler sockets;
    private final LongSupplier until;
    private final LongSupplier clock;
    private final LongConsumer pause;
    private long last;

    /**
     * @param until before when nothing that comes is needed
     * @param clock nanoseconds
     * @param pause lets so many nanoseconds pass, or fewer
     */
    Coalescing(IoHandler sockets, LongSupplier until, LongSupplier clock, LongConsumer pause) {
        this.sockets = sockets;
        this.until = until;
        this.clock = clock;
        this.pause = pause;
        last = clock.getAsLong() - MOST;
    }

    @Override
    public int run(IoHandlerContext context) {
        long now = clock.getAsLong();
        long end = Math.min(until.getAsLong(), last + MOST);
        if (end > now && context.canBlock()) {
            pause.accept(Math.min(end - now, context.delayNanos(now)));
        }
        int handled = sockets.run(context);
        if (handled > 0) {
            last = clock.getAsLong();
        }
        return handled;
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
