package dev.wishdir.app;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.CheatPolicy;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Ban;
import dev.wishdir.game.Bans;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.HttpDownloads;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.PasswordRules;
import dev.wishdir.game.SharedArena;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.Counters;
import dev.wishdir.net.Duty;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.LoopMeter;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.world.blocks.BlockArena;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The arena with the endpoints of the games that are played in it, on one loop. Longer than others,
 * as all parts of a running server meet here.
 */
final class Server implements AutoCloseable {
    /**
     * One game to serve.
     *
     * @param orAnyPort whether any free port will do where the address is taken
     * @param options the game's own settings
     */
    record Part(
            Game game, InetSocketAddress address, boolean orAnyPort, Map<String, String> options) {}

    /**
     * What all games of a server share.
     *
     * @param arenas that may be played, of which the first is at first
     * @param perAddress the most players of one address
     * @param loopShare the most of the loop's time of one session, percent
     * @param trusted addresses that may have more
     * @param shown how many others a player is shown at the most
     * @param onCheat what becomes of who moves impossibly
     * @param bans who may not join
     * @param keys takes those of encrypted sessions, as {@link EndpointContext#keys}
     * @param logAddresses whether the log has the addresses of players
     */
    record Settings(
            String name,
            String map,
            List<BlockArena> arenas,
            int maxPlayers,
            String password,
            String adminPassword,
            int perAddress,
            int loopShare,
            List<AddressRange> trusted,
            int shown,
            CheatPolicy onCheat,
            Bans bans,
            Consumer<String> keys,
            boolean logAddresses) {
        /** Open to all, the usual number of players an address. */
        static Settings open(
                String name, BlockArena blocks, int maxPlayers, List<AddressRange> trusted) {
            return new Settings(
                    name,
                    "",
                    List.of(blocks),
                    maxPlayers,
                    "",
                    "",
                    AddressLimits.DEFAULT_MAX_SESSIONS,
                    LoopMeter.DEFAULT_SHARE_PERCENT,
                    trusted,
                    Arena.SHOWN,
                    CheatPolicy.OBSERVE,
                    Bans.none(),
                    _ -> {},
                    true);
        }
    }

    /** The arena that is played where no other is named. */
    static final String ARENA = "hall";

    /** The exit status of a server that had no memory left. */
    static final int BROKEN = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** The time between two looks at the players' lines. */
    private static final long LINKS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TokenBucket breaks = new TokenBucket(3, 0.1);
    private final SecureRandom random = new SecureRandom();
    private final ServerMetrics metrics = new ServerMetrics(System::nanoTime);
    private final NettyLoop loop = new NettyLoop("arena", this::broken, metrics::turn);
    private final DutyCycle cycle = loop.cycle();
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = MemoryBudget.standard(counters);
    private final MemoryWatch watch = MemoryWatch.start();
    private final HttpDownloads httpDownloads = new HttpDownloads();
    private final OperatorLog log;
    private final Settings settings;
    private final AddressLimits addressLimits;
    private final LoopMeter meter;
    private final Arena arena;
    private final SharedArena sharedArena;
    private final OperatorConsole console;
    private final Map<Game, Endpoint> endpoints = new LinkedHashMap<>();

    private Server(Settings settings) {
        this.settings = settings;
        addressLimits =
                new AddressLimits(
                        settings.perAddress(),
                        settings.trusted(),
                        AmplificationLimiter.standard(random.nextLong()),
                        random.nextLong());
        meter = new LoopMeter(settings.loopShare(), counters);
        if (!settings.logAddresses()) {
            meter.hideAddresses();
            memoryBudget.hideAddresses();
        }
        BlockArena first = settings.arenas().getFirst();
        arena = new Arena(Level.of(first), settings.maxPlayers(), settings.shown());
        log =
                new OperatorLog(
                        Server::write, counters, arena::connectionInfo, settings.logAddresses());
        sharedArena = new SharedArena(cycle, arena, first, settings.arenas());
        console = new OperatorConsole(arena, sharedArena, settings.bans(), settings.password());
        arena.onCheat(settings.onCheat());
    }

