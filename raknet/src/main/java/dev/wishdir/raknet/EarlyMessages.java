package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.List;

/** An application's messages that arrived before the handshake was complete. */
final class EarlyMessages {
    private static final int MAX_MESSAGES = 8;

    /** Heap of a message besides its payload, bytes: the array and an entry of the list. */
    private static final int MESSAGE_HEAP = 24;

    private final List<Bytes> messages = new ArrayList<>();
    private int bytes;

    /** Keeps a copy of a message if there is room; the peer may send it again otherwise. */
    void add(Bytes message, int maxBytes) {
        if (messages.size() < MAX_MESSAGES && message.length() <= maxBytes) {
            messages.add(Bytes.wrap(message.toArray()));
            bytes += MESSAGE_HEAP + message.length();
        }
    }

    /** Removes all messages. */
    List<Bytes> take() {
        List<Bytes> taken = List.copyOf(messages);
        messages.clear();
        bytes = 0;
        return taken;
    }

    /** The heap of the messages, bytes. */
    int retainedBytes() {
        return bytes;
    }
}
