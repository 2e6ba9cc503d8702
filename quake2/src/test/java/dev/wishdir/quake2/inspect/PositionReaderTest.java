package dev.wishdir.quake2.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.TestMessages;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class PositionReaderTest {
    private static final double NEAR = 1e-4;

    private final PositionReader reader = new PositionReader();

    private Optional<Movement> read(Direction direction, String message, Map<String, ?> fields) {
        return reader.read(TestMessages.of(direction, "quake2", message, fields));
    }

    @Test
    void readsPlayerStatesOfServer() {
        Map<String, ?> state =
                Map.of(
                        "origin",
                        List.of(8 * 32, 8 * -64, 8 * (96 + 24)),
                        "viewangles",
                        List.of(-8192, 16_384, 0));
        Movement movement = read(Direction.S2C, "frame", Map.of("ps", state)).orElseThrow();
        assertThat(movement.position().minus(new Vec3(1, -2, 3)).length()).isLessThan(NEAR);
        assertThat(movement.yaw()).isEqualTo(90);
        assertThat(movement.pitch()).isEqualTo(45);
        assertThat(read(Direction.S2C, "frame", Map.of())).isEmpty();
        assertThat(read(Direction.S2C, "print", Map.of("ps", state))).isEmpty();
    }
}
