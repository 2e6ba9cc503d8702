package dev.wishdir.app.record;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.GameOptions;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.JoinLimits;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.command.Version;
import dev.wishdir.app.inspect.DissectorOptions;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.net.PortException;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.mcap.Damage;
import dev.wishdir.record.mcap.RepairResult;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.Quantity;
import dev.wishdir.wire.TextFile;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** {@code record}: converts captures and demos, or watches a server. */
@Command(
        name = "record",
        sortOptions = false,
        description = {
            "Record the movement of players as MCAP: of captures and demos with --from, or of what"
                    + " a client sees on a server.",
            "A client on a server sends no chat and stays where it spawned. A player out of sight"
                    + " has no body in the recording, but does not leave. Scores, shots and items"
                    + " are not recorded."
        },
        customSynopsis = {
            "wishdir record --from FILE... --out OUT.mcap [--game GAME] [--key-log FILE]",
            "       wishdir record GAME HOST[:PORT] --out OUT.mcap|DIR [--seconds S] [--player]",
            "       wishdir record --repair FILE..."
        })
public final class RecordCommand implements Callable<Integer> {
    private static final DateTimeFormatter FILE_NAME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final int MAX_KEY_LOG_BYTES = 64 << 20;

    /** Interval at which what was recorded is written, if it has waited long enough. */
    private static final long FLUSH_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Game> games;
    private final ShutdownSignal shutdown;

