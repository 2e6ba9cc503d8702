package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.BotRace;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.Race;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Clients of all four games on two nodes of a cluster, in virtual time. */
@SuppressWarnings("NullAway.Init") // by join, which each test calls
@Tag("slow")
class NodesInFourGamesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long STEP = 5 * MILLI;

    /** Age of the oldest place that a client of another node may show. */
    private static final long MAX_SHOWN_NANOS = 400 * MILLI;

    /** Error of a shown place: a unit of Quake III on each axis, 1/32 m, which cuts fractions. */
    private static final double SHOWN_METRES = 0.06;

    /** A course of 20 m, from the start in the west to the finish in the east. */
    private static final String COURSE =
            "wishdir-arena 1\nname t\nsize 40 16 8\nground 1\nblock # stone\nspawn -14 0 0 0\n"
                    + "start -14 0 0 6 14 4\ncheckpoint 0 0 0 2 14 4\nfinish 12 0 0 4 14 4\n"
                    + "layer 0\n"
                    + ("#".repeat(40) + "\n").repeat(16)
                    + "layers 1-7\n"
                    + (".".repeat(40) + "\n").repeat(16);

    private final MemoryBroker broker = new MemoryBroker(5);
    private TestNode near;
    private TestNode far;

    /** A server of all four games with a client of each. */
    private final class TestNode implements NodeListener {
        final SimulatedNetwork network;
        final FourGames server;
        final Node node;
        final List<TestClient> clients = new ArrayList<>();

        /** Best times of races that its players read. */
        final List<String> bestTimes = new ArrayList<>();

        boolean isPaused;

        TestNode(int seed, MatchRules rules, BlockArena arena) {
            network = new SimulatedNetwork(seed);
            try {
                server =
                        new FourGames(
                                network,
                                new Random(seed),
                                8,
                                "",
                                List.of(AddressRange.parse("127.0.0.1")),
                                rules,
                                arena);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.Announcement announcement
                                && announcement.text().contains("best time")) {
                            bestTimes.add(announcement.text());
                        }
                    });
            node =
                    new Node(
                            server.arena(),
                            broker.connect(),
                            new NodeSettings("arena", "host" + seed, "1"),
                            "flat",
                            this,
                            new Random(seed));
        }

        @Override
        public boolean onLevelWanted(long now, String name) {
            return false;
        }

        @Override
        public void onBan(long now, NodeBan ban) {}

        @Override
        public void onEvent(NodeEvent event) {}

        /** The ids of the players of the other node. */
        Set<PlayerId> others() {
            Set<PlayerId> ids =
                    new TreeSet<>(
                            Comparator.comparingInt(PlayerId::node)
                                    .thenComparingInt(PlayerId::number));
            server.arena().players().stream()
                    .map(Player::id)
                    .filter(PlayerId::isOfOtherServer)
                    .forEach(ids::add);
            return ids;
        }

        void step() {
            if (!isPaused) {
                network.run(STEP);
                node.advance(network.now());
            }
        }
    }

    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += STEP) {
            broker.advance(STEP);
            near.step();
            far.step();
        }
    }

    private void join(
            MatchRules rules, BlockArena arena, Function<Game, BotController> nearController)
            throws IOException {
        near = new TestNode(5, rules, arena);
        far = new TestNode(6, rules, arena);
        for (Game game : FourGames.ALL) {
            int number = near.clients.size();
            near.clients.add(near.server.guest(game, "near" + number, nearController.apply(game)));
            far.clients.add(far.server.guest(game, "far" + number));
        }
        run(12 * SECOND);
    }

    private void join() throws IOException {
        join(MatchRules.NONE, ArenaCatalog.FLAT, _ -> TestClient.CIRCLES);
    }

    @AfterEach
    void close() {
        for (TestNode each : List.of(near, far)) {
            assertThat(each.server.laws().broken()).isEmpty();
            assertThat(each.node.faults()).isEmpty();
            each.server.close();
        }
    }

    private void assertAllSeeAll() {
        for (TestNode each : List.of(near, far)) {
            for (TestClient client : each.clients) {
                assertThat(client.ending).isEmpty();
                assertThat(client.client.others())
                        .as("%s", client)
                        .hasSize(2 * FourGames.ALL.size() - 1);
            }
        }
    }

    private static void assertRead(TestNode by, String text) {
        for (TestClient client : by.clients) {
            assertThat(client.heard).as("%s", client).containsEntry(text, 1);
        }
    }

    @Test
    void showsAndReadsPlayersOfOtherNodeInEveryGame() throws IOException {
        join();
        assertAllSeeAll();
        for (int i = 0; i < FourGames.ALL.size(); i++) {
            near.clients.get(i).client.say("from near " + i);
            far.clients.get(i).client.say("from far " + i);
            run(2 * SECOND);
            assertRead(far, "from near " + i);
            assertRead(near, "from far " + i);
        }
    }

    /** Clients walk on one node; each client of the other shows them where they were. */
    @Test
    void showsPlacesOfOtherNodeInEveryGame() throws IOException {
        join();
        Map<String, List<ArenaEvent.Moved>> made = new HashMap<>();
        near.server
                .arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Moved moved && !moved.id().isOfOtherServer()) {
                        made.computeIfAbsent(moved.player().name(), _ -> new ArrayList<>())
                                .add(moved);
                    }
                });
        run(SECOND);
        int compared = 0;
        for (int i = 0; i < 50; i++) {
            run(8 * STEP);
            long since = near.network.now() - MAX_SHOWN_NANOS;
            for (TestClient client : far.clients) {
                for (Client.RemotePlayer other : client.client.others()) {
                    int mark = other.name().indexOf("near");
                    if (mark >= 0) {
                        Vec3 shown = other.movement().position();
                        assertThat(made.get(other.name().substring(mark)))
                                .as("%s shows %s at %s", client, other.name(), shown)
                                .anyMatch(it ->
                                        it.time() >= since
                                                && it.movement().position().distance(shown)
                                                        <= SHOWN_METRES);
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isEqualTo(50 * FourGames.ALL.size() * FourGames.ALL.size());
    }

    /** Bots of all games run on one node; the players of the other read it, and see the points. */
    @Test
    void showsBestTimesAndPointsOfOtherNodeInEveryGame() throws IOException {
        BlockArena course = ArenaText.read(COURSE);
        join(
                MatchRules.of(MatchMode.RACE)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1)),
                course,
                game -> {
                    Optional<NavigationGraph> paths =
                            Optional.of(new BodyReachability(course, game.body().orElseThrow()));
                    return new BotRace(() -> paths, TestClient.CIRCLES, new Random(7));
                });
        Race race = near.server.arena().match().race();
        for (int i = 0; i < 60 && race.roundTimes().size() < FourGames.ALL.size(); i++) {
            run(SECOND);
        }
        assertThat(race.roundTimes()).hasSize(FourGames.ALL.size());
        // What has happened arrives, and nothing more happens.
        near.isPaused = true;
        run(SECOND);
        assertThat(near.bestTimes)
                .hasSizeGreaterThanOrEqualTo(FourGames.ALL.size())
                .doesNotHaveDuplicates();
        assertThat(far.bestTimes).containsExactlyElementsOf(near.bestTimes);
        for (TestClient client : far.clients) {
            near.bestTimes.forEach(
                    text -> assertThat(client.heard).as("%s", client).containsEntry(text, 1));
        }
        // Quake's boards are of the time when they were shown, and ids of Bedrock's client have no
        // node.
        assertThat(far.clients.getFirst().client.frags().values())
                .as("the first place of each game has 10 points")
                .filteredOn(points -> points == 10)
                .hasSize(4);
    }

    /**
     * As a machine that is suspended: its players leave after 15 s, and come again by the same ids.
     */
    @Test
    void showsSamePlayersAgainAfterNodeWasAway() throws IOException {
        join();
        assertAllSeeAll();
        Set<PlayerId> ids = near.others();
        assertThat(ids).hasSize(FourGames.ALL.size());
        far.isPaused = true;
        run(16 * SECOND);
        assertThat(near.others()).isEmpty();
        for (TestClient client : near.clients) {
            assertThat(client.client.others()).as("%s", client).hasSize(FourGames.ALL.size() - 1);
        }
        far.isPaused = false;
        run(5 * SECOND);
        assertThat(near.others()).isEqualTo(ids);
        assertAllSeeAll();
        for (TestClient watcher : near.clients) {
            int moves = moves(watcher);
            run(SECOND);
            assertThat(moves(watcher)).as("%s", watcher).isGreaterThan(moves);
        }
        far.clients.getFirst().client.say("we are back");
        run(2 * SECOND);
        assertRead(near, "we are back");
    }

    /** How often a client saw players of the other node move. */
    private static int moves(TestClient watcher) {
        return watcher.client.others().stream()
                .map(Client.RemotePlayer::name)
                .filter(name -> name.contains("far"))
                .mapToInt(name -> watcher.moves.getOrDefault(name, List.of()).size())
                .sum();
    }
}
