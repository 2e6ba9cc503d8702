package dev.wishdir.arena.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A team of a match. Each game shows the two by its own means. */
public enum Team {
    RED,
    BLUE;

    /** The team that a player writes, in any case: its name or its first letter. */
    public static Optional<Team> of(String word) {
        return Arrays.stream(values())
                .filter(team ->
                        team.toString().equalsIgnoreCase(word)
                                || team.toString().substring(0, 1).equalsIgnoreCase(word))
                .findFirst();
    }

    /** The team that it plays against. */
    public Team other() {
        return this == RED ? BLUE : RED;
    }

    /** As in events and recordings: {@code red}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
