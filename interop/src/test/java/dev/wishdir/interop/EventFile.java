package dev.wishdir.interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The file of {@code --events}, which a server may still be writing. */
final class EventFile {
    private EventFile() {}

    /**
     * All events whose lines are whole.
     *
     * <p>The file is read in one piece: a reader of lines takes a half at the end of the file for a
     * line, and its other half, written since, for the next one.
     *
     * @return no events if there is no file yet
     */
    static List<JsonObject> events(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            int length = bytes.length;
            while (length > 0 && bytes[length - 1] != '\n') {
                length--;
            }
            return new String(bytes, 0, length, StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The events of one kind that a player of this name had. */
    static List<JsonObject> events(Path file, String event, String name) {
        return events(file).stream()
                .filter(line -> line.get("event").getAsString().equals(event))
                .filter(line -> line.has("name") && line.get("name").getAsString().equals(name))
                .toList();
    }
}
