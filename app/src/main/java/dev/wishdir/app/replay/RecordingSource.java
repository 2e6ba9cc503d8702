package dev.wishdir.app.replay;

import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.message.RecordedState;

import java.io.IOException;
import java.nio.file.Path;

/** A recording in a file. */
public final class RecordingSource implements ReplaySource {
    private final Recording recording;
    private final boolean grows;

    private RecordingSource(Recording recording, boolean grows) {
        this.recording = recording;
        this.grows = grows;
    }

    /**
     * Opens a recording as it is now; one that was cut ends where it was cut. A pipe is copied
     * first.
     *
     * @throws IOException if the file is not a recording
     */
    public static RecordingSource open(Path file) throws IOException {
        return new RecordingSource(Recording.open(SeekableFile.of(file)), false);
    }

    /**
     * Opens a recording that another server writes.
     *
     * @throws IOException if the file is not a recording
     */
    public static RecordingSource follow(Path file) throws IOException {
        return new RecordingSource(Recording.open(file), true);
    }

    @Override
    public long startNanos() {
        return recording.startNanos();
    }

    @Override
    public long endNanos() {
        return recording.endNanos();
    }

    @Override
    public boolean isComplete() {
        return !grows || recording.isComplete();
    }

    @Override
    public void refresh() throws IOException {
        recording.refresh();
    }

    @Override
    public RecordedState stateAt(long nanos) throws IOException {
        return recording.stateAt(nanos);
    }

    @Override
    public Events eventsAfter(long nanos) throws IOException {
        EventCursor cursor = recording.events(nanos + 1, Long.MAX_VALUE);
        return () -> cursor.next() ? cursor.event() : null;
    }

    @Override
    public void close() throws IOException {
        recording.close();
    }
}
