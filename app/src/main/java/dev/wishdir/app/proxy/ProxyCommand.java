package dev.wishdir.app.proxy;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.FaultOptions;
import dev.wishdir.app.command.Faults;
import dev.wishdir.app.command.GameOptions;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.StdinCommands;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.LineSink;
import dev.wishdir.app.machine.PortProblem;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.Proxy;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyKind;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkCounters;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.web.WebServer;
import dev.wishdir.wire.AddressText;
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
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code proxy}: passes datagrams on between clients and one server. */
@Command(
        name = "proxy",
        sortOptions = false,
        description = {
            "Pass datagrams on between clients and one server, show them, add faults, and change"
                    + " messages by rules.",
            "Clients connect to the proxy's address instead of the server's. Without --rule,"
                    + " datagrams are not changed; the server sees all clients at this machine's"
                    + " address.",
            "",
            "Lines on standard input change the faults while it runs: loss=5,delay=40 for both"
                    + " directions, up loss=5, down rate=100, off; status prints counts. So does"
                    + " the page of --web.",
        },
        footer = {
            "",
            "Exit status: 0 if it ran until it was stopped; 1 if a port could not be bound or a"
                    + " file not be written; 2 for wrong usage."
        })
public final class ProxyCommand implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_PORT = 0xFFFF;
    private static final int MAX_RULE_BYTES = 1 << 20;

    private final ShutdownSignal shutdown;
    private final InputStream in;

    @Spec private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "GAME",
            completionCandidates = Games.Names.class,
            description = "${COMPLETION-CANDIDATES}.")
    private Game game;

    @Option(
            names = "--to",
            paramLabel = "HOST[:PORT]",
            required = true,
            description = "The server.")
    private HostPort to;

    @Option(
            names = "--listen",
            paramLabel = "[ADDR]:PORT",
            description =
                    "Address for clients: a port of this machine only, such as 27999; :27999 for"
                            + " all addresses. Default: the game's usual port on 127.0.0.1.",
            defaultValue = "")
    private String listen = "";

    @Mixin private WatchOptions watched = new WatchOptions();

    @Mixin private FaultOptions faultOptions = new FaultOptions();

    @Option(
            names = "--max-clients",
            paramLabel = "N",
            description = "Maximum number of clients (default ${DEFAULT-VALUE}).",
            defaultValue = "" + ProxyConfig.DEFAULT_MAX_CLIENTS)
    private int maxClients;

    @Option(
            names = "--max-clients-per-address",
            paramLabel = "N",
            description =
                    "Maximum number of clients of one address, except of this machine (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "" + AddressLimits.DEFAULT_MAX_SESSIONS)
    private int maxClientsPerAddress;

    @Option(
            names = "--rule",
            paramLabel = "FILE",
            description =
                    "Change messages by the rules of a file, one a line: MESSAGE [FIELD=VALUE ...]"
                            + " drop, or MESSAGE [FIELD=VALUE ...] set FIELD=VALUE ...; names as"
                            + " inspect --json prints them.")
    private @Nullable Path rules;

    @Option(
            names = "--from",
            paramLabel = "ADDR[/BITS]",
            converter = TargetOptions.Range.class,
            description =
                    "Source address towards the server, or a range to use in turns, such as"
                            + " 127.0.1.0/24. Servers limit the number of players per address.")
    private @Nullable AddressRange from;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            completionCandidates = Games.Versions.class,
            description = "Version of the game to assume: ${COMPLETION-CANDIDATES}.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Stop after this number of seconds. Without it, on Ctrl-C.",
            defaultValue = "0")
    private int seconds;

    @Option(
            names = "--allow-public",
            description =
                    "Allow a public address of the server. Use it only with the consent of the"
                            + " server's operator.")
    private boolean allowPublic;

    private final GameOptions options;
    private long nextClient;

    private ProxyCommand(ShutdownSignal shutdown, InputStream in, GameOptions options) {
        this.shutdown = shutdown;
        this.in = in;
        this.options = options;
    }

    /** The command, with the options that proxies of these games have. */
    public static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, InputStream in) {
        GameOptions options = new GameOptions(games, GameOptions.Kind.PROXIES);
        CommandLine line = new CommandLine(new ProxyCommand(shutdown, in, options));
        options.addTo(line);
        GameOptions.describe(line, "Of single games:", games, Game::proxyNote);
        return line;
    }

    /** Passes the datagrams also to another consumer. */
    void add(WatchOptions.ConsumerFactory consumer) {
        watched.add(consumer);
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (maxClients < 1 || maxClientsPerAddress < 1 || seconds < 0) {
            throw misused(
                    "--max-clients and --max-clients-per-address must be at least 1 and --seconds"
                            + " at least 0");
        }
        Game played = TargetOptions.gameOfVersion(spec, game, version);
        ProxyKind<?> kind = kind(played);
        InetSocketAddress server = TargetOptions.resolve(played, to, allowPublic);
        InetSocketAddress local = listen(played);
        int lastOffset = Collections.max(played.proxyRules().portOffsets());
        if (Math.max(server.getPort(), local.getPort()) + lastOffset > MAX_PORT) {
            throw misused("ports must be from 1 to " + (MAX_PORT - lastOffset));
        }
        if (server.getPort() == local.getPort() && isSame(server, local)) {
            throw misused("--to " + AddressText.of(server) + " is the proxy itself: see --listen");
        }
        Faults faults = faultOptions.faults();
        LinkEmulation links = faultOptions.links();
        ProxyOpener opener = opener(played, kind);
        shutdown.listen();
        AsyncLineWriter lines = new AsyncLineWriter(LineSink.standard(spec.commandLine().getOut()));
        try {
            run(new Setup(played, server, local, faults, links, kind, opener), lines);
        } finally {
            lines.close();
        }
        if (lines.lost() > 0) {
            report(Quantity.of(lines.lost(), "line") + " not printed: their reader is too slow");
        }
        return CommandLine.ExitCode.OK;
    }

    private ProxyKind<?> kind(Game played) throws CommandFailedException {
        try {
            return played.proxy(options.of(spec, played));
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        } catch (IllegalArgumentException e) {
            throw misused(String.valueOf(e.getMessage()).replaceFirst("^option ", "--"));
        }
    }

    /** The checked options. */
    private record Setup(
            Game game,
            InetSocketAddress server,
            InetSocketAddress listen,
            Faults faults,
            LinkEmulation links,
            ProxyKind<?> kind,
            ProxyOpener opener) {}

    /** Opens a proxy of one kind with the rules. */
    @FunctionalInterface
    private interface ProxyOpener {
        Proxy open(
                DutyCycle clients,
                DutyCycle servers,
                ProxyConfig config,
                ProxyListener listener,
                boolean isObserved)
                throws IOException;
    }

    private <M> ProxyOpener opener(Game played, ProxyKind<M> kind) throws CommandFailedException {
        Optional<MessageFields<M>> fields = kind.fields();
        if (fields.isEmpty() && rules != null) {
            throw misused("--rule: this proxy can't change the messages of " + played.title());
        }
        Optional<Supplier<? extends Interceptor<M>>> interceptors =
                fields.isPresent()
                        ? readRules(fields.get()).map(each -> () -> each)
                        : Optional.empty();
        return (clients, servers, config, listener, isObserved) ->
                kind.open(clients, servers, config, interceptors, listener, isObserved);
    }

    private <M> Optional<MessageRules<M>> readRules(MessageFields<M> fields)
            throws CommandFailedException {
        Path file = rules;
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(MessageRules.parse(TextFile.read(file, MAX_RULE_BYTES), fields));
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        } catch (IllegalArgumentException e) {
            throw misused("--rule " + file + ", " + e.getMessage());
        }
    }

    private InetSocketAddress listen(Game played) throws CommandFailedException {
        try {
            String text = listen.isEmpty() ? LOOPBACK : listen;
            return HostPort.parse(text, LOOPBACK).resolve(played.port());
        } catch (CommandLine.TypeConversionException e) {
            throw misused("--listen: " + e.getMessage());
        }
    }

    private static boolean isSame(InetSocketAddress server, InetSocketAddress local) {
        try {
            return local.getAddress().isAnyLocalAddress()
                    ? NetworkInterface.getByInetAddress(server.getAddress()) != null
                    : local.equals(server);
        } catch (SocketException e) {
            return false;
        }
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    private void run(Setup setup, AsyncLineWriter lines) throws CommandFailedException {
        try (NettyLoop loop = new NettyLoop("proxy")) {
            DutyCycle cycle = loop.cycle();
            WatchOptions.Watched consumers =
                    watched.open(
                            setup.game,
                            setup.server,
                            cycle.now(),
                            Clock.systemUTC().instant(),
                            lines);
            TrafficWatch watch = new TrafficWatch(consumers.consumers(), this::report);
            try {
                boolean observes = !consumers.consumers().isEmpty();
                Proxy proxy = start(setup, cycle, observes, listener(observes, watch));
                ProxyControl control =
                        new ProxyControl(cycle, setup.faults, setup.links, proxy, watch);
                try (WebServer page = watched.serve(consumers, control)) {
                    announce(setup, proxy);
                    if (page != null) {
                        report("page: " + page.url() + "explore/");
                    }
                    StdinCommands.start(
                            in,
                            line -> onLoop(cycle, () -> execute(setup, proxy, line)),
                            this::report);
                    shutdown.await(seconds > 0 ? seconds : Long.MAX_VALUE, TimeUnit.SECONDS);
                    report(onLoop(cycle, () -> status(setup.links, proxy)));
                    onLoop(
                            cycle,
                            () -> {
                                proxy.stop(cycle.now());
                                return true;
                            });
                }
            } finally {
                loop.close();
                watch.close();
            }
            report(watch, consumers);
        }
    }

    private ProxyListener listener(boolean observes, TrafficWatch watch) {
        return new ProxyListener() {
            @Override
            public void onDatagram(ProxiedDatagram datagram) {
                if (observes) {
                    watch.offer(datagram);
                }
            }

            @Override
            public void onConnected(InetSocketAddress client, InetSocketAddress proxy) {
                report(
                        "client "
                                + AddressText.of(client)
                                + " connected, from port "
                                + proxy.getPort()
                                + " to the server");
            }

            @Override
            public void onPortChanged(InetSocketAddress before, InetSocketAddress after) {
                report(
                        "client "
                                + AddressText.of(before)
                                + " continues from port "
                                + after.getPort());
            }

            @Override
            public void onProblem(InetSocketAddress client, String problem) {
                report("client " + AddressText.of(client) + ": " + problem);
            }

            @Override
            public void onClosed(InetSocketAddress client, String reason) {
                report("client " + AddressText.of(client) + " ended: " + reason);
            }
        };
    }

    private Proxy start(Setup setup, DutyCycle cycle, boolean observes, ProxyListener listener)
            throws CommandFailedException {
        long seed = new SecureRandom().nextLong();
        ProxyConfig config =
                new ProxyConfig(
                        setup.game.proxyRules(),
                        setup.listen,
                        setup.server,
                        maxClients,
                        new AddressLimits(
                                maxClientsPerAddress,
                                List.of(
                                        AddressRange.parse("127.0.0.0/8"),
                                        AddressRange.parse("::1")),
                                AmplificationLimiter.standard(seed),
                                seed),
                        () -> Optional.ofNullable(from).map(range -> range.address(nextClient++)));
        CompletableFuture<Proxy> started = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                DutyCycle servers = setup.links.around(cycle);
                started.complete(setup.opener.open(cycle, servers, config, listener, observes));
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            return started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure
                    ? new CommandFailedException(
                            PortProblem.text(new ThisMachine(), failure, "--listen"), failure)
                    : CommandFailedException.of("cannot start the proxy", e);
        }
    }

    private void announce(Setup setup, Proxy proxy) {
        report(
                setup.game.title()
                        + ": clients connect to "
                        + AddressText.of(proxy.address())
                        + ", the server is "
                        + AddressText.of(setup.server));
        if (setup.faults.isAny()) {
            report("faults: " + setup.faults + "; --seed " + setup.links.seed() + " repeats them");
        }
        setup.kind.note(watched.needsContent()).ifPresent(this::report);
    }

    /** Executes a line of standard input, on the loop's thread. */
    private static String execute(Setup setup, Proxy proxy, String line) {
        if (line.strip().toLowerCase(Locale.ROOT).equals("status")) {
            return status(setup.links, proxy) + "; faults " + setup.faults;
        }
        try {
            setup.faults.change(line);
        } catch (IllegalArgumentException e) {
            return e.getMessage() + "; or status, off";
        }
        setup.links.conditions(setup.faults.up(), setup.faults.down());
        return "faults: " + setup.faults;
    }

    private static String status(LinkEmulation links, Proxy proxy) {
        String dropped =
                proxy.counters().snapshot().entrySet().stream()
                        .map(it -> it.getKey() + "=" + it.getValue())
                        .collect(Collectors.joining(" "));
        return Quantity.of(proxy.clients(), "client")
                + ", "
                + proxy.halfOpen()
                + " half-open; up "
                + text(links.upCounters())
                + "; down "
                + text(links.downCounters())
                + (dropped.isEmpty() ? "" : "; " + dropped);
    }

    private static String text(LinkCounters counters) {
        return "datagrams="
                + counters.sent()
                + " lost="
                + counters.lost()
                + " overflowed="
                + counters.overflowed()
                + " duplicated="
                + counters.duplicated()
                + " reordered="
                + counters.reordered();
    }

    private void report(TrafficWatch watch, WatchOptions.Watched consumers)
            throws CommandFailedException {
        if (watch.missed() > 0) {
            report(
                    Quantity.of(watch.missed(), "datagram")
                            + " passed on but not observed: too many at once");
        }
        if (consumers.printer().isPresent() && consumers.printer().get().printed() == 0) {
            report("no message was printed: none passes the filters");
        }
        if (watch.hasFailed()) {
            throw new CommandFailedException("not all datagrams were written");
        }
    }

    private static <T> T onLoop(DutyCycle cycle, Supplier<T> work) throws CommandFailedException {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            throw new CommandFailedException("the proxy failed: " + e.getCause(), e);
        }
    }

    private void report(String line) {
        PrintWriter err = spec.commandLine().getErr();
        synchronized (err) {
            err.println(line);
            err.flush();
        }
    }
}
