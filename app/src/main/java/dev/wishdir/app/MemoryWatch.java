package dev.wishdir.app;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Ends a server's process that has no memory left, whichever thread met it. An error in a thread of
 * a library is often caught there, and a Java whose collector does nearly all the work throws none.
 */
final class MemoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long INTERVAL_MILLIS = 500;
    private static final int PROBE_BYTES = 256 << 10;

    /** So many probes without memory, one after the other, are the end. */
    static final int MAX_FAILED_PROBES = 4;

    /** So many intervals, one after the other, in which the collector had nearly all the time. */
    static final int MAX_COLLECTING = 20;

    private static final double COLLECTING = 0.9;

    private final BooleanSupplier probe;
    private final LongSupplier collectedMillis;
    private final Runnable end;
    private int failedProbes;
    private int collecting;
    private long lastMillis;
    private long lastCollectedMillis;

    /**
     * @param probe whether some memory is to be had
     * @param collectedMillis the time that collections have taken in all, milliseconds
     * @param end of the process
     */
    MemoryWatch(BooleanSupplier probe, LongSupplier collectedMillis, Runnable end) {
        this.probe = probe;
        this.collectedMillis = collectedMillis;
        this.end = end;
    }

    /**
     * A watch of this process, in a thread of its own, which ends it with {@link Server#BROKEN}.
     */
    static MemoryWatch start() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        MemoryWatch watch =
                new MemoryWatch(
                        MemoryWatch::hasMemory,
                        () ->
                                collectors.stream()
                                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                        .sum(),
                        MemoryWatch::halt);
        watch.thread.start();
        return watch;
    }

    private final Thread thread =
            Thread.ofPlatform().daemon().name("memory-watch").unstarted(this::run);

    private static boolean hasMemory() {
        return new byte[PROBE_BYTES].length == PROBE_BYTES;
    }

    private static void halt() {
        try {
            LOG.error("no memory left (OutOfMemoryError): halting with status {}", Server.BROKEN);
        } finally {
            Runtime.getRuntime().halt(Server.BROKEN);
        }
    }

    private void run() {
        try {
            while (!thread.isInterrupted()) {
                look(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks once. */
    void look(long nowMillis) {
        try {
            failedProbes = probe.getAsBoolean() ? 0 : failedProbes + 1;
            long collected = collectedMillis.getAsLong();
            long elapsed = nowMillis - lastMillis;
            boolean busy = collected - lastCollectedMillis > COLLECTING * elapsed;
            collecting = busy && elapsed > 0 ? collecting + 1 : 0;
            lastMillis = nowMillis;
            lastCollectedMillis = collected;
        } catch (OutOfMemoryError e) {
            failedProbes++;
        }
        if (failedProbes >= MAX_FAILED_PROBES || collecting >= MAX_COLLECTING) {
            end.run();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
