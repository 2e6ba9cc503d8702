package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.game.Game;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Rows of the hostile list about addresses without a session, the same for each of the games. */
class StrangersTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = SECOND / 1000;

    /** As many first packets of a session, of both directions, are sent to the other games. */
    private static final int FIRST_PACKETS = 100;

    /** The longest answer to the words that both Quakes know, {@code getchallenge} among them. */
    private static final int MAX_SHARED_ANSWER_BYTES = 64;

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Map<InetSocketAddress, Integer> answered = new HashMap<>();
    private final Map<Integer, List<byte[]>> firstByPort = new HashMap<>();
    private FourGames server;
    private final List<TestClient> guests = new ArrayList<>();
    private int newcomers;

    static List<Game> games() {
        return FourGames.ALL;
    }

    @BeforeEach
    void serve() throws IOException {
        network.tap((_, from, to, data) -> {
            if (to.getAddress().getAddress()[0] == 77) {
                answered.merge(to, data.length, Integer::sum);
            }
            for (int port : new int[] {from.getPort(), to.getPort()}) {
                List<byte[]> first = firstByPort.computeIfAbsent(port, _ -> new ArrayList<>());
                if (first.size() < FIRST_PACKETS) {
                    first.add(data);
                }
            }
        });
        server = new FourGames(network, random, 64);
        for (Game game : FourGames.ALL) {
            guests.add(server.guest(game, walker(game)));
            guests.add(server.guest(game, "seer" + game.port()));
        }
        server.await(guests);
        network.run(2 * SECOND);
    }

    private static String walker(Game game) {
        return "walker" + game.port();
    }

    private static InetSocketAddress stranger(int number) {
        try {
            byte[] address = {77, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
            return new InetSocketAddress(InetAddress.getByAddress(address), 4000);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** How often the watcher of a game saw its walker move in a second, with work in between. */
    private int movesInASecond(Game game, Runnable eachTenth) {
        TestClient watcher = guests.get(2 * FourGames.ALL.indexOf(game) + 1);
        watcher.moves.clear();
        for (int i = 0; i < 10; i++) {
            eachTenth.run();
            network.run(SECOND / 10);
        }
        return watcher.moves.getOrDefault(walker(game), 0);
    }

    private long drops(Game game) {
        return server.counters().snapshot().entrySet().stream()
                .filter(each -> each.getKey().startsWith(game.name() + ".drop."))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** All players are in, the walker is still seen as often, and a newcomer is in within 2 s. */
    private void assertUndisturbed(Game game, int quiet, int flooded) throws IOException {
        assertThat(quiet).isGreaterThan(8);
        assertThat(flooded).isBetween(quiet - quiet / 10 - 1, quiet + quiet / 10 + 1);
        assertThat(guests).allMatch(TestClient::in);
        assertThat(server.arena().players()).hasSize(guests.size());
        TestClient newcomer = server.guest(game, "newcomer" + newcomers++);
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
        assertThat(server.laws().broken()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("A1 a hundred thousand empty datagrams")
    void ignoresEmptyDatagrams(Game game) throws IOException {
        long dropped = drops(game);
        int quiet = movesInASecond(game, () -> {});
        int flooded =
                movesInASecond(
                        game,
                        () -> {
                            for (int i = 0; i < 10_000; i++) {
                                network.inject(
                                        stranger(i % 7), server.address(game.name()), new byte[0]);
                            }
                        });
        assertThat(drops(game) - dropped).isEqualTo(100_000);
        assertUndisturbed(game, quiet, flooded);
        assertThat(answered).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("A5 the packets of other games, by which their sessions begin")
    void ignoresPacketsOfOtherGames(Game game) throws IOException {
        int quiet = movesInASecond(game, () -> {});
        InetSocketAddress address = server.address(game.name());
        List<byte[]> packets = new ArrayList<>();
        for (Game other : FourGames.ALL) {
            if (!other.equals(game)) {
                List<byte[]> first = firstByPort.get(server.address(other.name()).getPort());
                assertThat(first).hasSize(FIRST_PACKETS);
                packets.addAll(first);
            }
        }
        for (Questions.Question question : Questions.all(server::address)) {
            if (!question.to().equals(address)) {
                packets.add(question.data().toArray());
            }
        }
        Map<InetSocketAddress, Integer> sent = new HashMap<>();
        for (byte[] packet : packets) {
            InetSocketAddress from = stranger(1000 + sent.size());
            sent.put(from, packet.length);
            network.inject(from, address, packet);
            network.run(MILLI);
        }
        network.run(SECOND);
        int shared = game.name().startsWith("quake") ? MAX_SHARED_ANSWER_BYTES : 0;
        answered.forEach((to, bytes) ->
                assertThat(bytes)
                        .as("answer to a packet of %d bytes", sent.get(to))
                        .isLessThanOrEqualTo(
                                shared == 0 ? 0 : Math.max(shared, sent.getOrDefault(to, 0))));
        assertUndisturbed(game, quiet, movesInASecond(game, () -> {}));
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("A8 thirty days, then a clock that steps back an hour")
    void admitsNewcomerAfterClockSteps(Game game) throws IOException {
        network.stepClock(30L * 24 * 3600 * SECOND);
        network.run(SECOND);
        network.stepClock(-3600 * SECOND);
        for (int i = 0; i < 1000; i++) {
            for (Questions.Question question : Questions.all(server::address)) {
                network.inject(stranger(i), question.to(), question.data().toArray());
            }
        }
        TestClient newcomer = server.guest(game, "newcomer");
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("G12 one address that joins and leaves without end")
    void limitsJoinsOfAddress(Game game) throws IOException {
        List<String> joined = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Joined in
                            && in.player().name().startsWith("again")) {
                        joined.add(in.player().name());
                    }
                });
        int quiet = movesInASecond(game, () -> {});
        String refused = "";
        for (int i = 0; i < 40 && refused.isEmpty(); i++) {
            TestClient again = server.guest(game, "192.0.2.7", "again" + i, "", TestClient.CIRCLES);
            network.runUntil(() -> again.in() || !again.ending.isEmpty(), SECOND / 10);
            refused = again.ending;
            again.client.close();
            network.run(MILLI);
        }
        assertThat(joined).hasSizeBetween(32, 39);
        assertThat(refused).isNotEmpty();
        assertUndisturbed(game, quiet, movesInASecond(game, () -> {}));
        network.run(2 * SECOND);
        TestClient later = server.guest(game, "192.0.2.7", "again", "", TestClient.CIRCLES);
        assertThat(network.runUntil(later::in, 2 * SECOND)).as("%s", later).isTrue();
    }
}
