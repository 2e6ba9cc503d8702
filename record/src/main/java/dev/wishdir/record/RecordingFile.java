package dev.wishdir.record;

import dev.wishdir.record.mcap.McapWriter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The start of a recording's file: metadata, the arena's text, schemas and channels. */
final class RecordingFile {
    /** Profile in the header; the reader does not depend on it. */
    static final String PROFILE = "wishdir";

    /** Attachment with the text of the arena. */
    static final String ARENA_NAME = "arena.txt";

    /** Maximum size of the arena's text, UTF-8 bytes; a longer one is left out. */
    static final int MAX_ARENA_BYTES = 256 << 10;

    private RecordingFile() {}

    /**
     * Creates a file that is ready for messages.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    static McapWriter create(
            Path path, RecordingInfo info, Optional<String> arenaText, RecordingOptions options)
            throws IOException {
        McapWriter file = McapWriter.create(path, PROFILE, info.software());
        try {
            file.addMetadata(RecordingInfo.METADATA_NAME, info.toMetadata());
            byte[] arena = arenaText.orElse("").getBytes(StandardCharsets.UTF_8);
            if (arena.length > 0 && arena.length <= MAX_ARENA_BYTES) {
                long time = info.started().toEpochMilli() * 1_000_000;
                file.addAttachment(ARENA_NAME, "text/plain", time, arena);
            }
            Topic.addTo(file);
            if (options.viewerTopics()) {
                ViewerTopics.addTo(file);
            }
            return file;
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
    }
}
