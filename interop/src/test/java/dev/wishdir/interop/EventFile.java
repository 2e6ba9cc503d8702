package dev.wishdir.interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The file of {@code --events}, which a server may still be writing. Tests read it again and again
 * while they wait: only what has been appended since is parsed.
 */
final class EventFile {
    /** Files that are remembered, those that were read last: one for each server of a test. */
    private static final int FILES = 4;

    private static final Map<Path, EventFile> READ =
            new LinkedHashMap<>(FILES, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Path, EventFile> eldest) {
                    return size() > FILES;
                }
            };

    /** Tells a file from an earlier one of its name. */
    private final @Nullable Object key;

    private final List<JsonObject> events = new ArrayList<>();
    private long bytes;

    private EventFile(@Nullable Object key) {
        this.key = key;
    }

    /**
     * All events whose lines are whole. They are shared by all who ask: do not change them.
     *
     * <p>The file is read in one piece: a reader of lines takes a half at the end of the file for a
     * line, and its other half, written since, for the next one.
     *
     * @return no events if there is no file yet
     */
    static List<JsonObject> events(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            synchronized (READ) {
                EventFile read = READ.get(file);
                if (read == null
                        || !Objects.equals(read.key, now.fileKey())
                        || now.size() < read.bytes) {
                    read = new EventFile(now.fileKey());
                    READ.put(file, read);
                }
                read.append(file, now.size());
                return List.copyOf(read.events);
            }
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(Path file, long size) throws IOException {
        ByteBuffer appended = ByteBuffer.allocate(Math.toIntExact(size - bytes));
        if (!appended.hasRemaining()) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            long from = bytes;
            for (int read = 0; read >= 0 && appended.hasRemaining(); ) {
                read = channel.read(appended, from + appended.position());
            }
        }
        int length = appended.position();
        while (length > 0 && appended.get(length - 1) != '\n') {
            length--;
        }
        new String(appended.array(), 0, length, StandardCharsets.UTF_8)
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .forEach(events::add);
        bytes += length;
    }

    /** The events of one kind that a player of this name had. */
    static List<JsonObject> events(Path file, String event, String name) {
        return events(file).stream()
                .filter(line -> line.get("event").getAsString().equals(event))
                .filter(line -> line.has("name") && line.get("name").getAsString().equals(name))
                .toList();
    }
}
