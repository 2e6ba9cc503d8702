package dev.wishdir.app.replay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * A recording as a replay reads it, on one thread, which it may block. Times are nanoseconds since
 * 1970.
 */
public interface ReplaySource extends AutoCloseable {
    /** Events of a recording in the order of time. */
    @FunctionalInterface
    interface Events {
        /** The next event; null if there is none now, until the recording is refreshed. */
        @Nullable ArenaEvent next() throws IOException;
    }

    /** The time of the first event. */
    long startNanos();

    /** The time of the last event so far. */
    long endNanos();

    /** Whether nothing can be added any more. */
    boolean isComplete();

    /** Whether the newest recording is complete and no other has begun yet. */
    default boolean isInterrupted() {
        return false;
    }

    /** Takes up what was added to a recording that grows. */
    void refresh() throws IOException;

    /** The players and flags after all events up to a time, that time included. */
    RecordedState stateAt(long nanos) throws IOException;

    /** The events after a time, that time excluded. */
    Events eventsAfter(long nanos) throws IOException;

    @Override
    void close() throws IOException;
}
