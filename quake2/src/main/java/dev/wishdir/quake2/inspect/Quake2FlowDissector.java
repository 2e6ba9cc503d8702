package dev.wishdir.quake2.inspect;

import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Dissects the packets of one client and server, or the blocks of one recording. */
final class Quake2FlowDissector {
    /** Receives dissected messages. */
    @FunctionalInterface
    interface Sink {
        void accept(Layer layer, String name, Map<String, ?> fields, List<Traced> trace);
    }

    private final boolean traces;
    private final @Nullable CapturedClient client;
    private final FrameHistory history;
    private int fromClient;
    private int fromServer;

    /** Of the newest {@code connect}; {@code p=} in the challenge lets a client choose one. */
    private int protocol = Quake2Codec.PROTOCOL;

    /**
     * @param client receives the messages instead of lines; null for lines
     */
    Quake2FlowDissector(boolean traces, @Nullable CapturedClient client) {
        this.traces = traces;
        this.client = client;
        history =
                client == null
                        ? new FrameHistory()
                        : new FrameHistory(FrameHistory.FAST_REMEMBERED_FRAMES);
    }

    /**
     * Dissects a datagram.
     *
     * @param seconds since the start of the capture
     */
    void datagram(double seconds, Direction direction, Bytes payload, Sink sink) {
        if (client != null) {
            client.setTime(seconds);
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(payload);
        if (outOfBand.isPresent()) {
            outOfBand(outOfBand.get(), payload, sink);
        } else {
            netchan(direction, payload, sink);
        }
    }

    private void outOfBand(OutOfBand packet, Bytes payload, Sink sink) {
        String name = packet.name();
        switch (name) {
            case "client_connect" -> {
                fromClient = 0;
                fromServer = 0;
            }
            case "connect" -> protocol = requestedProtocol(packet.words());
            default -> {}
        }
        if (client != null) {
            client.onOutOfBand(name);
            return;
        }
        List<Traced> trace = List.of();
        if (traces) {
            Tracer tracer = new Tracer(payload);
            OutOfBand.wire(tracer);
            trace = tracer.fields();
        }
        sink.accept(
                Layer.MESSAGE,
                name.isEmpty() ? "empty" : name,
                Map.of("text", packet.text()),
                trace);
    }

    private static int requestedProtocol(List<String> words) {
        try {
            return words.size() > 1 ? Integer.parseInt(words.get(1)) : Quake2Codec.PROTOCOL;
        } catch (NumberFormatException _) {
            return Quake2Codec.PROTOCOL;
        }
    }

    private void netchan(Direction direction, Bytes payload, Sink sink) {
        if (protocol != Quake2Codec.PROTOCOL) {
            String error = "protocol " + protocol + ", only " + Quake2Codec.PROTOCOL;
            sink.accept(
                    Layer.TRANSPORT,
                    DissectedMessage.UNDECODED,
                    DissectedMessage.undecoded(error + " is decoded", payload),
                    List.of());
            return;
        }
        Reader r = Reader.of(payload, traces);
        NetchanHeader header;
        try {
            header =
                    NetchanHeader.wire(
                            r,
                            direction == Direction.C2S
                                    ? NetchanHeader.FROM_CLIENT
                                    : NetchanHeader.FROM_SERVER);
        } catch (MalformedPacketException e) {
            malformed(e, payload, sink);
            return;
        }
        if (client != null) {
            if (isNew(direction, header.sequence())) {
                messages(direction, header.sequence(), r, payload, sink);
            }
            return;
        }
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("len", payload.length());
        fields.put("seq", header.sequence());
        fields.put("reliable", header.reliable());
        fields.put("ack", header.ack());
        fields.put("reliable_ack", header.reliableAck());
        if (header.qport() >= 0) {
            fields.put("qport", header.qport());
        }
        int last = direction == Direction.C2S ? fromClient : fromServer;
        if (isNew(direction, header.sequence())) {
            fields.put("dropped", header.sequence() - last - 1);
        } else {
            fields.put("stale", true);
        }
        sink.accept(Layer.TRANSPORT, "netchan", fields, r.traced());
        messages(direction, header.sequence(), r, payload, sink);
    }

    /** Whether a packet is the newest of its direction. */
    private boolean isNew(Direction direction, int sequence) {
        if (direction == Direction.C2S) {
            boolean isNew = sequence > fromClient;
            fromClient = isNew ? sequence : fromClient;
            return isNew;
        }
        boolean isNew = sequence > fromServer;
        fromServer = isNew ? sequence : fromServer;
        return isNew;
    }

    /** Dissects a block of a recording. */
    void block(Bytes block, Sink sink) {
        if (client == null) {
            sink.accept(Layer.TRANSPORT, "block", Map.of("len", block.length()), List.of());
        }
        messages(Direction.S2C, 0, Reader.of(block, traces), block, sink);
    }

    private void messages(Direction direction, int sequence, Reader r, Bytes packet, Sink sink) {
        int from = r.position();
        try {
            while (r.remaining() > 0) {
                from = r.position();
                Quake2Message message =
                        direction == Direction.C2S
                                ? Quake2Codec.readClient(r)
                                : Quake2Codec.readServer(r);
                if (client != null) {
                    take(client, message);
                    continue;
                }
                Bytes bytes = packet.slice(from, r.position() - from);
                sink.accept(
                        Layer.MESSAGE,
                        message.label(),
                        fields(message, bytes, sequence),
                        r.traced());
            }
        } catch (MalformedPacketException e) {
            malformed(e, packet.slice(from, packet.length() - from), sink);
        }
    }

    /** Passes a message on to the captured client, and a frame as the state that it results in. */
    private void take(CapturedClient to, Quake2Message message) {
        switch (message) {
            case Frame frame -> to.onFrame(history.apply(frame));
            case ServerMessage.ServerData data -> {
                history.reset();
                to.onServerData(data);
            }
            case ServerMessage.SpawnBaseline baseline -> history.baseline(baseline.entity());
            case ServerMessage other -> to.onReceived(other);
            case ClientMessage other -> to.onSent(other);
            case FullFrame _ -> throw new IllegalStateException("only deltas are read");
        }
    }

    private static void malformed(MalformedPacketException problem, Bytes bytes, Sink sink) {
        sink.accept(
                Layer.MESSAGE, "malformed", DissectedMessage.malformed(problem, bytes), List.of());
    }

    private Map<String, ?> fields(Quake2Message message, Bytes bytes, int sequence) {
        return switch (message) {
            case Move move -> moveFields(move, bytes, sequence);
            case Frame frame -> frameFields(frame);
            case ServerMessage.ServerData data -> {
                history.reset();
                yield data.fields();
            }
            case ServerMessage.SpawnBaseline baseline -> {
                history.baseline(baseline.entity());
                yield baseline.fields();
            }
            default -> message.fields();
        };
    }

    private static Map<String, ?> moveFields(Move move, Bytes bytes, int sequence) {
        Bytes body = bytes.slice(2, bytes.length() - 2);
        int expected = MoveChecksum.of(body.toArray(), 0, body.length(), sequence);
        SequencedMap<String, Object> fields = new LinkedHashMap<>(move.fields());
        fields.put("checksum_valid", move.checksum() == expected);
        if (move.checksum() != expected) {
            fields.put("checksum_expected", expected);
        }
        fields.put("body_hex", body.hex());
        return fields;
    }

    private Map<String, ?> frameFields(Frame frame) {
        FrameHistory.Snapshot base = history.base(frame);
        FrameHistory.Snapshot snapshot = history.apply(frame);
        SequencedMap<String, Object> fields = new LinkedHashMap<>(frame.fields());
        fields.put("usable", snapshot.usable());
        fields.put("ps", snapshot.player().fields());
        List<Map<String, ?>> deltas = new ArrayList<>();
        for (EntityDelta delta : frame.entities()) {
            SequencedMap<String, Object> entity = new LinkedHashMap<>(delta.fields());
            if (!delta.removes()) {
                boolean old = base.entity(delta.number()).isPresent();
                entity.put("from", old ? "old" : "baseline");
            }
            deltas.add(entity);
        }
        fields.put("entity_deltas", deltas);
        List<Map<String, ?>> entities = new ArrayList<>();
        for (FrameHistory.Numbered entity : snapshot.entities()) {
            entities.add(EntityDelta.fields(entity.number(), entity.state()));
        }
        fields.put("entities", entities);
        return fields;
    }
}
