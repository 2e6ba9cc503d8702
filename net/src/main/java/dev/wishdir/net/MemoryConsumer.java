package dev.wishdir.net;

/**
 * A connection that keeps bytes for its peer: queued until they are sent or acknowledged, or half
 * assembled. Its {@link Object#toString} is what the log calls it.
 */
public interface MemoryConsumer {
    /**
     * The bytes of heap that it holds now, with the overheads: what an entry of a queue, an array
     * or a map takes besides its payload. Asked often, so it adds nothing up.
     */
    long retainedBytes();

    /**
     * Ends the connection and gives back at once what it holds, but for a last word to its peer. It
     * is not counted any more.
     *
     * @param now nanoseconds
     * @param reason for the peer and the log
     */
    void abort(long now, String reason);

    /** The name of the connection in a log that hides addresses. */
    default String withoutAddress() {
        return "a client";
    }

    /** Whether it is counted on after its end, as a port is whose connections come and go. */
    default boolean lasts() {
        return false;
    }

    /**
     * Sends the peer away, which is told why in the form of its game, and given time to receive it.
     *
     * @param now nanoseconds
     */
    default void sendAway(long now, String reason) {
        abort(now, reason);
    }
}
