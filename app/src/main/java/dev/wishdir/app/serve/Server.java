package dev.wishdir.app.serve;

import dev.wishdir.app.cluster.ClusterFigures;
import dev.wishdir.app.cluster.ClusterMember;
import dev.wishdir.app.cluster.ClusterSettings;
import dev.wishdir.app.cluster.ServerNode;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Version;
import dev.wishdir.app.event.JsonEventWriter;
import dev.wishdir.app.log.LogLine;
import dev.wishdir.app.log.OperatorLog;
import dev.wishdir.app.log.StandardError;
import dev.wishdir.app.machine.PortProblem;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.app.replay.ArenaReplay;
import dev.wishdir.app.serve.metrics.MemoryWatch;
import dev.wishdir.app.serve.metrics.Metrics;
import dev.wishdir.app.serve.metrics.ServerMetrics;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.BanList;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.PasswordRules;
import dev.wishdir.net.PortException;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LoopMeter;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.recorder.Recorder;
import dev.wishdir.record.recorder.RecorderListener;
import dev.wishdir.record.recorder.RecorderSettings;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A running server: the arena and the endpoints of its games, on one event loop. Long and with many
 * fields because all parts of a server are connected here, once.
 */
final class Server implements AutoCloseable {
    /**
     * One game of a server.
     *
     * @param orAnyPort whether to use any free port if the address is in use
     * @param options the game's own settings
     */
    record Part(
            Game game, InetSocketAddress address, boolean orAnyPort, Map<String, String> options) {
        /** A message of the game, with its options as the command line has them. */
        String onCommandLine(@Nullable String message) {
            return onCommandLine(game, String.valueOf(message));
        }

        static String onCommandLine(Game game, String message) {
            String text = message;
            for (Game.Option option : game.options()) {
                text =
                        text.replaceAll(
                                "\\boption " + option.name() + "(?![\\w-])",
                                "--" + game.name() + "-" + option.name());
            }
            return text;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private static final long STATS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TokenBucket vmErrors = new TokenBucket(3, 0.1);
    private final SecureRandom random = new SecureRandom();
    private final ServerMetrics metrics = new ServerMetrics(System::nanoTime);
    private final NettyLoop loop = new NettyLoop("arena", this::onVmError, metrics::recordCycle);
    private final DutyCycle cycle = loop.cycle();
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = MemoryBudget.standard(counters);
    private final MemoryWatch memoryWatch = MemoryWatch.start();
    private final HttpDownloads httpDownloads = new HttpDownloads();
    private final OperatorLog log;
    private final ServerSettings settings;
    private final AddressLimits addressLimits;
    private final LoopMeter meter;
    private final Arena arena;
    private final SharedArena sharedArena;
    private final OperatorConsole console;
    private final Map<Game, Endpoint> endpoints = new LinkedHashMap<>();
    private Optional<Recorder> recorder = Optional.empty();
    private Optional<ClusterMember> node = Optional.empty();
    private Duty replay = _ -> Duty.NEVER;
    private Duty cluster = _ -> Duty.NEVER;

    private Server(ServerSettings settings) {
        this.settings = settings;
        addressLimits =
                new AddressLimits(
                        settings.limits().playersPerAddress(),
                        settings.limits().trusted(),
                        AmplificationLimiter.standard(random.nextLong()),
                        random.nextLong());
        meter = new LoopMeter(settings.limits().loopPercent(), addressLimits::isTrusted, counters);
        if (!settings.log().logAddresses()) {
            meter.hideAddresses();
            memoryBudget.hideAddresses();
        }
        BlockArena first = settings.maps().arenas().getFirst();
        arena =
                new Arena(
                        Level.of(first),
                        settings.limits().players(),
                        settings.limits().visiblePlayers());
        log =
                new OperatorLog(
                        Server::write,
                        counters,
                        arena::connectionInfo,
                        settings.log().logAddresses());
        sharedArena = new SharedArena(cycle, arena, first, settings.maps().arenas());
        sharedArena.setRotation(settings.maps().rotation());
        console =
                new OperatorConsole(
                        arena, sharedArena, settings.access().bans(), settings.access().password());
        arena.setCheatPolicy(settings.onCheat());
        arena.setMatchRules(settings.match());
    }

    /** Reason for which players of some game cannot type a password; empty if all can. */
    static Optional<String> passwordProblem(
            List<Part> parts, PasswordRules.Kind kind, String password) {
        return parts.stream()
                .flatMap(part ->
                        part.game().passwordRules(kind).problem(password).stream()
                                .map(why ->
                                        "players of "
                                                + part.game().title()
                                                + " cannot type this password: "
                                                + why))
                .findFirst();
    }

    /** A text for each two games that have the same port. */
    static List<String> portProblems(List<Part> parts) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            for (Part other : parts.subList(0, i)) {
                Part part = parts.get(i);
                if (isSamePort(other.address(), part.address())) {
                    problems.add(
                            "--"
                                    + other.game().name()
                                    + " and --"
                                    + part.game().name()
                                    + " have the same UDP port "
                                    + part.address().getPort()
                                    + "; each game needs a port of its own");
                }
            }
        }
        return problems;
    }

