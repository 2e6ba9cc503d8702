package dev.wishdir.record;

import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.McapWriter;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The files of a recorder, one after another: begun, written, completed, deleted when old. After a
 * failure there is no file until the next {@link #begin}.
 */
final class FileSequence implements ChunkSink {
    /** Interval between two calls that wait until the data is on the disk. */
    static final long FORCE_INTERVAL_NANOS = 10_000_000_000L;

    private record Open(Path path, McapWriter writer) {}

    private final RecordingFolder folder;
    private final RecorderSettings settings;
    private final Optional<ViolationClips> clips;
    private Optional<Open> open = Optional.empty();
    private long lastForce;

    FileSequence(RecordingFolder folder, RecorderSettings settings) {
        this.folder = folder;
        this.settings = settings;
        clips =
                settings.keep() == RecorderSettings.Keep.VIOLATIONS
                        ? Optional.of(new ViolationClips(folder, settings.options()))
                        : Optional.empty();
    }

    @Override
    public void begin(FileStart start) throws IOException {
        end();
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
        if (open.isEmpty() || chunk.isEmpty()) {
            return;
        }
        McapWriter writer = open.get().writer();
        writer.write(chunk);
        if (now - lastForce >= FORCE_INTERVAL_NANOS) {
            lastForce = now;
            writer.force();
        }
    }

    @Override
    public void noteViolation(long time) {
        clips.ifPresent(it -> it.note(time));
    }

    @Override
    public void end() throws IOException {
        if (open.isEmpty()) {
            return;
        }
        Open ended = open.get();
        open = Optional.empty();
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
        }
    }
}
