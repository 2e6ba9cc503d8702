package dev.wishdir.sauerbraten.server;

/** The state of a player, with its number in {@code N_RESUME}. */
enum ClientState {
    ALIVE(0),
    DEAD(1),
    EDITING(4),
    SPECTATOR(5);

    final int code;

    ClientState(int code) {
        this.code = code;
    }

    /** Whether the player has a body. */
    boolean hasBody() {
        return this == ALIVE || this == EDITING;
    }
}
