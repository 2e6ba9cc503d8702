package dev.wishdir.record.file;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.McapLimits;
import dev.wishdir.record.mcap.McapWriter;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingEncoder;
import dev.wishdir.record.message.RecordingOptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Writes events to a recording on the caller's thread: for tools, which may wait for the disk. A
 * server uses a {@code Recorder}.
 */
public final class RecordingWriter implements ArenaListener, AutoCloseable {
    /** Size of a chunk before compression, bytes: what a reader must decompress for one moment. */
    public static final int CHUNK_BYTES = 256 << 10;

    /** Maximum time for which events of a server wait in memory. */
    public static final long MAX_CHUNK_NANOS = 750_000_000;

    /** From this number of chunks on they are written by their size only: a file has a maximum. */
    private static final int MAX_FLUSHED_CHUNKS = McapLimits.MAX_CHUNKS / 2;

    private final McapWriter file;
    private final Chunk chunk = new Chunk();
    private final RecordingEncoder encoder;
    private long flushDue;
    private boolean waits;

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

    /**
     * Writes what has waited for 750 ms, so that a process that is killed loses about a second; for
     * events that are recorded as they happen. To be called again and again.
     *
     * @param now on any clock that is not set, nanoseconds
     * @throws UncheckedIOException if the file cannot be written
     */
    public void flush(long now) {
        encoder.flush();
        if (chunk.isEmpty() || file.statistics().chunks() >= MAX_FLUSHED_CHUNKS) {
            waits = false;
        } else if (!waits) {
            waits = true;
            flushDue = now + MAX_CHUNK_NANOS;
        } else if (now - flushDue >= 0) {
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
        waits = false;
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
