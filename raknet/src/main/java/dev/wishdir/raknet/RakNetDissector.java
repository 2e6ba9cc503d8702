package dev.wishdir.raknet;

import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;
import dev.wishdir.wire.dissect.Dissector;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Dissector of RakNet captures.
 *
 * <p>Reports each datagram, each of RakNet's own messages that it completes, and what {@link
 * ApplicationDissector} finds in the application's messages.
 */
public final class RakNetDissector implements Dissector {
    /** Dissector of an application's messages; one for each pair of client and server. */
    public interface ApplicationDissector {
        /** A connection starts, perhaps after another of the same address. */
        void onConnecting();

        /**
         * Dissects a message.
         *
         * @param datagram the one that completed the message
         * @param message whole, with its id first
         */
        void message(
                Datagram datagram,
                Direction direction,
                Bytes message,
                Consumer<DissectedMessage> lines);
    }

    private static final int MAX_SESSIONS = 4096;
    private static final int HEADERS = 28;

    private final String name;
    private final boolean explain;
    private final RakNetSettings settings;
    private final Supplier<ApplicationDissector> application;
    private final Map<InetSocketAddress, Session> sessions =
            EvictingMap.leastRecentlyUsed(MAX_SESSIONS);

    /**
     * @param name of the protocol in the output
     * @param explain whether messages have the trace of their fields
     * @param settings magic, lowest id and limits of reassembly
     * @param application creates one for each client
     */
    public RakNetDissector(
            String name,
            boolean explain,
            RakNetSettings settings,
            Supplier<ApplicationDissector> application) {
        this.name = name;
        this.explain = explain;
        this.settings = settings;
        this.application = application;
    }

    /** Dissects only RakNet; of an application's messages, only id and length are reported. */
    public RakNetDissector(String name, boolean explain, RakNetSettings settings) {
        this(name, explain, settings, () -> new IdDissector(name));
    }

    /** Reports only the id and length of an application's messages. */
    private record IdDissector(String name) implements ApplicationDissector {
        @Override
        public void onConnecting() {}

        @Override
        public void message(
                Datagram datagram,
                Direction direction,
                Bytes message,
                Consumer<DissectedMessage> lines) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("id", message.get(0) & 0xFF);
            fields.put("length", message.length());
            lines.accept(
                    DissectedMessage.of(
                            datagram, direction, name, Layer.MESSAGE, "message", fields));
        }
    }

    /** One direction of a session. */
    private static final class Half {
        private final List<Bytes> delivered = new ArrayList<>();
        private final RakNetReceiver receiver;
        private final MidStreamDecoder midStream = new MidStreamDecoder();

        Half(RakNetLimits limits) {
            receiver =
                    new RakNetReceiver(
                            limits,
                            new ReceivedDatagrams(0),
                            (message, _, _) -> delivered.add(message));
        }
    }

    private final class Session {
        private final ApplicationDissector application = RakNetDissector.this.application.get();
        private Half client = new Half(settings.limits());
        private Half server = new Half(settings.limits());
        private boolean cookie;
        private boolean started;

        Half half(Direction direction) {
            return direction == Direction.C2S ? client : server;
        }

        /** Another connection of the same address starts. */
        void restart() {
            client = new Half(settings.limits());
            server = new Half(settings.limits());
            started = true;
            application.onConnecting();
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

    private Optional<Direction> marked(Bytes payload, int at, Direction direction) {
        Bytes magic = settings.magic();
        return payload.length() >= at + magic.length()
                        && payload.slice(at, magic.length()).equals(magic)
                ? Optional.of(direction)
                : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        new Pass(datagram, direction, lines).run();
    }

    /** The explanation of one datagram. */
    private final class Pass {
        private final Datagram datagram;
        private final Direction direction;
        private final Consumer<DissectedMessage> lines;
        private final Session session;

        Pass(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
            this.datagram = datagram;
            this.direction = direction;
            this.lines = lines;
            session =
                    sessions.computeIfAbsent(datagram.flow(direction).client(), _ -> new Session());
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
                malformed(e);
            }
        }

        private void malformed(MalformedPacketException e) {
            line("malformed", Map.of("error", String.valueOf(e.getMessage())), List.of());
        }

        private void line(
                String said, Map<String, ? extends @Nullable Object> fields, List<Traced> trace) {
            lines.accept(
                    DissectedMessage.of(datagram, direction, name, Layer.TRANSPORT, said, fields)
                            .withTrace(trace));
        }

        private void offline() {
            Reader r = Reader.of(datagram.payload(), explain);
            OfflineMessage message = OfflineMessage.read(r, settings.magic(), session.cookie);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("id", datagram.payload().get(0) & 0xFF);
            line(offline(message, fields), fields, r.traced());
        }

        private String offline(OfflineMessage message, Map<String, @Nullable Object> fields) {
            switch (message) {
                case OfflineMessage.UnconnectedPing m -> {
                    fields.put("time", m.time());
                    if (!m.bare()) {
                        fields.put("guid", m.guid());
                    }
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
                    if (!m.bare()) {
                        fields.put("guid", m.guid());
                    }
                    return "incompatible_protocol";
                }
                case OfflineMessage.Refusal m -> {
                    if (!m.bare()) {
                        fields.put("guid", m.guid());
                    }
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
            return AddressText.of(address);
        }

        private static List<String> texts(List<InetSocketAddress> addresses) {
            return addresses.stream().map(Pass::text).toList();
        }

        private void acknowledgement(int kind) {
            Reader r = Reader.of(datagram.payload(), explain);
            AckPacket message = AckPacket.wire(r, AckPacket.BLANK);
            line(
                    (kind & RakNetDatagram.ACK) != 0 ? "ack" : "nack",
                    Map.of(
                            "flags",
                            message.flags(),
                            "ranges",
                            message.ranges().stream()
                                    .map(range -> List.of(range.first(), range.last()))
                                    .toList()),
                    r.traced());
        }

        private void data() {
            Reader r = Reader.of(datagram.payload(), explain);
            RakNetDatagram message = RakNetDatagram.wire(r, RakNetDatagram.BLANK);
            Half half = session.half(direction);
            List<Map<String, @Nullable Object>> frames = new ArrayList<>();
            for (Frame frame : message.frames()) {
                frames.add(frame(half, frame));
            }
            line(
                    "data",
                    Map.of("flags", message.flags(), "seq", message.number(), "frames", frames),
                    r.traced());
            List<Bytes> delivered = List.copyOf(half.delivered);
            half.delivered.clear();
            for (Bytes each : delivered) {
                if (each.length() > 0 && (each.get(0) & 0xFF) >= settings.lowestId()) {
                    session.application.message(datagram, direction, each, lines);
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
                        session.started ? Optional.of(frame) : half.midStream.renumber(frame);
                if (counted.isEmpty()) {
                    return fields;
                }
                int outcome =
                        half.receiver.frame((long) (datagram.time() * 1e9), counted.get(), false);
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
            Reader r = Reader.of(message, explain);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            try {
                ConnectedMessage read = ConnectedMessage.read(r);
                fields.put("id", message.get(0) & 0xFF);
                line(control(read, fields), fields, r.traced());
            } catch (MalformedPacketException e) {
                malformed(e);
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
    }
}
