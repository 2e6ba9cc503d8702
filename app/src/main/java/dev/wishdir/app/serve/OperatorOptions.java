package dev.wishdir.app.serve;

import ch.qos.logback.classic.Level;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.FileLineSink;
import dev.wishdir.app.log.LogAppender;
import dev.wishdir.app.log.LogFormat;
import dev.wishdir.app.log.LostLines;
import dev.wishdir.app.log.StandardError;
import dev.wishdir.app.serve.file.BanFile;
import dev.wishdir.app.serve.file.FileOperations;
import dev.wishdir.app.serve.file.StateFile;
import dev.wishdir.game.operator.BanList;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
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

    private final SettingProblems problems = new SettingProblems();

    private boolean areSettingsKnown = true;

    /** Problems of the settings so far. */
    SettingProblems problems() {
        return problems;
    }

    /** Whether all settings are known: false if the file, or a part of it, could not be read. */
    boolean areSettingsKnown() {
        return areSettingsKnown;
    }

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

    /** Adds the files of these options. */
    void addTo(DistinctFiles all) {
        all.addInput("--config", config);
        all.addOutput("--bans", banFile());
        all.addOutput("--log-file", logFile);
    }

    private @Nullable Path banFile() {
        Path besideConfig =
                config == null ? null : config.toAbsolutePath().resolveSibling("bans.txt");
        return bans.isEmpty() ? besideConfig : Path.of(bans);
    }

    /** Opens the file of bans; null if bans are not stored. */
    @Nullable StateFile<BanList> openBanFile() throws CommandFailedException {
        Path file = banFile();
        if (file == null) {
            return null;
        }
        try {
            EventOptions.checkWritable("--bans: cannot write ", file);
        } catch (CommandFailedException e) {
            if (!bans.isEmpty()) {
                throw e;
            }
            LOG.warn("bans are lost when the server stops: {}", e.getMessage());
        }
        return new StateFile<>(
                "--bans", "bans", file, FileOperations.REAL, new BanFile(), LOG::error);
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
            SettingProblems found = new SettingProblems();
            ConfigFile read = read(fresh, before, another, found);
            found.addParseErrors(fresh);
            found.throwIfAny(fresh);
            withLocation(
                    read,
                    () -> {
                        values.check(fresh);
                        return CommandLine.ExitCode.OK;
                    });
        }
        return fresh;
    }

    /** Reads the file, and parses the command line again with its values. */
    private @Nullable ConfigFile read(
            CommandLine line,
            CommandLine.ParseResult before,
            Supplier<CommandLine> another,
            SettingProblems found) {
        Path file = config;
        if (file == null) {
            return null;
        }
        ConfigFile read = found.open(() -> ConfigFile.read(file, line.getCommandSpec(), another));
        if (read != null) {
            found.addAll(read.errors());
            line.parseArgs(read.merged(before));
        }
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
        ConfigFile read = read(line, line.getParseResult(), another, problems);
        areSettingsKnown = config == null || (read != null && read.isComplete());
        problems.addParseErrors(line);
        LogAppender.setFormat(log);
        LogAppender.setAddressesHidden(hideAddresses);
        return withLocation(read, action);
    }

    /** Runs an action, and adds the place in the file that caused it to a failure's message. */
    private int withLocation(@Nullable ConfigFile read, ServeAction action)
            throws CommandFailedException {
        try {
            return action.serve();
        } catch (CommandLine.ParameterException | CommandFailedException e) {
            String message = String.valueOf(e.getMessage());
            String fullMessage = read == null ? message : read.withLocation(message);
            if (check || !fullMessage.equals(message)) {
                throw new CommandFailedException(fullMessage, e);
            }
            throw e;
        }
    }
}
