package dev.wishdir.app.replay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a recording ahead of its replay: an executor's thread reads, the server's loop takes what
 * is there and never waits. At most {@value #MAX_ITEMS} events are read ahead.
 */
final class EventReadAhead {
    /** Maximum number of events in memory; each has at most a few hundred bytes. */
    static final int MAX_ITEMS = 4_096;

    /** Interval at which a recording that grows is looked at again. */
    static final long REFRESH_INTERVAL_NANOS = 250_000_000;

    /** A result of reading. */
    sealed interface Item {}

    /** The state with which the events after a seek begin. */
    record State(long nanos, RecordedState recorded) implements Item {}

    record Event(ArenaEvent event) implements Item {}

    /** The server that recorded has ended here; another recording may follow. */
    record Interruption(long nanos) implements Item {}

    /** The recording ends here. */
    record End(long nanos) implements Item {}

    /**
     * The recording cannot be read further.
     *
     * @param problem for the operator
     */
    record Failure(String problem) implements Item {}

    /**
     * A jump to a time.
     *
     * @param number of the jump, from 1
     */
    private record Seek(long number, long nanos) {}

    private record Numbered(long seek, Item item) {}

    private final ReplaySource source;
    private final Executor executor;
    private final ArrayBlockingQueue<Numbered> queue = new ArrayBlockingQueue<>(MAX_ITEMS);
    private final AtomicBoolean filling = new AtomicBoolean();

    /** The newest jump, as the loop requested it. */
    private volatile Seek seek = new Seek(0, 0);

    /** The loop's clock as of its last call. */
    private volatile long now;

    /** The seek whose last item is in the queue. */
    private volatile long finished = -1;

    /** As of the executor's thread. */
    private long begun = -1;

    private boolean interrupted;
    private long nextRefresh;
    private ReplaySource.Events events = () -> null;
    private @Nullable Numbered unqueued;

    /**
     * @param executor runs the reads, one at a time
     */
    EventReadAhead(ReplaySource source, Executor executor) {
        this.source = source;
        this.executor = executor;
    }

    /** Reads from a time on; what was read before is dropped. */
    void seek(long now, long nanos) {
        this.now = now;
        seek = new Seek(seek.number + 1, nanos);
        queue.clear();
        request();
    }

    /** The next item; null if it is not read yet. */
    @Nullable Item poll(long now) {
        this.now = now;
        long current = seek.number;
        Numbered next = queue.poll();
        while (next != null && next.seek != current) {
            next = queue.poll();
        }
        if (queue.size() < MAX_ITEMS / 2 && finished != current) {
            request();
        }
        return next == null ? null : next.item;
    }

    private void request() {
        if (filling.compareAndSet(false, true)) {
            executor.execute(() -> {
                try {
                    fill();
                } finally {
                    filling.set(false);
                }
            });
        }
    }

    /** Reads until the queue is full or there is nothing to read. */
    private void fill() {
        while (offerLast()) {
            Seek current = seek;
            Item next;
            try {
                next = begun == current.number ? next() : begin(current);
            } catch (IOException | RuntimeException e) {
                next = new Failure(String.valueOf(e.getMessage()));
            } catch (OutOfMemoryError | StackOverflowError e) {
                // The server must go on without the recording.
                events = () -> null;
                next = new Failure("it needs more memory than there is (" + e + ")");
            }
            if (next == null) {
                return;
            }
            unqueued = new Numbered(current.number, next);
        }
    }

    /** Queues the item that had no room; returns whether to read on. */
    private boolean offerLast() {
        Numbered last = unqueued;
        long current = seek.number;
        if (last != null && last.seek == current && !queue.offer(last)) {
            return false;
        }
        unqueued = null;
        if (last != null && (last.item instanceof End || last.item instanceof Failure)) {
            finished = last.seek;
        }
        return finished != current;
    }

    private Item begin(Seek current) throws IOException {
        long from = current.nanos;
        State state = new State(from, source.stateAt(from));
        events = source.eventsAfter(from);
        begun = current.number;
        interrupted = false;
        return state;
    }

    private @Nullable Item next() throws IOException {
        ArenaEvent event = events.next();
        long time = now;
        boolean mayRefresh = time >= nextRefresh || nextRefresh - time > REFRESH_INTERVAL_NANOS;
        if (event == null && !source.isComplete() && mayRefresh) {
            nextRefresh = time + REFRESH_INTERVAL_NANOS;
            source.refresh();
            event = events.next();
        }
        if (event != null) {
            interrupted = false;
            return new Event(event);
        }
        if (source.isComplete()) {
            return new End(source.endNanos());
        }
        if (!interrupted && source.isInterrupted()) {
            interrupted = true;
            return new Interruption(source.endNanos());
        }
        return null;
    }
}
