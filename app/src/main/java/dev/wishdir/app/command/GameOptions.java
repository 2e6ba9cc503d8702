package dev.wishdir.app.command;

import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The options of a command that only some games have. */
public final class GameOptions {
    /** The kind of program that the options configure. */
    public enum Kind {
        CLIENTS {
            // Whether to watch is the command's own question.
            @Override
            List<Game.Option> of(Game game) {
                return game.clientOptions().stream()
                        .filter(option -> !option.name().equals(ClientConfig.SPECTATE))
                        .toList();
            }
        },
        PROXIES {
            @Override
            List<Game.Option> of(Game game) {
                return game.proxyOptions();
            }
        };

        abstract List<Game.Option> of(Game game);
    }

    private final List<Game> games;
    private final Kind kind;

    public GameOptions(List<Game> games, Kind kind) {
        this.games = games;
        this.kind = kind;
    }

    /** Adds the options to a command. */
    public void addTo(CommandLine line) {
        Map<String, OptionSpec.Builder> options = new LinkedHashMap<>();
        for (Game game : games) {
            for (Game.Option own : kind.of(game)) {
                boolean isFlag = own.value().isEmpty();
                OptionSpec.Builder option =
                        options.computeIfAbsent(
                                own.name(),
                                name ->
                                        OptionSpec.builder("--" + name)
                                                .type(isFlag ? boolean.class : String.class)
                                                .arity(isFlag ? "0" : "1")
                                                .paramLabel(own.value())
                                                .initialValue(isFlag ? false : "")
                                                .description(new String[0]));
                option.description(described(option.description(), game, own));
            }
        }
        options.values().forEach(option -> line.getCommandSpec().addOption(option.build()));
    }

    private static String[] described(String[] before, Game game, Game.Option own) {
        // A per cent sign begins a placeholder of picocli.
        String line = game.name() + ": " + own.help().replace("%", "%%");
        return before.length == 0 ? new String[] {line} : new String[] {before[0] + " " + line};
    }

    /**
     * Adds a line for each game to the description of a command.
     *
     * @param text of a game; empty for no line
     */
    public static void describe(
            CommandLine line, String title, List<Game> games, Function<Game, String> text) {
        int width = games.stream().mapToInt(game -> game.name().length()).max().orElse(0);
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        List<String> lines = new ArrayList<>(List.of(usage.description()));
        lines.add("");
        lines.add(title);
        for (Game game : games) {
            if (!text.apply(game).isEmpty()) {
                String name = game.name() + " ".repeat(width - game.name().length());
                lines.add(("  " + name + "  " + text.apply(game)).replace("%", "%%"));
            }
        }
        usage.description(lines.toArray(String[]::new));
    }

    /**
     * The options of a game that are set.
     *
     * @throws CommandLine.ParameterException if one that is set is another game's
     */
    public Map<String, String> of(CommandSpec spec, Game game) {
        Map<String, String> set = new HashMap<>();
        for (Game other : games) {
            for (Game.Option option : kind.of(other)) {
                Object value = spec.findOption("--" + option.name()).getValue();
                if (value instanceof String text && !text.isEmpty()) {
                    set.put(option.name(), SeekableFile.value(option, text));
                } else if (Boolean.TRUE.equals(value)) {
                    set.put(option.name(), "on");
                }
            }
        }
        List<String> own = kind.of(game).stream().map(Game.Option::name).toList();
        for (String name : set.keySet()) {
            if (!own.contains(name)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "--"
                                + name
                                + ": "
                                + kind.name().toLowerCase(Locale.ROOT)
                                + " of "
                                + game.name()
                                + " have no such option");
            }
        }
        return set;
    }
}
