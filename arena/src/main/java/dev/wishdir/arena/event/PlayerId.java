package dev.wishdir.arena.event;

/**
 * Identity of a player, never reused while the arena exists.
 *
 * @param node where the player is connected: 0 for this server, {@link #GHOST_NODE} for a recording
 *     that is replayed here, from {@link #MIN_OTHER_NODE} for another server
 * @param number from 1, in the order of joining there
 */
public record PlayerId(int node, int number) {
    /** The node of the players of a replayed recording. */
    public static final int GHOST_NODE = 1;

    /** Minimum node of another server. */
    public static final int MIN_OTHER_NODE = 2;

    /** Maximum node of another server; games number players by node and number in 63 bits. */
    public static final int MAX_NODE = (1 << 30) - 1;

    /** Whether it is the player of a recording: it does not block, and cannot be hit. */
    public boolean isGhost() {
        return node == GHOST_NODE;
    }

    /** Whether it is a player of another server. */
    public boolean isOfOtherServer() {
        return node >= MIN_OTHER_NODE;
    }

    /** Whether the player has no session and no viewer at this server. */
    public boolean isMirrored() {
        return node != 0;
    }

    /**
     * Written out, as the JIT does not always inline the generated one, which costs 1/15 of the
     * thread in a crowd.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof PlayerId(int itsNode, int itsNumber)
                && itsNumber == number
                && itsNode == node;
    }

    @Override
    public int hashCode() {
        return 31 * node + number;
    }

    @Override
    public String toString() {
        return node == 0 ? Integer.toString(number) : node + ":" + number;
    }
}
