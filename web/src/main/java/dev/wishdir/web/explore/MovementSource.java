package dev.wishdir.web.explore;

import dev.wishdir.motion.Movement;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.Optional;

/** Reads the movements of one client's player from the lines of its session, in their order. */
@FunctionalInterface
public interface MovementSource {
    /** Sources by game. */
    @FunctionalInterface
    interface Factory {
        /** Sources of games whose movements are not known. */
        Factory NONE = _ -> _ -> Optional.empty();

        /** Opens the source of a client that plays a game. */
        MovementSource open(String game);
    }

    /** The movement in a line, if it has one. */
    Optional<Movement> read(DissectedMessage line);
}
