package dev.wishdir.sauerbraten.server.view;

/** A state that all clients share; a congested client receives only the newest value. */
public enum SharedStateKey {
    MAP,
    TIME,
    TEAMS,
    FLAGS,
    SPAWN,
    MASTERS,
    MASTER_MODE,
    PAUSE,
    SPEED
}
