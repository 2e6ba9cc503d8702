package dev.wishdir.quake3.server;

import dev.wishdir.game.MisbehaviourScenario;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.MisbehavingQuake3Client;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

@Tag("slow")
class MisbehavingQuake3ClientsTest {
    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        AbuseHarness harness = new AbuseHarness();
        if (seed % 2 == 0) {
            harness.network.conditions(new Conditions(0.05, 0.05, 20_000_000, 30_000_000));
        }
        new MisbehaviourScenario(
                        harness.network,
                        harness.arena,
                        Set.of("alice", "bob"),
                        UnaryOperator.identity())
                .run(new Random(seed), MisbehavingQuake3Client::join, AbuseHarness.SERVER, 0.25);
        harness.holds();
    }
}
