package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

/**
 * Carries messages between nodes: at most once, in order from each publisher. Nothing is kept for a
 * bus that is not connected, in neither direction.
 *
 * <p>All methods belong to one thread, that of the node.
 */
public interface Bus extends AutoCloseable {
    /**
     * Receives all further messages of others on the subjects that match.
     *
     * @param pattern a subject, in which {@code *} stands for any one token
     */
    void subscribe(String pattern);

    /** Receives no further messages for a pattern. */
    void unsubscribe(String pattern);

    /**
     * Publishes a message, without waiting.
     *
     * @param data not to be changed afterwards
     * @return false if the message was dropped: the bus is not connected, or its queue is full
     */
    boolean publish(String subject, byte[] data);

    /**
     * Publishes a message that wants an answer on another subject. If the bus knows that no node
     * receives it, {@link BusEvent.NoResponders} comes instead.
     */
    boolean publish(String subject, String replyTo, byte[] data);

    /** The next event; null if there is none. */
    @Nullable BusEvent poll();

    /**
     * Asks for one wake-up of the node's thread when the next event comes. Without this call an
     * event wakes no thread.
     *
     * @return false if an event waits already; there is no wake-up then
     */
    boolean requestWakeUp();

    /** The bucket of an arena, always the same one. */
    Bucket bucket(String name);

    /** The clock of this bus: monotonic nanoseconds, which go on while the process is suspended. */
    long nanos();

    /** Counters since the start; thread-safe. */
    BusCounters counters();

    @Override
    void close();
}
