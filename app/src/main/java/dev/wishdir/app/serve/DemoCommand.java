package dev.wishdir.app.serve;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.bot.ArenaPaths;
import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.BotNames;
import dev.wishdir.app.bot.BotPath;
import dev.wishdir.app.bot.BotRace;
import dev.wishdir.app.bot.BotTour;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.Web;
import dev.wishdir.app.event.EventKind;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.app.event.JsonEventWriter;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.LogFormat;
import dev.wishdir.app.serve.file.MapFiles;
import dev.wishdir.app.terminal.Columns;
import dev.wishdir.app.terminal.GameMarks;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.app.terminal.TerminalMap;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.LiveMap;
import dev.wishdir.web.map.LivePlayers;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** {@code demo}: starts a server on the usual ports, with walking bots and a live map. */
@Command(
        name = "demo",
        sortOptions = false,
        description = "Start a server of all games with walking bots and a live map.")
public final class DemoCommand implements Callable<Integer> {
    private static final int MAX_PLAYERS = 128;
    private static final int MAX_BOTS = 24;
    private static final int DISCONNECT_TIMEOUT_SECONDS = 2;
    private static final int MAX_EVENT_LINES = 10;

    /** The option of the games in which a life begins with few weapons. */
    private static final String WEAPONS = "weapons";

    private static final String HOME = "\u001B[H";
    private static final String CLEAR = "\u001B[J";
    private static final String REST_OF_LINE = "\u001B[K";
    private static final String WRAP_OFF = "\u001B[?7l";
    private static final String WRAP_ON = "\u001B[?7h";

    private final List<Game> games;
    private final ShutdownSignal shutdown;
    private final Terminal terminal;

    @Spec private CommandSpec spec;

    @Option(
            names = "--bots",
            paramLabel = "N",
            description = "Number of bots of each game (default ${DEFAULT-VALUE}).",
            defaultValue = "3")
    private int bots;

    @Option(
            names = "--fight",
            description = "Play a match in which the bots hunt each other, and the players.")
    private boolean fight;

    @Option(names = "--race", description = "Race on the course of the arena; the bots race, too.")
    private boolean race;

    @Option(names = "--ctf", description = "Play capture the flag; the bots play in both teams.")
    private boolean ctf;

    @Option(
            names = "--arena",
            paramLabel = "NAME|FILE|map:NAME",
            description =
                    "The arena of blocks: hall, hills, flat, circuit, forts, a file, or map:NAME, a"
                            + " map of an installed game (default: hall; circuit for a race, forts"
                            + " for capture the flag).")
    private String arena = "";

    @Option(
            names = "--web",
            paramLabel = "ADDR|off",
            description =
                    "Address of the live map, or off: PORT (on 127.0.0.1), ADDR or ADDR:PORT"
                            + " (default ${DEFAULT-VALUE}).",
            defaultValue = "127.0.0.1:" + WebServer.PORT)
    private String web = "";

    @Option(
            names = "--web-allowed-host",
            paramLabel = "NAME",
            description =
                    "Another host name under which browsers request the live map, for example that"
                            + " of a reverse proxy. Can be repeated.")
    private List<String> webHosts = new ArrayList<>();

    @Option(
            names = "--public",
            description =
                    "Accept players from other machines. Without it, only players of this machine"
                            + " can join.")
    private boolean open;

