package dev.wishdir.app.replay;

import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The recordings that a server writes into a folder, one after another, as one that never ends:
 * with a file that has ended, it continues with the next one.
 */
final class FolderSource implements ReplaySource {
    private final Path folder;
    private final long startNanos;
    private Path file;
    private Recording recording;
    private @Nullable EventCursor cursor;
    private boolean interrupted;

    private FolderSource(Path folder, Path file, Recording recording) {
        this.folder = folder;
        this.file = file;
        this.recording = recording;
        startNanos = recording.startNanos();
    }

    /**
     * Follows a folder from its newest recording on.
     *
     * @throws IOException if it has none that can be read
     */
    static FolderSource newest(Path folder) throws IOException {
        List<Path> files = RecordingFolder.recordings(folder).reversed();
        IOException problem =
                new IOException(
                        "it has no recording, such as serve --record writes; start that server"
                                + " first");
        for (Path file : files) {
            try {
                return new FolderSource(folder, file, Recording.open(file));
            } catch (IOException e) {
                // Begun, but not written yet: the one before.
                problem = e;
            }
        }
        throw problem;
    }

    /**
     * Follows a folder from one of its recordings on.
     *
     * @throws IOException if it cannot be read
     */
    static FolderSource from(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("it is a folder");
        }
        return new FolderSource(folder, file, Recording.open(file));
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public long endNanos() {
        return recording.endNanos();
    }

    @Override
    public boolean isComplete() {
        return false;
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }

    /** Takes up what was appended; with nothing, goes to the next file if there is one. */
    @Override
    public void refresh() throws IOException {
        // Before the last look at this file: the next one exists only after this one has ended.
        List<Path> later =
                RecordingFolder.recordings(folder).stream()
                        .filter(each -> isAfter(each, file))
                        .toList();
        interrupted = false;
        if (recording.refresh()) {
            return;
        }
        interrupted = recording.isComplete() && later.isEmpty();
        for (Path next : later) {
            if (open(next)) {
                return;
            }
        }
    }

    private static boolean isAfter(Path one, Path other) {
        return RecordingFolder.title(one).compareTo(RecordingFolder.title(other)) > 0;
    }

    /** Continues with another file; false if it cannot be read, or not yet. */
    private boolean open(Path next) throws IOException {
        RecordedState before = cursor == null ? RecordedState.EMPTY : cursor.state();
        if (!replace(next, Long.MAX_VALUE)) {
            return false;
        }
        cursor = recording.eventsAfter(before);
        return true;
    }

    /** Opens another file if it has messages, and begins at a time or before it. */
    private boolean replace(Path next, long nanos) throws IOException {
        Recording opened;
        try {
            opened = Recording.open(next);
        } catch (IOException _) {
            return false;
        }
        if (opened.endNanos() == 0 || opened.startNanos() > nanos) {
            opened.close();
            return false;
        }
        recording.close();
        recording = opened;
        file = next;
        return true;
    }

    @Override
    public RecordedState stateAt(long nanos) throws IOException {
        select(nanos);
        return recording.stateAt(nanos);
    }

    @Override
    public Events eventsAfter(long nanos) throws IOException {
        select(nanos);
        cursor = recording.events(nanos + 1, Long.MAX_VALUE);
        return () -> {
            EventCursor current = cursor;
            return current != null && current.next() ? current.event() : null;
        };
    }

    /** Opens the file that has a time; one before all of them is in the present file. */
    private void select(long nanos) throws IOException {
        interrupted = false;
        for (Path each : RecordingFolder.recordings(folder).reversed()) {
            if (!isAfter(each, file) && !isAfter(file, each)) {
                if (recording.startNanos() <= nanos) {
                    return;
                }
            } else if (startNanos(each) <= nanos && replace(each, nanos)) {
                return;
            }
        }
    }

    private static long startNanos(Path file) {
        return TimeUnit.SECONDS.toNanos(RecordingFolder.start(file).getEpochSecond());
    }

    @Override
    public void close() throws IOException {
        recording.close();
    }
}
