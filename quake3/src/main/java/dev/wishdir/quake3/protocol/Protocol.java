package dev.wishdir.quake3.protocol;

/**
 * The three protocols of the family. They have the same messages and differ in number and packet
 * protection: Quake III, protocol versions.
 */
public enum Protocol {
    /** Quake III 1.32 and ioquake3's legacy mode. */
    QUAKE3_68(68, false),
    /** OpenArena 0.8.8: the old packets under the new number. */
    OPENARENA_71(71, false),
    /** ioquake3. */
    IOQUAKE3_71(71, true);

    /** The game name in {@code getchallenge} and {@code infoResponse}. */
    public static final String GAME_NAME = "Quake3Arena";

    private final int number;
    private final boolean modern;

    Protocol(int number, boolean modern) {
        this.number = number;
        this.modern = modern;
    }

    /** The number in {@code connect}. */
    public int number() {
        return number;
    }

    /** Whether packets have a checksum; otherwise messages are XOR scrambled. */
    public boolean modern() {
        return modern;
    }
}
