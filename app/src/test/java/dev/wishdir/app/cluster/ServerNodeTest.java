package dev.wishdir.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.BanList;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.game.operator.Rights;
import dev.wishdir.game.operator.UnsharedBan;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Operator commands and maps of several servers with one arena, in virtual time. */
class ServerNodeTest {
    private static final long STEP_NANOS = 5_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final BlockArena HALL = ArenaCatalog.shipped("hall");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00.5Z");

    private final MemoryBroker broker = new MemoryBroker(1);
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<TestServer> servers = new ArrayList<>();
    private final TestServer a = new TestServer("a", 2, ArenaCatalog.FLAT, HALL);
    private final TestServer b = new TestServer("b", 8, ArenaCatalog.FLAT, HALL);

    /** A server without sockets. */
    private final class TestServer {
        final String host;
        final DutyCycle cycle = network.cycle();
        final Arena arena;
        final SharedArena sharedArena;
        final OperatorConsole console;
        final ServerNode node;
        final List<Long> ages = new ArrayList<>();
        final List<String> log = new ArrayList<>();

        /** The file of bans. */
        BanList file = BanList.EMPTY;

        TestServer(String host, int capacity, BlockArena... arenas) {
            this.host = host;
            arena = new Arena(Level.of(arenas[0]), capacity);
            sharedArena = new SharedArena(cycle, arena, arenas[0], List.of(arenas));
            Bans bans = new Bans(() -> NOW, BanList.EMPTY, list -> file = list.get());
            console = new OperatorConsole(arena, sharedArena, bans, "");
            console.addListener(done -> log.add(done.author() + " " + done.what()));
            node =
                    ServerNode.join(
                            broker.connect(),
                            new NodeSettings(
                                    "arena",
                                    0,
                                    NodeSettings.DEFAULT_INTERVAL_NANOS,
                                    host,
                                    "1",
                                    Map.of("quake3", 27_960)),
                            arena,
                            sharedArena,
                            console,
                            ages::add,
                            new Random(servers.size()));
            servers.add(this);
        }

        TestPlayer join(String name, String address) {
            return new TestPlayer(this, name, address);
        }

        String order(String line) {
            return console.execute(broker.now(), console.author("console"), line);
        }

        Player player(String name) {
            return arena.players().stream()
                    .filter(player -> player.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        List<String> names() {
            return arena.players().stream().map(Player::name).sorted().toList();
        }

        List<String> bans() {
            return console.bans().all().stream().map(Ban::targets).toList();
        }
    }

    /** A player that leaves when it is kicked. */
    private static final class TestPlayer implements Viewer {
        final List<String> texts = new ArrayList<>();
        final ConnectionInfo connection;
        final ArenaPlayer player;
        int rounds;

        TestPlayer(TestServer server, String name, String address) {
            connection =
                    new ConnectionInfo(
                            new InetSocketAddress(InetAddress.ofLiteral(address), 1), "");
            player = server.arena.join(server.cycle.now(), "quake3", name, this);
            player.spawn(server.cycle.now(), Movement.ORIGIN);
        }

        @Override
        public ConnectionInfo connectionInfo() {
            return connection;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.Announcement e -> texts.add(e.text());
                case ArenaEvent.RoundStarted _ -> rounds++;
                case ArenaEvent.KickRequested e -> {
                    texts.add(e.reason().text());
                    player.leave(e.time(), e.reason());
                }
                default -> {}
            }
        }

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += STEP_NANOS) {
            broker.advance(STEP_NANOS);
            network.run(STEP_NANOS);
            for (TestServer server : servers) {
                server.node.advance(network.now());
                server.arena.advance(network.now());
            }
        }
    }

    @Test
    void sendsMessageToPlayersOfAllServers() {
        TestPlayer anna = a.join("anna", "192.0.2.1");
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(SECOND);
        assertThat(a.order("say restart at ten")).isEqualTo("Sent to all: restart at ten");
        run(SECOND / 10);
        assertThat(anna.texts).containsExactly("restart at ten");
        assertThat(bob.texts).containsExactly("restart at ten");
    }

