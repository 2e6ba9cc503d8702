package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.game.Game;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code config}: prints all settings of a configuration file, with those that a file sets. */
@Command(
        name = "config",
        description =
                "Print all settings of serve as a configuration file, with description, default and"
                        + " origin of each value. Unset settings are comments.")
public final class ConfigCommand implements Callable<Integer> {
    private static final int WIDTH = 96;

    private final List<Game> games;
    private final ShutdownSignal shutdown;

    @Spec private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The file to read.")
    private @Nullable Path config;

    public ConfigCommand(List<Game> games, ShutdownSignal shutdown) {
        this.games = games;
        this.shutdown = shutdown;
    }

    private CommandLine serve() {
        return ServeCommand.commandLine(games, shutdown, InputStream.nullInputStream());
    }

    @Override
    public Integer call() throws CommandFailedException {
        CommandSpec serve = serve().getCommandSpec();
        Optional<ConfigFile> file =
                config == null
                        ? Optional.empty()
                        : Optional.of(ConfigFile.read(config, serve, this::serve));
        if (file.isPresent()) {
            SettingProblems problems = new SettingProblems();
            problems.addAll(file.get().errors());
            problems.throwIfAny(spec.commandLine());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "# For wishdir serve --config FILE. Options on the command line win over this"
                        + " file.");
        for (OptionSpec option : serve.options()) {
            ConfigFile.key(option)
                    .ifPresent(
                            key -> print(out, key, option, file.flatMap(f -> f.setting(option))));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void print(
            PrintWriter out, String key, OptionSpec option, Optional<ConfigFile.Setting> setting) {
        out.println();
        wrapped(String.join(" ", option.description())).forEach(line -> out.println("# " + line));
        String initial = initial(option);
        if (setting.isEmpty()) {
            out.println("# from: default");
            out.println(
                    "# "
                            + key
                            + " = "
                            + (initial.isEmpty() ? option.paramLabel() : quoted(initial)));
            return;
        }
        out.println("# default: " + (initial.isEmpty() ? "none" : initial));
        out.println("# from: " + setting.get().where());
        if (key.endsWith("password")) {
            out.println("# " + key + " is set (value hidden)");
            return;
        }
        List<String> values = setting.get().values();
        out.println(
                key
                        + " = "
                        + (values.size() == 1
                                ? quoted(values.getFirst())
                                : values.stream()
                                        .map(ConfigCommand::quoted)
                                        .collect(Collectors.joining(", ", "[", "]"))));
    }

    private static String initial(OptionSpec option) {
        String text = option.defaultValue();
        if (text != null) {
            return text;
        }
        Object value = option.initialValue();
        return value == null || value instanceof List<?>
                ? ""
                : value.toString().toLowerCase(Locale.ROOT);
    }

    private static String quoted(String value) {
        return value.matches("-?[0-9]{1,15}|true|false")
                ? value
                : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static List<String> wrapped(String text) {
        return text.replaceAll("(.{1," + WIDTH + "})( +|$)", "$1\n").lines().toList();
    }
}