    @Spec private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "GAME",
            completionCandidates = Games.Names.class,
            description = "${COMPLETION-CANDIDATES}.")
    private @Nullable Game target;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "The server to watch.")
    private @Nullable HostPort address;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Captures (pcap, pcapng) and demos (.dm2, .dm_68, .dm_71, .dmo) to convert."
                            + " Times of a demo are those of its server, from 1970-01-01.")
    private List<Path> from = List.of();

    @Option(
            names = "--repair",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Complete recordings whose writer was killed, in place: a torn end is cut off"
                            + " and the summary is added.")
    private List<Path> repair = List.of();

    @Option(
            names = "--out",
            paramLabel = "OUT",
            description =
                    "The recording, a new file; of a server also a folder, for a file that is named"
                            + " by its start.")
    private @Nullable Path out;

    @Option(
            names = "--game",
            paramLabel = "GAME",
            description =
                    "With --from: read only this game. Sessions on its usual port are read even if"
                            + " the capture lacks their beginning.")
    private @Nullable Game only;

    @Option(
            names = "--key-log",
            paramLabel = "FILE",
            description =
                    "With --from: the keys of encrypted sessions, as JSON lines from serve"
                            + " --key-log.")
    private @Nullable Path keyLog;

    @Mixin private final WatchOptions watching;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description = "Version of the game to use.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--allow-public",
            description =
                    "Allow a public address. Use it only with the consent of the server's"
                            + " operator.")
    private boolean allowPublic;

    private RecordCommand(List<Game> games, ShutdownSignal shutdown) {
        this.games = games;
        this.shutdown = shutdown;
        watching = new WatchOptions(games);
    }

    /** The command, with the options that clients of these games have, and what they see. */
    public static CommandLine commandLine(List<Game> games, ShutdownSignal shutdown) {
        RecordCommand command = new RecordCommand(games, shutdown);
        CommandLine line = new CommandLine(command);
        command.watching.addTo(line);
        GameOptions.describe(line, "The client is:", games, Game::watcher);
        return line;
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (!repair.isEmpty()) {
            if (!from.isEmpty() || target != null || out != null) {
                throw misused("--repair takes only files to repair");
            }
            repair();
            return CommandLine.ExitCode.OK;
        }
        if (from.isEmpty() == (target == null || address == null)) {
            throw misused("give either --from FILE, or GAME and HOST, or --repair FILE");
        }
        Path out = this.out;
        if (out == null) {
            throw misused("--out is missing: the recording to write");
        }
        watching.check();
        if (target != null && address != null) {
            if (only != null || keyLog != null) {
                throw misused("--game and --key-log need --from");
            }
            watch(TargetOptions.gameOfVersion(spec, target, version), address, out);
        } else {
            convert(out);
        }
        return CommandLine.ExitCode.OK;
    }

    private void repair() throws CommandFailedException {
        for (Path file : repair) {
            if (SeekableFile.isStream(file)) {
                throw new CommandFailedException(
                        "cannot repair "
                                + file
                                + ": it is a pipe or a device; give the file itself, which is"
                                + " repaired in its place");
            }
            try {
                RepairResult result = RecordingFolder.repair(file);
                String done =
                        result.complete()
                                ? "complete already"
                                : String.format(
                                        Locale.ROOT,
                                        "repaired: %d messages, %d bytes cut off",
                                        result.statistics().messages(),
                                        result.cutBytes());
                spec.commandLine().getErr().println(file + ": " + done);
                for (Damage damage : result.damage()) {
                    spec.commandLine()
                            .getErr()
                            .println(
                                    String.format(
                                            Locale.ROOT,
                                            "%s: %d bytes at %d cannot be read: %s",
                                            file,
                                            damage.length(),
                                            damage.offset(),
                                            damage.reason()));
                }
            } catch (IOException e) {
                throw new CommandFailedException(
                        "cannot repair " + file + ": " + ExceptionMessage.of(e), e);
            }
        }
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    /** Counts events, and passes them on. */
    static final class EventCount implements ArenaListener {
        private final ArenaListener next;
        private long events;
        private long movements;
        private long players;

        EventCount(ArenaListener next) {
            this.next = next;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.Moved _, ArenaEvent.Teleported _, ArenaEvent.Spawned _ ->
                        movements++;
                case ArenaEvent.Joined _ -> players++;
                default -> {}
            }
            events++;
            next.onEvent(event);
        }

        boolean isEmpty() {
            return events == 0;
        }

        String text() {
            return Quantity.of(players, "player")
                    + ", "
                    + Quantity.of(movements, "movement")
                    + ", "
                    + Quantity.of(events, "event");
        }
    }

    static RecordingWriter create(Path file, String server, Instant start)
            throws CommandFailedException {
        try {
            return RecordingWriter.create(
                    file,
                    new RecordingInfo("Wishdir " + Version.text(), server, "", start),
                    Optional.empty(),
                    RecordingOptions.DEFAULT);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    file + " exists; recordings are never overwritten: use another --out", e);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    static CommandFailedException unwritable(Path file, Exception e) {
        Throwable cause = e.getCause();
        return new CommandFailedException(
                "cannot write " + file + ": " + ExceptionMessage.of(cause == null ? e : cause), e);
    }

    private void convert(Path out) throws CommandFailedException {
        List<Path> seekable = new ArrayList<>();
        for (Path file : from) {
            try {
                seekable.add(SeekableFile.of(file));
            } catch (IOException e) {
                throw DissectorOptions.unreadable(file, e);
            }
        }
        List<Path> files = from.size() == 1 ? seekable : CaptureReader.inOrder(seekable);
        List<Game> selected =
                only == null ? games : List.of(TargetOptions.gameOfVersion(spec, only, version));
        List<String> failures = new ArrayList<>();
        PrintWriter err = spec.commandLine().getErr();
        try (RecordingWriter writer = create(out, "", start(files.getFirst()))) {
            EventCount count = new EventCount(writer);
            CaptureConverter converter = new CaptureConverter(selected, keys(), count);
            for (Path file : files) {
                converter.convertReadable(file).ifPresent(failures::add);
            }
            err.println(out + ": " + count.text() + converter.leftOut());
        } catch (UncheckedIOException e) {
            throw unwritable(out, e);
        } catch (IOException e) {
            throw unwritable(out, e);
        }
        if (!failures.isEmpty()) {
            throw new CommandFailedException(String.join("; ", failures));
        }
    }

    static Instant start(Path file) throws CommandFailedException {
        try {
            long nanos = CaptureReader.firstNanos(file).orElse(0);
            return Instant.ofEpochSecond(0, nanos);
        } catch (IOException e) {
            throw DissectorOptions.unreadable(file, e);
        }
    }

    private List<String> keys() throws CommandFailedException {
        if (keyLog == null) {
            return List.of();
        }
        try {
            return TextFile.read(keyLog, MAX_KEY_LOG_BYTES).lines().toList();
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        }
    }

    private void watch(Game game, HostPort host, Path out) throws CommandFailedException {
        Map<String, String> options = watching.clientOptions(game);
        InetSocketAddress server = TargetOptions.resolve(game, host, allowPublic);
        Instant start = Clock.systemUTC().instant();
        Path file = Files.isDirectory(out) ? out.resolve(FILE_NAME.format(start) + ".mcap") : out;
        shutdown.listen();
        CompletableFuture<String> ended = new CompletableFuture<>();
        try (RecordingWriter writer = create(file, PortException.text(server), start)) {
            EventCount count = new EventCount(writer);
            Consumer<Runnable> untilFailure =
                    work -> {
                        try {
                            work.run();
                        } catch (UncheckedIOException e) {
                            // On the client's thread, which goes on: the command ends.
                            ended.complete(String.valueOf(unwritable(file, e).getMessage()));
                        }
                    };
            Duty flush =
                    now -> {
                        untilFailure.accept(() -> writer.flush(now));
                        return now + FLUSH_INTERVAL_NANOS;
                    };
            watch(
                    game,
                    server,
                    options,
                    start,
                    event -> untilFailure.accept(() -> count.onEvent(event)),
                    flush,
                    ended);
            spec.commandLine().getErr().println(file + ": " + count.text());
        } catch (IOException e) {
            throw unwritable(file, e);
        }
        String failure = ended.getNow("");
        if (!failure.isEmpty()) {
            throw new CommandFailedException(failure);
        }
    }

    private void watch(
            Game game,
            InetSocketAddress server,
            Map<String, String> options,
            Instant start,
            ArenaListener listener,
            Duty flush,
            CompletableFuture<String> ended)
            throws CommandFailedException {
        long startNanos = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
        try (NettyLoop loop = new NettyLoop("record")) {
            var cycle = loop.cycle();
            cycle.execute(() -> cycle.add(flush));
            CompletableFuture<Client> started = new CompletableFuture<>();
            CompletableFuture<Boolean> joined = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    ServerWatch watch = new ServerWatch(cycle, game, server, startNanos, listener);
                    started.complete(
                            game.connect(
                                    ClientConfig.builder(watch, server)
                                            .name(watching.name())
                                            .password(watching.password())
                                            .options(options)
                                            .controller((_, self) ->
                                                    BotController.PlayerInput.look(
                                                            self.yaw(), self.pitch()))
                                            .listener(new Watcher(game, watch, joined, ended))
                                            .build()));
                } catch (IOException | RuntimeException e) {
                    started.completeExceptionally(e);
                }
            });
            Client client;
            try {
                client = started.join();
            } catch (CompletionException e) {
                throw CommandFailedException.of("cannot start a client", e);
            }
            long deadline = Long.MAX_VALUE;
            while (!ended.isDone() && !shutdown.await(20, TimeUnit.MILLISECONDS)) {
                if (watching.seconds() > 0 && joined.isDone() && deadline == Long.MAX_VALUE) {
                    deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(watching.seconds());
                }
                if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0) {
                    break;
                }
            }
            cycle.execute(client::close);
            ended.completeOnTimeout("", 3, TimeUnit.SECONDS).join();
        }
    }

    /**
     * Follows the client's connection.
     *
     * @param ended receives why it ended; empty if the client left
     */
    private record Watcher(
            Game game,
            ServerWatch watch,
            CompletableFuture<Boolean> joined,
            CompletableFuture<String> ended)
            implements ClientListener {
        @Override
        public void onSessionKey(Client self, String key) {
            watch.addKey(key);
        }

        @Override
        public Optional<Plaintext> plaintext() {
            return Optional.of(watch::addPlaintext);
        }

        @Override
        public void onJoined(Client self) {
            joined.complete(true);
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            ended.complete(
                    ending == EndReason.LEFT
                            ? ""
                            : reason + JoinLimits.advice(game, List.of(reason)));
        }
    }
}