    @Test
    void kicksPlayerOfOtherServer() {
        a.join("anna", "192.0.2.1");
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(SECOND);
        assertThat(a.order("kick " + a.player("bob").id() + " too loud"))
                .isEqualTo("bob was kicked.");
        run(SECOND / 10);
        assertThat(bob.texts).containsExactly("You were kicked: too loud");
        assertThat(a.names()).isEqualTo(b.names()).containsExactly("anna");
    }

    @Test
    void bansAndUnbansAddressOnAllServers() {
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(SECOND);
        a.order("ban 192.0.2.0/24 1h cheats");
        run(SECOND / 10);
        assertThat(bob.texts).containsExactly("You are banned until 2026-11-22 13:00 UTC: cheats");
        assertThat(b.bans()).containsExactly("192.0.2.0/24");
        assertThat(b.console.bans().all().getFirst().author()).isEqualTo("console at a");
        assertThat(b.log)
                .containsExactly(
                        "cluster banned 192.0.2.0/24 until 2026-11-22 13:00 UTC by console at a:"
                                + " cheats");
        b.order("unban 192.0.2.0/24");
        run(SECOND / 10);
        assertThat(a.bans()).isEmpty();
        assertThat(a.log).endsWith("cluster unbanned 192.0.2.0/24");
    }

    @Test
    void keepsChangesOfBansInFileUntilTheyAreShared() {
        run(SECOND);
        a.order("ban 192.0.2.1 1h cheats");
        a.order("ban 192.0.2.2");
        run(3 * SECOND);
        assertThat(a.file.bans()).hasSize(2);
        assertThat(a.file.unshared()).isEmpty();
        broker.setBucketAvailable(false);
        run(3 * SECOND);
        a.order("unban 192.0.2.1");
        a.order("ban 192.0.2.3");
        run(3 * SECOND);
        assertThat(a.file.unshared())
                .extracting(UnsharedBan::line)
                .containsExactly(
                        "unshared 2026-11-22T12:00:00.500Z 192.0.2.1",
                        "unshared 2026-11-22T12:00:00.500Z 192.0.2.3");
        assertThat(b.file.unshared()).as("it is not its change").isEmpty();
        broker.setBucketAvailable(true);
        run(3 * SECOND);
        assertThat(a.file.unshared()).isEmpty();
        assertThat(a.file.bans())
                .extracting(Ban::targets)
                .containsExactly("192.0.2.2", "192.0.2.3");
    }

    @Test
    void countsBansThatAreNotKeptForTheNextStart() {
        Logger logger = (Logger) LoggerFactory.getLogger(NodeEventLog.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        run(SECOND);
        logger.addAppender(lines);
        for (int i = 0; i < 1_010; i++) {
            a.order("ban 10.1." + i / 250 + "." + i % 250);
        }
        run(11 * SECOND);
        logger.detachAppender(lines);
        String why =
                " is lost for servers that are away if this one ends before NATS has stored it, as"
                        + " too many changes of bans wait; NATS is connected, and slower than they"
                        + " come";
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.startsWith("ban of"))
                .containsExactly(
                        "ban of 10.1.0.0" + why, "ban of 10.1.0.9 and of 8 others in 10 s" + why);
    }

    @Test
    void bansPlayerOfOtherServerByAddressThatOnlyItKnows() {
        a.join("anna", "192.0.2.1");
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(SECOND);
        assertThat(a.order("ban bob 1h cheats")).isEqualTo("The server of bob bans it.");
        run(SECOND / 5);
        assertThat(bob.texts).containsExactly("You are banned until 2026-11-22 13:00 UTC: cheats");
        assertThat(a.bans()).isEqualTo(b.bans()).containsExactly("192.0.2.2");
        Ban own = b.console.bans().all().getFirst();
        assertThat(own.name()).isEqualTo("bob");
        assertThat(own.author()).isEqualTo("console at a");
        assertThat(a.names()).containsExactly("anna");
    }

