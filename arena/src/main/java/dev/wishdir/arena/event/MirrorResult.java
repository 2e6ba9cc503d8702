package dev.wishdir.arena.event;

/** Outcome of a hit, or of a pickup of an item, of another server. */
public enum MirrorResult {
    TAKEN,
    /** It is known already, or too late, or its player is not here. */
    NO_EFFECT,
    /** Its player does more than the weapons of any game do. */
    TOO_MUCH,
    /** No player can do this. */
    IMPOSSIBLE
}
