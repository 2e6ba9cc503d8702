package dev.wishdir.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.record.message.MessageEncoder;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Test;

import java.util.OptionalLong;

class OwnFightsTest {
    @Test
    void keepsRunThatIsInUseAmongManyShortOnes() {
        OwnFights fights =
                new OwnFights(
                        new MessageEncoder(RecordingOptions.DEFAULT, 1, 0, _ -> 0),
                        _ -> OptionalLong.empty(),
                        () -> 0,
                        () -> 1,
                        _ -> {});
        long lasting = 1;
        assertThat(fights.take(lasting, 5)).isTrue();
        for (long run = 2; run < 2000; run++) {
            assertThat(fights.take(run, 1)).isTrue();
            assertThat(fights.take(lasting, 5)).as("a hit counts once, run %d", run).isFalse();
        }
    }
}
