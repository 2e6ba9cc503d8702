package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.game.MisbehavingClient;
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
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Long random sequences: nothing fails, and in the end all agree about who is here. */
@Tag("slow")
class MisbehavingBedrockClientsTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n = new BedrockNetwork(1);
    private int joined;

    private MisbehavingClient abuser(Random random) {
        try {
            return MisbehavingBedrockClient.join(
                    n.network.cycle(),
                    n.endpoint.address(),
                    "R" + ++joined,
                    new Random(random.nextLong()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void convergesAfterMisbehaviour(long seed) {
        Random random = new Random(seed);
        List<MisbehavingClient> abusers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            abusers.add(abuser(random));
        }
        for (int step = 0; step < 2400; step++) {
            abusers.replaceAll(old -> old.isOver() ? abuser(random) : old);
            abusers.get(random.nextInt(abusers.size())).act();
            n.network.run(SECOND / 20);
        }
        assertThat(joined).isGreaterThan(3);
        abusers.forEach(MisbehavingClient::behave);
        n.network.run(60 * SECOND);
        Set<String> here = n.arena.players().stream().map(Player::name).collect(Collectors.toSet());
        Set<String> in = new HashSet<>();
        for (MisbehavingClient abuser : abusers) {
            if (abuser.isIn()) {
                assertThat(in.add(abuser.name())).isTrue();
                List<String> all = new ArrayList<>(abuser.others());
                all.add(abuser.name());
                assertThat(all).containsExactlyInAnyOrderElementsOf(here);
            }
        }
        assertThat(in).isNotEmpty();
        assertThat(here).isEqualTo(in);
        assertThat(n.arena.players()).allMatch(Player::spawned);
        assertThat(n.endpoint.sessions()).hasSameSizeAs(in);
    }
}
