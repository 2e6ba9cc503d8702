package dev.wishdir.sauerbraten.server;

/** A state that all clients share; a congested client receives only the newest value. */
enum SharedStateKey {
    MAP,
    TIME,
    TEAMS,
    SPAWN,
    MASTERS,
    MASTER_MODE,
    PAUSE,
    SPEED
}
