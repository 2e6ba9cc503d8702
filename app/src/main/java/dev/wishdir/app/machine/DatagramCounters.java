package dev.wishdir.app.machine;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the datagrams of one event loop. Only its thread writes; any thread may read. */
public final class DatagramCounters {
    /** Number of datagrams in one direction, and bytes of their payloads. */
    public static final class Count {
        private final AtomicLong datagrams = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        void add(int length) {
            datagrams.setRelease(datagrams.getPlain() + 1);
            bytes.setRelease(bytes.getPlain() + length);
        }

        private void clear() {
            datagrams.setRelease(0);
            bytes.setRelease(0);
        }

        public long datagrams() {
            return datagrams.getAcquire();
        }

        public long bytes() {
            return bytes.getAcquire();
        }
    }

    private final Count in = new Count();
    private final Count out = new Count();

    public Count in() {
        return in;
    }

    public Count out() {
        return out;
    }

    /** Resets all counters to 0. */
    public void clear() {
        in.clear();
        out.clear();
    }
}
