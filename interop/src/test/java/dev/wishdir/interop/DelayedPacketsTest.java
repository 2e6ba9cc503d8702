package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A client that receives nothing for a second still shows all players afterwards. */
@Tag("slow")
class DelayedPacketsTest {
    private static final long SECOND = 1_000_000_000;

    /** Longer than a busy machine lets a program wait. */
    private static final long WHILE = SECOND * 6 / 5;

    private static final int EACH = 16;

    private final Random random = new Random(31);
    private final SimulatedNetwork network = new SimulatedNetwork(31);

    /** The cause by which a client receives nothing. */
    enum Way {
        HELD_UP {
            @Override
            void begin(FaultInjectingDutyCycle cycle) {
                cycle.holdUp();
            }

            @Override
            void end(FaultInjectingDutyCycle cycle) {
                cycle.goOn();
            }
        },
        ALL_LOST {
            @Override
            void begin(FaultInjectingDutyCycle cycle) {
                cycle.deafen();
            }

            @Override
            void end(FaultInjectingDutyCycle cycle) {
                cycle.hear();
            }
        };

        abstract void begin(FaultInjectingDutyCycle cycle);

        abstract void end(FaultInjectingDutyCycle cycle);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("a client that receives nothing for a while loses no player, in any game")
    void losesNoPlayer(Way way) throws IOException {
        FourGames server = new FourGames(network, random, 4 * EACH);
        List<TestClient> guests = new ArrayList<>();
        for (int i = 0; i < 4 * EACH; i++) {
            Game game = FourGames.ALL.get(i % FourGames.ALL.size());
            guests.add(server.guest(game, "g" + i));
        }
        server.await(guests);
        network.run(5 * SECOND);
        List<TestClient> deaf = guests.subList(0, FourGames.ALL.size());
        Map<TestClient, Integer> others = new HashMap<>();
        Map<TestClient, Integer> vanished = new HashMap<>();
        for (TestClient guest : deaf) {
            assertThat(guest.bodies).as("%s", guest).hasSizeGreaterThan(3 * EACH);
            others.put(guest, guest.bodies.size());
            vanished.put(guest, guest.vanished);
            way.begin(guest.cycle);
        }
        network.run(WHILE);
        deaf.forEach(guest -> way.end(guest.cycle));
        network.run(2 * SECOND);
        for (TestClient guest : deaf) {
            assertThat(guest.vanished).as(guest.game.name()).isEqualTo(vanished.get(guest));
            assertThat(guest.bodies).as(guest.game.name()).hasSize(others.getOrDefault(guest, 0));
            assertThat(guest.in()).as("%s", guest).isTrue();
        }
    }
}
