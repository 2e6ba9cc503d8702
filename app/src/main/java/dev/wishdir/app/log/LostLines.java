package dev.wishdir.app.log;

import org.slf4j.LoggerFactory;

/** Reports lines of the log that an {@link AsyncLineWriter} dropped. */
public final class LostLines {
    private LostLines() {}

    /** Logs how many lines were lost while the reader was too slow. */
    public static void report(long lines) {
        if (lines > 0) {
            LoggerFactory.getLogger(LostLines.class)
                    .atWarn()
                    .addKeyValue("event", "lost")
                    .addKeyValue("lines", lines)
                    .log("lines of the log were lost because their reader was too slow: {}", lines);
        }
    }
}
