package dev.wishdir.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The results of a load on a server with a clock of its own, in virtual time: Quake II's ten
 * frames.
 */
class LoadGeneratorTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CLIENTS = 4;

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private LoadGenerator generator;

    @BeforeEach
    void join() throws IOException {
        Quake2Game game = new Quake2Game();
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 16);
        cycle.add(arena::advance);
        game.serve(
                EndpointContext.builder(cycle, address, arena)
                        .options(Map.of("max-frame-rate", "10"))
                        .random(new Random(1))
                        .build());
        generator = new LoadGenerator(game, address, "", Map.of(), new Random(2));
        for (int i = 0; i < CLIENTS; i++) {
            generator.add(network::cycle, Optional.empty());
        }
        assertThat(network.runUntil(() -> generator.joined() == CLIENTS, 10 * SECOND)).isTrue();
        network.run(SECOND);
        generator.measure(network.now());
    }

    @Test
    void reportsFailureOfGenerator() {
        network.run(SECOND);
        generator.onError(new OutOfMemoryError("Java heap space"));
        assertThat(generator.errors()).hasSize(1);
        assertThat(generator.result(network.now()).problems())
                .anySatisfy(problem -> assertThat(problem.reason()).contains("Java heap space"));
    }

    @Test
    void doesNotCountCoalescedMovementsAsLost() {
        network.run(10 * SECOND);
        LoadResult result = generator.result(network.now());
        assertThat(result.loss()).isZero();
        assertThat(result.updates()).isCloseTo(10, within(0.2));
        assertThat(result.sent()).isCloseTo(CLIENTS * 400, within(8L));
        assertThat((double) result.superseded() / result.relayed()).isCloseTo(3, within(0.1));
        assertThat(result.shown()).isEqualTo(CLIENTS - 1);
        assertThat(result.flickers()).isZero();
        assertThat(result.viewerPackets()).isCloseTo(10, within(0.5));
        assertThat(result.latency().max()).isLessThan(100);
        assertThat(result.latency().mean()).isBetween(1.0, 30.0);
    }

    @Test
    void countsUnfollowedMovementsAsLost() {
        network.run(5 * SECOND);
        network.conditions(new SimulatedNetwork.Conditions(1, 0, 1_000_000, 0));
        network.run(5 * SECOND);
        LoadResult result = generator.result(network.now());
        // Of ten seconds three are old enough to be given up.
        assertThat(result.loss()).isCloseTo(3.0 / 8, within(0.02));
    }

    @Test
    void showsLostFrameInRate() {
        network.conditions(new SimulatedNetwork.Conditions(0.2, 0, 1_000_000, 0));
        network.run(10 * SECOND);
        LoadResult result = generator.result(network.now());
        assertThat(result.loss()).isZero();
        assertThat(result.updates()).isBetween(7.0, 9.0);
    }
}
