package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Rascals against the endpoint for two minutes; who is left then agrees about who is here. */
class MisbehavingSauerbratenClientsTest {
    private static final int RASCALS = 3;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
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
        List<MisbehavingClient> rascals = new ArrayList<>();
        int joined = 0;
        long end = network.now() + 120 * SECOND;
        while (network.now() < end) {
            rascals.removeIf(MisbehavingClient::isOver);
            while (rascals.size() < RASCALS) {
                String name = "r" + joined++;
                rascals.add(
                        MisbehavingSauerbratenClient.join(
                                network.cycle(),
                                EnetNode.address("10.7." + joined % 250 + ".1:0"),
                                endpoint.address(),
                                name,
                                new Random(random.nextLong())));
            }
            rascals.get(random.nextInt(RASCALS)).act();
            network.run(random.nextInt(1, 40) * MILLI);
        }
        rascals.forEach(MisbehavingClient::behave);
        network.run(90 * SECOND);
        rascals.removeIf(MisbehavingClient::isOver);
        Set<String> names = new HashSet<>();
        rascals.forEach(rascal -> names.add(rascal.name()));
        assertThat(arena.players().stream().map(Player::name))
                .containsExactlyInAnyOrderElementsOf(names);
        for (MisbehavingClient rascal : rascals) {
            Set<String> others = new HashSet<>(names);
            others.remove(rascal.name());
            assertThat(rascal.isIn()).isTrue();
            assertThat(rascal.others()).isEqualTo(others);
        }
        assertThat(endpoint.sessions()).isEqualTo(rascals.size());
        assertThat(joined).isGreaterThan(RASCALS);
    }
}
