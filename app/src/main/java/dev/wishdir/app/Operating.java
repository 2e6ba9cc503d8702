package dev.wishdir.app;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.function.Supplier;

/** How an operator runs a server: from where its settings come, what is kept, what is logged. */
final class Operating {
    private static final Logger LOG = LoggerFactory.getLogger(Operating.class);

    /** Serves by what is set. */
    @FunctionalInterface
    interface Serving {
        int serve() throws Failure;
    }

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read settings from a file in HOCON: each option is a key, without its dashes."
                            + " Options win over the file; wishdir config prints one with all.")
    private @Nullable Path config;

    @Option(
            names = "--check",
            description =
                    "Check all of it, as if to serve, and end: status 0 if the server would run, or"
                            + " else 1.")
    private boolean check;

    @Option(
            names = "--bans",
            paramLabel = "FILE",
            description =
                    "Where bans are kept; without it they are forgotten when the server ends, or"
                            + " are in bans.txt beside the file of --config.",
            defaultValue = "")
    private String bans = "";

    @Option(
            names = "--log",
            paramLabel = "human|json",
            description = "What the lines of the log look like (default ${DEFAULT-VALUE}).",
            defaultValue = "human")
    private LogForm log = LogForm.HUMAN;

    /** Whether nothing is served in the end. */
    boolean check() {
        return check;
    }

    /** Where bans are kept; null where they are not. */
    @Nullable BanFile banFile() throws Failure {
        Path beside = config == null ? null : config.toAbsolutePath().resolveSibling("bans.txt");
        Path file = bans.isEmpty() ? beside : Path.of(bans);
        return file == null ? null : new BanFile(file, Disk.REAL, LOG::error);
    }

    /**
     * Serves by what the command line says, and where it says nothing, the file.
     *
     * @param line that was parsed; it is parsed once more with what the file says
     * @param another makes one like it
     * @throws Failure that names file and line, where the file is wrong
     */
    int configured(CommandLine line, Supplier<CommandLine> another, Serving serving)
            throws Failure {
        Path file = config;
        ConfigFile read =
                file == null ? null : ConfigFile.read(file, line.getCommandSpec(), another);
        if (read != null) {
            line.parseArgs(read.merged(line.getParseResult()));
        }
        log.use();
        try {
            return serving.serve();
        } catch (CommandLine.ParameterException | Failure e) {
            String message = String.valueOf(e.getMessage());
            String located = read == null ? message : read.located(message);
            if (check || !located.equals(message)) {
                throw new Failure(located, e);
            }
            throw e;
        }
    }
}
