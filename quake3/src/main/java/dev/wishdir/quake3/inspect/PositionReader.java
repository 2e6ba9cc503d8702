package dev.wishdir.quake3.inspect;

import dev.wishdir.game.capture.FieldNumbers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the positions of a client's player from the server's snapshots. A snapshot has only what
 * differs from an earlier one of the same client.
 */
public final class PositionReader implements MovementReader {
    /** Number of snapshots that later ones may build on. */
    private static final int MAX_STATES = 64;

    private static final List<String> FIELDS =
            List.of("origin[0]", "origin[1]", "origin[2]", "viewangles[1]", "viewangles[0]");

    private final Map<Long, double[]> states = EvictingMap.leastRecentlyUsed(MAX_STATES);
    private long sequence;

    @Override
    public Optional<Movement> read(DissectedMessage line) {
        if (line.direction() != Direction.S2C) {
            return Optional.empty();
        }
        Map<String, ?> fields = line.fields();
        return switch (line.name()) {
            case "netchan" -> {
                sequence = (long) FieldNumbers.number(fields.get("seq"));
                yield Optional.empty();
            }
            case "snapshot" -> snapshot(fields);
            default -> Optional.empty();
        };
    }

    private Optional<Movement> snapshot(Map<String, ?> fields) {
        long delta = (long) FieldNumbers.number(fields.get("deltaNum"));
        double[] base = delta == 0 ? new double[FIELDS.size()] : states.get(sequence - delta);
        if (base == null || !(fields.get("ps") instanceof Map<?, ?> changes)) {
            return Optional.empty();
        }
        double[] state = base.clone();
        for (int i = 0; i < state.length; i++) {
            if (changes.get(FIELDS.get(i)) instanceof Number number) {
                state[i] = number.doubleValue();
            }
        }
        states.put(sequence, state);
        return Optional.of(
                new Movement(
                        Quake3Motion.feet(state[0], state[1], state[2]),
                        Angles.wrap360(state[3]),
                        -state[4],
                        Vec3.ZERO,
                        Stance.STANDING));
    }
}
