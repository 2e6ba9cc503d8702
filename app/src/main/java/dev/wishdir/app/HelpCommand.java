package dev.wishdir.app;

import dev.wishdir.app.command.UsageErrors;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code help}: prints the same as the option {@code --help} of a command. */
@Command(name = "help", description = "Show the help of a command.")
final class HelpCommand implements Callable<Integer> {
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
