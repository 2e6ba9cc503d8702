package dev.wishdir.arena.event;

import java.util.Locale;

/**
 * Actions with a rate limit, as they reach other players: the same limits for each player of every
 * game, with bursts that honest players need.
 */
public enum RateLimitedAction {
    /** Lines of chat. */
    CHAT("chat", 12, 2),
    /** Name, skin, model, team, spectating, votes, privileges. */
    CHANGE("changes", 12, 1),
    /** Deaths and respawns. */
    LIFE("respawns", 8, 1),
    /** Shots, taunts, sounds, swings, weapon changes, jump pads, teleports. */
    ACT("actions", 60, 20),
    /** Bytes of map edits: edits, clipboards, undo. */
    BUILD("edits", 128 << 10, 4 << 10);

    private final String noun;
    private final double burst;
    private final double aSecond;

    RateLimitedAction(String noun, double burst, double aSecond) {
        this.noun = noun;
        this.burst = burst;
        this.aSecond = aSecond;
    }

    /** The action as a noun in a sentence: {@code chat}. */
    public String noun() {
        return noun;
    }

    /** As in JSON: {@code chat}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Capacity of the token bucket. */
    public double burst() {
        return burst;
    }

    /** Tokens added per second. */
    public double perSecond() {
        return aSecond;
    }
}
