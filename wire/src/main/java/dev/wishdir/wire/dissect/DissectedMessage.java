package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Traced;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * One line of the inspector: a transport command or a message.
 *
 * @param frame number of the packet in the capture, or of the block in a recording, from 1
 * @param time seconds since the first packet; NaN where a recording has no clock
 * @param client the client's UDP port; 0 in a recording
 * @param name the protocol's own name: {@code SEND_RELIABLE}, {@code N_POS}
 * @param fields values by name: numbers, strings, booleans, lists and maps of these, null
 * @param bytes the whole message if the capture format includes it, otherwise empty
 * @param trace all fields with their positions; empty unless an explanation was requested
 * @param player the name that the client gives its player with this message, if it does
 */
public record DissectedMessage(
        long frame,
        double time,
        Direction direction,
        int client,
        String game,
        Layer layer,
        String name,
        Map<String, ?> fields,
        Bytes bytes,
        List<Traced> trace,
        Optional<PlayerName> player) {
    /** A line that gives the player no name. */
    public DissectedMessage(
            long frame,
            double time,
            Direction direction,
            int client,
            String game,
            Layer layer,
            String name,
            Map<String, ?> fields,
            Bytes bytes,
            List<Traced> trace) {
        this(
                frame,
                time,
                direction,
                client,
                game,
                layer,
                name,
                fields,
                bytes,
                trace,
                Optional.empty());
    }

    /** Name of a line about bytes that violate their protocol. */
    public static final String MALFORMED = "malformed";

    /** Name of a line about bytes that no decoder is for. */
    public static final String UNDECODED = "undecoded";

    /** The layer of the protocol that a line belongs to. */
    public enum Layer {
        TRANSPORT,
        MESSAGE
    }

    /** A line about a captured datagram, without bytes and trace. */
    public static DissectedMessage of(
            Datagram datagram,
            Direction direction,
            String game,
            Layer layer,
            String name,
            Map<String, ?> fields) {
        return new DissectedMessage(
                datagram.frame(),
                datagram.time(),
                direction,
                datagram.client(direction),
                game,
                layer,
                name,
                fields,
                Bytes.EMPTY,
                List.of());
    }

    /**
     * The fields of a line about bytes that could not be decoded: {@code error} and {@code hex}.
     */
    public static SequencedMap<String, ?> malformed(MalformedPacketException problem, Bytes bytes) {
        return undecoded(String.valueOf(problem.getMessage()), bytes);
    }

    /** The fields of a line {@link #UNDECODED}: {@code error} and {@code hex}. */
    public static SequencedMap<String, ?> undecoded(String error, Bytes bytes) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("error", error);
        fields.put("hex", bytes.hex());
        return fields;
    }

    /** This line with the trace of its fields. */
    public DissectedMessage withTrace(List<Traced> trace) {
        return new DissectedMessage(
                frame, time, direction, client, game, layer, name, fields, bytes, trace, player);
    }

    /** This line with the bytes of its message. */
    public DissectedMessage withBytes(Bytes bytes) {
        return new DissectedMessage(
                frame, time, direction, client, game, layer, name, fields, bytes, trace, player);
    }

    /** This line with the name that the client gives its player. */
    public DissectedMessage withPlayer(PlayerName player) {
        return new DissectedMessage(
                frame,
                time,
                direction,
                client,
                game,
                layer,
                name,
                fields,
                bytes,
                trace,
                Optional.of(player));
    }
}