    @Mixin private EventOptions events = new EventOptions();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Stop after this number of seconds. Without it, stop on Ctrl-C.",
            defaultValue = "0")
    private int seconds;

    private final SecureRandom random = new SecureRandom();
    private final BotNames names = new BotNames(random);
    private @Nullable ArenaPaths arenaPaths;
    private final Semaphore disconnected = new Semaphore(0);
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    private long lastEventNumber;

    public DemoCommand(List<Game> games, ShutdownSignal shutdown, Terminal terminal) {
        this.games = games;
        this.shutdown = shutdown;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailedException, InterruptedException {
        if (bots < 0 || bots > MAX_BOTS) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--bots must be from 0 to " + MAX_BOTS + ", is " + bots);
        }
        if (race && fight || race && ctf || fight && ctf) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--race, --fight and --ctf cannot be used together: give one of them");
        }
        WebOptions.checkWeb(spec.commandLine(), web);
        LivePlayers livePlayers = new LivePlayers(Games.weaponNames(Games.ALL));
        // All bots have loopback addresses: more than the limit of players per address.
        String usual =
                (race ? ArenaCatalog.RACE : ctf ? ArenaCatalog.FLAGS : ArenaCatalog.FIGHT)
                        .getFirst();
        String played = arena.isEmpty() ? usual : arena;
        BlockArena blocks =
                ArenaSource.withDefaults(games, spec.commandLine().getErr()::println)
                        .playable(played);
        if (race && blocks.course().isEmpty()) {
            throw new CommandFailedException(
                    "--race: the arena " + played + " has no race course; use " + usual);
        }
        if (ctf && blocks.bases().isEmpty()) {
            throw new CommandFailedException(
                    "--ctf: the arena " + played + " has no flags; use " + usual);
        }
        ServerSettings settings =
                ServerSettings.of(
                        "Wishdir demo",
                        blocks,
                        ServerSettings.Access.of(""),
                        ServerSettings.Limits.of(
                                MAX_PLAYERS,
                                List.of(
                                        AddressRange.parse("127.0.0.1"),
                                        AddressRange.parse("::1"))),
                        MatchRules.of(mode()).withDamageFactors(DamageFactors.of(games)));
        shutdown.listen();
        ArenaPaths routes = new ArenaPaths(settings.maps().arenas());
        arenaPaths = routes;
        Set<EventKind> kinds = events.kinds(spec.commandLine());
        try (@Nullable AsyncLineWriter lines = events.open(spec.commandLine().getOut())) {
            int status =
                    run(
                            settings,
                            livePlayers,
                            arena -> {
                                livePlayers.watch(arena.match());
                                return lines == null
                                        ? List.of(livePlayers, routes)
                                        : List.of(
                                                livePlayers,
                                                routes,
                                                JsonEventWriter.of(arena, lines, kinds, true));
                            });
            return EventOptions.close(lines) ? status : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private MatchMode mode() {
        if (race) {
            return MatchMode.RACE;
        }
        return ctf ? MatchMode.CTF : fight ? MatchMode.FFA : MatchMode.NONE;
    }

    private int run(
            ServerSettings settings,
            LivePlayers livePlayers,
            Function<Arena, List<ArenaListener>> observers)
            throws CommandFailedException, InterruptedException {
        try (Server server = start(settings, livePlayers, observers);
                @Nullable WebServer page = page(settings, livePlayers, server);
                NettyLoop loop = new NettyLoop("bots")) {
            List<Runnable> leave = new ArrayList<>();
            for (Map.Entry<Game, InetSocketAddress> entry : server.addresses().entrySet()) {
                for (int i = 0; i < bots; i++) {
                    leave.add(startBot(loop.cycle(), entry.getKey(), entry.getValue(), i));
                }
            }
            show(server, page, livePlayers, settings.maps().arenas());
            leave.forEach(Runnable::run);
            if (!disconnected.tryAcquire(
                    leave.size(), DISCONNECT_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                spec.commandLine().getErr().println("a bot did not disconnect within 2 s");
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Starts the server on the usual ports, or on free ones where these are in use. */
    private Server start(
            ServerSettings settings,
            LivePlayers livePlayers,
            Function<Arena, List<ArenaListener>> observers)
            throws CommandFailedException {
        InetAddress host =
                open ? new InetSocketAddress(0).getAddress() : InetAddress.getLoopbackAddress();
        Server server = Server.start(settings, parts(host), observers);
        server.onStats(livePlayers::links);
        return server;
    }

    /** Opens the live map; if its port is in use, the demo runs without it. */
    private @Nullable WebServer page(
            ServerSettings settings, LivePlayers livePlayers, Server server) {
        try {
            WebServer page =
                    Web.start(
                            web,
                            webHosts,
                            List.of(
                                    new LiveMap(
                                            livePlayers,
                                            settings.maps().arenas(),
                                            _ -> Optional.empty(),
                                            server::now),
                                    new MapFiles(server.downloads()),
                                    server.metrics()));
            if (page != null) {
                server.addToBudget(page.connections());
                MapFiles.publish(server.downloads(), page, "");
            }
            return page;
        } catch (CommandFailedException e) {
            problems.add(e.getMessage());
            return null;
        }
    }

    private List<Server.Part> parts(InetAddress host) {
        return games.stream()
                .map(game ->
                        new Server.Part(
                                game,
                                new InetSocketAddress(host, game.port()),
                                true,
                                fight ? weapons(game) : Map.of()))
                .toList();
    }

    /** All weapons, in the games where a life begins with few: the arena has no items. */
    private static Map<String, String> weapons(Game game) {
        return game.options().stream().anyMatch(option -> option.name().equals(WEAPONS))
                ? Map.of(WEAPONS, "all")
                : Map.of();
    }

    private Runnable startBot(DutyCycle cycle, Game game, InetSocketAddress listening, int number)
            throws CommandFailedException {
        BotPath path = BotPath.values()[number % (BotPath.values().length - 1)];
        InetSocketAddress server =
                listening.getAddress().isAnyLocalAddress()
                        ? new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), listening.getPort())
                        : listening;
        String name = names.next();
        CompletableFuture<Client> started = new CompletableFuture<>();
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        disconnected.release();
                        if (ending != EndReason.LEFT) {
                            problems.add(
                                    "a bot of " + game.title() + " was disconnected: " + reason);
                        }
                    }
                };
        cycle.execute(() -> {
            try {
                started.complete(
                        game.connect(
                                ClientConfig.builder(cycle, server)
                                        .name(name)
                                        .controller(controller(path, started))
                                        .listener(listener)
                                        .random(random)
                                        .build()));
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            Client client = started.join();
            return () -> cycle.execute(client::close);
        } catch (CompletionException e) {
            throw CommandFailedException.of("cannot start a bot of " + game.title(), e);
        }
    }

    /**
     * Walks all over the arena, and fights, plays for flags, or races; until its paths are known,
     * walks the given path.
     */
    private BotController controller(BotPath path, CompletableFuture<Client> self) {
        ArenaPaths paths = arenaPaths;
        BotController fallback = path.controller(random);
        if (race && paths != null) {
            return new BotRace(paths::reachability, fallback, random);
        }
        BotController walk =
                paths == null ? fallback : new BotTour(paths::reachability, fallback, random);
        return fight || ctf
                ? new BotFight(
                        () -> self.getNow(null),
                        paths == null ? Optional::empty : paths::reachability,
                        walk,
                        BotFight.DEFAULT_SKILL,
                        random)
                : walk;
    }

    private void show(
            Server server,
            @Nullable WebServer page,
            LivePlayers livePlayers,
            List<BlockArena> arenas)
            throws CommandFailedException {
        PrintWriter out = spec.commandLine().getOut();
        List<String> head = new ArrayList<>();
        server.addresses().forEach((game, address) -> head.add(connect(game, address)));
        if (page != null) {
            head.add("Live map: " + page.url());
        }
        head.add("Press Ctrl-C to stop.");
        long end =
                System.nanoTime()
                        + TimeUnit.SECONDS.toNanos(seconds == 0 ? Integer.MAX_VALUE : seconds);
        if (terminal.showsOutput()) {
            draw(out, head, livePlayers, arenas, end);
        } else {
            head.forEach(out::println);
            out.flush();
            while (System.nanoTime() < end && !shutdown.await(1, TimeUnit.SECONDS)) {
                eventLines(livePlayers).forEach(out::println);
                out.flush();
            }
        }
    }

    /** Redraws the map ten times a second, in the current size of the terminal. */
    private void draw(
            PrintWriter out,
            List<String> head,
            LivePlayers livePlayers,
            List<BlockArena> arenas,
            long end)
            throws CommandFailedException {
        GameMarks marks =
                new GameMarks(games.stream().map(Game::name).toList(), terminal.hasColours());
        Deque<String> eventLines = new ArrayDeque<>();
        Terminal.Size before = new Terminal.Size(1, 1);
        // Joins and leaves are part of the drawing; log lines would overwrite it.
        LogFormat.setWarningsOnly(terminal.showsErrors());
        out.print(WRAP_OFF);
        try {
            while (System.nanoTime() < end && !shutdown.await(100, TimeUnit.MILLISECONDS)) {
                eventLines.addAll(eventLines(livePlayers));
                while (eventLines.size() > MAX_EVENT_LINES) {
                    eventLines.remove();
                }
                Terminal.Size size = terminal.size();
                StringBuilder frame = new StringBuilder(size.equals(before) ? HOME : HOME + CLEAR);
                before = size;
                new TerminalMap(marks, livePlayers.bounds(), currentArena(livePlayers, arenas))
                        .screen(size, head, livePlayers.entries(), List.copyOf(eventLines))
                        .forEach(line -> frame.append(line).append(REST_OF_LINE).append('\n'));
                out.print(frame.append(CLEAR));
                out.flush();
            }
        } finally {
            out.println(WRAP_ON);
            out.flush();
            LogFormat.setWarningsOnly(false);
        }
    }

    /** The current arena of blocks; empty if an original map is played. */
    private static Optional<BlockArena> currentArena(
            LivePlayers livePlayers, List<BlockArena> arenas) {
        Set<String> levels = livePlayers.levels();
        return arenas.stream()
                .filter(arena -> levels.isEmpty() || levels.contains(arena.name()))
                .findFirst();
    }

    /** The events since the last call, one line each. */
    private List<String> eventLines(LivePlayers livePlayers) {
        List<String> lines = new ArrayList<>();
        for (LivePlayers.TextEvent each : livePlayers.since(lastEventNumber)) {
            lastEventNumber = each.number();
            String player = each.name().isEmpty() ? "" : each.game() + " " + each.name();
            // Chat begins with its colon.
            String gap = player.isEmpty() || each.text().startsWith(":") ? "" : " ";
            lines.add(Columns.plain(player + gap + each.text()));
        }
        for (@Nullable String line = problems.poll(); line != null; line = problems.poll()) {
            lines.add(line);
        }
        return lines;
    }

    private static String connect(Game game, InetSocketAddress address) {
        String host =
                address.getAddress().isAnyLocalAddress()
                        ? "HOST"
                        : AddressText.of(address.getAddress());
        return game.title()
                + ": "
                + game.joinInstruction(host, address.getPort())
                + (address.getPort() == game.port()
                        ? ""
                        : " (the usual port " + game.port() + " is in use)");
    }
}
