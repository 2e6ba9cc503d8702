package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.MisbehavingQuake3Client;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/** Clients that do anything, for two minutes; then all agree on who is here. */
@Tag("slow")
class MisbehavingQuake3ClientsTest {
    private static final long SECOND = 1_000_000_000L;

    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        AbuseHarness harness = new AbuseHarness();
        Random random = new Random(seed);
        if (seed % 2 == 0) {
            harness.network.conditions(new Conditions(0.05, 0.05, 20_000_000, 30_000_000));
        }
        List<MisbehavingClient> abusers = new ArrayList<>();
        int made = 0;
        int in = 0;
        for (int step = 0; step < 120 * 20; step++) {
            abusers.removeIf(MisbehavingClient::isOver);
            while (abusers.size() < 3) {
                abusers.add(
                        MisbehavingQuake3Client.join(
                                harness.network.cycle(),
                                AbuseHarness.SERVER,
                                "r" + made++,
                                random));
            }
            abusers.get(random.nextInt(3)).act();
            in += abusers.getFirst().isIn() ? 1 : 0;
            harness.network.run(SECOND / 20);
        }
        harness.network.conditions(Conditions.PERFECT);
        abusers.forEach(MisbehavingClient::behave);
        // Until who left without a word that arrived is gone.
        harness.network.run(75 * SECOND);
        assertThat(in).as("steps in the game").isGreaterThan(600);
        Set<String> here = new HashSet<>();
        for (Player player : harness.arena.players()) {
            here.add(player.name());
        }
        assertThat(here).contains("alice", "bob");
        Set<String> known = new HashSet<>(Set.of("alice", "bob"));
        for (MisbehavingClient abuser : abusers) {
            assertThat(abuser.isIn()).isNotEqualTo(abuser.isOver());
            if (abuser.isIn()) {
                known.add(abuser.name());
                List<String> seen = new ArrayList<>(abuser.others());
                seen.add(abuser.name());
                assertThat(seen).containsExactlyInAnyOrderElementsOf(here);
            }
        }
        assertThat(here).isEqualTo(known);
        harness.holds();
    }
}
