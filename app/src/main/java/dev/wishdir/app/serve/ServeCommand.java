package dev.wishdir.app.serve;

import ch.qos.logback.classic.Level;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.cluster.ClusterFigures;
import dev.wishdir.app.cluster.ClusterOptions;
import dev.wishdir.app.cluster.ClusterSettings;
import dev.wishdir.app.cluster.NatsProbe;
import dev.wishdir.app.cluster.ServerNode;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.StdinCommands;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.command.UsageErrors;
import dev.wishdir.app.event.EventKind;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.app.event.JsonEventWriter;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.LogAppender;
import dev.wishdir.app.log.StandardError;
import dev.wishdir.app.replay.ReplayOptions;
import dev.wishdir.app.replay.ReplayOptions.OpenReplay;
import dev.wishdir.app.serve.file.MapFiles;
import dev.wishdir.app.serve.file.SessionKeyLog;
import dev.wishdir.app.serve.file.StateFile;
import dev.wishdir.app.serve.metrics.HealthFile;
import dev.wishdir.app.serve.metrics.Metrics;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.BanList;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.PasswordRules;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.LoopMeter;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.recorder.Recorder;
import dev.wishdir.record.recorder.RecorderSettings;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.LiveMap;
import dev.wishdir.web.map.LivePlayers;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * {@code serve}: runs the arena on the ports of its games. Long, because each option is a field
 * with its description.
 */
@Command(
        name = "serve",
        sortOptions = false,
        description = "Run a server: one arena for clients of all four games.")
public final class ServeCommand implements Callable<Integer> {
    private static final String OFF = "off";
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final List<Game> games;
    private final ShutdownSignal shutdown;
    private final InputStream stdin;
    private final AtomicBoolean reloadRequested = new AtomicBoolean();

    @Spec private CommandSpec spec;