    @Test
    void keepsPlayersWithRightsOfOtherServersAtBan() {
        TestPlayer boss = a.join("boss", "192.0.2.2");
        TestPlayer bob = b.join("bob", "192.0.2.2");
        TestPlayer cis = a.join("cis", "192.0.2.2");
        a.console.setRights(boss.player.id(), Rights.ADMIN);
        run(SECOND);
        OperatorConsole.Author by =
                a.console.author("boss", Rights.ADMIN, "admin-password", boss.player.id());
        assertThat(a.console.execute(broker.now(), by, "ban bob 1h cheats"))
                .isEqualTo("The server of bob bans it.");
        run(SECOND);
        String banned = "You are banned until 2026-11-22 13:00 UTC: cheats";
        assertThat(bob.texts).containsExactly(banned);
        assertThat(cis.texts).containsExactly(banned);
        assertThat(a.names()).containsExactly("boss");
        assertThat(a.bans()).isEqualTo(b.bans()).containsExactly("192.0.2.2");
        assertThat(b.console.bans().all().getFirst().author())
                .isEqualTo("boss with admin-password at a");
    }

    @Test
    void bansOnServerThatStartsLater() {
        run(SECOND);
        a.order("ban 192.0.2.0/24 1h cheats");
        run(SECOND);
        TestServer c = new TestServer("c", 4, ArenaCatalog.FLAT);
        run(5 * SECOND);
        assertThat(c.bans()).containsExactly("192.0.2.0/24");
        assertThat(a.bans()).isEqualTo(b.bans()).containsExactly("192.0.2.0/24");
    }

    @Test
    void keepsPlayerOfOtherServerFromRename() {
        b.join("bob", "192.0.2.2");
        run(SECOND);
        assertThat(a.order("name bob bert"))
                .isEqualTo("bob is a player of another server: rename it there.");
        assertThat(a.names()).containsExactly("bob");
    }

