package dev.wishdir.enet;

/** The heap that is kept of a peer's messages that are incomplete or wait for an earlier one. */
final class ReassemblyBudget {
    private final int most;
    private int held;
    private int times;
    private boolean open;

    /**
     * @param most bytes
     */
    ReassemblyBudget(int most) {
        this.most = most;
    }

    void open() {
        open = true;
    }

    /** All of it is given back, and nothing is counted after this. */
    void close() {
        open = false;
        held = 0;
    }

    /** Whether the given number of further bytes may be kept. */
    boolean fits(int bytes) {
        return held + bytes <= most;
    }

    /**
     * Counts bytes that are kept of a message.
     *
     * @param whole the bytes of the whole message
     * @param part the bytes that are kept now
     * @return whether they may be kept
     */
    boolean hold(int whole, int part) {
        if (whole > most || !fits(part)) {
            return false;
        }
        if (held == 0) {
            times++;
        }
        held += part;
        return true;
    }

    void release(int bytes) {
        // What was held is forgotten when a message ends the connection that it came in.
        if (open) {
            held -= bytes;
        }
    }

    int bytes() {
        return held;
    }

    /** How often something was held after nothing had been. */
    int times() {
        return times;
    }
}
