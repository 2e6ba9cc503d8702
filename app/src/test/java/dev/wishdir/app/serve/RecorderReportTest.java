package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.io.IOException;

final class RecorderReportTest {
    @Test
    void saysWhenTheRecorderTriesAgain() {
        Logger logger = (Logger) LoggerFactory.getLogger(RecorderReport.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            new RecorderReport().onFailure(new IOException("No space left on device"));
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("tries again each 10 s");
    }
}
