package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.terminal.Columns;
import dev.wishdir.arena.event.Player;

import picocli.CommandLine.Option;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The choice of players of a command. A name that no player has is an error. */
final class PlayerFilter {
    private static final int MAX_LISTED_NAMES = 20;

    @Option(
            names = "--player",
            paramLabel = "NAME",
            description = "Only the players with this name, in any case, or with this number.",
            defaultValue = "")
    private String player = "";

    private final Set<String> names = new TreeSet<>();
    private boolean found;

    /** Takes note of a player of the recordings. */
    void note(Player each) {
        if (!found) {
            found = includes(each);
            if (names.size() < MAX_LISTED_NAMES) {
                names.add(each.name());
            }
        }
    }

    /**
     * Fails if none of the players that were noted was chosen.
     *
     * @throws CommandFailedException that names the players that there are
     */
    void check() throws CommandFailedException {
        if (!found && !player.isEmpty()) {
            throw new CommandFailedException(
                    "no player '"
                            + player
                            + "' is in what was read; there are: "
                            + names.stream().map(Columns::plain).collect(Collectors.joining(", ")));
        }
    }

    boolean includes(Player each) {
        return player.isEmpty()
                || each.name().equalsIgnoreCase(player)
                || each.id().toString().equals(player);
    }
}
