package dev.wishdir.app.replay;

import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.arena.Arena;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** The options of a server that replays a recording, or follows one that grows. */
public final class ReplayOptions {
    /** Minimum of {@code --delay}: recordings are written about once a second. */
    static final double MIN_DELAY_SECONDS = 2;

    private static final double MAX_DELAY_SECONDS = 86_400;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Pattern URL = Pattern.compile("(?i)https?://");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--replay",
            paramLabel = "FILE[,loop][,speed=X][,from=T]",
            description =
                    "Replay a recording in the arena: its players walk as ghosts, whose names begin"
                        + " with ~. loop begins again at its end; the speed is from 0.125 to 8; T"
                        + " is in seconds from its start, or as 1:30. The operator command replay"
                        + " controls it.",
            defaultValue = "")
    private String replay = "";

    @Option(
            names = "--follow",
            paramLabel = "FILE|DIR",
            description =
                    "Show a recording that another server writes, as it grows, --delay behind: its"
                            + " players walk as ghosts. With the folder of --record, or a .part"
                            + " file in it, it continues with each next file.",
            defaultValue = "")
    private String follow = "";

    @Option(
            names = "--delay",
            paramLabel = "SECONDS",
            description =
                    "How far --follow is behind the recording, at least 2 (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "30")
    private double delay = 30;

    /** An open recording, and the thread that reads it. */
    public static final class OpenReplay implements AutoCloseable {
        private final ReplaySource source;
        private final ArenaReplay.Settings settings;
        private final ExecutorService executor =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name("replay").factory());

        private OpenReplay(ReplaySource source, ArenaReplay.Settings settings) {
            this.source = source;
            this.settings = settings;
        }

        /** The replay in an arena; only once. */
        public ArenaReplay in(Arena arena) {
            return new ArenaReplay(arena, source, executor, settings);
        }

        /** Ends its thread; the file is closed by it. */
        @Override
        public void close() {
            executor.execute(() -> {
                try {
                    source.close();
                } catch (IOException _) {
                    // It was read only.
                }
            });
            executor.shutdown();
        }
    }

    /**
     * Checks the options without opening a file.
     *
     * @throws CommandLine.ParameterException if a value is not valid
     */
    public void check() {
        if (!replay.isEmpty() && !follow.isEmpty()) {
            throw misused("--replay and --follow exclude each other");
        }
        if (!(delay >= MIN_DELAY_SECONDS && delay <= MAX_DELAY_SECONDS)) {
            throw misused("--delay must be from 2 to 86400 seconds, is " + delay);
        }
        requireFile("--replay", replay);
        requireFile("--follow", follow);
        replayOption();
    }

    /** Adds the files that are read. */
    public void addTo(DistinctFiles all) {
        try {
            replayOption().ifPresent(it -> all.addInput("--replay", it.file()));
        } catch (CommandLine.ParameterException _) {
            // The check reports it.
        }
        all.addInput("--follow", follow.isEmpty() ? null : Path.of(follow));
    }

    /** Refuses a URL, and does not repeat it, as it may have a password. */
    private void requireFile(String option, String value) {
        if (URL.matcher(value).lookingAt()) {
            throw misused(
                    option
                            + " reads files, not URLs: copy the recording into a folder (wget -c"
                            + " URL, repeated while it grows) and give --follow FOLDER, or record"
                            + " on a node of the cluster");
        }
    }

    private Optional<ReplayOption> replayOption() {
        if (replay.isEmpty()) {
            return Optional.empty();
        }
        try {
            ReplayOption option = ReplayOption.parse(replay);
            ArenaReplay.checkSpeed(option.speed());
            return Optional.of(option);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--replay: " + e.getMessage(), e);
        }
    }

    /**
     * Opens the recording.
     *
     * @return null without one
     * @throws IOException if it cannot be read; the message names the option and the file
     */
    public @Nullable OpenReplay open() throws IOException {
        Optional<ReplayOption> option = replayOption();
        if (option.isPresent()) {
            return open(option.get());
        }
        return follow.isEmpty() ? null : openFollowed();
    }

    private static OpenReplay open(ReplayOption option) throws IOException {
        Path file = option.file();
        try {
            RecordingSource source = RecordingSource.open(file);
            long from = source.startNanos() + (long) (option.fromSeconds() * NANOS_PER_SECOND);
            if (from > source.endNanos()) {
                source.close();
                throw new IOException(
                        String.format(
                                Locale.ROOT,
                                "from=%.1f is after its end: it has %.1f seconds",
                                option.fromSeconds(),
                                (source.endNanos() - source.startNanos()) / NANOS_PER_SECOND));
            }
            return new OpenReplay(
                    source,
                    new ArenaReplay.Settings(
                            String.valueOf(file.getFileName()),
                            from,
                            option.speed(),
                            option.loops()));
        } catch (IOException e) {
            throw new IOException("--replay: cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private OpenReplay openFollowed() throws IOException {
        String name = String.valueOf(Path.of(follow).getFileName());
        try {
            ReplaySource source = followed();
            long behind = (long) (delay * NANOS_PER_SECOND);
            long from = source.endNanos() - behind;
            return new OpenReplay(source, new ArenaReplay.Settings(name, from, 1, false, behind));
        } catch (IOException e) {
            throw new IOException(
                    "--follow: cannot read " + follow + ": " + ExceptionMessage.of(e), e);
        }
    }

    private ReplaySource followed() throws IOException {
        Path path = Path.of(follow);
        if (Files.isDirectory(path)) {
            return FolderSource.newest(path);
        }
        return follow.endsWith(RecordingFolder.PART) && RecordingFolder.isRecording(path)
                ? FolderSource.from(path)
                : RecordingSource.follow(path);
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }
}
