package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.netchan.Netchan;

import java.util.ArrayDeque;
import java.util.Queue;

/** Queue of reliable messages that do not fit into the netchan yet. */
final class ReliableQueue {
    /** Limit of heap memory. */
    static final int MAX_HEAP_BYTES = 96 << 10;

    /** Heap of a message besides its bytes: array header and queue entry. */
    private static final int MESSAGE_HEAP_BYTES = 24;

    /** Above this, state changes should wait for a better moment. */
    private static final int CONGESTED_BYTES = 8 << 10;

    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private int bytes;

    /**
     * Queues messages that must be sent in one packet.
     *
     * @return false if the limit is reached
     */
    boolean add(byte[] messages) {
        if (heapBytes(messages) > MAX_HEAP_BYTES - bytes) {
            return false;
        }
        bytes += heapBytes(messages);
        waiting.add(messages);
        return true;
    }

    private static int heapBytes(byte[] messages) {
        return MESSAGE_HEAP_BYTES + (messages.length + 7 & ~7);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Heap memory of all messages. */
    int retainedBytes() {
        return bytes;
    }

    /**
     * Whether the queue takes a second or more to send. While congested, state should be sent later
     * with its newest value, and chat is better dropped.
     */
    boolean isCongested() {
        return bytes > CONGESTED_BYTES;
    }

    void clear() {
        waiting.clear();
        bytes = 0;
    }

    /**
     * Passes messages to the netchan as far as it has room.
     *
     * @param maxBytes per packet, though a single message may exceed it
     */
    void fill(Netchan netchan, int maxBytes) {
        while (!waiting.isEmpty() && waiting.element().length <= netchan.room()) {
            int pending = Netchan.MAX_RELIABLE_BYTES - netchan.room();
            if (pending > 0 && pending + waiting.element().length > maxBytes) {
                return;
            }
            byte[] messages = waiting.remove();
            bytes -= heapBytes(messages);
            netchan.queue(messages, messages.length);
        }
    }
}
