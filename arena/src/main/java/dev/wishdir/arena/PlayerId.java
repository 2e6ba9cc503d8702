package dev.wishdir.arena;

/**
 * Who somebody is, for as long as there is an arena; never used again for another.
 *
 * @param node the server to which the player is connected, 0 for this one
 * @param number from 1, in the order of joining there
 */
public record PlayerId(int node, int number) {
    /** A record's own is not always inlined, which in a crowd costs a fifteenth of the thread. */
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
