package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.command.RecordedTime;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.record.ConvertedCapture;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.mcap.McapException;
import dev.wishdir.wire.ExceptionMessage;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The recordings of a command, and the part of them that it reads. */
final class RecordingInput {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Recordings (.mcap), or captures and demos as for record --from. Files that"
                            + " were cut are read as far as they go.")
    private List<Path> files = List.of();

    @Option(
            names = "--from",
            paramLabel = "T",
            converter = RecordedTime.Converter.class,
            description =
                    "Leave out what was before: a time after the start of each file, such as 90 or"
                            + " 1:30, or a time of day such as 2026-11-25T20:15:00Z.")
    private Optional<RecordedTime> from = Optional.empty();

    @Option(
            names = "--to",
            paramLabel = "T",
            converter = RecordedTime.Converter.class,
            description = "Leave out this time and what was later.")
    private Optional<RecordedTime> to = Optional.empty();

    /** Reads one recording. */
    @FunctionalInterface
    interface Reader {
        /**
         * @param name by which tables name the recording
         * @param events of the part to read
         */
        void read(String name, Recording recording, EventCursor events) throws IOException;
    }

    RecordingInput() {}

    RecordingInput(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** The names of the files in tables: without folder and extension where these are unique. */
    private static Map<Path, String> names(List<Path> files) {
        Map<Path, String> names = new HashMap<>();
        Set<Path> left = new LinkedHashSet<>(files);
        for (Function<Path, String> each :
                List.<Function<Path, String>>of(
                        file -> title(String.valueOf(file.getFileName())),
                        file -> title(file.toString()),
                        Path::toString)) {
            Map<String, Long> counts =
                    left.stream().collect(Collectors.groupingBy(each, Collectors.counting()));
            left.stream()
                    .filter(file -> counts.getOrDefault(each.apply(file), 0L) == 1)
                    .forEach(file -> names.put(file, each.apply(file)));
            left.removeAll(names.keySet());
        }
        return names;
    }

    private static String title(String name) {
        return name.replaceFirst("\\.mcap$", "");
    }

    /**
     * Reads each recording.
     *
     * @param err receives what could not be read
     */
    void read(PrintWriter err, Reader reader) throws CommandFailedException {
        List<Path> distinct = DistinctFiles.inputs(files, err);
        Map<Path, String> names = names(distinct);
        String outside = "";
        int read = 0;
        for (Path file : distinct) {
            if (Files.isDirectory(file)) {
                throw new CommandFailedException(
                        file + " is a folder: give the files in it, such as " + file + "/*.mcap");
            }
            try {
                String problem =
                        read(
                                err,
                                SeekableFile.of(file),
                                Objects.requireNonNull(names.get(file)),
                                reader);
                if (problem.isEmpty()) {
                    read++;
                } else {
                    outside = file + ": " + problem;
                    if (distinct.size() > 1) {
                        err.println(outside);
                    }
                }
            } catch (NoSuchFileException e) {
                throw new CommandFailedException(file + ": no such file", e);
            } catch (IOException e) {
                String message = ExceptionMessage.of(e);
                throw new CommandFailedException(
                        message.contains(file.toString()) ? message : file + ": " + message, e);
            }
        }
        if (read == 0) {
            throw new CommandFailedException(outside);
        }
    }

    /** Reads a file; returns why there was nothing to read, or an empty text. */
    private String read(PrintWriter err, Path file, String name, Reader reader)
            throws IOException, CommandFailedException {
        try (Recording recording = Recording.open(file)) {
            return read(err, file, name, recording, reader);
        } catch (McapException e) {
            if (e.reason() != McapException.Reason.NOT_MCAP) {
                throw e;
            }
            try (ConvertedCapture converted = ConvertedCapture.of(file, err);
                    Recording recording = Recording.open(converted.file())) {
                return read(err, file, name, recording, reader);
            }
        }
    }

    private String read(PrintWriter err, Path file, String name, Recording recording, Reader reader)
            throws IOException {
        long start = recording.startNanos();
        long begin = from.map(time -> time.since1970(start)).orElse(0L);
        long end = to.map(time -> time.since1970(start)).orElse(Long.MAX_VALUE);
        boolean chosen = from.isPresent() || to.isPresent();
        if (chosen && (begin >= end || end <= start || begin > recording.endNanos())) {
            return String.format(
                    Locale.ROOT,
                    "--from and --to must be a part of the recording, which has %.3f seconds",
                    (recording.endNanos() - start) / 1e9);
        }
        EventCursor events = recording.events(begin, end);
        reader.read(name, recording, events);
        report(err, SeekableFile.named(file.toString()), recording, events);
        return "";
    }

    private static void report(
            PrintWriter err, String file, Recording recording, EventCursor events)
            throws IOException {
        if (recording.endNanos() == 0) {
            err.println(file + ": an empty recording, without movements and events");
        }
        if (!recording.isComplete()) {
            err.println(file + ": not complete; read as far as it goes");
        }
        if (!recording.damage().isEmpty()) {
            err.println(file + ": damaged parts that were left out: " + recording.damage().size());
        }
        if (events.skipped() > 0) {
            err.println(file + ": malformed events that were left out: " + events.skipped());
        }
        err.flush();
    }
}
