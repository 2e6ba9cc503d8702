package dev.wishdir.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** What comes while nothing can be done with it waits, but for little, and holds nothing up. */
class CoalescingTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private long now = 7 * MILLISECOND;
    private long until = Long.MIN_VALUE;
    private int ready;

    /** When the sockets were looked at. */
    private final List<Long> looks = new ArrayList<>();

    private final Coalescing sockets =
            new Coalescing(new Sockets(), () -> until, () -> now, pause -> now += pause);

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
    void whatComesWhileItIsNeededIsTakenAtOnce() {
        come(10 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND);
        until = 10 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND);
    }

    @Test
    void whatComesSoonerWaits() {
        come(10 * MILLISECOND);
        until = 12 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(12 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(12 * MILLISECOND);
    }

    @Test
    void nothingWaitsLong() {
        until = 900 * MILLISECOND;
        come(10 * MILLISECOND);
        assertThat(lookedAt(free())).isEqualTo(10 * MILLISECOND + Coalescing.MOST);
    }

    @Test
    void theFirstAfterAQuietTimeIsTakenAtOnce() {
        come(10 * MILLISECOND);
        now = 10 * MILLISECOND + Coalescing.MOST;
        until = 900 * MILLISECOND;
        assertThat(lookedAt(free())).isEqualTo(now);
    }

    @Test
    void whatIsDueIsDoneInTimeWithAllThatCame() {
        come(10 * MILLISECOND);
        until = 14 * MILLISECOND;
        assertThat(lookedAt(new Work(true, MILLISECOND))).isEqualTo(11 * MILLISECOND);
        assertThat(lookedAt(new Work(false, 0))).isEqualTo(11 * MILLISECOND);
    }
}
