package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/** Rascals against the endpoint for two minutes; who is left then agrees about who is here. */
class MisbehavingSauerbratenClientsTest {
    private static final int RASCALS = 3;

    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.conditions(new SimulatedNetwork.Conditions(0.02, 0.01, 20 * MILLI, 30 * MILLI));
        Random random = new Random(seed);
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 16);
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .random(new Random(seed))
                                .build());
        List<MisbehavingClient> abusers = new ArrayList<>();
        int joined = 0;
        long end = network.now() + 120 * SECOND;
        while (network.now() < end) {
            abusers.removeIf(MisbehavingClient::isOver);
            while (abusers.size() < RASCALS) {
                String name = "r" + joined++;
                abusers.add(
                        MisbehavingSauerbratenClient.join(
                                network.cycle(),
                                EnetNode.address("10.7." + joined % 250 + ".1:0"),
                                endpoint.address(),
                                name,
                                new Random(random.nextLong())));
            }
            abusers.get(random.nextInt(RASCALS)).act();
            network.run(random.nextInt(1, 40) * MILLI);
        }
        abusers.forEach(MisbehavingClient::behave);
        network.run(90 * SECOND);
        abusers.removeIf(MisbehavingClient::isOver);
        Set<String> names = new HashSet<>();
        abusers.forEach(abuser -> names.add(abuser.name()));
        assertThat(arena.players().stream().map(Player::name))
                .containsExactlyInAnyOrderElementsOf(names);
        for (MisbehavingClient abuser : abusers) {
            Set<String> others = new HashSet<>(names);
            others.remove(abuser.name());
            assertThat(abuser.isIn()).isTrue();
            assertThat(abuser.others()).containsExactlyInAnyOrderElementsOf(others);
        }
        assertThat(endpoint.sessions()).isEqualTo(abusers.size());
        assertThat(joined).isGreaterThan(RASCALS);
    }
}
