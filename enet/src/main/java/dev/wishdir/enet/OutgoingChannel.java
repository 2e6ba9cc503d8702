package dev.wishdir.enet;

/**
 * The sending half of a channel: sequence numbers and reliable windows:
 * docs/protocols/enet.md#windows.
 */
final class OutgoingChannel {
    static final int WINDOW_SHIFT = 12;
    static final int WINDOWS = 16;

    private static final int WINDOW = 1 << WINDOW_SHIFT;
    private static final int SEND_WINDOWS = 10;

    private int sentReliable;
    private int sentUnreliable;
    private final int[] inFlight = new int[WINDOWS];

    int nextReliable() {
        sentUnreliable = 0;
        sentReliable = sentReliable + 1 & 0xFFFF;
        return sentReliable;
    }

    /** Skips the numbers of a file's fragments. */
    void skipReliable(int count) {
        sentReliable = sentReliable + count & 0xFFFF;
    }

    /** The reliable sequence number that unreliable messages carry. */
    int lastReliable() {
        return sentReliable;
    }

    boolean hasUnreliableNumbers() {
        return sentUnreliable < 0xFFFF;
    }

    int nextUnreliable() {
        return ++sentUnreliable;
    }

    /**
     * Whether a reliable command may be sent for the first time. It may not start a window while
     * the previous one is full or one of the next ten still has unacknowledged commands.
     */
    boolean canStart(int seq) {
        if (seq % WINDOW != 0) {
            return true;
        }
        int window = seq >> WINDOW_SHIFT;
        if (inFlight[window + WINDOWS - 1 & WINDOWS - 1] >= WINDOW) {
            return false;
        }
        for (int i = 0; i < SEND_WINDOWS; i++) {
            if (inFlight[window + i & WINDOWS - 1] > 0) {
                return false;
            }
        }
        return true;
    }

    void onStarted(int seq) {
        inFlight[seq >> WINDOW_SHIFT]++;
    }

    void onAcknowledged(int seq) {
        inFlight[seq >> WINDOW_SHIFT]--;
    }
}
