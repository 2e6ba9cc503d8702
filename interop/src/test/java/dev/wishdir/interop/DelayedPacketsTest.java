package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One who hears nothing for a while still sees everybody afterwards, in a full arena. */
class DelayedPacketsTest {
    private static final long SECOND = 1_000_000_000;

    /** Longer than a busy machine lets a program wait. */
    private static final long WHILE = SECOND * 6 / 5;

    private static final int EACH = 16;

    private final Random random = new Random(31);
    private final SimulatedNetwork network = new SimulatedNetwork(31);

    /** How a client receives nothing. */
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
        network.run(10 * SECOND);
        for (TestClient guest : guests.subList(0, FourGames.ALL.size())) {
            int others = guest.bodies.size();
            assertThat(others).as("%s", guest).isGreaterThan(3 * EACH);
            int before = guest.vanished;
            way.begin(guest.cycle);
            network.run(WHILE);
            way.end(guest.cycle);
            network.run(2 * SECOND);
            assertThat(guest.vanished - before).as(guest.game.name()).isZero();
            assertThat(guest.bodies).as(guest.game.name()).hasSize(others);
            assertThat(guest.in()).as("%s", guest).isTrue();
        }
    }
}