    /** Why players of some game can't give a password; empty where all can. */
    static Optional<String> unusable(List<Part> parts, PasswordRules.Kind kind, String password) {
        return parts.stream()
                .flatMap(part ->
                        part.game().secrets(kind).problem(password).stream()
                                .map(why ->
                                        "players of "
                                                + part.game().title()
                                                + " can't give this password: "
                                                + why))
                .findFirst();
    }

    /** What comes before the next relay makes no difference to it. */
    private long relay(long now) {
        long next = arena.advance(now);
        loop.coalesceUntil(arena.nextRelay());
        return next;
    }

    private static void write(OperatorLog.Line line) {
        LoggingEventBuilder event = LOG.atInfo().addKeyValue("event", line.event());
        for (Map.Entry<String, Object> field : line.fields().entrySet()) {
            event = event.addKeyValue(field.getKey(), field.getValue());
        }
        event.log("{}", line.text());
    }

    /**
     * Opens the ports.
     *
     * @throws CommandFailedException if one can't be opened; none stays open then
     */
    static Server start(Settings settings, List<Part> parts, List<ArenaListener> observers)
            throws CommandFailedException {
        return start(settings, parts, _ -> observers);
    }

    /**
     * Opens the ports.
     *
     * @param observing makes what is told all events, for the arena
     * @throws CommandFailedException if one can't be opened; none stays open then
     */
    static Server start(
            Settings settings, List<Part> parts, Function<Arena, List<ArenaListener>> observing)
            throws CommandFailedException {
        Server server = new Server(settings);
        try {
            server.onLoop(() -> {
                server.arena.addListener(server.log);
                server.console.observe(server.log::done);
                server.console.observeAccess(server.log::access);
                server.console.onPassword(text -> unusable(parts, PasswordRules.Kind.JOIN, text));
                server.arena.addListener(server.metrics);
                server.arena.onRelayDelay(server.metrics::relay);
                observing.apply(server.arena).forEach(server.arena::addListener);
                server.cycle.add(server::relay);
                server.cycle.add(
                        server.metrics.attendance(
                                server.arena::players, server.arena::connectionStats));
                server.cycle.add(server.log);
                server.cycle.add(server.memoryBudget);
                return null;
            });
            for (Part part : parts) {
                server.endpoints.put(part.game(), server.onLoop(() -> server.open(part)));
            }
            Map<String, String> played = new LinkedHashMap<>();
            server.onLoop(() -> {
                server.endpoints
                        .keySet()
                        .forEach(game ->
                                played.put(game.name(), server.arena.level(game.name()).name()));
                return null;
            });
            keeping(played, settings.arenas().getFirst().name()).forEach(LOG::info);
            return server;
        } catch (CommandFailedException e) {
            server.close();
            throw e;
        }
    }

    /**
     * What an operator should know who has some games play maps of their own.
     *
     * @param played what each game plays
     * @param blocks the arena of all that have no other
     */
    static List<String> keeping(Map<String, String> played, String blocks) {
        String keeping =
                played.keySet().stream()
                        .filter(game -> blocks.equals(played.get(game)))
                        .collect(Collectors.joining(", "));
        if (keeping.isEmpty()) {
            return List.of();
        }
        return played.entrySet().stream()
                .filter(game -> !game.getValue().equals(blocks))
                .map(game ->
                        game.getKey()
                                + " alone plays "
                                + game.getValue()
                                + "; in the arena "
                                + blocks
                                + " stay, and see its players among other walls: "
                                + keeping)
                .toList();
    }

    private Endpoint open(Part part) throws IOException {
        try {
            return part.game().serve(serving(part, part.address()));
        } catch (IOException e) {
            if (!part.orAnyPort()) {
                throw new IOException(
                        PortProblem.text(new ThisMachine(), e, "--" + part.game().name()), e);
            }
            InetSocketAddress any = new InetSocketAddress(part.address().getAddress(), 0);
            return part.game().serve(serving(part, any));
        }
    }

    private EndpointContext serving(Part part, InetSocketAddress address) {
        return EndpointContext.builder(metrics.counted(part.game().name(), cycle), address, arena)
                .name(settings.name())
                .map(settings.map())
                .sharedArena(sharedArena)
                .maxPlayers(settings.maxPlayers())
                .operatorConsole(console)
                .adminPassword(settings.adminPassword())
                .options(part.options())
                .addressLimits(addressLimits)
                .memoryBudget(memoryBudget)
                .meter(meter)
                .counters(counters)
                .httpDownloads(httpDownloads)
                .keys(settings.keys())
                .random(random)
                .build();
    }

