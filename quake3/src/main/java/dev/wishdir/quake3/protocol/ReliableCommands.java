package dev.wishdir.quake3.protocol;

import java.util.Arrays;

/** The last 64 reliable commands of one direction, by number. */
public final class ReliableCommands {
    /** How many are remembered, and may be unacknowledged. */
    public static final int RING = 64;

    /** What a text takes besides its characters: a string, and an array's header. */
    private static final int TEXT_HEAP = 40;

    private final String[] texts = new String[RING];
    private int held;
    private int last;

    ReliableCommands() {
        Arrays.fill(texts, "");
    }

    /** The number of the newest command, 0 before any. */
    public int last() {
        return last;
    }

    /**
     * The text that stands in a command's place: its own, that of a command 64 or more before it
     * where its own has never come, or none. Both ends make keys with it, so both do alike.
     */
    public String text(int number) {
        return texts[number & RING - 1];
    }

    /** Adds the next command. */
    public void add(String text) {
        put(last + 1, text);
    }

    /**
     * Takes in a command that the other end sends, perhaps not for the first time.
     *
     * @return whether it is new
     */
    public boolean hear(int number, String text) {
        if (number <= last) {
            return false;
        }
        put(number, text);
        return true;
    }

    private void put(int number, String text) {
        last = number;
        int slot = number & RING - 1;
        held += heap(text) - heap(texts[slot]);
        texts[slot] = text;
    }

    private static int heap(String text) {
        return text.isEmpty() ? 0 : TEXT_HEAP + (text.length() + 7 & ~7);
    }

    /** The heap of the texts; acknowledged ones stay, keys are made of them. */
    int retainedBytes() {
        return held;
    }

    /** Goes on after a number whose command never came: a gamestate says so. */
    public void skipTo(int number) {
        last = number;
    }
}
