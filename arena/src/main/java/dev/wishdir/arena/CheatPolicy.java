package dev.wishdir.arena;

/** What becomes of who moves as his game's physics does not allow. */
public enum CheatPolicy {
    /** It is told to the operator, and where the server moves players, corrected. */
    OBSERVE,
    /** The others see him where he was last when that was plausible. */
    FREEZE,
    /** He is sent away with the reason. */
    KICK
}
