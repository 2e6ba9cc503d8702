package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.RecordedTime;
import dev.wishdir.app.record.ConvertedCapture;
import dev.wishdir.record.EventCursor;
import dev.wishdir.record.Recording;
import dev.wishdir.record.mcap.McapException;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
    private Map<Path, String> names() {
        Map<Path, String> names = new HashMap<>();
        HashSet<String> taken = new HashSet<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.mcap$", "");
            names.put(file, taken.add(name) ? name : file.toString());
        }
        return names;
    }

    /**
     * Reads each recording.
     *
     * @param err receives what could not be read
     */
    void read(PrintWriter err, Reader reader) throws CommandFailedException {
        Map<Path, String> names = names();
        for (Path file : files) {
            try {
                read(err, file, Objects.requireNonNull(names.get(file)), reader);
            } catch (NoSuchFileException e) {
                throw new CommandFailedException(file + ": no such file", e);
            } catch (IOException e) {
                String message = String.valueOf(e.getMessage());
                throw new CommandFailedException(
                        message.contains(file.toString()) ? message : file + ": " + message, e);
            }
        }
    }

    private void read(PrintWriter err, Path file, String name, Reader reader)
            throws IOException, CommandFailedException {
        try (Recording recording = Recording.open(file)) {
            read(err, file, name, recording, reader);
        } catch (McapException e) {
            if (e.reason() != McapException.Reason.NOT_MCAP) {
                throw e;
            }
            try (ConvertedCapture converted = ConvertedCapture.of(file, err);
                    Recording recording = Recording.open(converted.file())) {
                read(err, file, name, recording, reader);
            }
        }
    }

    private void read(PrintWriter err, Path file, String name, Recording recording, Reader reader)
            throws IOException {
        long begin = from.map(time -> time.since1970(recording.startNanos())).orElse(0L);
        long end = to.map(time -> time.since1970(recording.startNanos())).orElse(Long.MAX_VALUE);
        EventCursor events = recording.events(begin, end);
        reader.read(name, recording, events);
        report(err, file, recording, events);
    }

    private static void report(PrintWriter err, Path file, Recording recording, EventCursor events)
            throws IOException {
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
