package dev.wishdir.app.record;

import dev.wishdir.app.command.GameOptions;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The options of a client that watches a server. */
final class WatchOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Watch for this number of seconds. Without it, until Ctrl-C.",
            defaultValue = "0")
    private int seconds;

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "The watching client's name (default ${DEFAULT-VALUE}).",
            defaultValue = "recorder")
    private String name = "";

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "The password of the server.",
            defaultValue = "")
    private String password = "";

    @Option(
            names = "--player",
            description =
                    "Join as a silent player, not as a spectator, where the server allows no"
                            + " spectators.")
    private boolean player;

    private final GameOptions options;

    /**
     * @param games whose clients may have options of their own
     */
    WatchOptions(List<Game> games) {
        options = new GameOptions(games, GameOptions.Kind.CLIENTS);
    }

    /** Adds the options that only some games have. */
    void addTo(CommandLine line) {
        options.addTo(line);
    }

    /**
     * Checks the values.
     *
     * @throws CommandLine.ParameterException if one is not valid
     */
    void check() {
        if (seconds < 0) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--seconds must not be negative, is " + seconds);
        }
    }

    /** Time of watching; 0 until the end. */
    int seconds() {
        return seconds;
    }

    String name() {
        return name;
    }

    String password() {
        return password;
    }

    /**
     * Settings of the game's client: a spectator where the game has them.
     *
     * @throws CommandLine.ParameterException if an option that is set is another game's
     */
    Map<String, String> clientOptions(Game game) {
        boolean hasSpectators =
                game.clientOptions().stream()
                        .anyMatch(option -> option.name().equals(ClientConfig.SPECTATE));
        Map<String, String> all = new HashMap<>(options.of(spec, game));
        if (hasSpectators && !player) {
            all.put(ClientConfig.SPECTATE, "on");
        }
        return all;
    }
}