    @Mixin private OperatorOptions operatorOptions = new OperatorOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The server's name in server lists (default ${DEFAULT-VALUE}).",
            defaultValue = "Wishdir")
    private String name = "";

    @Option(
            names = "--map",
            paramLabel = "NAME",
            description =
                    "The first map, by a game's own name. Without it, the server plays --arena.",
            defaultValue = "")
    private String map = "";

    @Mixin private ArenaOptions arenas = new ArenaOptions();

    @Option(
            names = "--max-players",
            paramLabel = "N",
            description = "Maximum number of players (default ${DEFAULT-VALUE}).",
            defaultValue = "128")
    private int maxPlayers = 128;

    @Option(
            names = "--max-visible-players",
            paramLabel = "N",
            description =
                    "Maximum number of other players that a player sees: the nearest (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "" + Arena.DEFAULT_MAX_VISIBLE_PLAYERS)
    private int maxVisiblePlayers = Arena.DEFAULT_MAX_VISIBLE_PLAYERS;

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "The password that players need to join.",
            defaultValue = "")
    private String password = "";

    @Option(
            names = "--admin-password",
            paramLabel = "TEXT",
            description =
                    "The password that gives a player the rights of an operator. Without it, no"
                            + " player can get them.",
            defaultValue = "")
    private String adminPassword = "";

    @Option(
            names = "--max-players-per-address",
            paramLabel = "N",
            description =
                    "Maximum number of players from one address, in all games together (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "" + AddressLimits.DEFAULT_MAX_SESSIONS)
    private int maxPlayersPerAddress = AddressLimits.DEFAULT_MAX_SESSIONS;

    @Option(
            names = "--max-loop-percent",
            paramLabel = "PERCENT",
            description =
                    "Maximum share of the time of the server's event loop, in percent, that the"
                        + " packets of one player may take. The server kicks a player that keeps"
                        + " exceeding it. 100 is no limit (default ${DEFAULT-VALUE}).",
            defaultValue = "" + LoopMeter.DEFAULT_SHARE_PERCENT)
    private int maxLoopPercent = LoopMeter.DEFAULT_SHARE_PERCENT;

    @Option(
            names = "--trust",
            paramLabel = "ADDR[/BITS]",
            split = ",",
            converter = TargetOptions.Range.class,
            description =
                    "Addresses or ranges without a limit on the number of players and on joins, and"
                        + " of reverse proxies in front of --web, such as 127.0.0.1 or 10.0.0.0/8."
                        + " All other limits apply. Can be repeated.")
    private List<AddressRange> trusted = List.of();

    @Option(
            names = "--on-cheat",
            paramLabel = "observe|freeze|kick",
            description =
                    "Action on an impossible movement: observe logs it; freeze also shows other"
                        + " players the last possible position; kick also kicks the player. Games"
                        + " whose server computes movement always correct it (default"
                        + " ${DEFAULT-VALUE}).",
            defaultValue = "observe")
    private CheatPolicy policy = CheatPolicy.OBSERVE;

    @Mixin private MatchOptions match = new MatchOptions();

    @Mixin private EventOptions events = new EventOptions();

    @Mixin private RecordOptions recordings = new RecordOptions();

    @Mixin private ReplayOptions replay = new ReplayOptions();

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--key-log",
            paramLabel = "FILE",
            description =
                    "Append the keys of encrypted sessions to this file, readable by its owner"
                            + " only. inspect --key-log decrypts captures with it. Does not work"
                            + " for NetherNet.")
    private @Nullable Path keyLog;

    @Mixin private WebOptions web = new WebOptions();

    @Option(
            names = "--health-file",
            paramLabel = "FILE",
            description =
                    "Update this file every two seconds while the server works; a health check"
                            + " tests its age (default: the environment variable"
                            + " WISHDIR_HEALTH_FILE).")
    private @Nullable Path healthFile;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Stop after this number of seconds. Without it, stop on Ctrl-C.",
            defaultValue = "0")
    private int seconds;

    private ServeCommand(List<Game> games, ShutdownSignal shutdown, InputStream stdin) {
        this.games = games;
        this.shutdown = shutdown;
        this.stdin = stdin;
    }

    /**
     * The command with an option for the address of each game, and each game's own options.
     *
     * @param stdin operator commands, one per line
     */
    public static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, InputStream stdin) {
        CommandLine line =
                new CommandLine(new ServeCommand(games, shutdown, stdin))
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExpandAtFiles(false);
        // OperatorOptions reports them, together with those of the values' checks. A wrong last
        // value leaves the other fields at their initial values, which must be valid therefore.
        line.getCommandSpec().parser().collectErrors(true);
        UsageErrors.registerNumbers(line);
        for (Game game : games) {
            line.getCommandSpec()
                    .addOption(
                            option("--" + game.name(), "ADDR|off", "off")
                                    .description(
                                            String.format(
                                                    Locale.ROOT,
                                                    "Address for %s clients, or off: PORT, ADDR or"
                                                            + " ADDR:PORT (default port %d).",
                                                    game.title(),
                                                    game.port()))
                                    .build());
            for (Game.Option own : game.options()) {
                line.getCommandSpec()
                        .addOption(
                                option("--" + game.name() + "-" + own.name(), own.value(), "")
                                        .description(own.help())
                                        .build());
            }
        }
        return line;
    }

    private static OptionSpec.Builder option(String name, String label, String initial) {
        return OptionSpec.builder(name).paramLabel(label).type(String.class).initialValue(initial);
    }

    private String value(String option) {
        return String.valueOf(spec.findOption(option).<Object>getValue());
    }

    @Override
    public Integer call() throws CommandFailedException {
        return operatorOptions.configured(
                spec.commandLine(), () -> commandLine(games, shutdown, stdin), this::serve);
    }

    /** Adds what a server with these settings would open to a plan. */
    int addTo(ServePlan.Builder plan) throws CommandFailedException {
        CommandLine line = spec.commandLine();
        return operatorOptions.configured(
                line,
                () -> commandLine(games, shutdown, stdin),
                () -> {
                    SettingProblems problems = operatorOptions.problems();
                    List<Server.Part> parts = parts(problems);
                    plan.setGames(parts);
                    check(parts, problems);
                    problems.throwIfAny(line);
                    plan.setOthers(web, cluster);
                    return CommandLine.ExitCode.OK;
                });
    }

    private int serve() throws CommandFailedException {
        SettingProblems problems = operatorOptions.problems();
        List<Server.Part> parts = parts(problems);
        check(parts, problems);
        if (!operatorOptions.check()) {
            problems.throwIfAny(spec.commandLine());
        }
        shutdown.listen();
        SighupHandler.listen(() -> reloadRequested.set(true), shutdown::request);
        try (@Nullable AsyncLineWriter log = problems.open(operatorOptions::openLogFile);
                @Nullable AsyncLineWriter lines = problems.open(this::openEvents);
                @Nullable StateFile<BanList> banFile = problems.open(operatorOptions::openBanFile);
                @Nullable StateFile<List<RaceTimes.Time>> raceTimes =
                        problems.open(match::openRaceTimes);
                @Nullable SessionKeyLog sessionKeys = problems.open(this::openKeyLog)) {
            if (operatorOptions.check()) {
                checkFiles(problems);
            }
            Map<String, BlockArena> named = arenas.named(source(), match, problems);
            if (operatorOptions.check() && !problems.isEmpty()) {
                parts.forEach(part -> problems.check(() -> Server.checkPort(part)));
            }
            problems.throwIfAny(spec.commandLine());
            Files files = new Files(log, lines, banFile, raceTimes, sessionKeys);
            serve(parts, named, files);
            boolean complete = EventOptions.close(lines);
            for (@Nullable StateFile<?> state : Arrays.asList(banFile, raceTimes)) {
                if (state != null) {
                    state.close();
                    complete &= state.isComplete();
                }
            }
            return complete && (sessionKeys == null || sessionKeys.isComplete())
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        } finally {
            LogAppender.writeTo(StandardError.QUEUE);
        }
    }

    private @Nullable AsyncLineWriter openEvents() throws CommandFailedException {
        return operatorOptions.check() ? null : events.open(spec.commandLine().getOut());
    }

    private @Nullable SessionKeyLog openKeyLog() throws CommandFailedException {
        return keyLog == null || operatorOptions.check() ? null : SessionKeyLog.open(keyLog);
    }

    /** Checks what a server opens or creates, without a change. */
    private void checkFiles(SettingProblems problems) {
        problems.check(events::check);
        problems.check(recordings::check);
        checkCreated(problems);
        Path keys = keyLog;
        if (keys != null) {
            problems.check(() -> EventOptions.checkWritable("--key-log: cannot write ", keys));
        }
        Path health = healthFile();
        if (health != null) {
            problems.check(() -> HealthFile.check(health));
        }
        problems.check(() -> {
            try (@Nullable OpenReplay _ = openReplay()) {
                // Only whether it can be read.
            }
        });
        problems.check(this::checkCluster);
    }

    /** The files that a server keeps open while it runs. */
    private record Files(
            @Nullable AsyncLineWriter log,
            @Nullable AsyncLineWriter events,
            @Nullable StateFile<BanList> bans,
            @Nullable StateFile<List<RaceTimes.Time>> raceTimes,
            @Nullable SessionKeyLog keys) {
        void reopen() {
            for (@Nullable AsyncLineWriter each :
                    Arrays.asList(log, events, keys == null ? null : keys.lines())) {
                if (each != null) {
                    each.reopen();
                }
            }
        }
    }

    private void serve(List<Server.Part> parts, Map<String, BlockArena> named, Files files)
            throws CommandFailedException {
        Set<EventKind> kinds = events.kinds(spec.commandLine());
        LivePlayers livePlayers = new LivePlayers(Games.weaponNames(Games.ALL));
        AtomicReference<@Nullable JsonEventWriter> eventWriter = new AtomicReference<>();
        List<BlockArena> offered = ArenaOptions.offered(named, source(), match);
        try (@Nullable OpenReplay replayed = operatorOptions.check() ? null : openReplay();
                Server server =
                        Server.start(
                                settings(
                                        files.bans,
                                        files.keys,
                                        offered,
                                        List.copyOf(named.keySet()),
                                        parts.isEmpty()),
                                parts,
                                arena -> {
                                    match.apply(arena.match().race(), files.raceTimes);
                                    livePlayers.watch(arena.match());
                                    if (files.events == null) {
                                        return List.of(livePlayers);
                                    }
                                    JsonEventWriter to =
                                            JsonEventWriter.of(
                                                    arena,
                                                    files.events,
                                                    kinds,
                                                    operatorOptions.logsAddresses());
                                    eventWriter.set(to);
                                    return List.of(livePlayers, to);
                                });
                @Nullable WebServer page =
                        web.start(
                                trusted,
                                List.of(
                                        new LiveMap(
                                                livePlayers,
                                                offered,
                                                source()::currentMap,
                                                server::now),
                                        new MapFiles(server.downloads()),
                                        metrics(server, files, record(server), connect(server))))) {
            server.addresses()
                    .forEach((game, address) ->
                            print(
                                    "listen",
                                    game.title() + ": players connect to " + connectText(address)));
            if (parts.isEmpty()) {
                print("listen", "No game: this server shows and records players of other servers");
            }
            if (page != null) {
                server.addToBudget(page.connections());
                print("web", "Live map: " + page.url());
                MapFiles.publish(server.downloads(), page, web.downloadUrl());
            }
            if (operatorOptions.check()) {
                print("check", "Check passed: the server would start.");
                return;
            }
            if (replayed != null) {
                server.replay(replayed::in);
            }
            server.onStats(livePlayers::links);
            StdinCommands.start(
                    stdin,
                    line -> server.execute("console", line),
                    answer -> print("answer", answer));
            server.onQuit(shutdown::request);
            SettingsReload<ServeCommand> reload =
                    new SettingsReload<>(
                            spec.commandLine(),
                            Map.of(
                                    "--password",
                                    fresh -> server.setPassword(fresh.password),
                                    "--on-cheat",
                                    fresh -> server.setOnCheat(fresh.policy),
                                    "--event-kinds",
                                    fresh -> {
                                        JsonEventWriter to = eventWriter.get();
                                        if (to != null) {
                                            to.setKinds(
                                                    fresh.events.kinds(fresh.spec.commandLine()));
                                        }
                                    }));
            try (@Nullable HealthFile _ = openHealthFile(server)) {
                serve(
                        server,
                        () -> {
                            if (reloadRequested.getAndSet(false)) {
                                files.reopen();
                                reload(reload, parts, server, files);
                            }
                        });
            }
        }
    }

    private @Nullable OpenReplay openReplay() throws CommandFailedException {
        try {
            return replay.open();
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<Recorder> record(Server server) throws CommandFailedException {
        Optional<RecorderSettings> settings = recordings.settings();
        if (settings.isEmpty() || operatorOptions.check()) {
            return Optional.empty();
        }
        RecordingFolder folder = RecordOptions.open(settings.get());
        print("record", "Recording into " + settings.get().folder());
        return Optional.of(server.record(folder, settings.get(), new RecorderReport()));
    }

    /** Connects the server to the others of its arena, if there are others. */
    private Optional<Supplier<ClusterFigures>> connect(Server server)
            throws CommandFailedException {
        Optional<ClusterSettings> settings = cluster.settings();
        if (settings.isEmpty() || operatorOptions.check()) {
            return Optional.empty();
        }
        print("cluster", "Cluster: one arena with the servers of " + settings.get());
        return Optional.of(server.cluster(settings.get()));
    }

    private void checkCluster() throws CommandFailedException {
        Optional<ClusterSettings> settings = cluster.settings();
        if (settings.isPresent()) {
            NatsProbe.check(settings.get());
        }
    }

    private Metrics metrics(
            Server server,
            Files files,
            Optional<Recorder> recorder,
            Optional<Supplier<ClusterFigures>> node) {
        Metrics metrics = server.metrics();
        node.ifPresent(metrics::cluster);
        recorder.ifPresent(it -> metrics.recording(it::status));
        if (files.events != null) {
            metrics.lines("events", files.events::lost);
        }
        if (files.keys != null) {
            metrics.lines("keys", files.keys.lines()::lost);
        }
        return metrics;
    }

    /** Reads settings and bans again; an error in them changes nothing. */
    private void reload(
            SettingsReload<ServeCommand> reload,
            List<Server.Part> parts,
            Server server,
            Files files) {
        try {
            CommandLine again =
                    operatorOptions.reparse(
                            () -> commandLine(games, shutdown, stdin),
                            fresh -> {
                                SettingProblems problems = new SettingProblems();
                                fresh.<ServeCommand>getCommand().check(parts, problems);
                                problems.throwIfAny(fresh);
                            });
            Optional<BanList> bans = readAgain(files.bans);
            if (bans.isPresent()) {
                server.replaceBans(bans.get());
            }
            Optional<List<RaceTimes.Time>> times = readAgain(files.raceTimes);
            if (times.isPresent()) {
                server.replaceRaceTimes(times.get());
            }
            String settings = reload.apply(again);
            LOG.atInfo()
                    .addKeyValue("event", "reload")
                    .log(
                            "settings reloaded, files reopened; {}{}",
                            settings,
                            bans.map(all -> "; " + all.bans().size() + " bans read").orElse("")
                                    + times.map(all -> "; " + all.size() + " best times read")
                                            .orElse(""));
        } catch (CommandLine.ParameterException e) {
            notReloaded(UsageErrors.text(e));
        } catch (CommandFailedException e) {
            notReloaded(String.valueOf(e.getMessage()));
        }
    }

    private static <T> Optional<T> readAgain(@Nullable StateFile<T> file)
            throws CommandFailedException {
        return file == null ? Optional.empty() : file.readAgain();
    }

    private static void notReloaded(String why) {
        LOG.atError().addKeyValue("event", "reload").log("settings not reloaded: {}", why);
    }

    /**
     * Prints what is not part of the log, in its format; on any thread.
     *
     * @param event the kind of the message, one word
     */
    private void print(String event, String text) {
        PrintWriter err = spec.commandLine().getErr();
        synchronized (err) {
            err.println(operatorOptions.log().line(Level.INFO, event, text));
            err.flush();
        }
    }

    private @Nullable HealthFile openHealthFile(Server server) throws CommandFailedException {
        Path file = healthFile();
        return file == null ? null : HealthFile.open(file, server::isHealthy);
    }

    private @Nullable Path healthFile() {
        if (healthFile != null) {
            return healthFile;
        }
        String variable = System.getenv().getOrDefault("WISHDIR_HEALTH_FILE", "");
        return variable.isEmpty() ? null : Path.of(variable);
    }

    private void serve(Server server, Runnable poll) throws CommandFailedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (seconds == 0 || System.nanoTime() < end) {
            if (shutdown.await(seconds == 0 ? 250 : 100, TimeUnit.MILLISECONDS)) {
                break;
            }
            poll.run();
        }
        server.counters()
                .snapshot()
                .forEach((name, count) -> print("counted", "counter " + name + ": " + count));
    }

    private static String connectText(InetSocketAddress address) {
        return (address.getAddress().isAnyLocalAddress()
                        ? "this machine"
                        : AddressText.of(address.getAddress()))
                + ", port "
                + address.getPort();
    }

    private ArenaSource source() {
        return new ArenaSource(games, this::own, text -> print("arena", text));
    }

    private ServerSettings settings(
            @Nullable StateFile<BanList> banFile,
            @Nullable SessionKeyLog sessionKeys,
            List<BlockArena> offered,
            List<String> rotation,
            boolean hasNoGame) {
        return new ServerSettings(
                name,
                new ServerSettings.Maps(map, offered, rotation),
                new ServerSettings.Access(
                        password,
                        adminPassword,
                        banFile == null
                                ? Bans.none()
                                : new Bans(
                                        InstantSource.system(), banFile.initial(), banFile::write)),
                new ServerSettings.Limits(
                        hasNoGame ? 0 : maxPlayers,
                        maxPlayersPerAddress,
                        maxLoopPercent,
                        maxVisiblePlayers,
                        trusted),
                policy,
                new ServerSettings.LogSettings(
                        sessionKeys == null ? _ -> {} : sessionKeys,
                        operatorOptions.logsAddresses()),
                match.rules(games));
    }

    /**
     * The selected games; without a selection, all of them on their usual ports. A node of a
     * cluster may have none: it shows and records the players of the others. Nor are there any if
     * the settings that may select them are not known.
     */
    private List<Server.Part> parts(SettingProblems problems) {
        CommandLine line = spec.commandLine();
        boolean named =
                games.stream()
                        .anyMatch(
                                game -> line.getParseResult().hasMatchedOption("--" + game.name()));
        List<Server.Part> parts = new ArrayList<>();
        boolean known = operatorOptions.areSettingsKnown();
        if (!named && !known) {
            // The file may name games where it could not be read.
            return parts;
        }
        boolean off = true;
        for (Game game : games) {
            String where = named ? value("--" + game.name()) : "";
            if (!where.equals(OFF)) {
                off = false;
                problems.check(() -> {
                    InetSocketAddress address =
                            where.isEmpty()
                                    ? new InetSocketAddress(game.port())
                                    : HostPort.resolve(
                                            line, "--" + game.name(), where, game.port());
                    parts.add(new Server.Part(game, address, false, own(game)));
                });
            }
        }
        if (off && known && cluster.settings().isEmpty()) {
            problems.check(() -> {
                throw misused(
                        "all games are off: leave at least one of them on, or show other servers'"
                                + " players with --cluster");
            });
        }
        return parts;
    }

    /** Checks all values, before the first port is opened. */
    private void check(List<Server.Part> parts, SettingProblems problems) {
        number(problems, "--max-players", maxPlayers, 1, 1000);
        number(problems, "--max-players-per-address", maxPlayersPerAddress, 1, Integer.MAX_VALUE);
        number(problems, "--max-loop-percent", maxLoopPercent, 1, 100);
        number(problems, "--max-visible-players", maxVisiblePlayers, 1, Integer.MAX_VALUE);
        number(problems, "--seconds", seconds, 0, Integer.MAX_VALUE);
        for (String same : Server.portProblems(parts)) {
            problems.check(() -> {
                throw misused(same);
            });
        }
        problems.check(() -> check(parts, PasswordRules.Kind.JOIN, password));
        problems.check(() -> check(parts, PasswordRules.Kind.ADMIN, adminPassword));
        problems.check(replay::check);
        problems.check(() -> {
            Optional<ClusterSettings> nodes = cluster.settings();
            if (nodes.isPresent()) {
                try {
                    ServerNode.check(nodes.get());
                } catch (IllegalArgumentException e) {
                    throw misused("--cluster: " + e.getMessage());
                }
            }
        });
        for (String same : files().problems()) {
            problems.check(() -> {
                throw misused(same);
            });
        }
        parts.forEach(part -> problems.check(() -> checkMap(part)));
        match.check(spec.commandLine(), games, problems);
        problems.check(() -> events.kinds(spec.commandLine()));
        web.check(spec.commandLine(), problems);
        games.forEach(game -> check(game, problems));
    }

    /** Checks that a game whose players need the file of the first map has it. */
    private void checkMap(Server.Part part) {
        Game game = part.game();
        boolean isArena = !BlockArena.nameOfMap(map).equals(map);
        if (map.isEmpty() || isArena || game.mapFormat().isEmpty()) {
            return;
        }
        try {
            if (game.mapFile(map, part.options()).isEmpty()) {
                throw misused(
                        "--map: there is no map '"
                                + map
                                + "' in the folder of "
                                + game.title()
                                + ": name another map, or another folder with --"
                                + game.name()
                                + "-data");
            }
        } catch (IOException _) {
            // The folder is wrong, which the check of the game's settings reports.
        }
    }

    /** Checks the settings of a game, also of one that is not served, until none is wrong. */
    private void check(Game game, SettingProblems problems) {
        Map<String, String> left = own(game);
        boolean changed = true;
        while (changed) {
            changed = false;
            try {
                game.check(left);
            } catch (IllegalArgumentException e) {
                String why = String.valueOf(e.getMessage());
                problems.addAll(List.of(Server.Part.onCommandLine(game, why)));
                // A message begins with the option that is wrong.
                changed =
                        left.keySet()
                                .removeIf(
                                        name -> why.matches("(?s)option " + name + "(?![\\w-]).*"));
            }
        }
    }

    /** The files that the options name. */
    private DistinctFiles files() {
        DistinctFiles all = new DistinctFiles();
        operatorOptions.addTo(all);
        events.addTo(all);
        all.addOutput("--race-times", match.raceTimes());
        all.addOutput("--key-log", keyLog);
        all.addOutput("--health-file", healthFile());
        recordings.settings().ifPresent(it -> all.addOutput("--record", it.folder()));
        cluster.addTo(all);
        replay.addTo(all);
        for (Game game : games) {
            for (Game.Option option : game.options()) {
                String name = "--" + game.name() + "-" + option.name();
                if (option.file() == Game.Option.FileAccess.CREATE && !value(name).isEmpty()) {
                    all.addOutput(name, Path.of(value(name)));
                }
            }
        }
        arenas.addTo(all);
        return all;
    }

    private void number(SettingProblems problems, String option, int value, int min, int max) {
        problems.check(() -> {
            if (value < min || value > max) {
                String allowed =
                        max == Integer.MAX_VALUE ? "at least " + min : "from " + min + " to " + max;
                throw misused(option + " must be " + allowed + ", is " + value);
            }
        });
    }

    private void check(List<Server.Part> parts, PasswordRules.Kind kind, String secret) {
        Server.passwordProblem(parts, kind, secret)
                .ifPresent(why -> {
                    throw misused(kind.option() + ": " + why);
                });
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    /** Whether the settings are only checked, and a value names a file that would be created. */
    private boolean isToBeCreated(Game.Option option, String value) {
        return operatorOptions.check()
                && option.file() == Game.Option.FileAccess.CREATE
                && !java.nio.file.Files.exists(Path.of(value));
    }

    private void checkCreated(SettingProblems problems) {
        for (Game game : games) {
            for (Game.Option option : game.options()) {
                String name = "--" + game.name() + "-" + option.name();
                if (isToBeCreated(option, value(name)) && !value(name).isEmpty()) {
                    Path file = Path.of(value(name));
                    problems.check(
                            () -> EventOptions.checkWritable(name + ": cannot create ", file));
                }
            }
        }
    }

    private Map<String, String> own(Game game) {
        Map<String, String> options = new HashMap<>();
        for (Game.Option option : game.options()) {
            String value = value("--" + game.name() + "-" + option.name());
            if (!value.isEmpty() && !isToBeCreated(option, value)) {
                options.put(option.name(), SeekableFile.value(option, value));
            }
        }
        return options;
    }
}
