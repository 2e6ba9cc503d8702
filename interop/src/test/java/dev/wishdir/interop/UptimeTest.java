package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A server that has been up for so long that milliseconds leave 31 and 32 bits. */
@Tag("slow")
class UptimeTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Map<String, Vec3> last = new HashMap<>();
    private final Map<String, Double> walked = new HashMap<>();

    private Map<String, Double> walked(long seconds) {
        walked.clear();
        network.run(seconds * SECOND);
        return Map.copyOf(walked);
    }

    @ParameterizedTest
    @ValueSource(longs = {0x7000_0000L, 1L << 31, 1L << 32})
    @DisplayName("A8 players of all games walk on where milliseconds wrap, and newcomers join")
    void walksOnOverWrap(long wrapMillis) throws IOException {
        try (FourGames server = new FourGames(network, new Random(5), 16)) {
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.Moved moved) {
                            String name = moved.player().name();
                            Vec3 at = moved.movement().position();
                            Vec3 before = last.put(name, at);
                            if (before != null) {
                                walked.merge(name, at.minus(before).length(), Double::sum);
                            }
                        }
                    });
            network.run(SECOND);
            network.stepClock(wrapMillis * MILLI - network.now() - 10 * SECOND);
            network.run(SECOND);
            List<TestClient> guests = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                guests.add(server.guest(game, game.name()));
            }
            server.await(guests);
            network.run(SECOND);
            Map<String, Double> before = walked(3);
            network.run(wrapMillis * MILLI - network.now() + 3 * SECOND);
            Map<String, Double> after = walked(3);
            assertThat(network.now()).isGreaterThan(wrapMillis * MILLI);
            for (TestClient guest : guests) {
                assertThat(guest.in()).as("%s", guest).isTrue();
                double metres = before.getOrDefault(guest.name, 0.0);
                assertThat(metres).as("%s", guest).isGreaterThan(3);
                assertThat(after.getOrDefault(guest.name, 0.0))
                        .as("%s", guest)
                        .isBetween(0.8 * metres, 1.2 * metres);
                assertThat(guest.client.others()).as("%s", guest).hasSize(3);
            }
            List<TestClient> newcomers = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                newcomers.add(server.guest(game, "new" + game.name()));
            }
            server.await(newcomers);
            assertThat(server.laws().broken()).isEmpty();
        }
    }
}
