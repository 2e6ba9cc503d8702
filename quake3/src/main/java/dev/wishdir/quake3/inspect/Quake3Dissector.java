package dev.wishdir.quake3.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.FragmentReassembler;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.FrameHistory;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitTracer;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Dissects captures and demos of Quake III, ioquake3 and OpenArena. It follows both directions, as
 * the keys of one depend on the commands of the other.
 */
public final class Quake3Dissector implements Dissector {
    private static final Set<String> CLIENT_WORDS = Set.of("getinfo", "getstatus", "getchallenge");
    private static final Set<String> SERVER_WORDS =
            Set.of("infoResponse", "statusResponse", "challengeResponse", "connectResponse");

    private static final String MALFORMED = "malformed";

    /** Maximum number of connections that are tracked. */
    private static final int MAX_TRACKED = 10_000;

    /** The state of one connection. */
    private static final class Session {
        final int challenge;
        final FragmentReassembler[] reassembler = {
            new FragmentReassembler(), new FragmentReassembler()
        };
        final FrameHistory frames = new FrameHistory();
        final @Nullable CapturedClient client;
        @Nullable Quake3Codec codec;

        /** Number of a protocol without a codec; 0 for those with one. */
        int foreignProtocol;

        /**
         * Whether the keys of usercmds are known: from the beginning, or from the next gamestate,
         * which contains a part of them.
         */
        boolean keyed = true;

        Session(int challenge, @Nullable CapturedClient client) {
            this.challenge = challenge;
            this.client = client;
        }
    }

    private final boolean explain;
    private final @Nullable CapturedPlayers players;
    private final MidStreamSessions midStreamSessions = new MidStreamSessions(MAX_TRACKED);
    private final Map<Flow, InfoString> connects = new EvictingMap<>(MAX_TRACKED);
    private final Map<Flow, Session> sessions = new EvictingMap<>(MAX_TRACKED);

    /**
     * @param explain whether lines carry traces
     */
    public Quake3Dissector(boolean explain) {
        this(explain, null);
    }

    private Quake3Dissector(boolean explain, @Nullable CapturedPlayers players) {
        this.explain = explain;
        this.players = players;
    }

    /** A dissector that reports the movement of players instead of messages. */
    public static Quake3Dissector movement(CapturedPlayers players) {
        return new Quake3Dissector(false, players);
    }

    private @Nullable CapturedClient client(Object server, boolean demo) {
        return players == null
                ? null
                : new CapturedClient(players.connect(Quake3Codec.GAME, server), demo);
    }

    /** Starts a session, which replaces an earlier one of the flow. */
    private Session start(Flow flow, int challenge) {
        Session session = new Session(challenge, client(flow.server(), false));
        Session before = sessions.put(flow, session);
        if (before != null && before.client != null) {
            before.client.close(LeaveReason.TIMED_OUT);
        }
        return session;
    }

