package dev.wishdir.record.recorder;

import java.io.IOException;
import java.nio.file.Path;

/** Receives what an operator should know; called on the recorder's thread. */
public interface RecorderListener {
    /** Writing failed; nothing is recorded until {@link #onResumed}. Called once until then. */
    void onFailure(IOException why);

    /** A new file has begun after a failure. */
    void onResumed(Path file);
}
