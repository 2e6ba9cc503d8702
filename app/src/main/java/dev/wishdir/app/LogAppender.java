package dev.wishdir.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

import java.util.List;
import java.util.Set;

/**
 * Writes the log into a {@link AsyncLineWriter}, so that logging never blocks the arena's thread.
 * Logback's AsyncAppender neither counts what it drops nor knows which lines an attacker can cause.
 */
public final class LogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    /** Lines that strangers can cause at will; they are lost before any other. */
    private static final Set<String> FLOODS =
            Set.of("refusal", "wrong-password", "rate-limit", "violation");

    private static volatile AsyncLineWriter queue = StandardError.QUEUE;
    private static volatile LogFormat form = LogFormat.HUMAN;

    private final Layout<ILoggingEvent> json = new LogFormat.JsonLayout();
    private @Nullable Layout<ILoggingEvent> human;

    /** Made by Logback. */
    public LogAppender() {}

    /** Sets what a line for people looks like. */
    public void setLayout(Layout<ILoggingEvent> layout) {
        human = layout;
    }

    /** Has all that is logged from now on written in a form. */
    static void use(LogFormat wanted) {
        form = wanted;
    }

    /** Has the log written into another queue from now on, or back into standard error. */
    static void writeTo(AsyncLineWriter target) {
        queue = target;
    }

    /** How many lines of the log were lost. */
    static long lost() {
        return queue.lost();
    }

    /** Reports lines that were lost while the reader took none. */
    static void lost(long lines) {
        if (lines > 0) {
            LoggerFactory.getLogger(LogAppender.class)
                    .atWarn()
                    .addKeyValue("event", "lost")
                    .addKeyValue("lines", lines)
                    .log("{} lines of the log were lost: their reader was too slow", lines);
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        Layout<ILoggingEvent> layout = form == LogFormat.JSON ? json : human;
        if (layout != null) {
            queue.offer(layout.doLayout(event), isImportant(event));
        }
    }

    private static boolean isImportant(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return event.getLevel().isGreaterOrEqual(Level.WARN)
                || pairs == null
                || pairs.stream()
                        .noneMatch(pair -> pair.key.equals("event") && FLOODS.contains(pair.value));
    }
}