    @Test
    void changesMapOfAllServers() {
        run(2 * SECOND);
        assertThat(a.order("map hall"))
                .isEqualTo("All play hall as soon as its maps are ready. Waiting for b.");
        run(2 * STEP_NANOS);
        assertThat(a.sharedArena.blocks().name()).isEqualTo("hall");
        run(STEP_NANOS);
        assertThat(b.sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(b.order("map flat"))
                .isEqualTo("All play flat as soon as its maps are ready. Waiting for a.");
        run(SECOND / 10);
        assertThat(a.sharedArena.blocks().name()).isEqualTo("flat");
    }

    @Test
    void startsMapThatIsPlayedAgainOnAllServersOnce() {
        run(2 * SECOND);
        List<String> begun = new ArrayList<>();
        for (TestServer server : servers) {
            server.sharedArena.enter(
                    _ -> {
                        throw new AssertionError("it is prepared already");
                    },
                    _ -> begun.add(server.sharedArena.blocks().name()));
        }
        assertThat(a.order("map flat")).isEqualTo("All play flat.");
        run(2 * SECOND);
        assertThat(begun).containsExactly("flat", "flat");
    }

    /**
     * A game of each server, whose maps take as long as the network's offloaded work.
     *
     * @return when each server began an arena, by host and arena
     */
    private Map<String, Long> enterGames() {
        Map<String, Long> begun = new TreeMap<>();
        for (TestServer server : servers) {
            server.sharedArena.enter(
                    arena -> _ -> begun.put(server.host + " " + arena.name(), network.now()),
                    _ -> begun.put(server.host + " flat", network.now()));
        }
        return begun;
    }

    private static long apart(Map<String, Long> times) {
        return Collections.max(times.values()) - Collections.min(times.values());
    }

    /** The maps of an arena may take seconds to make, and longer on one server than on others. */
    @Test
    void beginsMapOnAllServersTogetherOnceTheSlowestHasIt() {
        TestServer c = new TestServer("c", 8, ArenaCatalog.FLAT, HALL);
        TestPlayer anna = a.join("anna", "192.0.2.1");
        run(2 * SECOND);
        Map<String, Long> begun = enterGames();
        network.offloading(SECOND);
        assertThat(a.order("map hall"))
                .isEqualTo("All play hall as soon as its maps are ready. Waiting for b, c.");
        network.offloading(3 * SECOND);
        run(2 * SECOND);
        assertThat(a.order("map hall"))
                .isEqualTo(
                        "All play hall as soon as its maps are ready. 1 of 1 games have it."
                                + " Waiting for b, c.");
        assertThat(anna.texts)
                .containsExactly(
                        "Preparing the arena hall ...",
                        "The arena hall is ready. Waiting for b, c.");
        assertThat(c.player("anna").spawned()).as("nobody is left behind").isTrue();
        run(2 * SECOND);
        assertThat(begun).containsOnlyKeys("a hall", "b hall", "c hall");
        assertThat(apart(begun)).isLessThanOrEqualTo(2 * STEP_NANOS);
        assertThat(anna.texts).endsWith("The arena hall starts.");
        assertThat(a.node.nodes()).extracting(NodeStatus::level).containsExactly("hall", "hall");
    }

    @Test
    void waitsForServerThatPreparesMapThatIsReadyHere() {
        run(2 * SECOND);
        TestServer c = new TestServer("c", 8, ArenaCatalog.FLAT, HALL);
        run(2 * SECOND);
        c.sharedArena.enter(_ -> _ -> {}, _ -> {});
        network.offloading(2 * SECOND);
        a.order("map hall");
        run(SECOND);
        assertThat(servers)
                .extracting(it -> it.sharedArena.blocks().name())
                .containsExactly("flat", "flat", "flat");
        run(SECOND + 20_000_000);
        assertThat(servers)
                .extracting(it -> it.sharedArena.blocks().name())
                .containsExactly("hall", "hall", "hall");
    }

    @Test
    void waitsForNoServerWhereMapFails() {
        run(2 * SECOND);
        b.sharedArena.enter(
                _ -> {
                    throw new IOException("no");
                },
                _ -> {});
        network.offloading(SECOND);
        a.order("map hall");
        run(SECOND / 2);
        assertThat(a.sharedArena.blocks().name()).isEqualTo("flat");
        run(SECOND);
        assertThat(a.sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(b.sharedArena.blocks().name()).isEqualTo("flat");
    }

    @Test
    void nextMapOfRotationBeginsOnAllServersTogether() {
        for (TestServer server : servers) {
            server.arena.setMatchRules(
                    MatchRules.of(MatchMode.FFA)
                            .withTimes(
                                    Duration.ofSeconds(10), Duration.ZERO, Duration.ofSeconds(1)));
        }
        TestPlayer anna = a.join("anna", "192.0.2.1");
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(2 * SECOND);
        Map<String, Long> begun = enterGames();
        network.offloading(4 * SECOND);
        run(14 * SECOND);
        assertThat(begun).containsOnlyKeys("a hall", "b hall");
        assertThat(apart(begun)).isLessThanOrEqualTo(2 * STEP_NANOS);
        begun.clear();
        run(11 * SECOND);
        assertThat(begun).containsOnlyKeys("a flat", "b flat");
        assertThat(apart(begun)).isLessThanOrEqualTo(2 * STEP_NANOS);
        for (TestPlayer player : List.of(anna, bob)) {
            assertThat(player.rounds).as("one in each further arena").isEqualTo(2);
        }
    }

    @Test
    void changesMapOfAllServersWhileThatOfOthersIsBeingPrepared() {
        BlockArena other = ArenaCatalog.shipped("hills");
        TestServer c = new TestServer("c", 8, ArenaCatalog.FLAT, HALL, other);
        TestServer d = new TestServer("d", 8, ArenaCatalog.FLAT, HALL, other);
        run(2 * SECOND);
        c.sharedArena.enter(_ -> _ -> {}, _ -> {});
        network.offloading(40 * SECOND);
        a.order("map hall");
        // Its preparation times out, and is tried again, as a plays hall then.
        run(6 * SECOND);
        assertThat(a.sharedArena.blocks().name()).isEqualTo("hall");
        network.offloading(2 * SECOND);
        run(SECOND / 10);
        c.order("map hills");
        run(3 * SECOND);
        assertThat(d.sharedArena.blocks().name()).isEqualTo("hills");
        run(2 * SECOND);
        c.order("map hall");
        run(3 * SECOND);
        assertThat(servers).extracting(it -> it.sharedArena.blocks().name()).containsOnly("hall");
    }

    @Test
    void endsInOneMapAfterTwoChangesAtOnce() {
        TestServer c = new TestServer("c", 8, ArenaCatalog.FLAT, HALL);
        run(2 * SECOND);
        a.order("map hall");
        b.order("map flat");
        run(SECOND);
        String played = a.sharedArena.blocks().name();
        assertThat(b.sharedArena.blocks().name()).isEqualTo(played);
        assertThat(c.sharedArena.blocks().name()).isEqualTo(played);
    }

    @Test
    void logsBothVersionsOfProtocol() {
        Logger logger = (Logger) LoggerFactory.getLogger(NodeEventLog.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        Header.Builder header = Header.newBuilder().setMajor(2).setNode(7).setEpoch(1);
        broker.connect()
                .publish(
                        "wishdir.arena.move.7",
                        Batch.newBuilder().setHeader(header).build().toByteArray());
        run(SECOND);
        logger.detachAppender(lines);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.startsWith("node 7 "))
                .containsExactly(
                        "node 7 speaks cluster protocol 2, this server 1: it is not shown",
                        "node 7 speaks cluster protocol 2, this server 1: it is not shown");
    }

    @Test
    void keepsMapWhereItDoesNotHaveThatOfOthers() {
        TestServer c = new TestServer("c", 8, ArenaCatalog.FLAT);
        TestPlayer anna = a.join("anna", "192.0.2.1");
        run(2 * SECOND);
        assertThat(c.player("anna").spawned()).isTrue();
        a.order("map hall");
        run(SECOND);
        assertThat(c.sharedArena.blocks().name()).isEqualTo("flat");
        assertThat(c.player("anna").spawned()).as("no body among other walls").isFalse();
        assertThat(b.player("anna").spawned()).isTrue();
        assertThat(anna.player.isHere()).isTrue();
    }

    @Test
    void namesServerWithMostRoom() {
        TestServer c = new TestServer("c", 4, ArenaCatalog.FLAT);
        run(2 * SECOND);
        assertThat(a.node.room("quake3")).contains(new OtherServers.Address("b", 27_960));
        assertThat(a.node.room("bedrock")).isEmpty();
        for (int i = 0; i < 7; i++) {
            b.join("b" + i, "192.0.2.2");
        }
        run(SECOND);
        assertThat(a.node.room("quake3")).contains(new OtherServers.Address("c", 27_960));
        for (int i = 0; i < 4; i++) {
            c.join("c" + i, "192.0.2.3");
        }
        b.join("b7", "192.0.2.2");
        run(SECOND);
        assertThat(a.node.room("quake3")).isEmpty();
    }

    @Test
    void showsNodesInStatusAndFigures() {
        TestPlayer bob = b.join("bob", "192.0.2.2");
        run(2 * SECOND);
        int own = a.node.nodes().isEmpty() ? 0 : b.node.nodes().getFirst().number();
        int other = a.node.nodes().getFirst().number();
        assertThat(a.order("status"))
                .contains(other + ":1", "bob", "1 of 3 players")
                .containsPattern(
                        "nodes: this one is "
                                + own
                                + " with 0 players, "
                                + other
                                + " b with 1 player 0\\.[0-9] ms");
        ClusterFigures figures = a.node.figures();
        assertThat(figures.isConnected()).isTrue();
        assertThat(figures.nodes()).isEqualTo(1);
        assertThat(figures.players()).isEqualTo(1);
        assertThat(figures.received()).isPositive();
        assertThat(figures.receivedBytes()).isGreaterThan(figures.received());
        assertThat(figures.faults()).isZero();
        assertThat(a.ages).hasSizeGreaterThan(10);
        b.node.end(network.now());
        servers.remove(b);
        run(SECOND);
        assertThat(a.order("status")).contains("0 of 2 players").doesNotContain("bob");
        assertThat(bob.player.isHere()).isTrue();
        assertThat(Optional.of(a.node.nodes())).contains(List.of());
    }
}
