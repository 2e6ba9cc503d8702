package dev.wishdir.app.analysis;

import dev.wishdir.arena.Player;

import picocli.CommandLine.Option;

/** The choice of players of a command. */
final class PlayerFilter {
    @Option(
            names = "--player",
            paramLabel = "NAME",
            description = "Only the players with this name, in any case, or with this number.",
            defaultValue = "")
    private String player = "";

    boolean includes(Player each) {
        return player.isEmpty()
                || each.name().equalsIgnoreCase(player)
                || each.id().toString().equals(player);
    }
}
