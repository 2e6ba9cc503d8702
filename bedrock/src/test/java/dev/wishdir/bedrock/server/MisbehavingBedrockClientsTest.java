package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.game.MisbehaviourScenario;
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
class MisbehavingBedrockClientsTest {
    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) throws IOException {
        BedrockNetwork n = new BedrockNetwork(1);
        int in =
                new MisbehaviourScenario(n.network, n.arena, Set.of(), UnaryOperator.identity())
                        .run(
                                new Random(seed),
                                MisbehavingBedrockClient::join,
                                n.endpoint.address(),
                                0);
        assertThat(in).isPositive();
        assertThat(n.arena.players()).allMatch(Player::spawned);
        assertThat(n.endpoint.sessions()).hasSize(in);
    }
}
