package dev.wishdir.net.loop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Logs exceptions of handlers, duties, tasks and timers: each distinct place once with its stack
 * trace. Repetitions are logged as a count at most every 10 s. Where no logging provider is there,
 * the first exception of each place goes to standard error. Throws nothing itself.
 */
public final class DistinctErrorLog {
    private static final long REPEAT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Maximum number of distinct places; further ones share one entry. */
    private static final int MAX_PLACES = 64;

    private static final class Repeats {
        long count;
        long lastLogged;
    }

    private final Logger log;
    private final Map<String, Repeats> places = new HashMap<>();
    private final Consumer<VirtualMachineError> onFatalError;

    /**
     * @param onFatalError takes each {@link VirtualMachineError} except {@link StackOverflowError}
     */
    public DistinctErrorLog(Consumer<VirtualMachineError> onFatalError) {
        this(LoggerFactory.getLogger(DistinctErrorLog.class), onFatalError);
    }

    DistinctErrorLog(Logger log, Consumer<VirtualMachineError> onFatalError) {
        this.log = log;
        this.onFatalError = onFatalError;
    }

    public void report(long now, Object where, Throwable thrown) {
        try {
            write(now, name(where.getClass()), thrown);
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

    /** Its simple name; its full one if it is anonymous, as it has no other. */
    private static String name(Class<?> type) {
        return type.isAnonymousClass() ? type.getName() : type.getSimpleName();
    }

    private void write(long now, String where, Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        String place =
                where + " " + thrown.getClass().getName() + (frames.length == 0 ? "" : frames[0]);
        if (places.size() >= MAX_PLACES && !places.containsKey(place)) {
            place = "elsewhere";
        }
        Repeats repeats = places.get(place);
        if (repeats == null) {
            repeats = new Repeats();
            repeats.lastLogged = now;
            places.put(place, repeats);
            if (log instanceof NOPLogger) {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                System.err.print("defect in " + where + ": " + trace);
            } else {
                log.error("defect in {}", where, thrown);
            }
            return;
        }
        repeats.count++;
        if (now - repeats.lastLogged >= REPEAT_INTERVAL_NANOS) {
            log.error("defect in {}, {} times more: {}", where, repeats.count, thrown.toString());
            repeats.lastLogged = now;
            repeats.count = 0;
        }
    }
}