    /** Whether two addresses cannot both be opened; port 0 is any free port. */
    private static boolean isSamePort(InetSocketAddress one, InetSocketAddress other) {
        InetAddress first = one.getAddress();
        InetAddress second = other.getAddress();
        return one.getPort() != 0
                && one.getPort() == other.getPort()
                && (first.equals(second)
                        || (first.getClass() == second.getClass()
                                && (first.isAnyLocalAddress() || second.isAnyLocalAddress())));
    }

    /** Advances the arena. Datagrams before its next relay are handled together, just before it. */
    private long relay(long now) {
        long next = arena.advance(now);
        loop.coalesceUntil(arena.nextRelayNanos());
        return next;
    }

    private static void write(LogLine line) {
        LoggingEventBuilder event = LOG.atInfo().addKeyValue("event", line.event());
        for (Map.Entry<String, Object> field : line.fields().entrySet()) {
            event = event.addKeyValue(field.getKey(), field.getValue());
        }
        event.log("{}", line.text());
    }

    /**
     * Opens the ports.
     *
     * @throws CommandFailedException if a port cannot be opened; the others are closed then
     */
    static Server start(ServerSettings settings, List<Part> parts, List<ArenaListener> observers)
            throws CommandFailedException {
        return start(settings, parts, _ -> observers);
    }

