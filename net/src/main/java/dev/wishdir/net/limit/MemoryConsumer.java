package dev.wishdir.net.limit;

/**
 * A connection whose queues and reassembly buffers count against the {@code MemoryBudget}. Its
 * {@link Object#toString} is its name in the log.
 */
public interface MemoryConsumer {
    /**
     * The heap that it retains now, bytes, with the overhead of queue entries, arrays and maps
     * besides their payload. Queried often, so it must return a running total.
     */
    long retainedBytes();

    /**
     * Closes the connection and frees its memory at once, except for a final message to its peer.
     * It is then no longer counted.
     *
     * @param now nanoseconds
     * @param reason for the peer and the log
     */
    void abort(long now, String reason);

    /** The connection's name in a log that hides addresses. */
    default String nameWithoutAddress() {
        return "a client";
    }

    /**
     * Whether it stays registered after {@link #abort}, as a port does whose connections come and
     * go.
     */
    default boolean isPermanent() {
        return false;
    }

    /**
     * Disconnects the peer after a message with the reason in the form of its game, which the peer
     * gets time to receive.
     *
     * @param now nanoseconds
     */
    default void disconnect(long now, String reason) {
        abort(now, reason);
    }
}
