package dev.wishdir.arena.validation;

/** Policy towards a player whose movement breaks its game's physics. */
public enum CheatPolicy {
    /** It is reported, and corrected in games whose server moves the players. */
    OBSERVE,
    /** Other players see it at its last possible position. */
    FREEZE,
    /** It is kicked with the reason. */
    KICK
}
