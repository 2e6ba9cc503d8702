package dev.wishdir.quake3.protocol;

import java.util.Arrays;

/** Ring of the last 64 reliable commands of one direction, by number. */
public final class ReliableCommands {
    /** Size of the ring, and limit of unacknowledged commands. */
    public static final int SIZE = 64;

    /** Heap bytes of a text besides its characters: a string, and an array's header. */
    private static final int TEXT_OVERHEAD_BYTES = 40;

    private final String[] texts = new String[SIZE];
    private int heapBytes;
    private int last;

    ReliableCommands() {
        Arrays.fill(texts, "");
    }

    /** The number of the newest command, 0 before any. */
    public int last() {
        return last;
    }

    /**
     * The text in a command's slot: its own, that of an older command with the same slot if its own
     * was never received, or empty. Both ends derive keys from it.
     */
    public String text(int number) {
        return texts[number & SIZE - 1];
    }

    /** Adds the next command. */
    public void add(String text) {
        put(last + 1, text);
    }

    /**
     * Adds a command that the peer may have sent before.
     *
     * @return whether it is new
     */
    public boolean receive(int number, String text) {
        if (number <= last) {
            return false;
        }
        put(number, text);
        return true;
    }

    private void put(int number, String text) {
        last = number;
        int slot = number & SIZE - 1;
        heapBytes += heapBytes(text) - heapBytes(texts[slot]);
        texts[slot] = text;
    }

    private static int heapBytes(String text) {
        return text.isEmpty() ? 0 : TEXT_OVERHEAD_BYTES + (text.length() + 7 & ~7);
    }

    /** Heap bytes of the texts; acknowledged ones remain, as keys are derived from them. */
    int retainedBytes() {
        return heapBytes;
    }

    /** Continues after the command number of a gamestate. */
    public void skipTo(int number) {
        last = number;
    }
}
