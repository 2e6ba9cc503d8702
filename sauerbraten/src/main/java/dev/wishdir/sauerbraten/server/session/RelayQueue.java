package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import java.util.ArrayList;
import java.util.List;

/** The messages of one client that wait to be relayed inside {@code N_CLIENT}. */
final class RelayQueue {
    private final List<Bytes> messages = new ArrayList<>();
    private int bytes;
    private int reliableCount;

    /**
     * @param message with its code
     */
    void add(Bytes message, boolean reliable) {
        messages.add(message);
        bytes += message.length();
        reliableCount += reliable ? 1 : 0;
    }

    /** The length of all messages that wait, bytes. */
    int bytes() {
        return bytes;
    }

    /** Number of waiting messages that are reliable. */
    int reliableCount() {
        return reliableCount;
    }

    /** Takes all messages that wait, in order. */
    Bytes take() {
        Writer all = new Writer(bytes);
        for (Bytes message : messages) {
            all.append(message.toArray(), 0, message.length());
        }
        clear();
        return all.toBytes();
    }

    void clear() {
        messages.clear();
        bytes = 0;
        reliableCount = 0;
    }
}
