package dev.wishdir.cluster.nats;

import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusEvent;

import org.jspecify.annotations.Nullable;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands events from the threads of a bus to the thread of a node: many producers, one consumer, no
 * lock. Bounded by count and bytes: what does not fit is discarded and counted. State changes of
 * the bus are never discarded, as there are few.
 */
final class BusQueue {
    /** Maximum number of events that wait. */
    static final int MAX_EVENTS = 8192;

    /** Maximum number of bytes of the messages that wait. */
    static final int MAX_BYTES = 32 << 20;

    private final Queue<BusEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicLong discarded = new AtomicLong();
    private final AtomicBoolean awaited = new AtomicBoolean();
    private final Runnable wakeUp;

    /**
     * @param wakeUp called on the thread of a producer, at most once for each {@link
     *     #requestWakeUp}
     */
    BusQueue(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Adds a message, if it fits. Thread-safe. */
    void offer(BusEvent.Received message) {
        if (count.get() >= MAX_EVENTS || bytes.get() + message.data().length > MAX_BYTES) {
            discarded.incrementAndGet();
            return;
        }
        bytes.addAndGet(message.data().length);
        add(message);
    }

    /** Adds an event that is not a message. Thread-safe. */
    void add(BusEvent event) {
        count.incrementAndGet();
        events.add(event);
        if (awaited.get() && awaited.compareAndSet(true, false)) {
            wakeUp.run();
        }
    }

    /** The next event; only for the consumer. */
    @Nullable BusEvent poll() {
        BusEvent event = events.poll();
        if (event != null) {
            count.decrementAndGet();
            if (event instanceof BusEvent.Received received) {
                bytes.addAndGet(-received.data().length);
            }
        }
        return event;
    }

    /** As {@link Bus#requestWakeUp}. */
    boolean requestWakeUp() {
        awaited.set(true);
        // An event that came before the line above saw no request.
        return events.isEmpty() || !awaited.compareAndSet(true, false);
    }

    /** Number of discarded messages. Thread-safe. */
    long discarded() {
        return discarded.get();
    }
}
