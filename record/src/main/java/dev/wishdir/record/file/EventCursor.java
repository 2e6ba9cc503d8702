package dev.wishdir.record.file;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.mcap.MessageCursor;
import dev.wishdir.record.message.MessageSource;
import dev.wishdir.record.message.PlayerTable;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingDecoder;
import dev.wishdir.record.message.Topic;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;

/**
 * The events of a part of a recording, in order. Their times are in nanoseconds since 1970; players
 * are snapshots, as in an arena. After {@code Recording.refresh} it continues where it ended.
 */
public final class EventCursor {
    private final MessageSource recording;
    private final RecordingDecoder decoder = new RecordingDecoder();
    private final PlayerTable table = new PlayerTable();
    private final Queue<ArenaEvent> decoded = new ArrayDeque<>();
    private final long to;
    private MessageCursor messages;
    private boolean begun;
    private int growths;

    /** Time of the newest message, and how many of that time were read. */
    private long lastTime;

    private int readOfLastTime;
    private Optional<ArenaEvent> current = Optional.empty();

    /**
     * @param start time of the last snapshot before {@code from}
     */
    EventCursor(MessageSource recording, long start, long from, long to) throws IOException {
        this.recording = recording;
        this.to = to;
        growths = recording.growths();
        messages = recording.messages(start, to);
        while (decode() && decoded.element().time() < from) {
            table.apply(decoded.remove());
        }
    }

    /** The events of a whole recording, after a state that was reached before it. */
    EventCursor(MessageSource recording, RecordedState before) throws IOException {
        this.recording = recording;
        to = Long.MAX_VALUE;
        growths = recording.growths();
        messages = recording.messages(0, to);
        decoder.continueFrom(before);
        table.replace(before);
        begun = true;
    }

    /**
     * Moves to the next event.
     *
     * @return false at the end of the part, or of what is in the file so far
     * @throws IOException if the file cannot be read
     */
    public boolean next() throws IOException {
        if (!decode() || decoded.element().time() >= to) {
            return false;
        }
        ArenaEvent event = decoded.remove();
        table.apply(event);
        current = Optional.of(event);
        return true;
    }

    /**
     * The event to which the last {@link #next} moved.
     *
     * @throws NoSuchElementException before the first
     */
    public ArenaEvent event() {
        return current.orElseThrow();
    }

    /** The players and levels after {@link #event}, or at the start of the part. */
    public RecordedState state() {
        return table.snapshot();
    }

    /** Number of movements and events so far that are malformed or of unknown players. */
    public long skipped() {
        return decoder.skipped();
    }

    /** Decodes messages until there is an event; false if there is none. */
    private boolean decode() throws IOException {
        while (decoded.isEmpty()) {
            if (!nextMessage()) {
                return false;
            }
            Topic topic = recording.topic(messages.channel());
            decoder.read(
                    topic,
                    messages.logTimeNanos(),
                    messages.buffer(),
                    messages.offset(),
                    messages.length(),
                    decoded::add);
            if (!begun) {
                begun = true;
                if (topic == Topic.SNAPSHOT) {
                    table.replace(decoder.state());
                }
            } else if (topic == Topic.SNAPSHOT || topic == Topic.FLAGS) {
                table.setFlags(decoder.state().flags());
            }
        }
        return true;
    }

    private boolean nextMessage() throws IOException {
        if (!messages.next() && !continueGrown()) {
            return false;
        }
        readOfLastTime = messages.logTimeNanos() == lastTime ? readOfLastTime + 1 : 1;
        lastTime = messages.logTimeNanos();
        return true;
    }

    /** Continues after the newest message, if the file has grown since. */
    private boolean continueGrown() throws IOException {
        if (growths == recording.growths()) {
            return false;
        }
        growths = recording.growths();
        messages = recording.messages(lastTime, to);
        for (int read = 0; messages.next(); read++) {
            if (messages.logTimeNanos() != lastTime || read == readOfLastTime) {
                return true;
            }
        }
        return false;
    }
}
