package dev.wishdir.quake3.netchan;

/** The side that sends a packet. */
public enum Side {
    CLIENT,
    SERVER
}
