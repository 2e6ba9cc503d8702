package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;

import java.util.Locale;
import java.util.Optional;

/** The lines about flags that clients print, most of them as the game has them. */
public final class FlagTexts {
    private FlagTexts() {}

    /** The line about a change; empty where the game has none. That of a death is not here. */
    public static Optional<String> of(ArenaEvent.FlagChanged change) {
        return switch (change.change()) {
            case TAKEN -> by(change, "got");
            case CAPTURED -> by(change, "captured");
            case RETURNED -> by(change, "returned");
            case DROPPED ->
                    change.cause() == FlagCause.DEATH ? Optional.empty() : by(change, "lost");
            case RESET ->
                    change.cause() == FlagCause.TIME
                            ? Optional.empty()
                            : Optional.of("The " + name(change.flag()) + " has returned!");
        };
    }

    private static Optional<String> by(ArenaEvent.FlagChanged change, String verb) {
        return change.player().map(player -> line(player, verb, change.flag()));
    }

    private static String line(Player player, String verb, Team flag) {
        return PlayerConfigstrings.name(player) + "^7 " + verb + " the " + name(flag) + "!";
    }

    /** The line about a player that has lost a flag as it died by its own hand. */
    public static String lost(Player player, Team flag) {
        return line(player, "lost", flag);
    }

    /**
     * The line about a player that has killed the carrier of a flag.
     *
     * @param team of the carrier
     */
    public static String fragged(Player killer, Team team) {
        return PlayerConfigstrings.name(killer) + "^7 fragged " + upper(team) + "'s flag carrier!";
    }

    private static String name(Team team) {
        return upper(team) + " flag";
    }

    private static String upper(Team team) {
        return team.toString().toUpperCase(Locale.ROOT);
    }
}
