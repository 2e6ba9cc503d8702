package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Which frames a receiver keeps for deltas. */
class FrameHistoryTest {
    private final FrameHistory history = new FrameHistory();

    private boolean takes(int sequence, int deltaNum) {
        Frame next =
                new Frame(
                        sequence * 50,
                        Bytes.EMPTY,
                        PlayerState.ZERO,
                        new int[0],
                        new EntityState[0]);
        Snapshot snapshot = next.since(Frame.EMPTY, deltaNum, 0, Map.of(), new EntityDeltaCache());
        assertThat(snapshot.entities()).isEqualTo(List.of());
        return history.add(sequence, snapshot) != null;
    }

    @Test
    void dropsFramesOlderThanNewestBase() {
        assertThat(takes(1, 0)).isTrue();
        for (int sequence = 2; sequence <= 200; sequence++) {
            int base = Math.max(1, sequence - 5);
            assertThat(takes(sequence, sequence - base)).isTrue();
            for (int old = 1; old <= sequence; old++) {
                assertThat(history.get(old) != null)
                        .as("%d of %d", old, sequence)
                        .isEqualTo(old >= base);
            }
        }
    }

    @Test
    void keepsStateAfterWholeFrameOrLostBase() {
        assertThat(takes(1, 0)).isTrue();
        assertThat(takes(2, 0)).isTrue();
        assertThat(takes(9, 3)).isFalse();
        assertThat(takes(10, 8)).isTrue();
        assertThat(history.get(1)).isNull();
        assertThat(takes(11, 9)).isTrue();
    }

    @Test
    void continuesAfterManyLostFrames() {
        assertThat(takes(1, 0)).isTrue();
        assertThat(takes(30, 29)).isTrue();
        assertThat(takes(1_000, 0)).isTrue();
        assertThat(takes(1_001, 1)).isTrue();
        assertThat(history.get(30)).isNull();
    }
}
