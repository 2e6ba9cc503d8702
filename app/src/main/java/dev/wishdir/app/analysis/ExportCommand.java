package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.wire.ExceptionMessage;

import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code export}: writes recordings as tables, or as a file for 3D viewers. */
@Command(
        name = "export",
        sortOptions = false,
        description = {
            "Write recordings as tables for other programs: players, movements, events, chat,"
                    + " violations and hits, a file each; or as files that 3D viewers draw.",
            "docs/recordings-analysis.md describes the columns."
        })
public final class ExportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private RecordingInput input = new RecordingInput();

    @ArgGroup private Format format = new Format();

    @Mixin private PlayerFilter filter = new PlayerFilter();

    @Option(
            names = "--every",
            paramLabel = "S",
            description =
                    "Write at most one movement of a player in this many seconds; tables only.",
            defaultValue = "0")
    private double every;

    /** Format and folder of what is written. */
    private static final class Format {
        private static final String FOLDER = "DIR";

        @Option(names = "--csv", paramLabel = FOLDER, description = "Write CSV files (RFC 4180).")
        private Optional<Path> csv = Optional.empty();

        @Option(
                names = "--jsonl",
                paramLabel = FOLDER,
                description = "Write files with a JSON object a line.")
        private Optional<Path> jsonl = Optional.empty();

        @Option(
                names = "--parquet",
                paramLabel = FOLDER,
                description = "Write Parquet files. Needs the query extra, as query does.")
        private Optional<Path> parquet = Optional.empty();

        @Option(
                names = "--viewer",
                paramLabel = FOLDER,
                description = "Write MCAP files that Foxglove and Rerun draw in 3D.")
        private Optional<Path> viewer = Optional.empty();
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (!(every >= 0 && every <= 86_400)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--every must be from 0 to 86400, not " + every);
        }
        Stream.of(format.csv, format.jsonl, format.parquet, format.viewer)
                .flatMap(Optional::stream)
                .filter(folder -> Files.exists(folder) && !Files.isDirectory(folder))
                .forEach(file -> {
                    throw new CommandLine.ParameterException(
                            spec.commandLine(),
                            file + " is a file: give a folder, which is created if it is missing");
                });
        try {
            if (format.csv.isPresent()) {
                exportText(format.csv.get(), RowFormat.CSV);
            } else if (format.jsonl.isPresent()) {
                exportText(format.jsonl.get(), RowFormat.JSONL);
            } else if (format.parquet.isPresent()) {
                exportParquet(format.parquet.get());
            } else if (format.viewer.isPresent()) {
                exportForViewers(format.viewer.get());
            } else {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "choose what to write: --csv, --jsonl, --parquet or --viewer");
            }
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private void exportText(Path folder, RowFormat text)
            throws IOException, CommandFailedException {
        try (TableWriter tables = new TextTables(folder, text)) {
            extract(tables);
        }
    }

    private void exportParquet(Path folder) throws IOException, CommandFailedException {
        try (QueryDatabase database = QueryDatabase.openForExport(folder)) {
            extract(database);
            database.exportTo(folder);
        }
    }

    private void extract(TableWriter tables) throws IOException, CommandFailedException {
        input.read(err(), new TableExtractor(tables, filter, Math.round(every * 1e9))::read);
        tables.finish();
        filter.check();
    }

    private void exportForViewers(Path folder) throws IOException, CommandFailedException {
        Files.createDirectories(folder);
        input.read(
                err(),
                (name, recording, events) -> {
                    Path file = Path.of(name).getFileName();
                    copyForViewers(recording, events, folder.resolve(file + ".mcap"));
                });
        filter.check();
    }

    private void copyForViewers(Recording recording, EventCursor events, Path file)
            throws IOException {
        RecordedState state = events.state();
        Map<PlayerId, Player> players = new LinkedHashMap<>(state.players());
        players.values().forEach(filter::note);
        players.values().removeIf(player -> !filter.includes(player));
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        recording.info(),
                        recording.arenaText(),
                        new RecordingOptions(true, true, true, true))) {
            writer.begin(new RecordedState(players, state.levels(), state.flags()));
            while (events.next()) {
                ArenaEvent event = events.event();
                if (event instanceof ArenaEvent.OfPlayer of) {
                    filter.note(of.player());
                }
                if (!(event instanceof ArenaEvent.OfPlayer of) || filter.includes(of.player())) {
                    writer.onEvent(event);
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException("cannot write " + file, e.getCause());
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " exists: choose another folder", e);
        }
    }
}
