package dev.wishdir.net;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What handlers, duties, tasks and timers throw, to the log: each place once in full, and what
 * repeats there as a count from time to time. Throws nothing itself.
 */
final class DistinctErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(DistinctErrorLog.class);
    private static final long REPEAT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** There are only so many places; past them they share one. */
    private static final int PLACES = 64;

    private static final class Repeats {
        long count;
        long told;
    }

    private final Map<String, Repeats> places = new HashMap<>();
    private final Consumer<VirtualMachineError> fatal;

    /**
     * @param fatal is told of each error that says that the Java under us is broken or has no
     *     memory; a stack that overflows is none of those
     */
    DistinctErrorLog(Consumer<VirtualMachineError> fatal) {
        this.fatal = fatal;
    }

    void tell(long now, Object where, Throwable thrown) {
        try {
            log(now, where.getClass().getSimpleName(), thrown);
        } catch (RuntimeException | Error e) {
            // There may be no memory to say so either. It was an error that brought us here, and
            // the handler below still hears of it.
        }
        if (thrown instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
            try {
                fatal.accept(error);
            } catch (RuntimeException | Error e) {
                // As above: the loop goes on.
            }
        }
    }

    private void log(long now, String where, Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String place =
                where + " " + thrown.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
        if (places.size() >= PLACES && !places.containsKey(place)) {
            place = "elsewhere";
        }
        Repeats repeats = places.get(place);
        if (repeats == null) {
            repeats = new Repeats();
            repeats.told = now;
            places.put(place, repeats);
            LOG.error("defect in {}", where, thrown);
            return;
        }
        repeats.count++;
        if (now - repeats.told >= REPEAT_INTERVAL_NANOS) {
            LOG.error("defect in {}, {} times more: {}", where, repeats.count, thrown.toString());
            repeats.told = now;
            repeats.count = 0;
        }
    }
}
