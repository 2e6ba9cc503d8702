package dev.wishdir.quake2.server.session;

/**
 * State of a session. {@code disconnect} and a drop lead from any state to {@link #ZOMBIE}, a
 * change of the map from {@link #LOADING} and {@link #SPAWNED} to {@link #CONNECTED}.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
public enum SessionState {
    /** Its {@code connect} was accepted; no packet was received. */
    ACCEPTED,
    /** Its sign-on of the current map has not started. */
    CONNECTED,
    /** Its sign-on has started: it receives the configstrings, and loads the map. */
    LOADING,
    /** In the game: plays or is a spectator. */
    SPAWNED,
    /** Disconnected; the last reliable message may still be in flight. */
    ZOMBIE;

    /** Whether it has not yet entered the game. */
    public boolean isJoining() {
        return switch (this) {
            case ACCEPTED, CONNECTED, LOADING -> true;
            case SPAWNED, ZOMBIE -> false;
        };
    }

    /** Whether it has, or is being sent, the configstrings of the current map. */
    public boolean hasConfigStrings() {
        return this == LOADING || this == SPAWNED;
    }
}
