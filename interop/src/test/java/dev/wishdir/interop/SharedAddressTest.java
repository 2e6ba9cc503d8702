package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Clients that share an address. */
@Tag("slow")
class SharedAddressTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(37);

    /** What 65,536 clients draw differently is the same for two of them by and by. */
    @Test
    @DisplayName("two clients of one address that draw the same numbers play at the same time")
    void separatesClientsWithEqualNumbers() throws IOException {
        RandomGenerator same = () -> 0x5_0505_0505_0505L;
        FourGames server = new FourGames(network, new Random(37), 16);
        List<TestClient> guests = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            for (String name : List.of("one", "two")) {
                guests.add(
                        new TestClient(
                                network,
                                same,
                                server,
                                game,
                                "127.0.0.1",
                                name + FourGames.ALL.indexOf(game),
                                "",
                                Map.of(),
                                TestClient.CIRCLES));
            }
        }
        server.await(guests);
        network.run(10 * SECOND);
        List<Vec3> before = guests.stream().map(guest -> server.position(guest.name)).toList();
        network.run(SECOND);
        for (int i = 0; i < guests.size(); i++) {
            TestClient guest = guests.get(i);
            assertThat(guest.in()).as("%s", guest).isTrue();
            assertThat(server.position(guest.name).distance(before.get(i)))
                    .as("%s walks", guest)
                    .isGreaterThan(0.5);
        }
        server.close();
    }
}
