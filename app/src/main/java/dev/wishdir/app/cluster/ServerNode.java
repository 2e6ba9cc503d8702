package dev.wishdir.app.cluster;

import dev.wishdir.app.command.Version;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusCounters;
import dev.wishdir.cluster.message.BanChange;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.net.loop.DutyCycle;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The node of a server: its arena, map and operator commands are those of all nodes. Used on the
 * thread of the duty cycle, but for {@link #figures} and {@link #close}.
 */
public final class ServerNode implements ClusterMember, OtherServers, NodeListener {
    private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

    private static final long SAMPLE_INTERVAL_NANOS = 1_000_000_000L;

    /** A node that is silent for longer is not named to players that find no room. */
    private static final long MAX_SILENT_NANOS = 1_000_000_000L;

    /** The author of what other nodes order, in logs. */
    private static final String AUTHOR = "cluster";

    /** Between the author of an order and its server. */
    private static final String AT = " at ";

    private final Bus bus;
    private final Arena arena;
    private final SharedArena sharedArena;
    private final OperatorConsole console;
    private final String host;
    private final LongConsumer ages;
    private final NodeEventLog log;
    private final Node node;

    /** The level that all are to play and this server prepares; empty for none. */
    private String wanted = "";

    private long nextSample;
    private volatile ClusterFigures figures = ClusterFigures.NONE;

    private ServerNode(
            Bus bus,
            NodeSettings settings,
            Arena arena,
            SharedArena sharedArena,
            OperatorConsole console,
            LongConsumer ages,
            RandomGenerator random) {
        this.bus = bus;
        this.arena = arena;
        this.sharedArena = sharedArena;
        this.console = console;
        this.ages = ages;
        host = settings.host();
        log = new NodeEventLog(bus::nanos);
        nextSample = bus.nanos();
        node = new Node(arena, bus, settings, sharedArena.blocks().name(), this, random);
    }

    /**
     * Checks settings.
     *
     * @throws IllegalArgumentException if a value is not allowed
     */
    public static void check(ClusterSettings settings) {
        NatsAccess.bus(settings);
        NatsAccess.node(settings, "", Map.of());
    }

    /**
     * Connects a server to the others; returns before it is connected.
     *
     * @param cycle woken by what arrives; the node is to be added to it before the arena
     * @param ports where clients of each game join
     * @param ages receives the age of each batch of another node, nanoseconds
     * @param random draws the number of the node
     * @throws IOException if a file of the settings cannot be read
     */
    public static ServerNode connect(
            ClusterSettings settings,
            DutyCycle cycle,
            Arena arena,
            SharedArena sharedArena,
            OperatorConsole console,
            Map<String, Integer> ports,
            LongConsumer ages,
            RandomGenerator random)
            throws IOException {
        Bus bus = NatsBus.connect(NatsAccess.bus(settings), () -> cycle.execute(() -> {}));
        return join(
                bus,
                NatsAccess.node(settings, Version.text(), ports),
                arena,
                sharedArena,
                console,
                ages,
                random);
    }

    /** Makes the arena of a server, its map and its operator commands those of all nodes. */
    static ServerNode join(
            Bus bus,
            NodeSettings settings,
            Arena arena,
            SharedArena sharedArena,
            OperatorConsole console,
            LongConsumer ages,
            RandomGenerator random) {
        ServerNode made = new ServerNode(bus, settings, arena, sharedArena, console, ages, random);
        sharedArena.onStart(made::onArenaStart);
        sharedArena.setAwaitedServers(made::awaited);
        console.setOtherServers(made);
        console.addStatusLine(made::status);
        return made;
    }

    private void onArenaStart(String name) {
        if (name.equals(wanted)) {
            node.startLevel(name);
        } else {
            node.changeLevel(name);
        }
        wanted = "";
    }

    /** The servers that do not have an arena ready; none if others play it already. */
    private List<String> awaited(String name) {
        return name.equals(wanted)
                ? List.of()
                : node.announceLevel(name).stream().map(NodeEventLog::serverName).toList();
    }

    private String status() {
        int own = (int) arena.players().stream().filter(it -> !it.id().isMirrored()).count();
        return log.status(node.number(), own, node.nodes());
    }

    /** The other nodes. */
    List<NodeStatus> nodes() {
        return node.nodes();
    }

    @Override
    public ClusterFigures figures() {
        return figures;
    }

    @Override
    public long advance(long now) {
        long next = node.advance(now);
        log.advance();
        if (bus.nanos() - nextSample >= 0) {
            nextSample = bus.nanos() + SAMPLE_INTERVAL_NANOS;
            figures = sample();
        }
        return sharedArena.startPending(now) ? now : next;
    }

    private ClusterFigures sample() {
        BusCounters traffic = bus.counters();
        List<NodeStatus> nodes = node.nodes();
        return new ClusterFigures(
                node.isConnected(),
                nodes.size(),
                nodes.stream().mapToInt(NodeStatus::players).sum(),
                traffic.sent(),
                traffic.received(),
                traffic.sentBytes(),
                traffic.receivedBytes(),
                traffic.dropped(),
                traffic.discarded(),
                node.faults().values().stream().mapToLong(Long::longValue).sum(),
                node.counters().staleMovements(),
                node.counters().gaps(),
                node.counters().rostersSent());
    }

    @Override
    public void announce(long now, String text) {
        node.announce(now, text);
    }

    @Override
    public void ban(Ban ban) {
        addUnshared(ban);
        node.ban(nodeBan(ban));
    }

    private NodeBan nodeBan(Ban ban) {
        return new NodeBan(
                ban.targets(),
                ban.game(),
                cut(ban.reason()),
                author(ban.author()),
                seconds(ban.end()));
    }

    /** Bans of many ranges, which only a file can have, are this server's only. */
    @Override
    public List<NodeBan> bans() {
        return console.bans().all().stream()
                .filter(ban -> ban.targets().length() <= NodeBan.MAX_TEXT_CHARS)
                .map(this::nodeBan)
                .toList();
    }

    @Override
    public List<BanChange> unsharedBans() {
        return console.bans().unshared().stream()
                .map(ban -> new BanChange(ban.targets(), ban.game(), ban.since().toEpochMilli()))
                .toList();
    }

    @Override
    public void onBanShared(String target, String game) {
        console.bans().removeUnshared(target, game);
    }

    @Override
    public void unban(Ban ban) {
        addUnshared(ban);
        node.unban(ban.targets(), ban.game());
    }

    private void addUnshared(Ban ban) {
        console.bans().addUnshared(ban).ifPresent(oldest -> log.unstored(oldest.targets()));
    }

    @Override
    public void ban(Player player, BanTerms terms) {
        node.ban(
                player.id(),
                new NodeBan(
                        Integer.toString(player.id().number()),
                        terms.game(),
                        cut(terms.reason()),
                        author(terms.author()),
                        seconds(terms.end())));
    }

    private String author(String name) {
        return cut(host.isEmpty() || name.contains(AT) ? name : name + AT + host);
    }

    private static String cut(String text) {
        return text.length() > NodeBan.MAX_TEXT_CHARS
                ? text.substring(0, NodeBan.MAX_TEXT_CHARS)
                : text;
    }

    /** The second of an end, rounded up; 0 for none. */
    private static long seconds(Optional<Instant> end) {
        return end.map(it -> Math.max(1, it.plusNanos(999_999_999).getEpochSecond())).orElse(0L);
    }

    private static Optional<Instant> end(NodeBan ban) {
        return ban.endSeconds() == 0
                ? Optional.empty()
                : Optional.of(
                        Instant.ofEpochSecond(
                                Math.min(ban.endSeconds(), Instant.MAX.getEpochSecond())));
    }

    @Override
    public Optional<Address> room(String game) {
        return node.nodes().stream()
                .filter(other -> other.ports().containsKey(game) && !other.host().isEmpty())
                .filter(other -> other.silentNanos() < MAX_SILENT_NANOS)
                .filter(other -> other.players() < other.maxPlayers())
                .max(Comparator.comparingInt(other -> other.maxPlayers() - other.players()))
                .map(other -> new Address(other.host(), other.ports().getOrDefault(game, 0)));
    }

    @Override
    public boolean onLevelWanted(long now, String name) {
        if (!sharedArena.names().contains(name)) {
            return false;
        }
        LOG.atInfo().addKeyValue("event", "level-wanted").log("all nodes play {}", name);
        wanted = name;
        sharedArena.change(now, name);
        return true;
    }

    @Override
    public String nextLevel() {
        return sharedArena.pending().orElse("");
    }

    @Override
    public void onNextLevel(String name) {
        sharedArena.prepareAhead(name);
    }

    @Override
    public boolean isPreparing(String name) {
        return sharedArena.isPreparing(name);
    }

    @Override
    public long clockMillis() {
        return console.bans().now().toEpochMilli();
    }

    @Override
    public void onBan(long now, NodeBan ban) {
        try {
            console.applyBan(
                    now,
                    AUTHOR,
                    Ban.of(ban.target(), end(ban), ban.author(), "", ban.reason(), ban.game()));
        } catch (IllegalArgumentException e) {
            log.unapplied(ban.target(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void onUnban(long now, String target, String game) {
        console.applyUnban(now, AUTHOR, target, game);
    }

    @Override
    public void onBanOrder(long now, PlayerId player, NodeBan ban) {
        arena.find(player)
                .ifPresent(it ->
                        console.banPlayer(
                                now,
                                it,
                                new BanTerms(end(ban), ban.author(), ban.reason(), ban.game())));
    }

    @Override
    public void onBatch(long ageNanos) {
        ages.accept(ageNanos);
    }

    @Override
    public void onEvent(NodeEvent event) {
        log.add(event);
    }

    @Override
    public void end(long now) {
        node.end(now);
    }

    @Override
    public void close() {
        bus.close();
    }
}
