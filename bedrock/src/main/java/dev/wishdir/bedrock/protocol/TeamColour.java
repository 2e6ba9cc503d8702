package dev.wishdir.bedrock.protocol;

import dev.wishdir.arena.event.Team;

import java.util.Optional;

/** The colours of teams in names. */
public final class TeamColour {
    private static final String RED = "\u00A7c";
    private static final String BLUE = "\u00A79";
    private static final String MARK = "\u2691";
    private static final String RESET = "\u00A7r";

    private TeamColour() {}

    /** A text in the colour of a team; unchanged without a team. */
    public static String paint(Optional<Team> team, String text) {
        return team.map(it -> (it == Team.RED ? RED : BLUE) + text + RESET).orElse(text);
    }

    /** The mark of a carrier after its name, in the colour of the flag. */
    public static String mark(String name, Optional<Team> flag) {
        return flag.map(it -> name + " " + paint(flag, MARK)).orElse(name);
    }

    /** A name without the mark of a carrier, which no name has by itself. */
    public static String withoutMark(String name) {
        return name.replace(MARK, "").strip();
    }

    /** The team in whose colour a text is; empty if it is in none. */
    public static Optional<Team> team(String text) {
        return text.startsWith(RED)
                ? Optional.of(Team.RED)
                : text.startsWith(BLUE) ? Optional.of(Team.BLUE) : Optional.empty();
    }
}
