package dev.wishdir.record.file;

import dev.wishdir.record.mcap.McapWriter;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.message.Topic;
import dev.wishdir.record.message.ViewerTopics;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The start of a recording's file: metadata, the arena's text, schemas and channels. */
public final class RecordingFile {
    /** Profile in the header; the reader does not depend on it. */
    static final String PROFILE = "wishdir";

    /** Attachment with the text of the arena. */
    static final String ARENA_NAME = "arena.txt";

    /**
     * Maximum size of the arena's text, UTF-8 bytes; a longer one is left out. The largest grid of
     * blocks needs 8.5 MB.
     */
    static final int MAX_ARENA_BYTES = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(RecordingFile.class);

    private RecordingFile() {}

    /**
     * Creates a file that is ready for messages.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public static McapWriter create(
            Path path, RecordingInfo info, Optional<String> arenaText, RecordingOptions options)
            throws IOException {
        McapWriter file = McapWriter.create(path, PROFILE, info.software());
        try {
            file.addMetadata(RecordingInfo.METADATA_NAME, info.toMetadata());
            byte[] arena = arenaText.orElse("").getBytes(StandardCharsets.UTF_8);
            if (arena.length > 0 && arena.length <= MAX_ARENA_BYTES) {
                long time = info.started().toEpochMilli() * 1_000_000;
                file.addAttachment(ARENA_NAME, "text/plain", time, arena);
            } else if (arena.length > 0) {
                LOG.atWarn()
                        .addKeyValue("event", "recording-without-arena")
                        .log(
                                "{} has no arena: the text of {} has {} bytes, allowed are {}",
                                path,
                                info.arena(),
                                arena.length,
                                MAX_ARENA_BYTES);
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
