package dev.wishdir.arena;

import java.util.Locale;

/**
 * What players do that reaches others. Each player may do so much of each kind: all games alike,
 * with bursts that honest players need.
 */
public enum Deed {
    /** Lines of chat. */
    TALK("talking", 12, 2),
    /** Name, skin, model, team, watching or playing, votes, rights. */
    CHANGE("changing", 12, 1),
    /** Deaths and new lives. */
    LIFE("dying", 8, 1),
    /** Shots, taunts, sounds, swings, weapons in hand, jump pads, teleports. */
    ACT("acting", 60, 20),
    /** Bytes of what is built: edits, clipboards, undone steps. */
    BUILD("building", 128 << 10, 4 << 10);

    private final String doing;
    private final double burst;
    private final double aSecond;

    Deed(String doing, double burst, double aSecond) {
        this.doing = doing;
        this.burst = burst;
        this.aSecond = aSecond;
    }

    /** What somebody is doing, as a word of a sentence: {@code talking}. */
    public String doing() {
        return doing;
    }

    /** As JSON has it: {@code talk}. */
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
