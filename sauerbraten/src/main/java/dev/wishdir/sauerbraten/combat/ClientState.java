package dev.wishdir.sauerbraten.combat;

/** The state of a player, with its number in {@code N_RESUME}. */
public enum ClientState {
    ALIVE(0),
    DEAD(1),
    EDITING(4),
    SPECTATOR(5);

    public final int code;

    ClientState(int code) {
        this.code = code;
    }

    /** Whether the player has a body. */
    public boolean hasBody() {
        return this == ALIVE || this == EDITING;
    }
}
