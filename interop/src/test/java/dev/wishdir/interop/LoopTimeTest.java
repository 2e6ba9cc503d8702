package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What a session costs the loop costs itself: witnesses of all four games go on to see others. */
@Tag("slow")
class LoopTimeTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    /** Seven textures' worth in each datagram, as a client of Quake II once could ask for. */
    private static final long COST = 56 * MILLI;

    private static final long WINDOW = 12 * SECOND;

    /** In a server's first minute each has three times its share. */
    private static final long WARM_UP = 61 * SECOND;

    private static final String GREEDY = "greedy";

    private final SimulatedNetwork network = new SimulatedNetwork(9);
    private final Random random = new Random(9);

    /** How often each of them sees the others move in a while. */
    private Map<TestClient, Integer> moves(List<TestClient> witnesses, long nanos) {
        witnesses.forEach(witness -> witness.moves.clear());
        network.run(nanos);
        Map<TestClient, Integer> moves = new LinkedHashMap<>();
        for (TestClient witness : witnesses) {
            moves.put(
                    witness,
                    witness.moves.entrySet().stream()
                            .filter(seen -> !seen.getKey().contains(GREEDY))
                            .mapToInt(seen -> seen.getValue().size())
                            .sum());
        }
        return moves;
    }

    private static boolean plays(FourGames server, TestClient greedy) {
        return server.arena().players().stream()
                .anyMatch(player ->
                        player.game().equals(greedy.game.name())
                                && player.name().startsWith(GREEDY));
    }

    @Test
    @DisplayName("R1: a client of any game whose packets cost 56 ms each costs others little")
    void isolatesCostlySession() throws IOException {
        List<AddressRange> trusted = List.of(AddressRange.parse("127.0.0.1"));
        FourGames server = new FourGames(network, random, 64, "", trusted);
        List<TestClient> witnesses = new ArrayList<>();
        List<TestClient> greedy = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            String there = "127.0.5." + (1 + greedy.size());
            greedy.add(server.guest(game, there, GREEDY, "", TestClient.CIRCLES));
            witnesses.add(server.guest(game, game.name()));
            network.run(SECOND / 10);
        }
        server.await(witnesses);
        server.await(greedy);
        network.run(WARM_UP);
        Map<TestClient, Integer> quiet = moves(witnesses, WINDOW);
        for (TestClient each : greedy) {
            // A session that was sent away is answered nothing that costs.
            server.costs(from ->
                    from.getAddress().equals(each.address) && plays(server, each) ? COST : 0);
            Map<TestClient, Integer> attacked = moves(witnesses, WINDOW);
            assertThat(each.in()).as("%s", each).isFalse();
            // Sauerbraten's clients receive a line before they are kicked.
            assertThat(each.ending + each.heard.keySet()).contains("too much of the server's time");
            assertThat(witnesses).allMatch(TestClient::in);
            quiet.forEach((witness, moves) ->
                    assertThat(attacked.get(witness))
                            .as("what %s sees while %s attacks", witness.game, each.game)
                            .isGreaterThan(moves * 9 / 10));
        }
    }

    @Test
    @DisplayName("R1: packets of strangers that cost 56 ms each keep no client from elsewhere out")
    void isolatesCostlyStrangers() throws IOException {
        FourGames server = new FourGames(network, random, 64, "", List.of());
        InetAddress there = InetAddress.ofLiteral("127.0.5.1");
        server.guest(FourGames.ALL.getFirst(), "127.0.7.1", "first", "", TestClient.CIRCLES);
        network.run(WARM_UP);
        server.costs(from -> from.getAddress().equals(there) ? COST : 0);
        for (Game game : FourGames.ALL) {
            for (int i = 0; i < 40; i++) {
                InetSocketAddress from = new InetSocketAddress(there, 20_000 + i);
                Questions.all(server::address)
                        .forEach(each -> network.inject(from, each.to(), each.data().toArray()));
                network.run(SECOND / 50);
            }
            TestClient newcomer =
                    server.guest(game, "127.0.6.1", "new" + game.name(), "", TestClient.CIRCLES);
            assertThat(network.runUntil(newcomer::in, 3 * SECOND)).as("%s", newcomer).isTrue();
        }
    }
}
