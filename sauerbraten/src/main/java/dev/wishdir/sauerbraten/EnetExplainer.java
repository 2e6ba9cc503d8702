package dev.wishdir.sauerbraten;

import dev.wishdir.sauerbraten.EnetCommand.Fragment;
import dev.wishdir.sauerbraten.EnetCommand.Terms;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.Line.Layer;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Explains the datagrams of one ENet connection as a bystander sees them: it puts fragments
 * together and knows messages that it has seen before, but keeps no order.
 */
final class EnetExplainer {
    private static final int MAX_CHANNEL = 2;
    private static final int RESERVED_FLAGS = 0x30;

    private final boolean traces;
    private final Map<Integer, Stream> streams = new HashMap<>();
    private MessageExplainer messages;
    private long connectID;

    EnetExplainer(boolean traces) {
        this.traces = traces;
        messages = new MessageExplainer(SauerbratenCodec.V260, traces);
    }

    /** One channel in one direction. */
    private static final class Stream {
        /** The most messages in fragments that are kept at once. */
        private static final int MAX_ASSEMBLIES = 16;

        private static final int SEQUENCES = 1 << 16;

        private final BitSet seen = new BitSet();
        private final Map<Integer, Assembly> assemblies =
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Integer, Assembly> eldest) {
                        return size() > MAX_ASSEMBLIES;
                    }
                };

        /** Whether a reliable command is seen for the first time since its number came round. */
        boolean isNew(int seq) {
            boolean isNew = !seen.get(seq);
            seen.set(seq);
            seen.clear((seq + SEQUENCES / 2) % SEQUENCES);
            return isNew;
        }

        /** The whole message, with its last fragment to come. */
        Optional<Bytes> add(int message, Fragment fragment) {
            Assembly assembly = assemblies.computeIfAbsent(message, _ -> new Assembly(fragment));
            if (!assembly.add(fragment)) {
                return Optional.empty();
            }
            assemblies.remove(message);
            return Optional.of(assembly.whole());
        }
    }

    /** The fragments of one message. */
    private static final class Assembly {
        private final int count;
        private final int total;
        private final Map<Integer, Fragment> parts = new HashMap<>();
        private int length;

        Assembly(Fragment first) {
            count = first.count();
            total = first.total();
        }

        /**
         * Whether the message is whole now; of fragments that contradict each other the first wins.
         */
        boolean add(Fragment part) {
            if (part.count() == count
                    && part.total() == total
                    && parts.putIfAbsent(part.num(), part) == null) {
                length += part.payload().length();
                return parts.size() == count && length == total;
            }
            return false;
        }

        Bytes whole() {
            byte[] bytes = new byte[total];
            for (Fragment part : parts.values()) {
                part.payload().copyTo(bytes, part.offset());
            }
            return Bytes.wrap(bytes);
        }
    }

    /**
     * Which way a datagram goes, if it is one of ENet and shows it: by its commands, or by messages
     * that only one side sends.
     */
    static Optional<Direction> direction(Bytes datagram) {
        EnetDatagram enet;
        try {
            enet = EnetDatagram.wire(new Reader(datagram), EnetDatagram.BLANK);
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
        Direction direction = null;
        for (EnetCommand command : enet.commands()) {
            if ((command.flags() & RESERVED_FLAGS) != 0
                    || command.channel() > MAX_CHANNEL
                            && command.channel() != EnetCommand.NO_CHANNEL) {
                return Optional.empty();
            }
            if (direction == null) {
                direction = direction(enet.header(), command);
            }
        }
        return Optional.ofNullable(direction);
    }

    private static @Nullable Direction direction(EnetHeader header, EnetCommand command) {
        return switch (command) {
            case EnetCommand.Connect _ ->
                    header.peerID() == EnetHeader.NO_PEER ? Direction.C2S : null;
            case EnetCommand.VerifyConnect _ -> Direction.S2C;
            case EnetCommand.SendReliable c -> direction(c.channel(), c.payload());
            case EnetCommand.SendUnreliable c -> direction(c.channel(), c.payload());
            default -> null;
        };
    }

    private static @Nullable Direction direction(int channel, Bytes packet) {
        boolean c2s = isPacket(Direction.C2S, channel, packet);
        boolean s2c = isPacket(Direction.S2C, channel, packet);
        return c2s == s2c ? null : c2s ? Direction.C2S : Direction.S2C;
    }

    private static boolean isPacket(Direction direction, int channel, Bytes packet) {
        if (channel == MAX_CHANNEL) {
            return false;
        }
        try {
            SauerbratenCodec.V260.readPacket(direction, channel, new Reader(packet));
            return true;
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /** Explains a datagram; what is malformed ends it. */
    void datagram(Direction direction, Bytes datagram, BiConsumer<Layer, Explained> explained) {
        Reader r = traces ? new Tracer(datagram) : new Reader(datagram);
        int from = 0;
        int traced = 0;
        try {
            EnetHeader header = EnetHeader.wire(r, EnetHeader.BLANK);
            for (int i = 0; r.remaining() > 0; i++) {
                from = r.position();
                if (r.tracing()) {
                    r.enter("commands." + i);
                }
                EnetCommand command = EnetCommand.wire(r, EnetCommand.Ping.BLANK);
                r.leave();
                List<Traced> trace = List.of();
                if (r instanceof Tracer tracer) {
                    List<Traced> all = tracer.fields();
                    trace = all.subList(traced, all.size());
                    traced = all.size();
                }
                explained.accept(
                        Layer.TRANSPORT,
                        new Explained(command.name(), fields(header, command), trace));
                deliver(direction, command, message -> explained.accept(Layer.MESSAGE, message));
            }
        } catch (MalformedPacketException e) {
            explained.accept(
                    Layer.TRANSPORT,
                    Explained.malformed(e, datagram.slice(from, datagram.length() - from)));
        }
    }

    private void deliver(Direction direction, EnetCommand command, Consumer<Explained> explained) {
        int channel = command.channel();
        switch (command) {
            case EnetCommand.Connect c -> {
                if (c.terms().connectID() != connectID) {
                    connectID = c.terms().connectID();
                    streams.clear();
                    messages = new MessageExplainer(SauerbratenCodec.V260, traces);
                }
            }
            case EnetCommand.SendReliable c -> {
                if (stream(direction, channel).isNew(c.seq())) {
                    messages.packet(direction, channel, true, c.payload(), explained);
                }
            }
            case EnetCommand.SendUnreliable c ->
                    messages.packet(direction, channel, false, c.payload(), explained);
            case EnetCommand.SendUnsequenced c ->
                    messages.packet(direction, channel, false, c.payload(), explained);
            case EnetCommand.SendFragment c -> {
                Stream stream = stream(direction, channel);
                if (stream.isNew(c.seq())) {
                    stream.add(c.fragment().start(), c.fragment())
                            .ifPresent(whole ->
                                    messages.packet(direction, channel, true, whole, explained));
                }
            }
            case EnetCommand.SendUnreliableFragment c -> {
                int message = 1 << 16 | c.fragment().start();
                stream(direction, channel)
                        .add(message, c.fragment())
                        .ifPresent(whole ->
                                messages.packet(direction, channel, false, whole, explained));
            }
            default -> {}
        }
    }

    private Stream stream(Direction direction, int channel) {
        return streams.computeIfAbsent(direction.ordinal() << 8 | channel, _ -> new Stream());
    }

    private static SequencedMap<String, Object> fields(EnetHeader header, EnetCommand command) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("peerID", header.peerID());
        fields.put("session", header.session());
        fields.put("sentTime", header.hasSentTime() ? header.sentTime() : null);
        fields.put(
                "flags", (command.acknowledge() ? "A" : "") + (command.unsequenced() ? "U" : ""));
        fields.put("channel", command.channel());
        fields.put("seq", command.seq());
        switch (command) {
            case EnetCommand.Ack c -> {
                fields.put("recvSeq", c.recvSeq());
                fields.put("recvSentTime", c.recvSentTime());
            }
            case EnetCommand.Connect c -> {
                putTerms(fields, c.terms());
                fields.put("data", c.data());
            }
            case EnetCommand.VerifyConnect c -> putTerms(fields, c.terms());
            case EnetCommand.Disconnect c -> fields.put("data", c.data());
            case EnetCommand.Ping _ -> {}
            case EnetCommand.SendReliable c -> fields.put("len", c.payload().length());
            case EnetCommand.SendUnreliable c -> {
                fields.put("useq", c.useq());
                fields.put("len", c.payload().length());
            }
            case EnetCommand.SendUnsequenced c -> {
                fields.put("group", c.group());
                fields.put("len", c.payload().length());
            }
            case EnetCommand.SendFragment c -> putFragment(fields, c.fragment());
            case EnetCommand.SendUnreliableFragment c -> putFragment(fields, c.fragment());
            case EnetCommand.BandwidthLimit c -> {
                fields.put("inBW", c.inBW());
                fields.put("outBW", c.outBW());
            }
            case EnetCommand.ThrottleConfigure c -> {
                fields.put("interval", c.interval());
                fields.put("accel", c.accel());
                fields.put("decel", c.decel());
            }
        }
        return fields;
    }

    private static void putTerms(Map<String, Object> fields, Terms terms) {
        fields.put("outgoingPeerID", terms.outgoingPeerID());
        fields.put("inSession", terms.inSession());
        fields.put("outSession", terms.outSession());
        fields.put("mtu", terms.mtu());
        fields.put("window", terms.window());
        fields.put("channels", terms.channels());
        fields.put("inBW", terms.inBW());
        fields.put("outBW", terms.outBW());
        fields.put("thrInterval", terms.thrInterval());
        fields.put("thrAccel", terms.thrAccel());
        fields.put("thrDecel", terms.thrDecel());
        fields.put("connectID", terms.connectID());
    }

    private static void putFragment(Map<String, Object> fields, Fragment fragment) {
        fields.put("start", fragment.start());
        fields.put("count", fragment.count());
        fields.put("num", fragment.num());
        fields.put("total", fragment.total());
        fields.put("offset", fragment.offset());
        fields.put("len", fragment.payload().length());
    }
}