    /**
     * Opens the ports.
     *
     * @param observing makes the listeners of all events, for the arena
     * @throws CommandFailedException if a port cannot be opened; the others are closed then
     */
    static Server start(
            ServerSettings settings,
            List<Part> parts,
            Function<Arena, List<ArenaListener>> observing)
            throws CommandFailedException {
        Server server = new Server(settings);
        try {
            server.onLoop(() -> {
                server.arena.addListener(server.log);
                server.console.addListener(server.log::onCommand);
                server.console.addAccessListener(server.log::onAccess);
                server.console.onPassword(
                        text -> passwordProblem(parts, PasswordRules.Kind.JOIN, text));
                server.arena.addListener(server.metrics);
                server.arena.onRelayDelay(server.metrics::recordRelayDelay);
                for (ArenaListener listener : observing.apply(server.arena)) {
                    server.arena.addListener(listener);
                    if (listener instanceof JsonEventWriter events) {
                        server.console.addListener(events::onCommand);
                    }
                }
                // Before the relay, so that ghosts and the players of other nodes are relayed in
                // the turn in which they moved.
                server.cycle.add(now -> server.replay.advance(now));
                server.cycle.add(now -> server.cluster.advance(now));
                server.cycle.add(server::relay);
                server.cycle.add(
                        server.metrics.sampler(
                                server.arena::players, server.arena::connectionStats));
                server.cycle.add(server.log);
                server.cycle.add(server.memoryBudget);
                return null;
            });
            server.openAll(parts);
            Map<String, String> played = new LinkedHashMap<>();
            boolean hasFlags =
                    server.onLoop(() -> {
                        server.endpoints
                                .keySet()
                                .forEach(game ->
                                        played.put(
                                                game.name(),
                                                server.arena.level(game.name()).name()));
                        return !server.arena.match().flags().all().isEmpty();
                    });
            MatchMode mode = settings.match().mode();
            if (mode.hasFlags() && !hasFlags) {
                throw new CommandFailedException(
                        "--match "
                                + mode
                                + ": no game plays a level with flags ("
                                + String.join(", ", Set.copyOf(played.values()))
                                + "); name another map, or use --arena "
                                + ArenaCatalog.FLAGS.getFirst());
            }
            separateMapNotices(played, settings.maps().arenas().getFirst().name())
                    .forEach(LOG::info);
            return server;
        } catch (CommandFailedException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Warnings that players of a game with its own map see the others among different walls.
     *
     * @param played the map of each game
     * @param blocks the shared arena
     */
    static List<String> separateMapNotices(Map<String, String> played, String blocks) {
        String sharing =
                played.keySet().stream()
                        .filter(game -> blocks.equals(played.get(game)))
                        .collect(Collectors.joining(", "));
        if (sharing.isEmpty()) {
            return List.of();
        }
        return played.entrySet().stream()
                .filter(game -> !game.getValue().equals(blocks))
                .map(game ->
                        "only "
                                + game.getKey()
                                + " plays "
                                + game.getValue()
                                + "; players of "
                                + sharing
                                + " stay in the arena "
                                + blocks
                                + ", where they see its players among different walls")
                .toList();
    }

    /** Opens the ports of all games, so that all that cannot be opened are reported. */
    private void openAll(List<Part> parts) throws CommandFailedException {
        List<CommandFailedException> failures = new ArrayList<>();
        for (Part part : parts) {
            try {
                endpoints.put(part.game(), onLoop(() -> open(part)));
            } catch (CommandFailedException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new CommandFailedException(
                    failures.stream()
                            .map(CommandFailedException::getMessage)
                            .collect(Collectors.joining("\n")),
                    failures.getFirst());
        }
    }

    /**
     * Checks whether the port of a game is free, without starting a server.
     *
     * @throws CommandFailedException if it is not
     */
    static void checkPort(Part part) throws CommandFailedException {
        try (DatagramSocket socket = new DatagramSocket(null)) {
            socket.bind(part.address());
        } catch (SocketException e) {
            throw new CommandFailedException(
                    PortProblem.text(
                            new ThisMachine(),
                            new PortException(false, part.address(), e),
                            "--" + part.game().name()),
                    e);
        }
    }

    private Endpoint open(Part part) throws IOException {
        try {
            return part.game().serve(serving(part, part.address()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(part.onCommandLine(e.getMessage()), e);
        } catch (IOException e) {
            if (!part.orAnyPort()) {
                String problem = PortProblem.text(new ThisMachine(), e, "--" + part.game().name());
                throw new IOException(part.onCommandLine(problem), e);
            }
            InetSocketAddress any = new InetSocketAddress(part.address().getAddress(), 0);
            return part.game().serve(serving(part, any));
        }
    }

    private EndpointContext serving(Part part, InetSocketAddress address) {
        return EndpointContext.builder(metrics.counted(part.game().name(), cycle), address, arena)
                .name(settings.name())
                .software("Wishdir " + Version.text())
                .map(settings.maps().first())
                .sharedArena(sharedArena)
                .maxPlayers(settings.limits().players())
                .operatorConsole(console)
                .adminPassword(settings.access().adminPassword())
                .options(part.options())
                .addressLimits(addressLimits)
                .memoryBudget(memoryBudget)
                .meter(meter)
                .counters(counters)
                .httpDownloads(httpDownloads)
                .keys(settings.log().sessionKeys())
                .random(random)
                .build();
    }

    /**
     * Ends the process after repeated VM errors, so that its supervisor can start it again. A
     * single error may have affected only the packet of one player.
     */
    private void onVmError(VirtualMachineError error) {
        long now = System.nanoTime();
        if (!vmErrors.tryAcquire(now)) {
            LOG.error(
                    "repeated VM errors (OutOfMemoryError or similar): halting with status 3",
                    error);
            StandardError.QUEUE.drain();
            Runtime.getRuntime().halt(MemoryWatch.VM_ERROR_STATUS);
        }
    }

    /** The local address of each game. */
    Map<Game, InetSocketAddress> addresses() {
        Map<Game, InetSocketAddress> addresses = new LinkedHashMap<>();
        endpoints.forEach((game, endpoint) -> addresses.put(game, endpoint.address()));
        return addresses;
    }

    /** The arena's clock, nanoseconds; on any thread. */
    long now() {
        return cycle.now();
    }

    /** The downloadable files of the current maps. */
    HttpDownloads downloads() {
        return httpDownloads;
    }

    /** Receives the connection statistics of all players. */
    @FunctionalInterface
    interface StatsListener {
        /**
         * @param now on the arena's clock, nanoseconds
         */
        void onStats(long now, Map<PlayerId, ConnectionStats> stats);
    }

    /** Reports the connection statistics of all players once a second, on the arena's thread. */
    void onStats(StatsListener listener) throws CommandFailedException {
        onLoop(() -> {
            cycle.add(
                    new Duty() {
                        private long due = cycle.now();

                        @Override
                        public long advance(long now) {
                            if (now >= due) {
                                due = now + STATS_INTERVAL_NANOS;
                                listener.onStats(now, arena.connectionStats());
                            }
                            return due;
                        }
                    });
            return null;
        });
    }

    /**
     * Records the arena from now on, until the server is closed.
     *
     * @param folder closed with the server
     */
    Recorder record(RecordingFolder folder, RecorderSettings to, RecorderListener listener)
            throws CommandFailedException {
        return onLoop(() -> {
            Recorder started =
                    Recorder.start(
                            folder,
                            to,
                            cycle.now(),
                            Instant.now(),
                            recordedSubject(),
                            state(),
                            listener);
            recorder = Optional.of(started);
            arena.addListener(started);
            cycle.add(started::advance);
            console.addStatusLine(() -> RecorderReport.status(started.status()));
            return started;
        });
    }

    private Recorder.Subject recordedSubject() {
        return new Recorder.Subject() {
            @Override
            public RecordingInfo info(Instant started) {
                return new RecordingInfo(
                        "Wishdir " + Version.text(),
                        settings.name(),
                        arena.playedLevel().name(),
                        started);
            }

            @Override
            public Supplier<Optional<String>> arenaText() {
                BlockArena blocks = sharedArena.blocks();
                // It is not played if each game has a map of its own.
                boolean isPlayed = arena.playedLevel().isSame(arena.level());
                return () -> isPlayed ? Optional.of(ArenaText.write(blocks)) : Optional.empty();
            }

            @Override
            public List<FlagStatus> flags() {
                return arena.match().flags().status();
            }
        };
    }

    private RecordedState state() {
        Map<PlayerId, Player> players = new LinkedHashMap<>();
        arena.players().forEach(player -> players.put(player.id(), player));
        Map<String, Level> levels = new LinkedHashMap<>();
        for (Game game : endpoints.keySet()) {
            levels.put(game.name(), arena.level(game.name()));
        }
        return new RecordedState(players, levels, arena.match().flags().status());
    }

    /**
     * Replays a recording in the arena.
     *
     * @param replay made on the arena's thread
     */
    void replay(Function<Arena, ArenaReplay> replay) throws CommandFailedException {
        onLoop(() -> {
            ArenaReplay made = replay.apply(arena);
            this.replay = made;
            console.onReplay(made);
            return null;
        });
    }

    /**
     * Makes this server one node of a cluster, whose players are in all arenas of it. Returns
     * before it is connected.
     *
     * @return reports what the node does
     * @throws CommandFailedException if a file of the settings cannot be read
     */
    Supplier<ClusterFigures> cluster(ClusterSettings to) throws CommandFailedException {
        return onLoop(() -> {
            Map<String, Integer> ports = new LinkedHashMap<>();
            endpoints.forEach(
                    (game, endpoint) -> ports.put(game.name(), endpoint.address().getPort()));
            ClusterMember connected =
                    ServerNode.connect(
                            to,
                            cycle,
                            arena,
                            sharedArena,
                            console,
                            ports,
                            metrics.clusterAges()::record,
                            random);
            node = Optional.of(connected);
            cluster = connected;
            return connected::figures;
        });
    }

    /** Sets the action of the operator command {@code quit}. */
    void onQuit(Runnable quit) throws CommandFailedException {
        onLoop(() -> {
            console.onQuit(quit);
            return null;
        });
    }

    /**
     * Executes an operator command.
     *
     * @param author the operator's name in logs
     * @return the answer for the operator
     */
    String execute(String author, String line) throws CommandFailedException {
        return onLoop(() -> console.execute(cycle.now(), console.author(author), line));
    }

    /** Sets the password that players need to join from now on. */
    void setPassword(String password) throws CommandFailedException {
        onLoop(() -> {
            console.setPassword(password);
            return null;
        });
    }

    /** Sets the action on impossible movements. */
    void setOnCheat(CheatPolicy policy) throws CommandFailedException {
        onLoop(() -> {
            arena.setCheatPolicy(policy);
            return null;
        });
    }

    /** Replaces all bans. */
    void replaceBans(BanList bans) throws CommandFailedException {
        onLoop(() -> {
            console.replaceBans(cycle.now(), bans);
            return null;
        });
    }

    /** Replaces all best times of races. */
    void replaceRaceTimes(List<RaceTimes.Time> times) throws CommandFailedException {
        onLoop(() -> {
            arena.match().race().times().replace(times);
            return null;
        });
    }

    Counters counters() {
        return counters;
    }

    /** Adds the connections of the web port to the memory budget. */
    void addToBudget(MemoryConsumer connections) throws CommandFailedException {
        onLoop(() -> {
            memoryBudget.add(connections);
            return null;
        });
    }

    /** Whether the event loop runs. On any thread. */
    boolean isHealthy() {
        return metrics.isRunning();
    }

    /** The web page of the metrics. */
    Metrics metrics() {
        List<String> games = endpoints.keySet().stream().map(Game::name).toList();
        Metrics page = new Metrics(games, metrics, counters, loop::queuedTasks);
        if (settings.match().mode().hasFlags()) {
            page.flags(games, arena.match().flags()::claims);
        }
        return page;
    }

    /** Work on the arena's thread that may fail with a message for the operator. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** Does work on the arena's thread and waits for its result as long as that makes progress. */
    <T extends @Nullable Object> T onLoop(Work<T> work) throws CommandFailedException {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(work.run());
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return new LoopTimeout(loop::cpuNanos).await(done);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException
                    || e.getCause() instanceof IllegalArgumentException) {
                throw new CommandFailedException(String.valueOf(e.getCause().getMessage()), e);
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new CommandFailedException(
                    "the server's event loop did not answer: "
                            + e.getMessage()
                            + "; jcmd PID Thread.print shows where it is",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    /** Disconnects all players and closes the ports. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        cycle.execute(() -> {
            endpoints.values().forEach(this::closeSafely);
            node.ifPresent(it -> closeSafely(() -> it.end(cycle.now())));
            recorder.ifPresent(this::closeSafely);
            closed.complete(null);
        });
        try {
            new LoopTimeout(loop::cpuNanos).await(closed);
        } catch (ExecutionException | TimeoutException e) {
            LOG.error("the event loop did not end its players and its recording", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        node.ifPresent(this::closeSafely);
        cycle.close();
        loop.close();
        memoryWatch.close();
    }

    /** Closes one part of the server: if that fails, the others are closed all the same. */
    private void closeSafely(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception | Error e) {
            LOG.error("server part was not closed", e);
        }
    }
}
