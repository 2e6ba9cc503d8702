package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Dissects captures and demos of Cube 2: Sauerbraten: ENet commands, the messages in them, the info
 * protocol on the port after the game's, and {@code .dmo} files.
 *
 * <p>A retransmitted reliable message is listed once, its command each time. A fragmented message
 * is listed when its last fragment arrives. A demo gives a message {@code DEMO} for its header and
 * a {@code DEMO_PACKET} for each packet.
 */
public final class SauerbratenDissector implements Dissector {
    /** Maximum number of servers and of connections that are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    private final boolean traces;
    private final @Nullable CapturedPlayers players;
    private final Map<InetSocketAddress, Service> services = new EvictingMap<>(MAX_REMEMBERED);
    private final Map<Flow, SauerbratenFlowDissector> connections =
            new EvictingMap<>(MAX_REMEMBERED);
    private final Map<Flow, InfoFlowDissector> infoFlows = new EvictingMap<>(MAX_REMEMBERED);

    /** The protocol on a server's port. */
    private enum Service {
        GAME,
        INFO
    }

    /**
     * @param explain whether messages carry field traces
     */
    public SauerbratenDissector(boolean explain) {
        this(explain, null);
    }

    private SauerbratenDissector(boolean explain, @Nullable CapturedPlayers players) {
        traces = explain;
        this.players = players;
    }

    /** A dissector that reports the movement of players instead of messages. */
    public static SauerbratenDissector movement(CapturedPlayers players) {
        return new SauerbratenDissector(false, players);
    }

    /**
     * Recognises a server by its ENet handshake, by a message that only one side sends, or by a
     * request or answer of the info protocol; all its other flows are recognised from then on.
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
            addGame(datagram.flow(direction.get()).server());
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

    @Override
    public void forget(InetSocketAddress server) {
        services.remove(server);
    }

    private void addGame(InetSocketAddress server) {
        services.put(server, Service.GAME);
        if (server.getPort() < 0xFFFF) {
            services.putIfAbsent(
                    new InetSocketAddress(server.getAddress(), server.getPort() + 1), Service.INFO);
        }
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> sink) {
        Flow flow = datagram.flow(direction);
        SauerbratenFlowDissector known = players == null ? null : connections.get(flow);
        if (known != null) {
            dissect(known, datagram, direction, sink);
            return;
        }
        InetSocketAddress server = flow.server();
        Bytes payload = datagram.payload();
        if (services.get(server) == Service.INFO
                && SauerbratenFlowDissector.direction(payload).isPresent()) {
            addGame(server);
        }
        if (services.get(server) == Service.INFO) {
            if (players != null) {
                return;
            }
            InfoFlowDissector infoFlow =
                    infoFlows.computeIfAbsent(flow, _ -> new InfoFlowDissector(traces));
            DissectedFields info =
                    direction == Direction.C2S
                            ? infoFlow.request(payload)
                            : infoFlow.answer(payload);
            sink.accept(message(datagram, direction, Layer.MESSAGE, info));
        } else {
            dissect(
                    connections.computeIfAbsent(
                            flow, _ -> new SauerbratenFlowDissector(traces, opener(flow.server()))),
                    datagram,
                    direction,
                    sink);
        }
    }

    private @Nullable Supplier<CapturedConnection> opener(Object server) {
        return players == null ? null : () -> players.connect(SauerbratenCodec.GAME, server);
    }

    private static void dissect(
            SauerbratenFlowDissector connection,
            Datagram datagram,
            Direction direction,
            Consumer<DissectedMessage> sink) {
        connection.datagram(
                datagram.time(),
                direction,
                datagram.payload(),
                (layer, dissected) -> sink.accept(message(datagram, direction, layer, dissected)));
    }

    private static DissectedMessage message(
            Datagram datagram, Direction direction, Layer layer, DissectedFields dissected) {
        return PlayerNames.named(
                DissectedMessage.of(
                                datagram,
                                direction,
                                SauerbratenCodec.GAME,
                                layer,
                                dissected.name(),
                                dissected.fields())
                        .withBytes(dissected.bytes())
                        .withTrace(dissected.trace()));
    }

    @Override
    public boolean recogniseFile(String name, Bytes content) {
        return DemoFile.recognises(content);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> sink) {
        DemoFile demo = new DemoFile(content);
        if (players != null) {
            movement(demo, players, sink);
            return;
        }
        SequencedMap<String, Object> header = new LinkedHashMap<>();
        header.put("version", DemoFile.VERSION);
        header.put("protocol", demo.protocol());
        sink.accept(message(0, 0, Layer.TRANSPORT, new DissectedFields("DEMO", header, List.of())));
        MessageDissector messages =
                new MessageDissector(
                        SauerbratenCodec.of(demo.protocol()).orElse(SauerbratenCodec.V260),
                        traces,
                        null);
        for (var next = demo.next(); next.isPresent(); next = demo.next()) {
            DemoFile.Recorded recorded = next.get();
            double seconds = recorded.gamemillis() / 1000.0;
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("gamemillis", recorded.gamemillis());
            fields.put("channel", recorded.channel());
            fields.put("len", recorded.packet().length());
            sink.accept(
                    message(
                            recorded.number(),
                            seconds,
                            Layer.TRANSPORT,
                            new DissectedFields("DEMO_PACKET", fields, List.of())));
            messages.packet(
                    Direction.S2C,
                    recorded.channel(),
                    recorded.channel() != 0,
                    recorded.packet(),
                    inner ->
                            sink.accept(message(recorded.number(), seconds, Layer.MESSAGE, inner)));
        }
    }

    /**
     * Reports the movement in a demo, whose times are those of the server from its first packet.
     */
    private static void movement(
            DemoFile demo, CapturedPlayers players, Consumer<DissectedMessage> sink) {
        CapturedClient client =
                new CapturedClient(players.connect(SauerbratenCodec.GAME, new Object()));
        MessageDissector messages =
                new MessageDissector(
                        SauerbratenCodec.of(demo.protocol()).orElse(SauerbratenCodec.V260),
                        false,
                        client);
        OptionalInt first = OptionalInt.empty();
        for (var next = demo.next(); next.isPresent(); next = demo.next()) {
            DemoFile.Recorded recorded = next.get();
            first = first.isPresent() ? first : OptionalInt.of(recorded.gamemillis());
            double seconds = (recorded.gamemillis() - (double) first.getAsInt()) / 1000;
            client.setTime(seconds);
            messages.packet(
                    Direction.S2C,
                    recorded.channel(),
                    recorded.channel() != 0,
                    recorded.packet(),
                    inner ->
                            sink.accept(message(recorded.number(), seconds, Layer.MESSAGE, inner)));
        }
    }

    private static DissectedMessage message(
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
