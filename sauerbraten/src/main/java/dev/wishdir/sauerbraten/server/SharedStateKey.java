package dev.wishdir.sauerbraten.server;

/** Keys of state that is the same for all clients, which are sent only its newest value. */
enum SharedStateKey {
    MAP,
    TIME,
    SPAWN,
    MASTERS,
    MASTER_MODE,
    PAUSE,
    SPEED
}
