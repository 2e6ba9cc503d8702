package dev.wishdir.app.event;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.FileLineSink;
import dev.wishdir.app.log.LineSink;
import dev.wishdir.app.log.WriteFailureReport;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The options about the events that a server writes: kinds, target, rotation. */
public final class EventOptions {
    private static final String STANDARD_OUTPUT = "-";

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description =
                    "Append events as JSON lines to this file; - is standard output. docs/events.md"
                            + " describes the fields.")
    private @Nullable String events;

    @Option(
            names = "--event-kinds",
            paramLabel = "KIND",
            split = ",",
            description =
                    "The kinds of events to write, such as join,leave,chat; or the kinds to leave"
                        + " out, such as -move. Movements are most of the file: 4 GB a day with ten"
                        + " players. Without it, all kinds.")
    private List<String> kinds = List.of();

    @Option(
            names = "--event-file-size",
            paramLabel = "SIZE",
            converter = Size.class,
            description =
                    "Rotate the file of --events to FILE.1 before it exceeds this size, such as"
                            + " 500k, 100M or 2G (default 0: never).",
            defaultValue = "0")
    private long fileSize;

    @Option(
            names = "--event-file-age",
            paramLabel = "TIME",
            converter = Age.class,
            description =
                    "Rotate the file of --events after this time, such as 12h or 7d (default 0:"
                            + " never).",
            defaultValue = "0")
    private Duration fileAge = Duration.ZERO;

    @Option(
            names = "--event-files",
            paramLabel = "N",
            description = "Number of rotated files to keep (default ${DEFAULT-VALUE}).",
            defaultValue = "5")
    private int files;

    /** Parses a size in bytes; k, M and G are binary multiples. */
    public static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            String lower = text.toLowerCase(Locale.ROOT);
            if (!lower.matches("[0-9]{1,9}[kmg]?")) {
                throw new TypeConversionException(
                        "'"
                                + text
                                + "' is not a size: a number of bytes, such as 500k, 100M or 2G");
            }
            int shift = "kmg".indexOf(lower.charAt(lower.length() - 1)) + 1;
            return Long.parseLong(lower.replaceAll("[kmg]", "")) << 10 * shift;
        }
    }

    /** Parses a duration. */
    public static final class Age implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("0|[0-9]{1,6}[smhd]")) {
                throw new TypeConversionException(
                        "'" + text + "' is not a duration, such as 30m, 12h or 7d");
            }
            return text.equals("0")
                    ? Duration.ZERO
                    : Duration.parse(
                            text.endsWith("d") ? "P" + text : "PT" + text.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * The kinds of events to write.
     *
     * @throws CommandLine.ParameterException if a kind does not exist
     */
    public Set<EventKind> kinds(CommandLine line) {
        try {
            return EventKind.chosen(kinds);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(line, "--event-kinds: " + e.getMessage(), e);
        }
    }

    /**
     * Opens the target of the events.
     *
     * @return null if no events are written
     * @throws CommandFailedException if the target cannot be written
     */
    public @Nullable AsyncLineWriter open(PrintWriter standard) throws CommandFailedException {
        String to = events;
        if (to == null) {
            return null;
        }
        try {
            LineSink target =
                    to.equals(STANDARD_OUTPUT)
                            ? LineSink.standard(standard)
                            : new FileLineSink(
                                    Path.of(to),
                                    new FileLineSink.Rotation(fileSize, fileAge, files),
                                    InstantSource.system());
            return new AsyncLineWriter(
                    target,
                    new WriteFailureReport(
                            "events", to.equals(STANDARD_OUTPUT) ? "standard output" : to));
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--events: cannot write " + to + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes the queued events, and logs the number of lost ones.
     *
     * @return whether none was lost
     */
    public static boolean close(@Nullable AsyncLineWriter lines) {
        if (lines == null) {
            return true;
        }
        lines.close();
        if (lines.lost() > 0) {
            LoggerFactory.getLogger(EventOptions.class)
                    .atWarn()
                    .addKeyValue("event", "lost")
                    .addKeyValue("lines", lines.lost())
                    .log(
                            "events were lost because their reader was too slow or their file could"
                                    + " not be written: {}",
                            lines.lost());
        }
        return lines.lost() == 0;
    }

    /** Adds the file of the events, and those that rotation makes of it. */
    public void addTo(DistinctFiles all) {
        if (events == null || events.equals(STANDARD_OUTPUT)) {
            return;
        }
        all.addOutput("--events", Path.of(events));
        if (fileSize > 0 || !fileAge.isZero()) {
            for (int i = 1; i <= files; i++) {
                all.addOutput("--events", Path.of(events + "." + i));
            }
        }
    }

    /**
     * Checks whether {@link #open} would succeed, without writing.
     *
     * @throws CommandFailedException if it would not
     */
    public void check() throws CommandFailedException {
        if (events != null && !events.equals(STANDARD_OUTPUT)) {
            checkWritable("--events: cannot write ", Path.of(events));
        }
    }

    /**
     * Checks whether a file could be appended to or created.
     *
     * @throws CommandFailedException if it could not
     */
    public static void checkWritable(String failure, Path file) throws CommandFailedException {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.exists(file)
                ? Files.isDirectory(file) || !Files.isWritable(file)
                : folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new CommandFailedException(
                    failure + file + ": no permission, or its folder does not exist");
        }
    }
}
