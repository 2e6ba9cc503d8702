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
    RACE("race", false, false),
    /** Two teams that capture each other's flag. */
    CTF("capture the flag", true, false),
    /** Capture the flag in which each hit kills. */
    CTF_INSTA("instagib capture the flag", true, true),
    /** Capture the flag in which a life begins with all weapons, and there are no items. */
    CTF_EFFIC("efficiency capture the flag", true, false);

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

    /** Whether each team has a flag, and the score of a team is the number of its captures. */
    public boolean hasFlags() {
        return this == CTF || this == CTF_INSTA || this == CTF_EFFIC;
    }

    /**
     * Whether each hit of a player on another kills, and each player has only its game's weapon for
     * that. Falls do not hurt.
     */
    public boolean isOneHit() {
        return isOneHit;
    }

    /** Whether a life begins with all weapons of its game. */
    public boolean hasAllWeapons() {
        return this == CTF_EFFIC;
    }

    /** Whether the items of the levels may lie there. */
    public boolean hasItems() {
        return this != NONE && this != RACE && !isOneHit && !hasAllWeapons();
    }

    /** As an operator writes it: {@code ffa}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * What a player's {@link Score#frags} are called: captures count, too, where there are flags.
     */
    public String scoreName() {
        return scoreName(2);
    }

    /** The name of a number of {@link Score#frags}. */
    public String scoreName(int count) {
        return (hasFlags() || this == RACE ? "point" : "frag") + (count == 1 ? "" : "s");
    }

    /** As players read it. */
    public String title() {
        return title;
    }
}
