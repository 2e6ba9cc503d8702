package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.cluster.MemoryBroker;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.NodeBan;
import dev.wishdir.cluster.NodeEvent;
import dev.wishdir.cluster.NodeListener;
import dev.wishdir.cluster.NodeSettings;
import dev.wishdir.game.Client;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Clients of all four games on two nodes of a cluster, in virtual time. */
class NodesInFourGamesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long STEP = 5 * MILLI;

    private final MemoryBroker broker = new MemoryBroker(5);
    private final TestNode near = new TestNode(5);
    private final TestNode far = new TestNode(6);

    /** A server of all four games with a client of each. */
    private final class TestNode implements NodeListener {
        final SimulatedNetwork network;
        final FourGames server;
        final Node node;
        final List<TestClient> clients = new ArrayList<>();
        boolean isPaused;

        TestNode(int seed) {
            network = new SimulatedNetwork(seed);
            try {
                server = new FourGames(network, new Random(seed), 8);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
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

    @BeforeEach
    void join() throws IOException {
        for (TestNode each : List.of(near, far)) {
            for (int i = 0; i < FourGames.ALL.size(); i++) {
                each.clients.add(
                        each.server.guest(
                                FourGames.ALL.get(i), (each == near ? "near" : "far") + i));
            }
        }
        run(12 * SECOND);
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
    void showsAndReadsPlayersOfOtherNodeInEveryGame() {
        assertAllSeeAll();
        for (int i = 0; i < FourGames.ALL.size(); i++) {
            near.clients.get(i).client.say("from near " + i);
            far.clients.get(i).client.say("from far " + i);
            run(2 * SECOND);
            assertRead(far, "from near " + i);
            assertRead(near, "from far " + i);
        }
    }

    /**
     * As a machine that is suspended: its players leave after 15 s, and come again by the same ids.
     */
    @Test
    void showsSamePlayersAgainAfterNodeWasAway() {
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
