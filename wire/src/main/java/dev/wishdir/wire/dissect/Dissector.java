package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Explains the captured packets of one game. The inspector opens one for each capture and passes it
 * every datagram of the flows that it recognised, in order; it keeps the state that the protocol
 * needs (sessions, fragments, delta bases, keys).
 *
 * <p>It never throws because of captured bytes: what it cannot decode becomes a line named {@code
 * malformed} with the error, and the next datagram is decoded as usual.
 */
public interface Dissector {
    /**
     * Decides by one datagram whether its flow belongs to this game. Called for each datagram of a
     * flow until one is recognised.
     *
     * @return the direction of this datagram, or empty if it is not recognised
     */
    Optional<Direction> recognise(Datagram datagram);

    /** Explains a datagram of a recognised flow. */
    void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines);

    /**
     * Whether a datagram, of which these are the lines, may be of this game. A flow is taken back
     * where it is not: other programs' datagrams can look like the first of a session.
     */
    default boolean fits(Datagram datagram, List<DissectedMessage> lines) {
        return lines.stream().noneMatch(line -> line.name().equals(DissectedMessage.MALFORMED));
    }

    /** Takes back what was remembered of a server, as one of its flows is not of this game. */
    default void forget(InetSocketAddress server) {}

    /** Whether a file is a recording in this game's own format, by its name and content. */
    default boolean recogniseFile(String name, Bytes content) {
        return false;
    }

    /**
     * Explains a file that {@link #recogniseFile} accepted.
     *
     * @throws MalformedPacketException where the file violates its format; earlier lines were
     *     already passed on
     */
    default void file(Bytes content, Consumer<DissectedMessage> lines) {
        throw new UnsupportedOperationException("no recording format");
    }
}
