package dev.wishdir.record.file;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Subject of a recording; the metadata {@code wishdir} of its file.
 *
 * @param software that wrote the file, with its version: {@code Wishdir 0.3.0}
 * @param server the name or the address of the server; empty if unknown
 * @param arena the name of the arena or map at the start; empty if unknown
 * @param started when the recording began
 */
public record RecordingInfo(String software, String server, String arena, Instant started) {
    static final String METADATA_NAME = "wishdir";

    Map<String, String> toMetadata() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("software", software);
        values.put("server", server);
        values.put("arena", arena);
        values.put("started", started.toString());
        return values;
    }

    /** From the metadata of a file; what is missing or malformed is empty. */
    static RecordingInfo of(Map<String, String> values, Instant firstMessage) {
        Instant started;
        try {
            started = Instant.parse(values.getOrDefault("started", ""));
        } catch (DateTimeException _) {
            started = firstMessage;
        }
        return new RecordingInfo(
                values.getOrDefault("software", ""),
                values.getOrDefault("server", ""),
                values.getOrDefault("arena", ""),
                started);
    }
}
