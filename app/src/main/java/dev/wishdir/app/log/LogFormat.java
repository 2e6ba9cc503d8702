package dev.wishdir.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The format of the log's lines. */
public enum LogFormat {
    /** Text for people: time, level, logger, message. */
    HUMAN,

    /** One JSON object per line, for programs. */
    JSON;

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    /** Formats a log event with all of its fields as a JSON object. */
    static final class JsonLayout extends LayoutBase<ILoggingEvent> {
        @Override
        public String doLayout(ILoggingEvent event) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("time", event.getInstant().toString());
            line.put("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
            line.put("logger", event.getLoggerName());
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) {
                    line.putIfAbsent(pair.key, pair.value);
                }
            }
            line.put("message", event.getFormattedMessage());
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                line.put("error", ThrowableProxyUtil.asString(thrown));
            }
            return GSON.toJson(line) + "\n";
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Formats a message that does not come from the log, without a line break.
     *
     * @param event the kind of the message, one word
     * @param text the message for people
     */
    public String line(Level level, String event, String text) {
        if (this == HUMAN) {
            return text;
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", Instant.now().toString());
        line.put("level", level.toString().toLowerCase(Locale.ROOT));
        line.put("logger", "wishdir");
        line.put("event", event);
        line.put("message", text);
        return GSON.toJson(line);
    }

    /** Sets whether only warnings are logged from now on, or informational lines too. */
    public static void setWarningsOnly(boolean only) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                    .setLevel(only ? Level.WARN : Level.INFO);
        }
    }
}
