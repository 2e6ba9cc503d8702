package dev.wishdir.app;

import ch.qos.logback.classic.Level;

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

/** How an operator runs a server: from where its settings come, what is kept, what is logged. */
final class OperatorOptions {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorOptions.class);

    /** Serves by what is set. */
    @FunctionalInterface
    interface Serving {
        int serve() throws CommandFailedException;
    }

    /** Checks the values of a command that was parsed. */
    @FunctionalInterface
    interface Check {
        /**
         * @throws CommandFailedException if a value can't be used
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

    /** How the command was given, before the file was read. */
    private CommandLine.@Nullable ParseResult given;

    /** Whether nothing is served in the end. */
    boolean check() {
        return check;
    }

    /** What the log's lines look like. */
    LogFormat log() {
        return log;
    }

    /** Whether the log and the events have the addresses of players. */
    boolean addresses() {
        return !hideAddresses;
    }

    /**
     * The way to the file of the log, which is used from now on; null where there is none.
     *
     * @throws CommandFailedException if it can't be written
     */
    @Nullable AsyncLineWriter logFile() throws CommandFailedException {
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

    /** The log can't say of itself that it can't be written. */
    private record LogFileListener(Path file, LogFormat form) implements AsyncLineWriter.Listener {
        @Override
        public void onFailure(IOException why) {
            String text = "the log can't be written to " + file + ": " + why.getMessage();
            StandardError.QUEUE.accept(form.line(Level.WARN, "unwritable", text));
        }

        @Override
        public void onResumed(long lost) {
            LogAppender.lost(lost);
        }
    }

    /** Where bans are kept; null where they are not. */
    @Nullable BanFile banFile() throws CommandFailedException {
        Path beside = config == null ? null : config.toAbsolutePath().resolveSibling("bans.txt");
        Path file = bans.isEmpty() ? beside : Path.of(bans);
        return file == null ? null : new BanFile(file, FileOperations.REAL, LOG::error);
    }

    /**
     * The command as it would be if it were given again now.
     *
     * @param values checks the command's values
     * @throws CommandFailedException that names file and line, where the file is wrong
     */
    CommandLine again(Supplier<CommandLine> another, Check values) throws CommandFailedException {
        CommandLine fresh = another.get();
        CommandLine.ParseResult before = given;
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

    /** Reads the file, and parses a line with it. */
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
     * Serves by what the command line says, and where it says nothing, the file.
     *
     * @param line that was parsed; it is parsed once more with what the file says
     * @param another makes one like it
     * @throws CommandFailedException that names file and line, where the file is wrong
     */
    int configured(CommandLine line, Supplier<CommandLine> another, Serving serving)
            throws CommandFailedException {
        given = line.getParseResult();
        ConfigFile read = read(line, line.getParseResult(), another);
        LogAppender.use(log);
        Console console = new Console(line.getErr(), log);
        List<String> notices =
                new ArrayList<>(RenamedOptions.notices(line.getParseResult().originalArgs()));
        if (read != null) {
            notices.addAll(read.notices());
        }
        notices.forEach(notice -> console.print("deprecated", notice));
        return located(read, serving);
    }

    /** Runs something whose failures are reported with the place in the file that caused them. */
    private int located(@Nullable ConfigFile read, Serving serving) throws CommandFailedException {
        try {
            return serving.serve();
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
