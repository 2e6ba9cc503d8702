package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.game.MisbehaviourScenario;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

class MisbehavingSauerbratenClientsTest {
    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    /** From an address of its own, as an address has few places. */
    private static MisbehavingClient join(
            DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
            throws IOException {
        int number = Integer.parseInt(name.substring(1));
        InetSocketAddress local = EnetNode.address("10.7." + number % 250 + ".1:0");
        return MisbehavingSauerbratenClient.join(cycle, local, server, name, random);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.conditions(new SimulatedNetwork.Conditions(0.02, 0.01, 20 * MILLI, 30 * MILLI));
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 16);
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .random(new Random(seed))
                                .build());
        int in =
                new MisbehaviourScenario(network, arena, Set.of(), UnaryOperator.identity())
                        .run(
                                new Random(seed),
                                MisbehavingSauerbratenClientsTest::join,
                                endpoint.address(),
                                0);
        assertThat(endpoint.sessions()).isEqualTo(in);
    }
}
