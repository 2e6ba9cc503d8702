package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Direction;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Passive dissector of the datagrams between one client and one server.
 *
 * <p>It reassembles fragments and drops repeated messages, but does not restore the order. Keeps at
 * most 16 incomplete messages per channel and direction.
 */
public final class EnetFlowDissector {
    /** Receives the contents of a datagram, in wire order. */
    public interface Sink {
        /** Whether {@link #command} is wanted; its fields take longer than all else. */
        default boolean wantsCommands() {
            return true;
        }

        /**
         * A command.
         *
         * @param name as in ENet's documentation
         * @param fields by name, those of the datagram's header first
         * @param trace every field with its position; empty unless traces were requested. The
         *     header's fields come with the first command
         */
        void command(String name, Map<String, ?> fields, List<Traced> trace);

        /** A new connection begins; no message of the previous one follows. */
        default void connecting() {}

        /**
         * A side ends the connection.
         *
         * @param data the application's reason
         */
        default void disconnecting(Direction direction, long data) {}

        /**
         * A complete message. A retransmitted one is reported once; a fragmented one when its last
         * missing fragment arrives.
         */
        void message(Direction direction, int channel, boolean reliable, Bytes payload);

        /** The rest of the datagram is malformed. */
        void malformed(MalformedPacketException problem, Bytes rest);
    }

    private static final int RESERVED_FLAGS = 0x30;

    private final boolean traces;
    private final Map<Integer, Stream> streams = new HashMap<>();
    private long connectID;

    /**
     * @param traces whether commands have the trace of their fields
     */
    public EnetFlowDissector(boolean traces) {
        this.traces = traces;
    }

    /** One channel in one direction. */
    private static final class Stream {
        /** Maximum number of incomplete messages. */
        private static final int MAX_REASSEMBLIES = 16;

        private static final int SEQUENCES = 1 << 16;

        private final BitSet seen = new BitSet();
        private final Map<Integer, Reassembly> reassemblies = new EvictingMap<>(MAX_REASSEMBLIES);

        /** Whether a reliable command is new since the last wrap-around of its sequence number. */
        boolean isNew(int seq) {
            boolean isNew = !seen.get(seq);
            seen.set(seq);
            seen.clear((seq + SEQUENCES / 2) % SEQUENCES);
            return isNew;
        }

        /** The complete message if this was its last missing fragment. */
        Optional<Bytes> add(int message, Fragment fragment) {
            Reassembly reassembly =
                    reassemblies.computeIfAbsent(message, _ -> new Reassembly(fragment));
            if (!reassembly.add(fragment)) {
                return Optional.empty();
            }
            reassemblies.remove(message);
            return Optional.of(reassembly.whole());
        }
    }

    /** The fragments of one message. */
    private static final class Reassembly {
        private final int count;
        private final int total;
        private final Map<Integer, Fragment> parts = new HashMap<>();
        private int length;

        Reassembly(Fragment first) {
            count = first.count();
            total = first.total();
        }

        /**
         * Adds a fragment; returns whether the message is complete. Of contradicting fragments the
         * first wins.
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

    /** Decodes a datagram; empty if it is malformed or uses a reserved flag. */
    public static Optional<EnetDatagram> decode(Bytes datagram) {
        try {
            EnetDatagram enet = EnetDatagram.wire(new Reader(datagram), EnetDatagram.BLANK);
            boolean plain =
                    enet.commands().stream()
                            .allMatch(command -> (command.flags() & RESERVED_FLAGS) == 0);
            return plain ? Optional.of(enet) : Optional.empty();
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    /** The direction of a command that only one side sends; else empty. */
    public static Optional<Direction> direction(EnetHeader header, EnetCommand command) {
        return switch (command) {
            case EnetCommand.Connect _ when header.peerID() == EnetHeader.NO_PEER ->
                    Optional.of(Direction.C2S);
            case EnetCommand.VerifyConnect _ -> Optional.of(Direction.S2C);
            default -> Optional.empty();
        };
    }

    /** Dissects a datagram up to its end or the first malformed command. */
    public void datagram(Direction direction, Bytes datagram, Sink sink) {
        Reader r = Reader.of(datagram, traces);
        int from = 0;
        try {
            EnetHeader header = EnetHeader.wire(r, EnetHeader.BLANK);
            for (int i = 0; r.remaining() > 0; i++) {
                from = r.position();
                r.pushScope("commands.", i);
                EnetCommand command = EnetCommand.wire(r, EnetCommand.Ping.BLANK);
                r.popScope();
                if (sink.wantsCommands()) {
                    sink.command(command.name(), fields(header, command), r.traced());
                }
                deliver(direction, command, sink);
            }
        } catch (MalformedPacketException e) {
            sink.malformed(e, datagram.slice(from, datagram.length() - from));
        }
    }

    private void deliver(Direction direction, EnetCommand command, Sink sink) {
        int channel = command.channel();
        switch (command) {
            case EnetCommand.Connect c -> {
                if (c.terms().connectID() != connectID) {
                    connectID = c.terms().connectID();
                    streams.clear();
                    sink.connecting();
                }
            }
            case EnetCommand.Disconnect c -> sink.disconnecting(direction, c.data());
            case EnetCommand.SendReliable c -> {
                if (stream(direction, channel).isNew(c.seq())) {
                    sink.message(direction, channel, true, c.payload());
                }
            }
            case EnetCommand.SendUnreliable c ->
                    sink.message(direction, channel, false, c.payload());
            case EnetCommand.SendUnsequenced c ->
                    sink.message(direction, channel, false, c.payload());
            case EnetCommand.SendFragment c -> {
                Stream stream = stream(direction, channel);
                if (stream.isNew(c.seq())) {
                    stream.add(c.fragment().start(), c.fragment())
                            .ifPresent(whole -> sink.message(direction, channel, true, whole));
                }
            }
            case EnetCommand.SendUnreliableFragment c -> {
                int message = 1 << 16 | c.fragment().start();
                stream(direction, channel)
                        .add(message, c.fragment())
                        .ifPresent(whole -> sink.message(direction, channel, false, whole));
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
