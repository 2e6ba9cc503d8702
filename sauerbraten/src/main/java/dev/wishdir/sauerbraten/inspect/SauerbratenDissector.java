package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Datagram;
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
 * Explains captures and recordings of Cube 2: Sauerbraten: the commands of ENet, the messages in
 * them, the info protocol on the port after the game's, and {@code .dmo} files.
 *
 * <p>A reliable message that was sent again is listed once; its command each time. A message in
 * fragments is listed with the last of them to come. A recording gives a line {@code DEMO} for its
 * header and a line {@code DEMO_PACKET} for each packet.
 */
public final class SauerbratenDissector implements Dissector {
    /** The most servers, and the most connections, that are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    private final boolean traces;
    private final Map<InetSocketAddress, Service> services = new EvictingMap<>(MAX_REMEMBERED);
    private final Map<Flow, SauerbratenFlowDissector> connections =
            new EvictingMap<>(MAX_REMEMBERED);
    private final Map<Flow, InfoFlowDissector> askers = new EvictingMap<>(MAX_REMEMBERED);

    /** What a server's port is for. */
    private enum Service {
        GAME,
        INFO
    }

    /**
     * @param explain whether lines have the trace of their fields
     */
    public SauerbratenDissector(boolean explain) {
        traces = explain;
    }

    /**
     * A server is known by its ENet handshake, by a message that only one side sends, or by the
     * form of a request or an answer of the info protocol; then its other flows are known too.
     */
    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        if (services.containsKey(datagram.destination())) {
            return Optional.of(Direction.C2S);
        }
        if (services.containsKey(datagram.source())) {
            return Optional.of(Direction.S2C);
        }
        Bytes payload = datagram.payload();
        Optional<Direction> direction = SauerbratenFlowDissector.direction(payload);
        if (direction.isPresent()) {
            gameAt(datagram.flow(direction.get()).server());
            return direction;
        }
        if (datagram.source().equals(datagram.destination())) {
            return Optional.empty();
        }
        if (InfoFlowDissector.isRequest(payload)) {
            services.put(datagram.destination(), Service.INFO);
            return Optional.of(Direction.C2S);
        }
        if (InfoFlowDissector.isAnswer(payload)) {
            services.put(datagram.source(), Service.INFO);
            return Optional.of(Direction.S2C);
        }
        return Optional.empty();
    }

    private void gameAt(InetSocketAddress server) {
        services.put(server, Service.GAME);
        if (server.getPort() < 0xFFFF) {
            services.putIfAbsent(
                    new InetSocketAddress(server.getAddress(), server.getPort() + 1), Service.INFO);
        }
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        Flow flow = datagram.flow(direction);
        InetSocketAddress server = flow.server();
        Bytes payload = datagram.payload();
        if (services.get(server) == Service.INFO
                && SauerbratenFlowDissector.direction(payload).isPresent()) {
            gameAt(server);
        }
        if (services.get(server) == Service.INFO) {
            InfoFlowDissector asker =
                    askers.computeIfAbsent(flow, _ -> new InfoFlowDissector(traces));
            DissectedFields info =
                    direction == Direction.C2S ? asker.request(payload) : asker.answer(payload);
            lines.accept(line(datagram, direction, Layer.MESSAGE, info));
        } else {
            connections
                    .computeIfAbsent(flow, _ -> new SauerbratenFlowDissector(traces))
                    .datagram(
                            direction,
                            payload,
                            (layer, dissected) ->
                                    lines.accept(line(datagram, direction, layer, dissected)));
        }
    }

    private static DissectedMessage line(
            Datagram datagram, Direction direction, Layer layer, DissectedFields dissected) {
        return DissectedMessage.of(
                        datagram,
                        direction,
                        SauerbratenCodec.GAME,
                        layer,
                        dissected.name(),
                        dissected.fields())
                .withBytes(dissected.bytes())
                .withTrace(dissected.trace());
    }

    @Override
    public boolean recogniseFile(String name, Bytes content) {
        return DemoFile.recognises(content);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> lines) {
        DemoFile demo = new DemoFile(content);
        SequencedMap<String, Object> header = new LinkedHashMap<>();
        header.put("version", DemoFile.VERSION);
        header.put("protocol", demo.protocol());
        lines.accept(line(0, 0, Layer.TRANSPORT, new DissectedFields("DEMO", header, List.of())));
        MessageDissector messages =
                new MessageDissector(
                        SauerbratenCodec.of(demo.protocol()).orElse(SauerbratenCodec.V260), traces);
        for (var next = demo.next(); next.isPresent(); next = demo.next()) {
            DemoFile.Recorded recorded = next.get();
            double seconds = recorded.gamemillis() / 1000.0;
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("gamemillis", recorded.gamemillis());
            fields.put("channel", recorded.channel());
            fields.put("len", recorded.packet().length());
            lines.accept(
                    line(
                            recorded.number(),
                            seconds,
                            Layer.TRANSPORT,
                            new DissectedFields("DEMO_PACKET", fields, List.of())));
            messages.packet(
                    Direction.S2C,
                    recorded.channel(),
                    recorded.channel() != 0,
                    recorded.packet(),
                    message ->
                            lines.accept(line(recorded.number(), seconds, Layer.MESSAGE, message)));
        }
    }

    private static DissectedMessage line(
            long frame, double time, Layer layer, DissectedFields dissected) {
        return new DissectedMessage(
                frame,
                time,
                Direction.S2C,
                0,
                SauerbratenCodec.GAME,
                layer,
                dissected.name(),
                dissected.fields(),
                dissected.bytes(),
                dissected.trace());
    }
}
