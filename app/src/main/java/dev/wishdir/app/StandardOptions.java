package dev.wishdir.app;

import dev.wishdir.app.command.UsageErrors;
import dev.wishdir.app.command.Version;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The options of every command: {@code --help}, {@code -h}, {@code -V}, and {@code --version}
 * unless the command has its own option of this name. Commands with subcommands also get {@code
 * help}.
 */
final class StandardOptions {
    private StandardOptions() {}

    /** {@code help}: prints the same as the option {@code --help} of a command. */
    @Command(name = "help", description = "Show the help of a command.")
    private static final class HelpCommand implements Callable<Integer> {
        @Spec private CommandSpec spec;

        @Parameters(
                paramLabel = "COMMAND",
                arity = "0..*",
                description = "The command, and its subcommand; without it, the list of commands.")
        private List<String> path = List.of();

        @Override
        public Integer call() {
            CommandLine line = spec.parent().commandLine();
            for (String name : path) {
                @Nullable CommandLine next = line.getSubcommands().get(name);
                if (next == null) {
                    throw new CommandLine.ParameterException(
                            line, UsageErrors.unknownCommand(line, name));
                }
                line = next;
            }
            line.usage(spec.commandLine().getOut());
            spec.commandLine().getOut().flush();
            return CommandLine.ExitCode.OK;
        }
    }

    /** Adds them to a command and, recursively, to all of its subcommands. */
    static void addTo(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.versionProvider(new Version());
        add(spec, true, "Show this help message and exit.", "-h", "--help");
        add(spec, false, "Print the version of Wishdir and exit.", "-V", "--version");
        List.copyOf(line.getSubcommands().values()).forEach(StandardOptions::addTo);
        if (!line.getSubcommands().isEmpty()) {
            CommandLine help = new CommandLine(new HelpCommand());
            addTo(help);
            line.addSubcommand("help", help);
        }
    }

    private static void add(CommandSpec spec, boolean help, String description, String... names) {
        List<String> free = new ArrayList<>(List.of(names));
        free.removeAll(spec.optionsMap().keySet());
        if (!free.isEmpty()) {
            spec.addOption(
                    OptionSpec.builder(free.toArray(String[]::new))
                            .type(boolean.class)
                            .arity("0")
                            .usageHelp(help)
                            .versionHelp(!help)
                            .description(description)
                            .build());
        }
    }
}
