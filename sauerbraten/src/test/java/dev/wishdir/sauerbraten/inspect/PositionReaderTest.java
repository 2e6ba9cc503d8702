package dev.wishdir.sauerbraten.inspect;

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
        return reader.read(TestMessages.of(direction, "sauerbraten", message, fields));
    }

    @Test
    void readsPositionsOfClients() {
        Map<String, ?> fields = Map.of("pos", List.of(8.0, 16.0, 24.0), "yaw", 90, "pitch", -10);
        Movement movement = read(Direction.C2S, "N_POS", fields).orElseThrow();
        assertThat(movement.position().minus(new Vec3(1, -2, 3)).length()).isLessThan(NEAR);
        assertThat(movement.yaw()).isEqualTo(180);
        assertThat(movement.pitch()).isEqualTo(-10);
        assertThat(read(Direction.S2C, "N_POS", fields)).isEmpty();
        assertThat(read(Direction.C2S, "N_TEXT", fields)).isEmpty();
        assertThat(read(Direction.C2S, "N_POS", Map.of("pos", List.of(1, 2)))).isEmpty();
        assertThat(read(Direction.C2S, "N_POS", Map.of("pos", List.of(1, 2, Double.NaN))))
                .isEmpty();
    }
}
