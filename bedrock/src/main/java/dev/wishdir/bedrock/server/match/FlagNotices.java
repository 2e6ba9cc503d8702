package dev.wishdir.bedrock.server.match;

import dev.wishdir.arena.event.ArenaEvent.FlagChanged;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.bedrock.protocol.TeamColour;
import dev.wishdir.bedrock.server.view.CombatMessages;

import java.util.Locale;
import java.util.Optional;

/** The words and sounds with which clients are shown the flags. */
public final class FlagNotices {
    private static final long SECOND = 1_000_000_000;

    private FlagNotices() {}

    /** A flag's name in its colour: {@code red flag}. */
    static String flag(Team team) {
        return TeamColour.paint(Optional.of(team), team + " flag");
    }

    /** The line in the chat. */
    public static String line(FlagChanged e) {
        String name = e.player().map(CombatMessages::name).orElse("");
        String flag = "the " + flag(e.flag());
        return switch (e.change()) {
            case TAKEN -> name + " got " + flag;
            case DROPPED -> name + " lost " + flag;
            case RETURNED -> name + " returned " + flag;
            case RESET -> flag + " has returned";
            case CAPTURED -> name + " captured " + flag;
        };
    }

    /**
     * The sound of a change.
     *
     * @param own the team of the client's player
     */
    public static String sound(FlagChanged e, Optional<Team> own) {
        return switch (e.change()) {
            case TAKEN -> own.equals(Optional.of(e.flag())) ? "raid.horn" : "note.pling";
            case DROPPED -> "beacon.deactivate";
            case RETURNED, RESET -> "beacon.activate";
            case CAPTURED -> "random.levelup";
        };
    }

    /**
     * The state of a flag as a word: {@code dropped 12 s}.
     *
     * @param carrier its name
     */
    static String state(long now, Flag flag, String carrier) {
        return switch (flag.state()) {
            case FlagState.Home _ -> "home";
            case FlagState.Carried _ -> carrier;
            case FlagState.Dropped(_, long until) ->
                    String.format(
                            Locale.ROOT,
                            "dropped %d s",
                            Math.ceilDiv(Math.max(0, until - now), SECOND));
        };
    }
}
