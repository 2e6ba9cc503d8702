package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.game.capture.FieldNumbers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the positions that a client sends of its player. */
public final class PositionReader implements MovementReader {
    private static final Set<String> MESSAGES = Set.of("move_player", "player_auth_input");

    @Override
    public Optional<Movement> read(DissectedMessage line) {
        return MESSAGES.contains(line.name()) && line.direction() == Direction.C2S
                ? FieldNumbers.vector(line.fields().get("position"))
                        .map(eyes -> movement(eyes, line.fields()))
                : Optional.empty();
    }

    private static Movement movement(Vec3 eyes, Map<String, ?> fields) {
        return new Movement(
                BedrockMotion.feet(new Vec3f((float) eyes.x(), (float) eyes.y(), (float) eyes.z())),
                BedrockMotion.canonicalYaw((float) FieldNumbers.number(fields.get("yaw"))),
                BedrockMotion.canonicalPitch((float) FieldNumbers.number(fields.get("pitch"))),
                Vec3.ZERO,
                Stance.STANDING);
    }
}
