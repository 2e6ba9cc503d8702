package dev.wishdir.enet;

/**
 * The numbers of what is sent on one channel, and the windows of the sequence space:
 * docs/protocols/enet.md#reliability, windows.
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

    /** Leaves out numbers that a file's fragments take. */
    void skipReliable(int count) {
        sentReliable = sentReliable + count & 0xFFFF;
    }

    /** The reliable sequence number that unreliable messages carry. */
    int lastReliable() {
        return sentReliable;
    }

    boolean unreliableNumbersLeft() {
        return sentUnreliable < 0xFFFF;
    }

    int nextUnreliable() {
        return ++sentUnreliable;
    }

    /**
     * Whether a reliable command may go out for the first time: it may not start a window while the
     * one before is full or one of the next ten still holds unacknowledged commands.
     */
    boolean mayStart(int seq) {
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

    void started(int seq) {
        inFlight[seq >> WINDOW_SHIFT]++;
    }

    void acknowledged(int seq) {
        inFlight[seq >> WINDOW_SHIFT]--;
    }
}
