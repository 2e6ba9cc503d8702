package dev.wishdir.app.serve;

import ch.qos.logback.classic.Level;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.RenamedOptions;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.Console;
import dev.wishdir.app.log.FileLineSink;
import dev.wishdir.app.log.LogAppender;
import dev.wishdir.app.log.LogFormat;
import dev.wishdir.app.log.LostLines;
import dev.wishdir.app.log.StandardError;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The options of {@code serve} about its configuration file, bans and log. */
final class OperatorOptions {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorOptions.class);

    /** Runs the server with the final settings. */
    @FunctionalInterface
    interface ServeAction {
        int serve() throws CommandFailedException;
    }

    /** Checks the values of a parsed command. */
    @FunctionalInterface
    interface Check {
        /**
         * @throws CommandFailedException if a value is not allowed
         */
        void check(CommandLine line) throws CommandFailedException;
    }

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read settings from this HOCON file. Each option is a key without its dashes;"
                        + " options on the command line win. wishdir config prints a file with all"
                        + " settings.")
    private @Nullable Path config;

    @Option(
            names = "--check",
            description =
                    "Check all settings and files and exit: status 0 if the server would start,"
                            + " otherwise 1.")
    private boolean check;

    @Option(
            names = "--bans",
            paramLabel = "FILE",
            description =
                    "File for bans. Without it, bans.txt next to the file of --config, or no file:"
                            + " the server then forgets bans when it stops.",
            defaultValue = "")
    private String bans = "";

    @Option(
            names = "--log",
            paramLabel = "human|json",
            description = "Format of the log (default ${DEFAULT-VALUE}).",
            defaultValue = "human")
    private LogFormat log = LogFormat.HUMAN;

    @Option(
            names = "--log-file",
            paramLabel = "FILE",
            description =
                    "Append the log to this file instead of standard error. SIGHUP reopens it, for"
                            + " logrotate.")
    private @Nullable Path logFile;

    @Option(
            names = "--hide-addresses",
            description = "Omit addresses and accounts of players from the log and the events.")
    private boolean hideAddresses;

    /** The command line as parsed before the file was read. */
    private CommandLine.@Nullable ParseResult commandLineArguments;

    /** Whether to check the settings only. */
    boolean check() {
        return check;
    }

    /** The format of the log. */
    LogFormat log() {
        return log;
    }

    /** Whether the log and the events contain the addresses of players. */
    boolean logsAddresses() {
        return !hideAddresses;
    }

    /**
     * Opens the log file and redirects the log to it.
     *
     * @return null if no log file is set
     * @throws CommandFailedException if it cannot be written
     */
    @Nullable AsyncLineWriter openLogFile() throws CommandFailedException {
        Path file = logFile;
        if (file == null) {
            return null;
        }
        if (check) {
            EventOptions.checkWritable("--log-file: cannot write ", file);
            return null;
        }
        try {
            AsyncLineWriter lines =
                    new AsyncLineWriter(
                            new FileLineSink(
                                    file, FileLineSink.Rotation.NONE, InstantSource.system()),
                            new LogFileListener(file, log));
            LogAppender.writeTo(lines);
            return lines;
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--log-file: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Reports to standard error that the log file cannot be written, as the log itself cannot. */
    private record LogFileListener(Path file, LogFormat form) implements AsyncLineWriter.Listener {
        @Override
        public void onFailure(IOException why) {
            String text = "log cannot be written to " + file + ": " + why.getMessage();
            StandardError.QUEUE.accept(form.line(Level.WARN, "unwritable", text));
        }

        @Override
        public void onResumed(long lost) {
            LostLines.report(lost);
        }
    }

    /** Opens the file of bans; null if bans are not stored. */
    @Nullable BanFile openBanFile() throws CommandFailedException {
        Path besideConfig =
                config == null ? null : config.toAbsolutePath().resolveSibling("bans.txt");
        Path file = bans.isEmpty() ? besideConfig : Path.of(bans);
        return file == null ? null : new BanFile(file, FileOperations.REAL, LOG::error);
    }

    /**
     * Parses the same command line again, with the configuration file as it is now.
     *
     * @param another makes a new command
     * @param values checks the command's values
     * @throws CommandFailedException if the file has an error; the message names file and line
     */
    CommandLine reparse(Supplier<CommandLine> another, Check values) throws CommandFailedException {
        CommandLine fresh = another.get();
        CommandLine.ParseResult before = commandLineArguments;
        if (before != null) {
            List<String> arguments = before.originalArgs();
            String name = before.commandSpec().name();
            fresh.parseArgs(
                    arguments
                            .subList(arguments.indexOf(name) + 1, arguments.size())
                            .toArray(String[]::new));
            located(
                    read(fresh, before, another),
                    () -> {
                        values.check(fresh);
                        return CommandLine.ExitCode.OK;
                    });
        }
        return fresh;
    }

    /** Reads the file, and parses the command line again with its values. */
    private @Nullable ConfigFile read(
            CommandLine line, CommandLine.ParseResult before, Supplier<CommandLine> another)
            throws CommandFailedException {
        Path file = config;
        if (file == null) {
            return null;
        }
        ConfigFile read = ConfigFile.read(file, line.getCommandSpec(), another);
        line.parseArgs(read.merged(before));
        return read;
    }

    /**
     * Runs the server with the options of the command line and, for the others, of the file.
     *
     * @param line the parsed command; it is parsed again with the values of the file
     * @param another makes a new command
     * @throws CommandFailedException if the file has an error; the message names file and line
     */
    int configured(CommandLine line, Supplier<CommandLine> another, ServeAction action)
            throws CommandFailedException {
        commandLineArguments = line.getParseResult();
        ConfigFile read = read(line, line.getParseResult(), another);
        LogAppender.setFormat(log);
        Console console = new Console(line.getErr(), log);
        List<String> notices =
                new ArrayList<>(RenamedOptions.notices(line.getParseResult().originalArgs()));
        if (read != null) {
            notices.addAll(read.notices());
        }
        notices.forEach(notice -> console.print("deprecated", notice));
        return located(read, action);
    }

    /** Runs an action, and adds the place in the file that caused it to a failure's message. */
    private int located(@Nullable ConfigFile read, ServeAction action)
            throws CommandFailedException {
        try {
            return action.serve();
        } catch (CommandLine.ParameterException | CommandFailedException e) {
            String message = String.valueOf(e.getMessage());
            String located = read == null ? message : read.located(message);
            if (check || !located.equals(message)) {
                throw new CommandFailedException(located, e);
            }
            throw e;
        }
    }
}
