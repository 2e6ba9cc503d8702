package dev.wishdir.arena;

import java.util.Locale;

/**
 * What players do that reaches others. Each player may do so much of each kind: all games alike,
 * with bursts that honest players need.
 */
public enum RateLimitedAction {
    /** Lines of chat. */
    CHAT("chat", 12, 2),
    /** Name, skin, model, team, watching or playing, votes, rights. */
    CHANGE("changes", 12, 1),
    /** Deaths and new lives. */
    LIFE("respawns", 8, 1),
    /** Shots, taunts, sounds, swings, weapons in hand, jump pads, teleports. */
    ACT("actions", 60, 20),
    /** Bytes of what is built: edits, clipboards, undone steps. */
    BUILD("edits", 128 << 10, 4 << 10);

    private final String noun;
    private final double burst;
    private final double aSecond;

    RateLimitedAction(String noun, double burst, double aSecond) {
        this.noun = noun;
        this.burst = burst;
        this.aSecond = aSecond;
    }

    /** The kind as a word of a sentence: {@code chat}. */
    public String noun() {
        return noun;
    }

    /** As JSON has it: {@code chat}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How much at once. */
    public double burst() {
        return burst;
    }

    /** How much in the long run. */
    public double aSecond() {
        return aSecond;
    }
}
