package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

/** Limit on the heap of a connection's incomplete messages and of messages after a gap. */
final class ReassemblyBudget {
    private final int maxBytes;
    private int reserved;

    ReassemblyBudget(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The heap of a payload with the given overhead, bytes. */
    static int heap(int overhead, Bytes payload) {
        return overhead + (payload.length() + 7 & ~7);
    }

    /**
     * @throws MalformedPacketException if the given number of further bytes does not fit
     */
    void check(int bytes) {
        if (reserved + bytes > maxBytes) {
            throw RakNet.violation("payload", "makes more than " + maxBytes + " bytes wait");
        }
    }

    void reserve(int bytes) {
        reserved += bytes;
    }

    void release(int bytes) {
        reserved -= bytes;
    }

    /** The reserved heap, bytes. */
    int bytes() {
        return reserved;
    }
}
