package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;

/**
 * Dissector of captures of any ENet program.
 *
 * <p>Reports each command, and each application message as {@code message} with channel,
 * reliability, length and bytes. A server is recognised by its handshake with a client; datagrams
 * before the first handshake are not dissected.
 */
public final class EnetDissector implements Dissector {
    private static final String NAME = "enet";

    /** Maximum number of remembered servers, and of connections. */
    private static final int MAX_FLOWS = 10_000;

    private final boolean traces;
    private final Map<InetSocketAddress, Boolean> servers = new EvictingMap<>(MAX_FLOWS);
    private final Map<Flow, EnetFlowDissector> connections = new EvictingMap<>(MAX_FLOWS);

    /**
     * @param explain whether messages have the trace of their fields
     */
    public EnetDissector(boolean explain) {
        traces = explain;
    }

    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        if (servers.containsKey(datagram.destination())) {
            return Optional.of(Direction.C2S);
        }
        if (servers.containsKey(datagram.source())) {
            return Optional.of(Direction.S2C);
        }
        Optional<Direction> direction =
                EnetFlowDissector.decode(datagram.payload())
                        .flatMap(enet ->
                                enet.commands().stream()
                                        .flatMap(c ->
                                                EnetFlowDissector.direction(enet.header(), c)
                                                        .stream())
                                        .findFirst());
        direction.ifPresent(d -> servers.put(datagram.flow(d).server(), true));
        return direction;
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        connections
                .computeIfAbsent(datagram.flow(direction), _ -> new EnetFlowDissector(traces))
                .datagram(direction, datagram.payload(), new Output(datagram, direction, lines));
    }

    /** Converts the content of one datagram. */
    private record Output(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines)
            implements EnetFlowDissector.Sink {
        @Override
        public void command(String name, Map<String, ?> fields, List<Traced> trace) {
            lines.accept(line(Layer.TRANSPORT, name, fields).withTrace(trace));
        }

        @Override
        public void message(Direction direction, int channel, boolean reliable, Bytes payload) {
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("channel", channel);
            fields.put("reliable", reliable);
            fields.put("len", payload.length());
            lines.accept(line(Layer.MESSAGE, "message", fields).withBytes(payload));
        }

        @Override
        public void malformed(MalformedPacketException problem, Bytes rest) {
            lines.accept(
                    line(Layer.TRANSPORT, "malformed", DissectedMessage.malformed(problem, rest)));
        }

        private DissectedMessage line(Layer layer, String name, Map<String, ?> fields) {
            return DissectedMessage.of(datagram, direction, NAME, layer, name, fields);
        }
    }
}
