package dev.wishdir.game.capture;

import dev.wishdir.motion.Movement;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Optional;

/**
 * A reader of the movements of one client's player from the lines of its session, in their order.
 * It has the state on which later lines build.
 */
@FunctionalInterface
public interface MovementReader {
    /**
     * The movement in a line, if it has one: of what the client sent, or of what the server moved
     * it to. Velocity and stance may be missing.
     */
    Optional<Movement> read(DissectedMessage line);
}
