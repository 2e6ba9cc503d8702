package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Honest clients whose packets are late and lost, as those of a busy machine are. */
@Tag("slow")
class LossyLinkTest {
    private static final long SECOND = 1_000_000_000;
    static final List<Game> GAMES = FourGames.ALL;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);

    @ParameterizedTest
    @FieldSource("GAMES")
    void acceptsHonestMovementOnLossyLink(Game game) throws Exception {
        network.conditions(new SimulatedNetwork.Conditions(0.1, 0, SECOND / 10, SECOND / 20));
        try (FourGames server = new FourGames(network, random, 16, ArenaCatalog.shipped("hills"))) {
            List<TestClient> guests = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                guests.add(
                        server.guest(
                                game,
                                "guest" + i,
                                (now, _) -> {
                                    double way = now * 30.0 / SECOND % 360;
                                    return BotController.PlayerInput.walk(way, way, 0);
                                }));
            }
            server.await(guests);
            network.run(5 * SECOND);
            assertThat(server.laws().verdicts()).isEmpty();
        }
    }
}
