package dev.wishdir.enet;

/** Limit on the heap of a peer's messages that are incomplete or wait for an earlier one. */
final class ReassemblyBudget {
    private final int maxBytes;
    private int reserved;
    private int generation;
    private boolean open;

    /**
     * @param maxBytes the limit, bytes
     */
    ReassemblyBudget(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    void open() {
        open = true;
    }

    /** Releases everything; nothing is counted afterwards. */
    void close() {
        open = false;
        reserved = 0;
    }

    /** Whether the given number of further bytes fits. */
    boolean fits(int bytes) {
        return reserved + bytes <= maxBytes;
    }

    /**
     * Reserves bytes for a part of a message.
     *
     * @param whole length of the whole message, bytes
     * @param part bytes to reserve now
     * @return false, and nothing is reserved, if the limit would be exceeded
     */
    boolean reserve(int whole, int part) {
        if (whole > maxBytes || !fits(part)) {
            return false;
        }
        if (reserved == 0) {
            generation++;
        }
        reserved += part;
        return true;
    }

    void release(int bytes) {
        // Everything was released already if a message closed the connection that delivered it.
        if (open) {
            reserved -= bytes;
        }
    }

    int bytes() {
        return reserved;
    }

    /** Number of times that the reserved bytes have risen from 0. */
    int generation() {
        return generation;
    }
}
