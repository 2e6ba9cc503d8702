package dev.wishdir.net;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Logs exceptions of handlers, duties, tasks and timers: each distinct place once with its stack
 * trace. Repetitions are logged as a count at most every 10 s. Throws nothing itself.
 */
final class DistinctErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(DistinctErrorLog.class);
    private static final long REPEAT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Maximum number of distinct places; further ones share one entry. */
    private static final int MAX_PLACES = 64;

    private static final class Repeats {
        long count;
        long lastLogged;
    }

    private final Map<String, Repeats> places = new HashMap<>();
    private final Consumer<VirtualMachineError> onFatalError;

    /**
     * @param onFatalError takes each {@link VirtualMachineError} except {@link StackOverflowError}
     */
    DistinctErrorLog(Consumer<VirtualMachineError> onFatalError) {
        this.onFatalError = onFatalError;
    }

    void report(long now, Object where, Throwable thrown) {
        try {
            log(now, where.getClass().getSimpleName(), thrown);
        } catch (RuntimeException | Error e) {
            // There may be no memory to log with; the fatal handler below is still called.
        }
        if (thrown instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
            try {
                onFatalError.accept(error);
            } catch (RuntimeException | Error e) {
                // As above: the loop goes on.
            }
        }
    }

    private void log(long now, String where, Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String place =
                where + " " + thrown.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
        if (places.size() >= MAX_PLACES && !places.containsKey(place)) {
            place = "elsewhere";
        }
        Repeats repeats = places.get(place);
        if (repeats == null) {
            repeats = new Repeats();
            repeats.lastLogged = now;
            places.put(place, repeats);
            LOG.error("defect in {}", where, thrown);
            return;
        }
        repeats.count++;
        if (now - repeats.lastLogged >= REPEAT_INTERVAL_NANOS) {
            LOG.error("defect in {}, {} times more: {}", where, repeats.count, thrown.toString());
            repeats.lastLogged = now;
            repeats.count = 0;
        }
    }
}
