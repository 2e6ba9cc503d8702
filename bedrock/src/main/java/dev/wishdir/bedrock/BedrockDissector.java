package dev.wishdir.bedrock;

import dev.wishdir.bedrock.Compression.Algorithm;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Datagram;
import dev.wishdir.wire.Dissector;
import dev.wishdir.wire.Line;
import dev.wishdir.wire.Line.Layer;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Explains captures of Bedrock: RakNet's datagrams, what became deliverable with each, and the
 * game's messages, also those of encrypted sessions whose keys are known.
 */
final class BedrockDissector implements Dissector {
    private static final int MOST_SESSIONS = 4096;
    private static final int LARGEST_BATCH = 32 << 20;
    private static final int MOST_PACKETS = 65_536;
    private static final int HEADERS = 28;

    private final boolean explain;
    private final BedrockCodec assumed;
    private final SessionKeys keys;
    private final Map<InetSocketAddress, Session> sessions =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Session> eldest) {
                    return size() > MOST_SESSIONS;
                }
            };

    BedrockDissector(boolean explain, Optional<Path> keys) throws IOException {
        this(explain, keys, BedrockCodec.V748);
    }

    /**
     * @param assumed the version of sessions whose beginning the capture lacks
     */
    BedrockDissector(boolean explain, Optional<Path> keys, BedrockCodec assumed)
            throws IOException {
        this.explain = explain;
        this.assumed = assumed;
        this.keys = keys.isPresent() ? SessionKeys.read(keys.get()) : SessionKeys.NONE;
    }

    /** One direction of a session. */
    private static final class Half {
        final List<Bytes> delivered = new ArrayList<>();
        final RakNetReceiver receiver = new RakNetReceiver(RakNetLimits.CLIENT, delivered::add);
        final BatchCodec batches = new BatchCodec(LARGEST_BATCH, MOST_PACKETS);
        final Middle middle = new Middle();
    }

    private static final class Session {
        Half client = new Half();
        Half server = new Half();
        BedrockCodec codec;
        boolean cookie;
        boolean dark;
        boolean begun;
        boolean agreed;

        Session(BedrockCodec assumed) {
            codec = assumed;
        }

        Half half(Direction direction) {
            return direction == Direction.C2S ? client : server;
        }

        /** Another connection begins at the same address. */
        void restart() {
            client = new Half();
            server = new Half();
            dark = false;
            begun = true;
            agreed = true;
        }
    }

    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        Bytes payload = datagram.payload();
        int id = payload.length() == 0 ? -1 : payload.get(0) & 0xFF;
        return switch (id) {
            case OfflineMessage.UNCONNECTED_PING,
                    OfflineMessage.UNCONNECTED_PING_OPEN_CONNECTIONS ->
                    marked(payload, 9, Direction.C2S);
            case OfflineMessage.OPEN_CONNECTION_REQUEST_1,
                    OfflineMessage.OPEN_CONNECTION_REQUEST_2 ->
                    marked(payload, 1, Direction.C2S);
            case OfflineMessage.UNCONNECTED_PONG -> marked(payload, 17, Direction.S2C);
            case OfflineMessage.INCOMPATIBLE_PROTOCOL_VERSION -> marked(payload, 2, Direction.S2C);
            case OfflineMessage.OPEN_CONNECTION_REPLY_1,
                    OfflineMessage.OPEN_CONNECTION_REPLY_2,
                    OfflineMessage.ALREADY_CONNECTED,
                    OfflineMessage.NO_FREE_INCOMING_CONNECTIONS,
                    OfflineMessage.CONNECTION_BANNED,
                    OfflineMessage.IP_RECENTLY_CONNECTED ->
                    marked(payload, 1, Direction.S2C);
            default -> Optional.empty();
        };
    }

    private static Optional<Direction> marked(Bytes payload, int at, Direction direction) {
        return payload.length() >= at + RakNet.MAGIC.length()
                        && payload.slice(at, RakNet.MAGIC.length()).equals(RakNet.MAGIC)
                ? Optional.of(direction)
                : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<Line> lines) {
        new Pass(datagram, direction, lines).run();
    }

    /** The explanation of one datagram. */
    private final class Pass {
        private final Datagram datagram;
        private final Direction direction;
        private final Consumer<Line> lines;
        private final Session session;

        Pass(Datagram datagram, Direction direction, Consumer<Line> lines) {
            this.datagram = datagram;
            this.direction = direction;
            this.lines = lines;
            InetSocketAddress client =
                    direction == Direction.C2S ? datagram.source() : datagram.destination();
            session = sessions.computeIfAbsent(client, _ -> new Session(assumed));
        }

        void run() {
            Bytes payload = datagram.payload();
            if (payload.length() == 0) {
                return;
            }
            int kind = payload.get(0) & 0xFF;
            try {
                if ((kind & RakNetDatagram.VALID) == 0) {
                    offline();
                } else if ((kind & (RakNetDatagram.ACK | RakNetDatagram.NACK)) != 0) {
                    acknowledgement(kind);
                } else {
                    data();
                }
            } catch (MalformedPacketException e) {
                malformed(Layer.TRANSPORT, e);
            }
        }

        private void malformed(Layer layer, MalformedPacketException e) {
            line(layer, "malformed", Map.of("error", String.valueOf(e.getMessage())), List.of());
        }

        private void line(
                Layer layer,
                String name,
                Map<String, ? extends @Nullable Object> fields,
                List<Traced> trace) {
            lines.accept(
                    Line.of(datagram, direction, BedrockGame.NAME, layer, name, fields)
                            .withTrace(trace));
        }

        private Reader reader(Bytes bytes) {
            return explain ? new Tracer(bytes) : new Reader(bytes);
        }

        private static List<Traced> trace(Reader reader) {
            return reader instanceof Tracer tracer ? tracer.fields() : List.of();
        }

        private void offline() {
            Reader r = reader(datagram.payload());
            OfflineMessage message = OfflineMessage.read(r, session.cookie);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("id", datagram.payload().get(0) & 0xFF);
            String name = offline(message, fields);
            line(Layer.TRANSPORT, name, fields, trace(r));
        }

        private String offline(OfflineMessage message, Map<String, @Nullable Object> fields) {
            switch (message) {
                case OfflineMessage.UnconnectedPing m -> {
                    fields.put("time", m.time());
                    fields.put("guid", m.guid());
                    return "unconnected_ping";
                }
                case OfflineMessage.UnconnectedPong m -> {
                    fields.put("time", m.time());
                    fields.put("guid", m.guid());
                    fields.put("motd", m.motd());
                    return "unconnected_pong";
                }
                case OfflineMessage.OpenConnectionRequest1 m -> {
                    fields.put("protocol", m.protocol());
                    padding(fields, m.padding());
                    fields.put("mtu", datagram.payload().length() + HEADERS);
                    return "open_connection_request_1";
                }
                case OfflineMessage.OpenConnectionReply1 m -> {
                    session.cookie = m.security();
                    fields.put("guid", m.guid());
                    fields.put("security", m.security());
                    if (m.security()) {
                        fields.put("cookie", m.cookie());
                    }
                    fields.put("mtu", m.mtu());
                    padding(fields, m.padding());
                    return "open_connection_reply_1";
                }
                case OfflineMessage.OpenConnectionRequest2 m -> {
                    if (session.cookie) {
                        fields.put("cookie", m.cookie());
                        fields.put("challenge", m.challenge());
                    }
                    fields.put("server", text(m.server()));
                    fields.put("mtu", m.mtu());
                    fields.put("guid", m.guid());
                    return "open_connection_request_2";
                }
                case OfflineMessage.OpenConnectionReply2 m -> {
                    session.restart();
                    fields.put("guid", m.guid());
                    fields.put("client", text(m.client()));
                    fields.put("mtu", m.mtu());
                    fields.put("encryption", m.encryption());
                    return "open_connection_reply_2";
                }
                case OfflineMessage.IncompatibleProtocolVersion m -> {
                    fields.put("protocol", m.protocol());
                    fields.put("guid", m.guid());
                    return "incompatible_protocol";
                }
                case OfflineMessage.Refusal m -> {
                    fields.put("guid", m.guid());
                    return "connection_refused";
                }
            }
        }

        private static void padding(Map<String, @Nullable Object> fields, int padding) {
            if (padding > 0) {
                fields.put("padding", padding);
            }
        }

        private static String text(InetSocketAddress address) {
            return address.getAddress().getHostAddress() + ":" + address.getPort();
        }

        private static List<String> texts(List<InetSocketAddress> addresses) {
            return addresses.stream().map(Pass::text).toList();
        }

        private void acknowledgement(int kind) {
            Reader r = reader(datagram.payload());
            Acknowledgement message = Acknowledgement.wire(r, Acknowledgement.BLANK);
            line(
                    Layer.TRANSPORT,
                    (kind & RakNetDatagram.ACK) != 0 ? "ack" : "nack",
                    Map.of(
                            "flags",
                            message.flags(),
                            "ranges",
                            message.ranges().stream()
                                    .map(range -> List.of(range.first(), range.last()))
                                    .toList()),
                    trace(r));
        }

        private void data() {
            Reader r = reader(datagram.payload());
            RakNetDatagram message = RakNetDatagram.wire(r, RakNetDatagram.BLANK);
            Half half = session.half(direction);
            List<Map<String, @Nullable Object>> frames = new ArrayList<>();
            for (Frame frame : message.frames()) {
                frames.add(frame(half, frame));
            }
            line(
                    Layer.TRANSPORT,
                    "data",
                    Map.of("flags", message.flags(), "seq", message.number(), "frames", frames),
                    trace(r));
            List<Bytes> delivered = List.copyOf(half.delivered);
            half.delivered.clear();
            for (Bytes each : delivered) {
                if (each.length() > 0 && (each.get(0) & 0xFF) == ConnectedMessage.GAME) {
                    batch(half, each.slice(1, each.length() - 1));
                } else {
                    control(each);
                }
            }
        }

        private Map<String, @Nullable Object> frame(Half half, Frame frame) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            Reliability reliability = frame.reliability();
            fields.put("rel", reliability.ordinal());
            fields.put("flags", frame.flags());
            fields.put("len", frame.payload().length());
            if (reliability.reliable()) {
                fields.put("msg", frame.messageIndex());
            }
            if (reliability.sequenced()) {
                fields.put("sqx", frame.sequenceIndex());
            }
            if (reliability.ordered() || reliability.sequenced()) {
                fields.put("ord", frame.orderIndex());
                fields.put("ch", frame.channel());
            }
            if (frame.isPart()) {
                fields.put(
                        "split", List.of(frame.splitCount(), frame.splitId(), frame.splitIndex()));
            }
            try {
                Optional<Frame> counted =
                        session.begun ? Optional.of(frame) : half.middle.count(frame);
                if (counted.isEmpty()) {
                    return fields;
                }
                int outcome = half.receiver.frame((long) (datagram.time() * 1e9), counted.get());
                if (outcome == RakNetReceiver.DUPLICATE) {
                    fields.put("duplicate", true);
                } else if (outcome > 0) {
                    fields.put("reassembled", outcome);
                }
            } catch (MalformedPacketException e) {
                fields.put("error", e.getMessage());
            }
            return fields;
        }

        private void control(Bytes message) {
            Reader r = reader(message);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            try {
                ConnectedMessage read = ConnectedMessage.read(r);
                fields.put("id", message.get(0) & 0xFF);
                line(Layer.TRANSPORT, control(read, fields), fields, trace(r));
            } catch (MalformedPacketException e) {
                malformed(Layer.TRANSPORT, e);
            }
        }

        private static String control(
                ConnectedMessage message, Map<String, @Nullable Object> fields) {
            switch (message) {
                case ConnectedMessage.ConnectedPing m -> {
                    fields.put("time", m.time());
                    return "connected_ping";
                }
                case ConnectedMessage.ConnectedPong m -> {
                    fields.put("ping", m.ping());
                    fields.put("pong", m.pong());
                    return "connected_pong";
                }
                case ConnectedMessage.ConnectionRequest m -> {
                    fields.put("guid", m.guid());
                    fields.put("time", m.time());
                    fields.put("security", m.security());
                    return "connection_request";
                }
                case ConnectedMessage.ConnectionRequestAccepted m -> {
                    fields.put("client", text(m.client()));
                    fields.put("index", m.index());
                    fields.put("addresses", texts(m.addresses()));
                    fields.put("ping", m.ping());
                    fields.put("pong", m.pong());
                    return "connection_request_accepted";
                }
                case ConnectedMessage.NewIncomingConnection m -> {
                    fields.put("server", text(m.server()));
                    fields.put("addresses", texts(m.addresses()));
                    fields.put("ping", m.ping());
                    fields.put("pong", m.pong());
                    return "new_incoming_connection";
                }
                case ConnectedMessage.Bare m -> {
                    return m.id() == ConnectedMessage.DISCONNECTION_NOTIFICATION
                            ? "disconnect"
                            : "detect_lost_connections";
                }
            }
        }

        /**
         * What a session whose beginning is missing has agreed, by its first batch: one that starts
         * with no algorithm's marker is encrypted, or the client's first word.
         */
        private void assumeAgreed(Bytes batch) {
            session.agreed = true;
            int marker = batch.get(0) & 0xFF;
            if (marker == Algorithm.SNAPPY.marker) {
                compressed(Algorithm.SNAPPY, 0);
            } else if (marker == Algorithm.DEFLATE.marker || marker == Algorithm.NONE.marker) {
                compressed(Algorithm.DEFLATE, 0);
            } else {
                session.dark = marker != batch.length() - 1;
            }
        }

        private void compressed(Algorithm algorithm, int threshold) {
            session.client.batches.compress(algorithm, threshold);
            session.server.batches.compress(algorithm, threshold);
        }

        private void batch(Half half, Bytes batch) {
            if (!session.agreed && batch.length() > 0) {
                assumeAgreed(batch);
            }
            if (session.dark) {
                line(Layer.MESSAGE, "encrypted_batch", Map.of("length", batch.length()), List.of());
                return;
            }
            try {
                half.batches.read(batch.toArray(), this::message);
            } catch (MalformedPacketException e) {
                malformed(Layer.MESSAGE, e);
            }
        }

        private void message(Reader packet) {
            // A reader's positions count from the packet that it was last reset to.
            Bytes bytes = packet.between(0, packet.remaining());
            Reader r = reader(bytes);
            try {
                BedrockMessage message = session.codec.read(r);
                lines.accept(
                        Line.of(
                                        datagram,
                                        direction,
                                        BedrockGame.NAME,
                                        Layer.MESSAGE,
                                        session.codec.name(message),
                                        MessageFields.of(message, session.codec.dialect()))
                                .withTrace(trace(r))
                                .withBytes(isMovement(message) ? bytes : Bytes.EMPTY));
                follow(message);
            } catch (MalformedPacketException e) {
                malformed(Layer.MESSAGE, e);
            }
        }

        private static boolean isMovement(BedrockMessage message) {
            return message instanceof MovePlayer
                    || message instanceof PlayerAuthInput
                    || message instanceof MovementMessage;
        }

        /** What a message changes in how later ones are read. */
        private void follow(BedrockMessage message) {
            switch (message) {
                case LoginMessage.RequestNetworkSettings m ->
                        session.codec = BedrockCodec.of(m.protocol()).orElse(assumed);
                case LoginMessage.NetworkSettings m ->
                        compressed(Algorithm.ofSetting(m.algorithm()), m.threshold());
                case LoginMessage.ServerToClientHandshake m -> {
                    Optional<byte[]> key = keys.find(m.token());
                    session.dark = key.isEmpty();
                    key.ifPresent(session.client.batches::encrypt);
                    key.ifPresent(session.server.batches::encrypt);
                }
                default -> {}
            }
        }
    }
}
