package dev.wishdir.quake2;

import java.util.ArrayDeque;
import java.util.Queue;

/** Reliable messages that wait until the netchan has room for them. */
final class Outbox {
    static final int MOST_BYTES = 1 << 16;

    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private int bytes;

    /**
     * Queues messages that must come in one packet.
     *
     * @return false if there is no room for them
     */
    boolean add(byte[] messages) {
        if (messages.length > MOST_BYTES - bytes) {
            return false;
        }
        bytes += messages.length;
        waiting.add(messages);
        return true;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Bytes that wait. */
    int size() {
        return bytes;
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
            int pending = Netchan.MOST_RELIABLE - netchan.room();
            if (pending > 0 && pending + waiting.element().length > most) {
                return;
            }
            byte[] messages = waiting.remove();
            bytes -= messages.length;
            netchan.queue(messages, messages.length);
        }
    }
}
