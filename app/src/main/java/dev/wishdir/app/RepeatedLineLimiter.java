package dev.wishdir.app;

import dev.wishdir.net.Duty;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Lines that others can cause without end: the first of a cause is written at once, further ones
 * are one line with their number each ten seconds. Of at most {@link #MAX_CAUSES} causes at once;
 * those beyond are counted together, as causes that can't be named. On the arena's thread.
 */
final class RepeatedLineLimiter implements Duty {
    /** The most causes that have lines of their own at once. */
    static final int MAX_CAUSES = 64;

    /** How a text says over which time it counts. */
    static final String INTERVAL = " in 10 s";

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A cause of which the first line is written. */
    private static final class Cause {
        final long since;
        int times;
        IntFunction<OperatorLog.Line> merged;

        Cause(long since, IntFunction<OperatorLog.Line> merged) {
            this.since = since;
            this.merged = merged;
        }
    }

    private final Consumer<OperatorLog.Line> lines;
    private final Map<String, Cause> causes = new LinkedHashMap<>();

    RepeatedLineLimiter(Consumer<OperatorLog.Line> lines) {
        this.lines = lines;
    }

    /**
     * Writes or counts a line.
     *
     * @param cause what lines are merged by
     * @param merged the line for so many
     * @param others what is counted where there are too many causes
     */
    void add(
            long now,
            String cause,
            OperatorLog.Line line,
            IntFunction<OperatorLog.Line> merged,
            String others) {
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

    private static OperatorLog.Line further(String event, String others, int times) {
        return new OperatorLog.Line(
                event,
                times + " further " + others + INTERVAL + ", of too many kinds to name",
                Map.of("times", times));
    }

    /** Writes the numbers of what repeated for long enough, and forgets it. */
    @Override
    public long advance(long now) {
        causes.values()
                .removeIf(cause -> {
                    if (now - cause.since < INTERVAL_NANOS) {
                        return false;
                    }
                    if (cause.times > 0) {
                        OperatorLog.Line line = cause.merged.apply(cause.times);
                        Map<String, Object> fields = new LinkedHashMap<>(line.fields());
                        fields.put("times", cause.times);
                        lines.accept(new OperatorLog.Line(line.event(), line.text(), fields));
                    }
                    return true;
                });
        return causes.isEmpty() ? NEVER : now + INTERVAL_NANOS;
    }
}
