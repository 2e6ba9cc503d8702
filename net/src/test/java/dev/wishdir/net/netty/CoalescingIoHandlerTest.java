package dev.wishdir.net.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** What comes while nothing can be done with it waits, but for little, and holds nothing up. */
class CoalescingIoHandlerTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private long now = 7 * MILLISECOND;
    private long until = Long.MIN_VALUE;
    private int ready;
    private long received;
    private long bring;

    /** When the sockets were looked at. */
    private final List<Long> looks = new ArrayList<>();

    private final CoalescingIoHandler sockets =
            new CoalescingIoHandler(
                    new Sockets(),
                    () -> until,
                    () -> received,
                    () -> now,
                    pause -> now += pause,
                    () -> {});

    private static Work free() {
        return new Work(true, FOREVER);
    }

    /** What else the thread has to do, and in how many nanoseconds. */
    private record Work(boolean canBlock, long delay) implements IoHandlerContext {
        @Override
        public long delayNanos(long currentTimeNanos) {
            return delay;
        }

        @Override
        public long deadlineNanos() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Sockets implements IoHandler {
        @Override
        public int run(IoHandlerContext context) {
            looks.add(now);
            received += bring;
            return ready;
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return true;
        }
    }

    private void come(long at) {
        now = at;
        ready = 1;
        sockets.run(free());
        ready = 0;
    }

    private long lookedAt(Work work) {
        sockets.run(work);
        return looks.getLast();
    }

    @Test
    void readsAtOnceWhileNeeded() {
        come(10 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND);
        until = 10 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND);
    }

    @Test
    void delaysEarlyDatagrams() {
        come(10 * MILLISECOND);
        until = 12 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(12 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(12 * MILLISECOND);
    }

    @Test
    void boundsDelay() {
        until = 900 * MILLISECOND;
        come(10 * MILLISECOND);
        assertThat(lookedAt(free()))
                .isEqualTo(10 * MILLISECOND + CoalescingIoHandler.MAX_PAUSE_NANOS);
    }

    @Test
    void readsFirstAfterPauseAtOnce() {
        come(10 * MILLISECOND);
        now = 10 * MILLISECOND + CoalescingIoHandler.MAX_PAUSE_NANOS;
        until = 900 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(now);
    }

    /** Receives the given number per second for some time; returns the last delay. */
    private long pauseAmong(int perSecond, long time) {
        until = FOREVER;
        long end = now + time;
        long before = now;
        ready = 1;
        while (now < end) {
            before = now;
            sockets.run(free());
            long passed = Math.max(now - before, MILLISECOND / 10);
            received += perSecond * passed / 1_000_000_000;
            now = before + passed;
        }
        ready = 0;
        return looks.getLast() - before;
    }

    @Test
    void gathersDatagramsOfCrowd() {
        assertThat(pauseAmong(10_000, 100 * MILLISECOND))
                .isEqualTo(CoalescingIoHandler.MAX_PAUSE_NANOS);
    }

    @Test
    void shortensDelayUnderLoadForKernelBuffer() {
        long pause = pauseAmong(50_000, 100 * MILLISECOND);
        assertThat(pause)
                .isBetween(
                        CoalescingIoHandler.MIN_PAUSE_NANOS,
                        CoalescingIoHandler.MAX_PAUSE_NANOS / 2);
        assertThat(50_000 * pause / 1_000_000_000)
                .isLessThanOrEqualTo(CoalescingIoHandler.MAX_DATAGRAMS);
    }

    @Test
    void stopsWaitingDuringFloodAndRecovers() {
        assertThat(pauseAmong(300_000, 100 * MILLISECOND)).isZero();
        assertThat(pauseAmong(10_000, 50 * MILLISECOND)).isZero();
        assertThat(pauseAmong(10_000, 2_000 * MILLISECOND))
                .isEqualTo(CoalescingIoHandler.MAX_PAUSE_NANOS);
    }

    @Test
    void doesNotWaitWhileKernelMayHoldMore() {
        bring = CoalescingIoHandler.MAX_DATAGRAMS;
        come(10 * MILLISECOND);
        bring = 0;
        until = 12 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(12 * MILLISECOND);
    }

    @Test
    void runsDueWorkInTimeWithAllDatagrams() {
        come(10 * MILLISECOND);
        until = 14 * MILLISECOND;
        assertThat(lookedAt(new Work(true, MILLISECOND))).isEqualTo(11 * MILLISECOND);
        assertThat(lookedAt(new Work(false, 0))).isEqualTo(11 * MILLISECOND);
    }
}
