package dev.wishdir.record.file;

import dev.wishdir.record.mcap.AttachmentInfo;
import dev.wishdir.record.mcap.Channel;
import dev.wishdir.record.mcap.Damage;
import dev.wishdir.record.mcap.McapReader;
import dev.wishdir.record.mcap.MessageCursor;
import dev.wishdir.record.mcap.Metadata;
import dev.wishdir.record.mcap.Schema;
import dev.wishdir.record.message.MessageSource;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.message.Topic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A recording, open for reading: what happened is read back as the events that were recorded. Files
 * that were cut or damaged are read as far as they are whole; a file that still grows can be
 * {@linkplain #refresh refreshed}. Owned by one thread.
 */
public final class Recording implements AutoCloseable {
    private final McapReader file;
    private final Map<Integer, Topic> topics;
    private int growths;

    private Recording(McapReader file, Map<Integer, Topic> topics) {
        this.file = file;
        this.topics = topics;
    }

    /**
     * Opens a recording.
     *
     * @throws IOException if the file cannot be read, or is none of this library
     */
    public static Recording open(Path path) throws IOException {
        McapReader file = McapReader.open(path);
        try {
            Map<Integer, Topic> topics = topics(file);
            if (!topics.containsValue(Topic.SNAPSHOT)) {
                throw new IOException(
                        path
                                + " has no channel "
                                + Topic.SNAPSHOT.title()
                                + " of "
                                + Topic.SNAPSHOT.schema()
                                + ": it is not a recording of Wishdir");
            }
            return new Recording(file, topics);
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
    }

    /** The messages of some channels. */
    private MessageSource source(Set<Integer> channels) {
        return new MessageSource() {
            @Override
            public MessageCursor messages(long fromNanos, long toNanos) {
                return file.messages(fromNanos, toNanos, channels);
            }

            @Override
            public Topic topic(int channel) {
                return Objects.requireNonNull(topics.get(channel));
            }

            @Override
            public int growths() {
                return growths;
            }
        };
    }

    /** The channels of our topics; a channel counts only with our schema. */
    private static Map<Integer, Topic> topics(McapReader file) {
        Map<Integer, String> schemas = new HashMap<>();
        for (Schema schema : file.schemas()) {
            schemas.put(schema.id(), schema.name());
        }
        Map<Integer, Topic> topics = new HashMap<>();
        for (Channel channel : file.channels()) {
            for (Topic topic : Topic.values()) {
                if (channel.topic().equals(topic.title())
                        && channel.messageEncoding().equals(Topic.ENCODING)
                        && topic.schema().equals(schemas.get(channel.schema()))) {
                    topics.put(channel.id(), topic);
                }
            }
        }
        return topics;
    }

    public RecordingInfo info() throws IOException {
        Instant first = Instant.ofEpochSecond(0, startNanos());
        for (Metadata metadata : file.metadata()) {
            if (metadata.name().equals(RecordingInfo.METADATA_NAME)) {
                return RecordingInfo.of(metadata.values(), first);
            }
        }
        return RecordingInfo.of(Map.of(), first);
    }

    /** The text of the arena that was played at the start, in the format of arena files. */
    public Optional<String> arenaText() throws IOException {
        for (AttachmentInfo attachment : file.attachments()) {
            if (attachment.name().equals(RecordingFile.ARENA_NAME)
                    && attachment.dataBytes() <= RecordingFile.MAX_ARENA_BYTES) {
                return Optional.of(new String(file.read(attachment), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** Time of the first message, nanoseconds since 1970; 0 if there is none. */
    public long startNanos() {
        return file.startNanos();
    }

    /** Time of the last message, nanoseconds since 1970; a movement may be 50 ms later. */
    public long endNanos() {
        return file.endNanos();
    }

    /** Whether the file was completed: otherwise it grows, or its writer was killed. */
    public boolean isComplete() {
        return file.isComplete();
    }

    /** Parts of the file that cannot be read. */
    public List<Damage> damage() throws IOException {
        return file.damage();
    }

    /**
     * The events of a part of the recording.
     *
     * @param fromNanos nanoseconds since 1970; the cursor's state is that before this time
     * @param toNanos end, exclusive
     */
    public EventCursor events(long fromNanos, long toNanos) throws IOException {
        int snapshots =
                topics.entrySet().stream()
                        .filter(it -> it.getValue() == Topic.SNAPSHOT)
                        .mapToInt(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        long before = Math.max(0, fromNanos - 1);
        long start = file.last(snapshots, before).map(MessageCursor::logTimeNanos).orElse(0L);
        return new EventCursor(source(topics.keySet()), start, fromNanos, toNanos);
    }

    /** All events. */
    public EventCursor events() throws IOException {
        return events(0, Long.MAX_VALUE);
    }

    /**
     * All events except movements, which takes a third of the time: the rows of movements are not
     * decoded. Positions of players are those of the last snapshot, spawn or teleport.
     */
    public EventCursor eventsWithoutMovements() throws IOException {
        Set<Integer> channels = new HashSet<>(topics.keySet());
        channels.removeIf(channel -> topics.get(channel) == Topic.MOVES);
        return new EventCursor(source(channels), 0, 0, Long.MAX_VALUE);
    }

    /**
     * All events of a recording that continues another one, such as the next file of a server. They
     * begin with what differs from the state at the end of the other one.
     */
    public EventCursor eventsAfter(RecordedState before) throws IOException {
        return new EventCursor(source(topics.keySet()), before);
    }

    /** The players and levels at a time, what happens at that nanosecond included. */
    public RecordedState stateAt(long nanos) throws IOException {
        return events(nanos + 1, nanos + 1).state();
    }

    /**
     * Writes a part of this recording to a new one.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public void copy(long fromNanos, long toNanos, Path target, RecordingOptions options)
            throws IOException {
        RecordingInfo info = info();
        EventCursor cursor = events(fromNanos, toNanos);
        Instant started = Instant.ofEpochSecond(0, Math.max(fromNanos, startNanos()));
        try (RecordingWriter writer =
                RecordingWriter.create(
                        target,
                        new RecordingInfo(info.software(), info.server(), info.arena(), started),
                        arenaText(),
                        options)) {
            writer.begin(cursor.state());
            while (cursor.next()) {
                writer.onEvent(cursor.event());
            }
        } catch (UncheckedIOException e) {
            throw new IOException("cannot write " + target, e.getCause());
        }
    }

    /**
     * Takes up what was appended to a growing file.
     *
     * @return whether there are more messages
     */
    public boolean refresh() throws IOException {
        boolean grown = file.refresh();
        if (grown) {
            growths++;
        }
        return grown;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
