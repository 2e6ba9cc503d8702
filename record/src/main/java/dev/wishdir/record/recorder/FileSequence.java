package dev.wishdir.record.recorder;

import dev.wishdir.record.file.RecordingFile;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.ViolationClips;
import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.McapWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The files of a recorder, one after another: begun, written, completed, deleted when old. After a
 * failure there is no file until the next {@link #begin}.
 *
 * <p>What must be on the disk before it goes on, as the end of a file, is done on another thread: a
 * chunk is only written, and never waits for the disk. A killed process loses what was not written,
 * not what is not on the disk yet.
 */
final class FileSequence implements ChunkSink {
    /** Minimum interval between two calls that wait until the data is on the disk. */
    static final long FORCE_INTERVAL_NANOS = 10_000_000_000L;

    private record Open(Path path, McapWriter writer) {}

    /** A step that waits for the disk. */
    @FunctionalInterface
    private interface DiskTask {
        void run() throws IOException;
    }

    private final RecordingFolder folder;
    private final RecorderSettings settings;
    private final Executor disk;

    /** Completed by tasks for the disk, which follow one another. */
    private final Optional<ViolationClips> clips;

    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private Optional<Open> open = Optional.empty();
    private CompletableFuture<?> lastTask = CompletableFuture.allOf();

    /** The completion of the file before this one. */
    private CompletableFuture<?> lastCompletion = lastTask;

    private long lastForce;

    FileSequence(RecordingFolder folder, RecorderSettings settings) {
        this(
                folder,
                settings,
                task -> Thread.ofPlatform().daemon().name("recorder-disk").start(task));
    }

    /**
     * @param disk runs what waits for the disk; one task at a time
     */
    FileSequence(RecordingFolder folder, RecorderSettings settings, Executor disk) {
        this.folder = folder;
        this.settings = settings;
        this.disk = disk;
        clips =
                settings.keep() == RecorderSettings.Keep.VIOLATIONS
                        ? Optional.of(new ViolationClips(folder, settings.options()))
                        : Optional.empty();
    }

    @Override
    public void begin(FileStart start) throws IOException {
        if (open.isPresent()) {
            // At most one file waits to be completed.
            await(lastCompletion);
            Open ended = open.get();
            open = Optional.empty();
            lastCompletion = enqueue(() -> complete(ended));
        }
        Instant at = start.info().started();
        folder.deleteOld(at, settings.maxAge(), settings.maxTotalBytes());
        folder.checkFree(settings.minFreeBytes());
        Path path = folder.newFile(at, start.info().arena());
        McapWriter writer =
                RecordingFile.create(
                        path, start.info(), start.arenaText().get(), settings.options());
        open = Optional.of(new Open(path, writer));
        RecordingFolder.restrict(path, "rw-r-----");
    }

    @Override
    public Optional<Path> path() {
        return open.map(Open::path);
    }

    @Override
    public long bytes() {
        return open.map(it -> it.writer().position()).orElse(0L);
    }

    @Override
    public void write(long now, Chunk chunk) throws IOException {
        checkFailure();
        if (open.isEmpty() || chunk.isEmpty()) {
            return;
        }
        McapWriter writer = open.get().writer();
        writer.write(chunk);
        if (now - lastForce >= FORCE_INTERVAL_NANOS && lastTask.isDone()) {
            lastForce = now;
            enqueue(writer::force);
        }
    }

    @Override
    public void noteViolation(long time) {
        clips.ifPresent(it -> it.note(time));
    }

    /** Lets a task follow those before it. If it fails, the next write does. */
    private CompletableFuture<?> enqueue(DiskTask task) {
        lastTask =
                lastTask.thenRunAsync(
                        () -> {
                            try {
                                task.run();
                            } catch (IOException e) {
                                failure.compareAndSet(null, e);
                            } catch (RuntimeException | Error e) {
                                failure.compareAndSet(
                                        null, new IOException("defect in the recorder", e));
                            }
                        },
                        disk);
        return lastTask;
    }

    private void checkFailure() throws IOException {
        IOException failed = failure.getAndSet(null);
        if (failed != null) {
            throw failed;
        }
    }

    private static void await(CompletableFuture<?> task) throws IOException {
        try {
            task.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a file was completed");
        } catch (ExecutionException e) {
            throw new IOException("cannot run what waits for the disk", e);
        }
    }

    @Override
    public void end() throws IOException {
        await(lastTask);
        if (open.isPresent()) {
            Open ended = open.get();
            open = Optional.empty();
            complete(ended);
        }
    }

    private void complete(Open ended) throws IOException {
        try (McapWriter writer = ended.writer()) {
            writer.force();
        }
        Path whole = folder.complete(ended.path());
        if (clips.isPresent()) {
            clips.get().add(whole);
        }
    }

    @Override
    public void close() throws IOException {
        try (folder) {
            end();
            if (clips.isPresent()) {
                clips.get().close();
            }
            checkFailure();
        }
    }
}
