package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Player;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.MisbehavingQuake3Client;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Clients that do anything, for two minutes; then all agree on who is here. */
class MisbehavingQuake3ClientsTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void convergesAfterMisbehaviour(long seed) throws IOException {
        AbuseHarness siege = new AbuseHarness();
        Random random = new Random(seed);
        if (seed % 2 == 0) {
            siege.network.conditions(new Conditions(0.05, 0.05, 20_000_000, 30_000_000));
        }
        List<MisbehavingClient> rascals = new ArrayList<>();
        int made = 0;
        int in = 0;
        for (int step = 0; step < 120 * 20; step++) {
            rascals.removeIf(MisbehavingClient::isOver);
            while (rascals.size() < 3) {
                rascals.add(
                        MisbehavingQuake3Client.join(
                                siege.network.cycle(), AbuseHarness.SERVER, "r" + made++, random));
            }
            rascals.get(random.nextInt(3)).act();
            in += rascals.getFirst().isIn() ? 1 : 0;
            siege.network.run(SECOND / 20);
        }
        siege.network.conditions(Conditions.PERFECT);
        rascals.forEach(MisbehavingClient::behave);
        // Until who left without a word that arrived is gone.
        siege.network.run(75 * SECOND);
        assertThat(in).as("steps in the game").isGreaterThan(600);
        Set<String> here = new HashSet<>();
        for (Player player : siege.arena.players()) {
            here.add(player.name());
        }
        assertThat(here).contains("alice", "bob");
        Set<String> known = new HashSet<>(Set.of("alice", "bob"));
        for (MisbehavingClient rascal : rascals) {
            assertThat(rascal.isIn()).isNotEqualTo(rascal.isOver());
            if (rascal.isIn()) {
                known.add(rascal.name());
                Set<String> seen = new HashSet<>(rascal.others());
                seen.add(rascal.name());
                assertThat(seen).isEqualTo(here);
            }
        }
        assertThat(here).isEqualTo(known);
        siege.holds();
    }
}
