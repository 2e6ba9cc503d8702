package dev.wishdir.sauerbraten.inspect;

import static dev.wishdir.sauerbraten.movement.SauerbratenMotion.SCALE;

import dev.wishdir.game.capture.FieldNumbers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Map;
import java.util.Optional;

/** Reads the positions that a client sends of its player, relative to the map's corner. */
public final class PositionReader implements MovementReader {
    @Override
    public Optional<Movement> read(DissectedMessage line) {
        return line.name().equals("N_POS") && line.direction() == Direction.C2S
                ? FieldNumbers.vector(line.fields().get("pos"))
                        .map(feet -> movement(feet, line.fields()))
                : Optional.empty();
    }

    private static Movement movement(Vec3 feet, Map<String, ?> fields) {
        return new Movement(
                new Vec3(feet.x() / SCALE, -feet.y() / SCALE, feet.z() / SCALE),
                SauerbratenMotion.yaw(FieldNumbers.number(fields.get("yaw"))),
                FieldNumbers.number(fields.get("pitch")),
                Vec3.ZERO,
                Stance.STANDING);
    }
}
