package dev.wishdir.app.log;

import dev.wishdir.net.loop.Duty;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Limits log lines that clients can cause at will. The first line of a cause is written at once;
 * further ones become one line with their number every ten seconds. There are at most {@link
 * #MAX_CAUSES} causes at a time; further causes are counted together. On one thread.
 */
public final class RepeatedLineLimiter implements Duty {
    /** Maximum number of causes with their own lines at a time. */
    public static final int MAX_CAUSES = 64;

    /** The part of a text that names the interval of a count. */
    public static final String INTERVAL = " in 10 s";

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A cause whose first line was written. */
    private static final class Cause {
        final long since;
        int times;
        IntFunction<LogLine> merged;

        Cause(long since, IntFunction<LogLine> merged) {
            this.since = since;
            this.merged = merged;
        }
    }

    private final Consumer<LogLine> lines;
    private final Map<String, Cause> causes = new LinkedHashMap<>();

    /**
     * @param lines receives the lines to write
     */
    public RepeatedLineLimiter(Consumer<LogLine> lines) {
        this.lines = lines;
    }

    /**
     * Writes or counts a line.
     *
     * @param cause the key by which lines are merged
     * @param merged makes the line for a number of further lines
     * @param others the kind of lines, for the count of lines beyond the maximum of causes
     */
    public void add(
            long now, String cause, LogLine line, IntFunction<LogLine> merged, String others) {
        Cause known = causes.get(cause);
        if (known == null && causes.size() < MAX_CAUSES) {
            causes.put(cause, new Cause(now, merged));
            lines.accept(line);
            return;
        }
        if (known == null) {
            known =
                    causes.computeIfAbsent(
                            "", _ -> new Cause(now, times -> further(line.event(), others, times)));
        } else {
            known.merged = merged;
        }
        known.times++;
    }

    private static LogLine further(String event, String others, int times) {
        return new LogLine(
                event,
                times + " further " + others + INTERVAL + " (too many different ones to list)",
                Map.of("times", times));
    }

    /** Writes the counts of causes whose interval is over, and removes these causes. */
    @Override
    public long advance(long now) {
        causes.values()
                .removeIf(cause -> {
                    if (now - cause.since < INTERVAL_NANOS) {
                        return false;
                    }
                    if (cause.times > 0) {
                        LogLine line = cause.merged.apply(cause.times);
                        Map<String, Object> fields = new LinkedHashMap<>(line.fields());
                        fields.put("times", cause.times);
                        lines.accept(new LogLine(line.event(), line.text(), fields));
                    }
                    return true;
                });
        return causes.isEmpty() ? NEVER : now + INTERVAL_NANOS;
    }
}
