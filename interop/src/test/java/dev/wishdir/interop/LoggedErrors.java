package dev.wishdir.interop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;

/** The errors that are logged from its opening to its end: defects that were survived. */
final class LoggedErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> lines = new ArrayList<>();

    LoggedErrors() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            lines.add(
                    event.getFormattedMessage()
                            + (event.getThrowableProxy() == null
                                    ? ""
                                    : "\n"
                                            + ThrowableProxyUtil.asString(
                                                    event.getThrowableProxy())));
        }
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
