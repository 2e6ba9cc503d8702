package dev.wishdir.quake3;

/** Who sends a packet. */
enum Side {
    CLIENT,
    SERVER
}
