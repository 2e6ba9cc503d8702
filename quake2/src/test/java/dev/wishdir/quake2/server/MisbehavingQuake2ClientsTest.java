package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MisbehaviourScenario;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

class MisbehavingQuake2ClientsTest {
    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        Arena arena = new Arena(Level.BOX, 20);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake2Endpoint endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .addressLimits(
                                        AddressLimits.trusting(
                                                List.of(AddressRange.parse("127.0.0.1")), 1))
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
        int in =
                new MisbehaviourScenario(network, arena, Set.of(), Quake2Text::name)
                        .run(
                                new Random(seed),
                                MisbehavingQuake2Client::join,
                                endpoint.address(),
                                0.3);
        assertThat(endpoint.sessions()).hasSize(in);
    }
}
