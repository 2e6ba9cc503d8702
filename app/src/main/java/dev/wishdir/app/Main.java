package dev.wishdir.app;

import ch.qos.logback.classic.Level;

import dev.wishdir.app.analysis.ExportCommand;
import dev.wishdir.app.analysis.JudgeCommand;
import dev.wishdir.app.analysis.QueryCommand;
import dev.wishdir.app.analysis.ReportCommand;
import dev.wishdir.app.arena.ArenaCommand;
import dev.wishdir.app.bot.BotCommand;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.UsageErrors;
import dev.wishdir.app.command.Version;
import dev.wishdir.app.doctor.DoctorCommand;
import dev.wishdir.app.inspect.ExploreCommand;
import dev.wishdir.app.inspect.InspectCommand;
import dev.wishdir.app.load.LoadCommand;
import dev.wishdir.app.log.LogFormat;
import dev.wishdir.app.log.StandardError;
import dev.wishdir.app.log.StandardOutput;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.app.proxy.ExtcapCommand;
import dev.wishdir.app.proxy.ProxyCommand;
import dev.wishdir.app.record.RecordCommand;
import dev.wishdir.app.replay.ReplayCommand;
import dev.wishdir.app.serve.ConfigCommand;
import dev.wishdir.app.serve.DemoCommand;
import dev.wishdir.app.serve.ServeCommand;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.app.terminal.ThisTerminal;
import dev.wishdir.game.Game;
import dev.wishdir.wire.ExceptionMessage;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The command line. Exit status: 0 success, 1 failure, 2 wrong usage. */
@Command(
        name = "wishdir",
        description = "One server for clients of four games, and tools for their protocols.",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
    private static final int MAX_CAUSES = 20;

    @Spec private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Games.ALL, System.in, arguments));
    }

    /** Runs one command. Its output is UTF-8 regardless of the locale, as JSON must be. */
    static int run(List<Game> games, InputStream in, String... arguments) {
        PrintWriter out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        PrintWriter err = StandardError.writer();
        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                commandLine(games, shutdown, in, new ThisTerminal())
                        .setOut(out)
                        .setErr(err)
                        .execute(arguments);
        err.flush();
        StandardError.QUEUE.drain();
        shutdown.done(status);
        return status;
    }

    static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, InputStream in, Terminal terminal) {
        CommandLine main = new CommandLine(new Main());
        main.addSubcommand("demo", new DemoCommand(games, shutdown, terminal));
        main.addSubcommand("serve", ServeCommand.commandLine(games, shutdown, in));
        main.addSubcommand("config", new ConfigCommand(games, shutdown));
        main.addSubcommand("bot", BotCommand.commandLine(games, shutdown));
        main.addSubcommand("load", LoadCommand.commandLine(games, shutdown, terminal));
        main.addSubcommand("inspect", new InspectCommand(games, shutdown, in, terminal));
        main.addSubcommand("proxy", ProxyCommand.commandLine(games, shutdown, in));
        main.addSubcommand("extcap", new ExtcapCommand(games, shutdown, Main.class));
        main.addSubcommand("record", RecordCommand.commandLine(games, shutdown));
        main.addSubcommand("doctor", DoctorCommand.commandLine(games, new ThisMachine()));
        main.addSubcommand("explore", new ExploreCommand(games, shutdown, terminal));
        main.addSubcommand("replay", new ReplayCommand(shutdown));
        main.addSubcommand("arena", new ArenaCommand(games));
        main.addSubcommand("export", new ExportCommand());
        main.addSubcommand("query", new QueryCommand());
        main.addSubcommand("report", new ReportCommand(games));
        main.addSubcommand("judge", new JudgeCommand(games));
        main.addSubcommand("rcon", new RconCommand());
        main.addSubcommand("sauerbraten-key", new SauerbratenKeyCommand());
        main.addSubcommand("completion", new CompletionCommand());
        StandardOptions.addTo(main);
        CommandUsage.addTo(main);
        UsageErrors.registerNumbers(main);
        main.registerConverter(Game.class, new Games.Converter(games));
        main.registerConverter(Games.Port.class, new Games.PortConverter(games));
        main.registerConverter(HostPort.class, HostPort::parse);
        main.setExecutionStrategy(Main::executed);
        main.setExecutionExceptionHandler(Main::failed);
        main.setParameterExceptionHandler(Main::misused);
        main.setCaseInsensitiveEnumValuesAllowed(true);
        // A word that begins with @ is text, perhaps of a player, and never names a file to read.
        main.setExpandAtFiles(false);
        return main;
    }

    /** Runs a command. It fails if its output cannot be written. */
    private static int executed(CommandLine.ParseResult parsed) {
        CommandLine main = parsed.commandSpec().commandLine();
        int status;
        try {
            status = new CommandLine.RunLast().execute(parsed);
        } catch (CommandLine.ParameterException e) {
            // Its arguments were parsed, so --help among them is text.
            return misused(e);
        }
        String failure = StandardOutput.failure(main.getOut());
        if (failure.isEmpty()) {
            return status;
        }
        report(main, "cannot write to standard output: " + failure);
        return status == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : status;
    }

    /** Prints why a command failed, in the format of its log if it has one. */
    private static void report(CommandLine command, String message) {
        OptionSpec log = command.getCommandSpec().findOption("--log");
        LogFormat format =
                log != null && log.getValue() == LogFormat.JSON ? LogFormat.JSON : LogFormat.HUMAN;
        command.getErr()
                .println(
                        format.line(
                                Level.ERROR, "failure", "wishdir: " + SeekableFile.named(message)));
        command.getErr().flush();
    }

    /** Prints wrong usage in one line that refers to the help, or the help if it was requested. */
    private static int misused(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        if (UsageErrors.asksForHelp(arguments)) {
            command.usage(command.getOut());
            command.getOut().flush();
            return CommandLine.ExitCode.OK;
        }
        return misused(e);
    }

    private static int misused(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        report(
                command,
                UsageErrors.text(e)
                        + "; see "
                        + command.getCommandSpec().qualifiedName()
                        + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** Prints a failure in one line, and a defect with its stack trace. */
    private static int failed(
            Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
        PrintWriter err = commandLine.getErr();
        Optional<String> system = systemFailure(e);
        if (e instanceof CommandFailedException) {
            report(commandLine, String.valueOf(e.getMessage()));
        } else if (system.isPresent()) {
            report(commandLine, system.get());
        } else {
            e.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Refusal of the operating system, if that is why a command failed. */
    private static Optional<String> systemFailure(Throwable thrown) {
        int causes = 0;
        for (Throwable it = thrown; it != null && causes < MAX_CAUSES; it = it.getCause()) {
            causes++;
            if (it instanceof IOException) {
                String message = ExceptionMessage.of(it);
                boolean files = message.contains("open files") || message.contains("(-24)");
                return Optional.of(
                        files ? message + ": allow more (ulimit -n), at least 256" : message);
            }
        }
        return Optional.empty();
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "missing command: for example, wishdir demo starts a server with bots and a live"
                        + " map");
    }
}
