package dev.wishdir.sauerbraten.server;

/** Of what there is one for all clients, and they hear the newest alone. */
enum SharedStateKey {
    MAP,
    TIME,
    SPAWN,
    MASTERS,
    MASTER_MODE,
    PAUSE,
    SPEED
}
