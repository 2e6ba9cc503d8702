package dev.wishdir.bedrock.protocol;

import dev.wishdir.arena.event.Team;

import java.util.Optional;

/** The colours of teams in names. */
public final class TeamColour {
    private static final String RED = "\u00A7c";
    private static final String BLUE = "\u00A79";
    private static final String RESET = "\u00A7r";

    private TeamColour() {}

    /** A text in the colour of a team; unchanged without a team. */
    public static String paint(Optional<Team> team, String text) {
        return team.map(it -> (it == Team.RED ? RED : BLUE) + text + RESET).orElse(text);
    }

    /** The team in whose colour a text is; empty if it is in none. */
    public static Optional<Team> team(String text) {
        return text.startsWith(RED)
                ? Optional.of(Team.RED)
                : text.startsWith(BLUE) ? Optional.of(Team.BLUE) : Optional.empty();
    }
}
