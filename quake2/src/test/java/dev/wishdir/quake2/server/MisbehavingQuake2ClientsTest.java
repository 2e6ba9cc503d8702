package dev.wishdir.quake2.server;

import static dev.wishdir.quake2.server.Quake2EndpointTest.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Three clients do what they like for two minutes; then all agree on who is here. */
class MisbehavingQuake2ClientsTest {
    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        Random random = new Random(seed);
        SimulatedNetwork network = new SimulatedNetwork(seed);
        Arena arena = new Arena(Level.BOX, 20);
        Counters counters = new Counters();
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake2Endpoint endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .addressLimits(
                                        AddressLimits.trusting(
                                                List.of(AddressRange.parse("127.0.0.1")), 1))
                                .counters(counters)
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
        List<MisbehavingClient> abusers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            abusers.add(abuser(network, endpoint, i, random));
        }
        int joined = 0;
        for (int step = 0; step < 1200; step++) {
            int who = random.nextInt(3);
            if (abusers.get(who).isOver()) {
                abusers.set(who, abuser(network, endpoint, step, random));
            }
            joined += abusers.get(who).isIn() ? 1 : 0;
            abusers.get(who).act();
            network.run(SECOND / 10);
        }
        assertThat(joined).as("they were in most of the time").isGreaterThan(500);
        abusers.forEach(MisbehavingClient::behave);
        network.run(100 * SECOND);
        Set<String> in =
                abusers.stream()
                        .filter(MisbehavingClient::isIn)
                        .map(MisbehavingClient::name)
                        .collect(Collectors.toSet());
        Set<String> here =
                arena.players().stream()
                        .map(player -> Quake2Text.name(player.name()))
                        .collect(Collectors.toSet());
        assertThat(in).isEqualTo(here);
        assertThat(arena.players()).hasSameSizeAs(in);
        for (MisbehavingClient abuser : abusers) {
            if (abuser.isIn()) {
                Set<String> others = new TreeSet<>(here);
                others.remove(abuser.name());
                assertThat(abuser.others()).containsExactlyInAnyOrderElementsOf(others);
            }
        }
        assertThat(endpoint.sessions()).hasSameSizeAs(in);
    }

    private static MisbehavingClient abuser(
            SimulatedNetwork network, Quake2Endpoint endpoint, int number, Random random)
            throws IOException {
        return MisbehavingQuake2Client.join(
                network.cycle(), endpoint.address(), "r" + number, new Random(random.nextLong()));
    }
}
