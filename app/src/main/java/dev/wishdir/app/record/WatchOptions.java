package dev.wishdir.app.record;

import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.HashMap;
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

    @Option(
            names = "--transport",
            paramLabel = "raknet|nethernet",
            description = "bedrock: transport (default raknet).",
            defaultValue = "")
    private String transport = "";

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = TargetOptions.KEY_HELP,
            defaultValue = "")
    private String key = "";

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
     * @throws CommandLine.ParameterException if clients of the game have no choice of transport
     */
    Map<String, String> clientOptions(Game game) {
        boolean hasSpectators =
                game.clientOptions().stream()
                        .anyMatch(option -> option.name().equals(ClientConfig.SPECTATE));
        Map<String, String> options = new HashMap<>();
        if (hasSpectators && !player) {
            options.put(ClientConfig.SPECTATE, "on");
        }
        TargetOptions.put(spec, game, options, "transport", transport);
        TargetOptions.put(spec, game, options, "key", key);
        return options;
    }
}