    /** Consumer of lines: with captured players, only those about malformed packets. */
    private Consumer<DissectedMessage> filter(Consumer<DissectedMessage> lines) {
        return players == null
                ? line -> lines.accept(PlayerNames.named(line))
                : line -> {
                    if (line.name().equals(MALFORMED)) {
                        lines.accept(line);
                    }
                };
    }

    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        if (!OutOfBand.is(datagram.payload())) {
            return Optional.empty();
        }
        byte[] bytes = datagram.payload().toArray();
        int end = 4;
        while (end < bytes.length && bytes[end] > ' ') {
            end++;
        }
        String word = new String(bytes, 4, end - 4, java.nio.charset.StandardCharsets.US_ASCII);
        // Quake II ends these words with a line feed.
        if (CLIENT_WORDS.contains(word) && (end == bytes.length || bytes[end] == ' ')) {
            return Optional.of(Direction.C2S);
        }
        return SERVER_WORDS.contains(word) ? Optional.of(Direction.S2C) : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> all) {
        Consumer<DissectedMessage> lines = filter(all);
        try {
            Flow flow = datagram.flow(direction);
            if (OutOfBand.is(datagram.payload())) {
                outOfBand(flow, datagram, direction, lines);
            } else {
                inBand(flow, datagram, direction, lines);
            }
        } catch (MalformedPacketException e) {
            lines.accept(
                    DissectedMessage.of(
                            datagram,
                            direction,
                            Quake3Codec.GAME,
                            DissectedMessage.Layer.TRANSPORT,
                            MALFORMED,
                            Map.of("error", String.valueOf(e.getMessage()))));
        }
    }

    private void outOfBand(
            Flow flow, Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        OutOfBand packet = OutOfBand.read(datagram.payload());
        List<String> words = packet.words();
        String name = words.getFirst();
        if (name.equals("connect") && words.size() > 1) {
            connects.put(flow, InfoString.parse(words.get(1)));
        } else if (name.equals("connectresponse")) {
            InfoString userinfo = connects.get(flow);
            if (userinfo != null) {
                Session session = start(flow, userinfo.number("challenge", 0));
                int protocol = userinfo.number("protocol", 0);
                if (protocol == Protocol.QUAKE3_68.number()) {
                    session.codec = new Quake3Codec(Protocol.QUAKE3_68, session.challenge);
                } else if (protocol != Protocol.IOQUAKE3_71.number()) {
                    session.foreignProtocol = protocol;
                }
            }
        }
        int end = 0;
        while (end < packet.text().length() && packet.text().charAt(end) > ' ') {
            end++;
        }
        DissectedMessage line =
                DissectedMessage.of(
                        datagram,
                        direction,
                        Quake3Codec.GAME,
                        DissectedMessage.Layer.MESSAGE,
                        packet.text().substring(0, end),
                        Map.of("text", packet.text()));
        if (explain) {
            Tracer trace = new Tracer(datagram.payload());
            OutOfBand.wire(trace);
            // Without compression.
            trace.annotate(packet.text().isEmpty() ? "out of band" : packet.text());
            line = line.withTrace(trace.fields());
        }
        lines.accept(line);
    }

    private void inBand(
            Flow flow, Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        Side from = direction == Direction.C2S ? Side.CLIENT : Side.SERVER;
        byte[] bytes = datagram.payload().toArray();
        Session session = sessions.get(flow);
        if (session == null) {
            OptionalInt challenge = midStreamSessions.challenge(flow, bytes, from);
            if (challenge.isPresent()) {
                session = start(flow, challenge.getAsInt());
                session.keyed = false;
            }
        }
        if (session != null && session.foreignProtocol != 0) {
            String error = "protocol " + session.foreignProtocol + ", only 68 and 71 are decoded";
            lines.accept(
                    DissectedMessage.of(
                            datagram,
                            direction,
                            Quake3Codec.GAME,
                            DissectedMessage.Layer.TRANSPORT,
                            DissectedMessage.UNDECODED,
                            DissectedMessage.undecoded(error, datagram.payload())));
            return;
        }
        Quake3Codec codec = session == null ? null : codec(session, bytes, from);
        boolean modern = codec != null && codec.protocol().modern();
        Tracer head = new Tracer(bytes);
        NetchanHeader header = NetchanHeader.wire(head, NetchanHeader.BLANK, from, modern);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seq", header.sequence());
        if (from == Side.CLIENT) {
            fields.put("qport", header.qport());
        }
        if (modern) {
            fields.put("checksum", header.checksum() & 0xFFFFFFFFL);
        }
        byte[] message = Arrays.copyOfRange(bytes, head.position(), bytes.length);
        if (header.isFragment()) {
            fields.put("frag", List.of(header.fragment(), header.length()));
            byte[] whole =
                    session == null
                            ? null
                            : session.reassembler[from.ordinal()].add(
                                    header, bytes, head.position(), head.remaining());
            if (whole != null) {
                fields.put("reassembled", whole.length);
            }
            message = whole;
        }
        DissectedMessage transport =
                DissectedMessage.of(
                        datagram,
                        direction,
                        Quake3Codec.GAME,
                        DissectedMessage.Layer.TRANSPORT,
                        "netchan",
                        fields);
        if (session == null || codec == null || message == null) {
            lines.accept(explain ? transport.withTrace(head.fields()) : transport);
            return;
        }
        fields.put("len", message.length);
        List<DissectedMessage> ops = new ArrayList<>();
        if (session.client != null) {
            session.client.setTime(datagram.time());
        }
        Message walked =
                from == Side.CLIENT
                        ? clientMessage(codec, session, message, fields, transport, ops)
                        : serverMessage(
                                codec,
                                session.frames,
                                session.client,
                                header.sequence(),
                                message,
                                fields,
                                transport,
                                ops);
        List<Traced> trace = new ArrayList<>(head.fields());
        trace.addAll(walked.trace());
        lines.accept(explain ? transport.withTrace(trace) : transport);
        ops.forEach(lines);
        session.keyed |= ops.stream().anyMatch(op -> op.name().equals("gamestate"));
    }

    /** The codec of a session; its first packet shows which of the two protocols 71 it is. */
    private static Quake3Codec codec(Session session, byte[] packet, Side from) {
        if (session.codec == null) {
            boolean modern = NetchanHeader.isModern(packet, from, session.challenge);
            session.codec =
                    new Quake3Codec(
                            modern ? Protocol.IOQUAKE3_71 : Protocol.OPENARENA_71,
                            session.challenge);
        }
        return session.codec;
    }

    /** The part of a message's trace that belongs to no operation. */
    private record Message(List<Traced> trace) {}

    private Message clientMessage(
            Quake3Codec codec,
            Session session,
            byte[] message,
            Map<String, Object> fields,
            DissectedMessage transport,
            List<DissectedMessage> ops) {
        int[] head = Quake3Codec.head(message, 3);
        fields.put("serverId", head[0]);
        fields.put("messageAck", head[1]);
        fields.put("reliableAck", head[2]);
        List<Traced> trace = new ArrayList<>();
        if (!codec.protocol().modern()) {
            trace.add(
                    Quake3MessageFields.scrambling(
                            Side.CLIENT,
                            message.length,
                            codec.scramblingKey(head[0], head[1]),
                            "challenge, serverId and messageAcknowledge",
                            codec.serverCommands().text(head[2])));
        }
        codec.scramble(message, head[0], head[1], head[2]);
        BitReader w = wire(message);
        ClientMessage walked = ClientMessage.wire(w, ClientMessage.BLANK, codec::moveKey);
        Quake3MessageFields.pad(w, message, fields);
        List<List<Traced>> parts = parts(w, trace);
        for (int i = 0; i < walked.ops().size(); i++) {
            ClientMessage.Op op = walked.ops().get(i);
            Map<String, Object> values = new LinkedHashMap<>();
            switch (op) {
                case ClientMessage.Move m -> {
                    if (!session.keyed) {
                        values.put("count", m.commands().size());
                    } else {
                        values.put("key", codec.moveKey(head[1], head[2]) & 0xFFFFFFFFL);
                        values.put(
                                "cmds",
                                m.commands().stream().map(Quake3MessageFields::usercmd).toList());
                    }
                }
                case ClientMessage.ClientCommand c -> {
                    values.put("id", c.id());
                    values.put("text", c.text());
                    if (codec.clientCommands().receive(c.id(), c.text())
                            && session.client != null) {
                        session.client.onSent(c.text());
                    }
                }
                case ClientMessage.Voip v -> values.put("size", v.data().length());
                case ClientMessage.Nop _ -> {}
            }
            ops.add(line(transport, op.name(), values, parts, i));
        }
        return new Message(trace);
    }

    private Message serverMessage(
            Quake3Codec codec,
            FrameHistory frames,
            @Nullable CapturedClient client,
            int sequence,
            byte[] message,
            Map<String, Object> fields,
            DissectedMessage transport,
            List<DissectedMessage> ops) {
        int[] head = Quake3Codec.head(message, 1);
        fields.put("reliableAck", head[0]);
        List<Traced> trace = new ArrayList<>();
        if (!codec.protocol().modern()) {
            trace.add(
                    Quake3MessageFields.scrambling(
                            Side.SERVER,
                            message.length,
                            codec.scramblingKey(sequence),
                            "challenge and sequence",
                            codec.clientCommands().text(head[0])));
        }
        codec.scramble(message, sequence, head[0]);
        BitReader w = wire(message);
        ServerMessage walked = ServerMessage.wire(w, ServerMessage.BLANK);
        Quake3MessageFields.pad(w, message, fields);
        List<List<Traced>> parts = parts(w, trace);
        for (int i = 0; i < walked.ops().size(); i++) {
            ServerMessage.Op op = walked.ops().get(i);
            Map<String, Object> values = new LinkedHashMap<>();
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    values.putAll(Quake3MessageFields.gamestate(g));
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                    frames.gamestate(g);
                    if (client != null) {
                        client.onGamestate(g);
                    }
                }
                case ServerMessage.Snapshot s -> {
                    if (client == null) {
                        values.putAll(
                                Quake3MessageFields.snapshot(
                                        s, frames.base(sequence, s.deltaNum())));
                    }
                    Frame frame = frames.add(sequence, s);
                    if (client != null && frame != null) {
                        client.onFrame(frame, s.flags());
                    }
                }
                case ServerMessage.ServerCommand c -> {
                    values.put("id", c.id());
                    values.put("text", c.text());
                    if (codec.serverCommands().receive(c.id(), c.text()) && client != null) {
                        client.onReceived(c.text());
                    }
                }
                case ServerMessage.Download d -> {
                    values.putAll(Quake3MessageFields.download(d));
                    fields.put("secondEOF", true);
                }
                case ServerMessage.Voip v -> values.put("size", v.data().length());
                case ServerMessage.Nop _ -> {}
            }
            ops.add(line(transport, op.name(), values, parts, i));
        }
        return new Message(trace);
    }

    private BitReader wire(byte[] message) {
        return explain
                ? new BitTracer(Huffman.CODE, message)
                : new BitReader(Huffman.CODE, message);
    }

    /** The traces of a message's operations; fields of no operation are added to {@code rest}. */
    private static List<List<Traced>> parts(BitReader w, List<Traced> rest) {
        List<List<Traced>> parts = new ArrayList<>();
        if (w instanceof BitTracer tracer) {
            List<Traced> part = rest;
            for (Traced field : tracer.fields()) {
                if (field.name().equals("op") || field.name().equals("secondEOF")) {
                    boolean end = field.meaning().equals("EOF") || field.name().length() > 2;
                    part = end ? rest : new ArrayList<>();
                    if (!end) {
                        parts.add(part);
                    }
                }
                part.add(field);
            }
        }
        return parts;
    }

    private static DissectedMessage line(
            DissectedMessage transport,
            String name,
            Map<String, ?> values,
            List<List<Traced>> parts,
            int index) {
        return new DissectedMessage(
                transport.frame(),
                transport.time(),
                transport.direction(),
                transport.client(),
                Quake3Codec.GAME,
                DissectedMessage.Layer.MESSAGE,
                name,
                values,
                Bytes.EMPTY,
                index < parts.size() ? List.copyOf(parts.get(index)) : List.of());
    }

    /** A demo begins with a gamestate, unscrambled. */
    @Override
    public boolean recogniseFile(String name, Bytes content) {
        return isDemo(content) || name.toLowerCase(Locale.ROOT).matches(".*\\.dm_(6[678]|71)");
    }

    private static boolean isDemo(Bytes content) {
        try {
            Reader reader = new Reader(content);
            reader.i32le("sequence", 0);
            int length =
                    reader.bounded("length", reader.i32le("length", 0), ServerMessage.MAX_LENGTH);
            byte[] message = reader.bytes("message", Bytes.EMPTY, length).toArray();
            return ServerMessage.wire(new BitReader(Huffman.CODE, message), ServerMessage.BLANK)
                    .ops()
                    .stream()
                    .anyMatch(ServerMessage.Gamestate.class::isInstance);
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /** A demo: sequence, length and bytes of each server message, unscrambled; then -1 twice. */
    @Override
    public void file(Bytes content, Consumer<DissectedMessage> all) {
        Consumer<DissectedMessage> lines = filter(all);
        CapturedClient client = client(new Object(), true);
        Quake3Codec codec = new Quake3Codec(Protocol.IOQUAKE3_71, 0);
        FrameHistory frames = new FrameHistory();
        Reader reader = new Reader(content);
        for (long record = 1; ; record++) {
            int sequence = reader.i32le("sequence", 0);
            int length = reader.i32le("length", 0);
            if (sequence == -1 && length == -1) {
                return;
            }
            reader.bounded("length", length, ServerMessage.MAX_LENGTH);
            byte[] message = reader.bytes("message", Bytes.EMPTY, length).toArray();
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("seq", sequence);
            fields.put("len", length);
            DissectedMessage transport =
                    new DissectedMessage(
                            record,
                            Double.NaN,
                            Direction.S2C,
                            0,
                            Quake3Codec.GAME,
                            DissectedMessage.Layer.TRANSPORT,
                            "netchan",
                            fields,
                            Bytes.EMPTY,
                            List.of());
            List<DissectedMessage> ops = new ArrayList<>();
            Message walked =
                    serverMessage(codec, frames, client, sequence, message, fields, transport, ops);
            lines.accept(explain ? transport.withTrace(walked.trace()) : transport);
            ops.forEach(lines);
        }
    }
}
