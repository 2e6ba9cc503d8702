package dev.wishdir.record;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.McapWriter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Writes events to a recording on the caller's thread: for tools, which may wait for the disk. A
 * server uses a {@link Recorder}.
 */
public final class RecordingWriter implements ArenaListener, AutoCloseable {
    /** Size of a chunk before compression, bytes: what a reader must decompress for one moment. */
    static final int CHUNK_BYTES = 256 << 10;

    private final McapWriter file;
    private final Chunk chunk = new Chunk();
    private final RecordingEncoder encoder;

    private RecordingWriter(McapWriter file, RecordingOptions options) {
        this.file = file;
        encoder = new RecordingEncoder(options, 0, chunk::add);
    }

    /**
     * Creates a recording.
     *
     * @param arenaText the arena's file, if it is known
     * @throws java.nio.file.FileAlreadyExistsException if the file exists: recordings are never
     *     overwritten
     */
    public static RecordingWriter create(
            Path path, RecordingInfo info, Optional<String> arenaText, RecordingOptions options)
            throws IOException {
        return new RecordingWriter(RecordingFile.create(path, info, arenaText, options), options);
    }

    /** Sets the state before the first event; otherwise there is no player. */
    public void begin(RecordedState state) {
        encoder.begin(state);
    }

    /**
     * Records an event; its time is in nanoseconds since 1970, and must not decrease.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    @Override
    public void onEvent(ArenaEvent event) {
        encoder.add(event);
        if (chunk.size() >= CHUNK_BYTES) {
            writeChunk();
        }
    }

    private void writeChunk() {
        try {
            file.write(chunk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        chunk.clear();
    }

    /** Writes what is left and completes the file. */
    @Override
    public void close() throws IOException {
        try (file) {
            encoder.flush();
            if (!chunk.isEmpty()) {
                file.write(chunk);
            }
        }
    }
}
