package dev.wishdir.game.operator;

/** The rights of a player or an operator over others, in ascending order. */
public enum Rights {
    NONE,
    /** A master of Sauerbraten: over players of that game. */
    MASTER,
    /** As a master, and over masters. */
    AUTH,
    /** An operator in a game: by the admin password, or a key. */
    ADMIN,
    /** The terminal of the server. */
    TERMINAL;

    public boolean outrank(Rights other) {
        return compareTo(other) > 0;
    }
}
