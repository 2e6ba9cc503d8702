package dev.wishdir.app.serve;

import dev.wishdir.record.recorder.Recorder;
import dev.wishdir.record.recorder.RecorderListener;
import dev.wishdir.record.recorder.RecorderStatus;
import dev.wishdir.wire.Quantity;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Reports to the log and in {@code status} what the recorder does. */
final class RecorderReport implements RecorderListener {
    private static final Logger LOG = LoggerFactory.getLogger(RecorderReport.class);

    @Override
    public void onFailure(IOException why) {
        LOG.atError()
                .addKeyValue("event", "recording-failed")
                .log(
                        "recording stopped, the server continues and tries again each {} s: {}",
                        TimeUnit.NANOSECONDS.toSeconds(Recorder.RETRY_INTERVAL_NANOS),
                        String.valueOf(why));
    }

    @Override
    public void onResumed(Path file) {
        LOG.atInfo().addKeyValue("event", "recording-resumed").log("recording into {}", file);
    }

    /** The line of the operator command {@code status}. */
    static String status(RecorderStatus status) {
        String what =
                status.failure().isEmpty()
                        ? status.file()
                                .map(file ->
                                        String.format(
                                                Locale.ROOT,
                                                "recording into %s, %.1f MB",
                                                file.getFileName(),
                                                status.bytes() / 1e6))
                                .orElse("recording begins")
                        : "not recording: " + status.failure();
        return status.lostEvents() == 0
                ? what
                : what + "; " + Quantity.of(status.lostEvents(), "event") + " left out";
    }
}
