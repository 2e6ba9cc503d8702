package dev.wishdir.arena;

/**
 * Identity of a player, never reused while the arena exists.
 *
 * @param node the server to which the player is connected, 0 for this one
 * @param number from 1, in the order of joining there
 */
public record PlayerId(int node, int number) {
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
