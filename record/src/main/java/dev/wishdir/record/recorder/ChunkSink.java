package dev.wishdir.record.recorder;

import dev.wishdir.record.mcap.Chunk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Sink of a recorder's chunks: files, one after another. Used by the recorder's thread only. */
interface ChunkSink extends AutoCloseable {
    /** Completes the file before, and begins the next. */
    void begin(FileStart start) throws IOException;

    /**
     * Writes a chunk to the file; does nothing if there is none.
     *
     * @param now nanoseconds of any clock that does not go back
     */
    void write(long now, Chunk chunk) throws IOException;

    /** Notes that a player moved as its game does not allow, at nanoseconds since 1970. */
    void noteViolation(long time);

    /** Completes the file, as far as it is whole. */
    void end() throws IOException;

    /** The file that grows; empty if there is none. */
    Optional<Path> path();

    /** The size of the file that grows, bytes. */
    long bytes();

    @Override
    void close() throws IOException;
}
