package dev.wishdir.quake2.inspect;

import static dev.wishdir.quake2.movement.Quake2Motion.FEET;
import static dev.wishdir.quake2.movement.Quake2Motion.SCALE;

import dev.wishdir.game.capture.FieldNumbers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Map;
import java.util.Optional;

/** Reads the positions of a client's player from the server's frames, which are explained whole. */
public final class PositionReader implements MovementReader {
    /** The parts of a unit in a player state. */
    private static final double EIGHTHS = 8;

    private static final double TURN = 65_536;

    @Override
    public Optional<Movement> read(DissectedMessage line) {
        if (!line.name().equals("frame") || !(line.fields().get("ps") instanceof Map<?, ?> state)) {
            return Optional.empty();
        }
        Optional<Vec3> origin = FieldNumbers.vector(state.get("origin"));
        Optional<Vec3> angles = FieldNumbers.vector(state.get("viewangles"));
        return origin.flatMap(at -> angles.map(view -> movement(at, view)));
    }

    private static Movement movement(Vec3 origin, Vec3 angles) {
        return new Movement(
                new Vec3(
                        origin.x() / EIGHTHS / SCALE,
                        origin.y() / EIGHTHS / SCALE,
                        (origin.z() / EIGHTHS - FEET) / SCALE),
                Angles.wrap360(angles.y() * 360 / TURN),
                -angles.x() * 360 / TURN,
                Vec3.ZERO,
                Stance.STANDING);
    }
}
