package dev.wishdir.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

import dev.wishdir.wire.AddressMask;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

import java.util.List;
import java.util.Set;

/**
 * A Logback appender that writes to an {@link AsyncLineWriter}, so that logging never blocks the
 * arena's thread. Logback's AsyncAppender does not count dropped lines, and cannot drop lines that
 * an attacker causes before others.
 */
public final class LogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    /** Events that clients can cause at will; their lines are dropped before others. */
    private static final Set<String> FLOOD_EVENTS =
            Set.of("refusal", "wrong-password", "rate-limit", "violation");

    private static volatile AsyncLineWriter queue = StandardError.QUEUE;
    private static volatile LogFormat format = LogFormat.HUMAN;
    private static volatile boolean hidesAddresses;

    private final Layout<ILoggingEvent> json = new LogFormat.JsonLayout();
    private @Nullable Layout<ILoggingEvent> human;

    /** Called by Logback. */
    public LogAppender() {}

    /** Sets the layout of the human format. */
    public void setLayout(Layout<ILoggingEvent> layout) {
        human = layout;
    }

    /** Sets the format of all lines from now on. */
    public static void setFormat(LogFormat wanted) {
        format = wanted;
    }

    /** Sets whether addresses and accounts are left out of all lines from now on. */
    public static void setAddressesHidden(boolean hidden) {
        hidesAddresses = hidden;
    }

    /** Redirects the log to another queue. */
    public static void writeTo(AsyncLineWriter target) {
        queue = target;
    }

    /** Number of lines of the log that were lost. */
    public static long lost() {
        return queue.lost();
    }

    @Override
    protected void append(ILoggingEvent event) {
        Layout<ILoggingEvent> layout = format == LogFormat.JSON ? json : human;
        if (layout != null) {
            String line = layout.doLayout(event);
            queue.offer(hidesAddresses ? AddressMask.hide(line) : line, isImportant(event));
        }
    }

    private static boolean isImportant(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return event.getLevel().isGreaterOrEqual(Level.WARN)
                || pairs == null
                || pairs.stream()
                        .noneMatch(pair ->
                                pair.key.equals("event") && FLOOD_EVENTS.contains(pair.value));
    }
}
