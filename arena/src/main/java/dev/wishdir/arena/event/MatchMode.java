package dev.wishdir.arena.event;

import java.util.Locale;

/** Mode of play in the arena. */
public enum MatchMode {
    /** No match: shots have no effect on others. */
    NONE("no match", false, false),
    /** Free for all. */
    FFA("free for all", false, false),
    /** Two teams against each other. */
    TEAM("team match", true, false),
    /** Free for all in which each hit kills. */
    INSTA("instagib", false, true),
    /** A race over the course of the arena, in which no player is hit. */
    RACE("race", false, false);

    private final String title;
    private final boolean hasTeams;
    private final boolean isOneHit;

    MatchMode(String title, boolean hasTeams, boolean isOneHit) {
        this.title = title;
        this.hasTeams = hasTeams;
        this.isOneHit = isOneHit;
    }

    /** Whether each player belongs to a {@link Team}. */
    public boolean hasTeams() {
        return hasTeams;
    }

    /**
     * Whether each hit of a player on another kills, and each player has only its game's weapon for
     * that. Falls do not hurt.
     */
    public boolean isOneHit() {
        return isOneHit;
    }

    /** As an operator writes it: {@code ffa}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As players read it. */
    public String title() {
        return title;
    }
}
