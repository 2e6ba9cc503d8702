package dev.wishdir.app.serve.metrics;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Ends a server's process that has no memory left. It is needed because threads of libraries often
 * catch OutOfMemoryError, and a JVM whose collector takes nearly all the time does not throw it.
 */
public final class MemoryWatch implements AutoCloseable {
    /** The exit status after repeated VM errors, such as OutOfMemoryError. */
    public static final int VM_ERROR_STATUS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long INTERVAL_MILLIS = 500;
    private static final int PROBE_BYTES = 256 << 10;

    /** The process ends after this number of failed probes in succession. */
    static final int MAX_FAILED_PROBES = 4;

    /** The process ends after this number of successive intervals with nearly only collection. */
    static final int MAX_COLLECTING_INTERVALS = 20;

    private static final double MAX_COLLECTING_SHARE = 0.9;

    private final BooleanSupplier probe;
    private final LongSupplier collectedMillis;
    private final Runnable end;
    private int failedProbes;
    private int collectingIntervals;
    private long lastMillis;
    private long lastCollectedMillis;

    /**
     * @param probe whether memory can be allocated
     * @param collectedMillis the total time of all collections
     * @param end ends the process
     */
    MemoryWatch(BooleanSupplier probe, LongSupplier collectedMillis, Runnable end) {
        this.probe = probe;
        this.collectedMillis = collectedMillis;
        this.end = end;
    }

    /** Watches this process in a separate thread, and ends it with {@link #VM_ERROR_STATUS}. */
    public static MemoryWatch start() {
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
            LOG.error("no memory left (OutOfMemoryError): halting with status {}", VM_ERROR_STATUS);
        } finally {
            Runtime.getRuntime().halt(VM_ERROR_STATUS);
        }
    }

    private void run() {
        try {
            while (!thread.isInterrupted()) {
                check(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Checks the memory once. */
    void check(long nowMillis) {
        try {
            failedProbes = probe.getAsBoolean() ? 0 : failedProbes + 1;
            long collected = collectedMillis.getAsLong();
            long elapsed = nowMillis - lastMillis;
            boolean busy = collected - lastCollectedMillis > MAX_COLLECTING_SHARE * elapsed;
            collectingIntervals = busy && elapsed > 0 ? collectingIntervals + 1 : 0;
            lastMillis = nowMillis;
            lastCollectedMillis = collected;
        } catch (OutOfMemoryError e) {
            failedProbes++;
        }
        if (failedProbes >= MAX_FAILED_PROBES || collectingIntervals >= MAX_COLLECTING_INTERVALS) {
            end.run();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
