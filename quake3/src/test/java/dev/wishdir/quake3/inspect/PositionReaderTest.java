package dev.wishdir.quake3.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.TestMessages;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

class PositionReaderTest {
    private static final double NEAR = 1e-4;

    private final PositionReader reader = new PositionReader();

    private Optional<Movement> read(Direction direction, String message, Map<String, ?> fields) {
        return reader.read(TestMessages.of(direction, "quake3", message, fields));
    }

    private Optional<Movement> snapshot(long sequence, long delta, Map<String, ?> changes) {
        assertThat(read(Direction.S2C, "netchan", Map.of("seq", sequence))).isEmpty();
        return read(Direction.S2C, "snapshot", Map.of("deltaNum", delta, "ps", changes));
    }

    private double east(long sequence, long delta, Map<String, ?> changes) {
        return snapshot(sequence, delta, changes).orElseThrow().position().x();
    }

    @Test
    void readsPlayerStatesOfServer() {
        Map<String, ?> state =
                Map.of(
                        "origin[0]", 32,
                        "origin[1]", -64,
                        "origin[2]", 96 + 24,
                        "viewangles[0]", -45,
                        "viewangles[1]", 90);
        Movement movement = snapshot(1, 0, state).orElseThrow();
        assertThat(movement.position().minus(new Vec3(1, -2, 3)).length()).isLessThan(NEAR);
        assertThat(movement.yaw()).isEqualTo(90);
        assertThat(movement.pitch()).isEqualTo(45);
        assertThat(read(Direction.C2S, "snapshot", Map.of("ps", state))).isEmpty();
    }

    @Test
    void readsSnapshotUponItsDeltaBase() {
        assertThat(east(1, 0, Map.of("origin[0]", 32))).isEqualTo(1);
        assertThat(east(2, 1, Map.of("origin[0]", 64))).isEqualTo(2);
        // The third builds on the first, not on the second; the fourth on the first too.
        assertThat(east(3, 2, Map.of())).isEqualTo(1);
        assertThat(east(4, 3, Map.of())).isEqualTo(1);
        assertThat(snapshot(9, 1, Map.of())).isEmpty();
    }
}
