package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Explains the captured packets of one game: what the inspector knows of a game. One is opened for
 * a capture, fed every datagram of the flows that it recognised, in order, and keeps whatever state
 * the protocol needs (sessions, fragments, bases of deltas, keys).
 *
 * <p>It never throws for foreign bytes: what it cannot decode becomes a line named {@code
 * malformed} with the error, and the datagrams after it go on.
 */
public interface Dissector {
    /** Which way a datagram goes. */
    enum Direction {
        C2S,
        S2C;

        /** {@code c2s} or {@code s2c}. */
        public String label() {
            return this == C2S ? "c2s" : "s2c";
        }
    }

    /**
     * Whether a flow is of this game, judged by one datagram of it; asked of each datagram until
     * one answers.
     *
     * @return the way that this datagram goes, or empty if it is not known to be this game's
     */
    Optional<Direction> recognise(Datagram datagram);

    /** Explains a datagram of a recognised flow. */
    void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines);

    /** Whether a file is a recording of this game's own format, judged by its name and content. */
    default boolean recogniseFile(String name, Bytes content) {
        return false;
    }

    /**
     * Explains a file that {@link #recogniseFile} accepted.
     *
     * @throws MalformedPacketException where the file does not follow its format; lines before it
     *     have been given
     */
    default void file(Bytes content, Consumer<DissectedMessage> lines) {
        throw new UnsupportedOperationException("no recording format");
    }
}
