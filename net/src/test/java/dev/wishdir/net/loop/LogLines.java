package dev.wishdir.net.loop;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a class logs, instead of where it would go. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    LogLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        logger.setAdditive(false);
        logger.addAppender(this);
        start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    List<String> lines() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** How many lines came with a stack trace. */
    long traces() {
        return events.stream().filter(event -> event.getThrowableProxy() != null).count();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
    }
}
