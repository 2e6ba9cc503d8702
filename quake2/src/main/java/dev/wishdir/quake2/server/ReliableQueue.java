package dev.wishdir.quake2.server;

import dev.wishdir.quake2.netchan.Netchan;

import java.util.ArrayDeque;
import java.util.Queue;

/** Reliable messages that wait until the netchan has room for them. */
final class ReliableQueue {
    /** The most heap. */
    static final int MAX_HEAP_BYTES = 96 << 10;

    /** What a message takes besides its bytes: an array's header and a place in the queue. */
    private static final int MESSAGE_HEAP_BYTES = 24;

    /** More waiting heap than this, and what is only state should wait for a better moment. */
    private static final int CONGESTED_BYTES = 8 << 10;

    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private int bytes;

    /**
     * Queues messages that must come in one packet.
     *
     * @return false if there is no room for them
     */
    boolean add(byte[] messages) {
        if (heap(messages) > MAX_HEAP_BYTES - bytes) {
            return false;
        }
        bytes += heap(messages);
        waiting.add(messages);
        return true;
    }

    private static int heap(byte[] messages) {
        return MESSAGE_HEAP_BYTES + (messages.length + 7 & ~7);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The heap that waits. */
    int retainedBytes() {
        return bytes;
    }

    /**
     * Whether so much waits that it takes a second or more to send: state should be sent as its
     * newest value when this is over, and what others say is better left out.
     */
    boolean isCongested() {
        return bytes > CONGESTED_BYTES;
    }

    void clear() {
        waiting.clear();
        bytes = 0;
    }

    /**
     * Hands on what the netchan has room for.
     *
     * @param most bytes in one packet, though one part may have more
     */
    void fill(Netchan netchan, int most) {
        while (!waiting.isEmpty() && waiting.element().length <= netchan.room()) {
            int pending = Netchan.MAX_RELIABLE_BYTES - netchan.room();
            if (pending > 0 && pending + waiting.element().length > most) {
                return;
            }
            byte[] messages = waiting.remove();
            bytes -= heap(messages);
            netchan.queue(messages, messages.length);
        }
    }
}
