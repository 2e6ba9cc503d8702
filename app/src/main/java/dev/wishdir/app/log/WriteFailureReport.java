package dev.wishdir.app.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.io.IOException;

/**
 * Logs that lines cannot be written, and that they are written again.
 *
 * @param what the kind of lines: {@code events}, {@code keys}
 * @param to the operator's name of the file or stream
 */
public record WriteFailureReport(String what, String to) implements AsyncLineWriter.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(WriteFailureReport.class);

    @Override
    public void onFailure(IOException why) {
        of(LOG.atWarn(), "unwritable")
                .log(
                        "{} cannot be written to {}: {}; at most {} lines are queued, further ones"
                                + " are lost",
                        what,
                        to,
                        why.getMessage(),
                        AsyncLineWriter.MAX_LINES);
    }

    @Override
    public void onResumed(long lost) {
        LoggingEventBuilder event = of(LOG.atWarn(), "written").addKeyValue("lost", lost);
        if (lost == 0) {
            event.log("{} are written to {} again, none were lost", what, to);
        } else {
            event.log("{} are written to {} again; {} were lost", what, to, lost);
        }
    }

    private LoggingEventBuilder of(LoggingEventBuilder level, String event) {
        return level.addKeyValue("event", event).addKeyValue("what", what).addKeyValue("file", to);
    }
}
