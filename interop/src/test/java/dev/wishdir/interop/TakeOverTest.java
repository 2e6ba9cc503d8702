package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A session keeps its place until it is proved that nothing is at its address and port any more.
 */
@Tag("slow")
class TakeOverTest {
    private static final long SECOND = 1_000_000_000;
    private static final String HERE = "127.0.4.1";
    private static final int PORT = 30_000;

    /** What a client draws: its qport, connection id or identity. */
    private static final long DRAWN = 77;

    private final SimulatedNetwork network = new SimulatedNetwork(4);

    static List<Game> games() {
        return FourGames.ALL;
    }

    private TestClient guest(FourGames server, Game game, String name, int port)
            throws IOException {
        return new TestClient(
                network,
                new Random(DRAWN),
                server,
                game,
                HERE,
                port,
                name,
                "",
                Map.of(),
                TestClient.CIRCLES);
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("R10: a neighbour at the same address that draws the same numbers takes no place")
    void keepsPlaceFromNeighbour(Game game) throws IOException {
        FourGames server = new FourGames(network, new Random(1), 64, "", List.of());
        TestClient victim = guest(server, game, "victim", PORT);
        TestClient witness = server.guest(game, "witness");
        server.await(List.of(victim, witness));
        network.run(4 * SECOND);
        TestClient neighbour = guest(server, game, "neighbour", PORT + 1);
        for (int i = 0; i < 5; i++) {
            witness.moves.clear();
            network.run(2 * SECOND);
            assertThat(victim.in()).as("%s", victim).isTrue();
            assertThat(witness.moves).containsKey("victim");
            victim.moves.clear();
            network.run(SECOND / 2);
            assertThat(victim.moves).containsKey("witness");
        }
        assertThat(neighbour.in()).as("%s", neighbour).isTrue();
    }

    @ParameterizedTest
    @MethodSource("games")
    @DisplayName("R10: a client that was killed comes back at once at the same address and port")
    void readmitsRestartedClient(Game game) throws IOException {
        FourGames server = new FourGames(network, new Random(1), 64, "", List.of());
        TestClient victim = guest(server, game, "victim", PORT);
        server.await(List.of(victim));
        network.run(4 * SECOND);
        victim.cycle.close();
        network.run(SECOND / 2);
        TestClient again =
                new TestClient(
                        network,
                        new Random(DRAWN + 1),
                        server,
                        game,
                        HERE,
                        PORT,
                        "again",
                        "",
                        Map.of(),
                        TestClient.CIRCLES);
        assertThat(network.runUntil(again::in, 4 * SECOND)).as("%s", again).isTrue();
        network.run(SECOND / 2);
        assertThat(again.in()).as("%s", again).isTrue();
        assertThat(server.arena().players()).hasSize(1);
    }
}