    /**
     * One error may have hit one player's packet alone; a Java that has one after the other is of
     * no use to anybody, and whoever started the server can start it again.
     */
    private void broken(VirtualMachineError error) {
        long now = System.nanoTime();
        if (!breaks.tryAcquire(now)) {
            LOG.error("this Java is broken or has no memory left: the server ends", error);
            StandardError.QUEUE.drain();
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    /** Where each game listens. */
    Map<Game, InetSocketAddress> addresses() {
        Map<Game, InetSocketAddress> addresses = new LinkedHashMap<>();
        endpoints.forEach((game, endpoint) -> addresses.put(game, endpoint.address()));
        return addresses;
    }

    /** The files of what is played. */
    HttpDownloads downloads() {
        return httpDownloads;
    }

    /** Who is told of all lines. */
    @FunctionalInterface
    interface LinksListener {
        /**
         * @param now on the arena's clock, nanoseconds
         */
        void onLinks(long now, Map<PlayerId, ConnectionStats> links);
    }

    /** Tells once a second, on the arena's thread, what came and went on each player's line. */
    void onLinks(LinksListener told) throws CommandFailedException {
        onLoop(() -> {
            cycle.add(
                    new Duty() {
                        private long due = cycle.now();

                        @Override
                        public long advance(long now) {
                            if (now >= due) {
                                due = now + LINKS_INTERVAL_NANOS;
                                told.onLinks(now, arena.connectionStats());
                            }
                            return due;
                        }
                    });
            return null;
        });
    }

    /** Whoever has the rights of an operator may say {@code quit}, and this is what comes of it. */
    void onQuit(Runnable quit) throws CommandFailedException {
        onLoop(() -> {
            console.onQuit(quit);
            return null;
        });
    }

    /**
     * Does what an operator says.
     *
     * @param author as logs have it
     * @return what to tell the operator
     */
    String order(String author, String line) throws CommandFailedException {
        return onLoop(() -> console.execute(cycle.now(), console.by(author), line));
    }

    /** Has a newly set password asked for from now on. */
    void setPassword(String password) throws CommandFailedException {
        onLoop(() -> {
            console.setPassword(password);
            return null;
        });
    }

    /** Changes what becomes of impossible movements. */
    void setOnCheat(CheatPolicy policy) throws CommandFailedException {
        onLoop(() -> {
            arena.onCheat(policy);
            return null;
        });
    }

    /** Puts other bans in the place of those that are known. */
    void replaceBans(List<Ban> bans) throws CommandFailedException {
        onLoop(() -> {
            console.replaceBans(cycle.now(), bans);
            return null;
        });
    }

    Counters counters() {
        return counters;
    }

    /** Counts what the web port's connections hold with all other memory. */
    void count(MemoryConsumer connections) throws CommandFailedException {
        onLoop(() -> {
            memoryBudget.add(connections);
            return null;
        });
    }

    /** Whether its loop turns. May be asked by any thread. */
    boolean isHealthy() {
        return metrics.isTurning();
    }

    /** What it does, in numbers, as a page. */
    Metrics metrics() {
        return new Metrics(
                endpoints.keySet().stream().map(Game::name).toList(),
                metrics,
                counters,
                loop::queuedTasks);
    }

    /** Work on the arena's thread that may fail with a message for the operator. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** Does work on the arena's thread and waits for it. */
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
            return done.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException
                    || e.getCause() instanceof IllegalArgumentException) {
                throw new CommandFailedException(String.valueOf(e.getCause().getMessage()), e);
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new CommandFailedException("the server's loop does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    /** Sends everyone away and closes the ports. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        cycle.execute(() -> {
            endpoints.values().forEach(endpoint -> endpoint.close("server is shutting down"));
            closed.complete(null);
        });
        closed.completeOnTimeout(null, 5, TimeUnit.SECONDS).join();
        cycle.close();
        loop.close();
        watch.close();
    }
}
