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

    /** What 3D viewers draw, if the file has it. */
    private final Optional<ViewerTopics> viewer;

    private RecordingWriter(
            McapWriter file, RecordingOptions options, Optional<ViewerTopics> viewer) {
        this.file = file;
        this.viewer = viewer;
        encoder = new RecordingEncoder(options, 0, this::add);
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
        McapWriter file = RecordingFile.create(path, info, arenaText);
        return new RecordingWriter(file, options, Optional.empty());
    }

    /**
     * Creates a recording that also has {@linkplain ViewerTopics topics that 3D viewers draw}.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public static RecordingWriter createForViewers(
            Path path, RecordingInfo info, Optional<String> arenaText, RecordingOptions options)
            throws IOException {
        McapWriter file = RecordingFile.create(path, info, arenaText);
        try {
            ViewerTopics.addTo(file);
            return new RecordingWriter(file, options, Optional.of(new ViewerTopics()));
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
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
        if (viewer.isPresent() && viewer.get().isDue(event.time())) {
            encoder.flush();
            viewer.get().append(event.time(), encoder.players(), chunk);
        }
        encoder.add(event);
        if (chunk.size() >= CHUNK_BYTES) {
            writeChunk();
        }
    }

    private void add(Topic topic, long time, byte[] data, int offset, int length) {
        chunk.add(topic.channel(), time, data, offset, length);
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
