package dev.wishdir.quake3.protocol;

/**
 * The three protocols of the family. Their messages are the same; they differ in the number under
 * which they are asked for and in what guards a packet: Quake III, protocol
 * versions.
 */
public enum Protocol {
    /** Quake III 1.32 and ioquake3's legacy mode. */
    QUAKE3_68(68, false),
    /** OpenArena 0.8.8, which gave the old packets the new number. */
    OPENARENA_71(71, false),
    /** ioquake3. */
    IOQUAKE3_71(71, true);

    /** What both {@code getchallenge} and {@code infoResponse} call the family. */
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

    /** Whether packets carry a checksum; otherwise messages are scrambled. */
    public boolean modern() {
        return modern;
    }
}
