package dev.wishdir.game;

import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The readers of a game's captures. */
public interface GameCaptures {
    /** Name as players know it. */
    String title();

    /**
     * A dissector for one capture.
     *
     * @param explain whether messages carry field traces
     * @param keys file with the keys of encrypted sessions, if the game has such
     * @throws IOException if the key file can't be read
     * @throws UnsupportedOperationException if the game has no dissector, as by default
     */
    default Dissector dissector(boolean explain, Optional<Path> keys) throws IOException {
        throw new UnsupportedOperationException(title() + " has no dissector");
    }

    /**
     * A dissector that reports the movement of players instead of messages, without texts and
     * traces. It passes on only lines about malformed packets and encrypted ones without a key.
     *
     * @param players receive what the messages say
     * @param keys lines of a key file as in {@link #dissector}, read when a session begins; lines
     *     that are not keys are ignored
     * @throws UnsupportedOperationException if the game has no dissector, as by default
     */
    default Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        throw new UnsupportedOperationException(title() + " has no dissector");
    }

    /** A reader of the movements of one client; it finds none by default. */
    default MovementReader movementReader() {
        return _ -> Optional.empty();
    }
}
