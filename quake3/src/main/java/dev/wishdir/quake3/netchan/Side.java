package dev.wishdir.quake3.netchan;

/** Who sends a packet. */
public enum Side {
    CLIENT,
    SERVER
}
