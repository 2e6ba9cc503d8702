package dev.wishdir.arena;

import java.util.Locale;

/** What is played in the arena. */
public enum MatchMode {
    /** No match: shots have no effect on others. */
    NONE,
    /** Free for all. */
    FFA;

    /** As an operator writes it: {@code ffa}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As players read it. */
    String title() {
        return this == NONE ? "no match" : "free for all";
    }
}
