package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * One command of an ENet datagram. Multi-byte fields are big endian:
 * docs/protocols/enet.md#command-header-and-bodies.
 *
 * <p>Every command has the {@code flags} of its first byte ({@link #ACKNOWLEDGE}, {@link
 * #UNSEQUENCED} and two unused bits, which are preserved), its {@code channel} or {@link
 * #NO_CHANNEL}, and its reliable sequence number {@code seq}, 0..65535.
 */
public sealed interface EnetCommand {
    /** Flag of a command that must be acknowledged by an {@link Ack}. */
    int ACKNOWLEDGE = 0x80;

    /** Flag of a command that is not ordered within its channel. */
    int UNSEQUENCED = 0x40;

    /** Channel of commands about the connection itself. */
    int NO_CHANNEL = 0xFF;

    /** Maximum length of a message, whole or reassembled: 32 MiB. */
    int MAX_MESSAGE_BYTES = 32 << 20;

    /** Maximum number of fragments of a message. */
    int MAX_FRAGMENTS = 1 << 20;

    /** Length of the header of every command, bytes. */
    int HEADER_LENGTH = 4;

    /** Bits 4..7 of the command's first byte. */
    int flags();

    /** 0..254, or {@link #NO_CHANNEL}. */
    int channel();

    /** The reliable sequence number of the command, 0..65535. */
    int seq();

    /** 1..12, the low bits of the command's first byte. */
    default int number() {
        return switch (this) {
            case Ack _ -> 1;
            case Connect _ -> 2;
            case VerifyConnect _ -> 3;
            case Disconnect _ -> 4;
            case Ping _ -> 5;
            case SendReliable _ -> 6;
            case SendUnreliable _ -> 7;
            case SendFragment _ -> 8;
            case SendUnsequenced _ -> 9;
            case BandwidthLimit _ -> 10;
            case ThrottleConfigure _ -> 11;
            case SendUnreliableFragment _ -> 12;
        };
    }

    /** The command's name as ENet's documents write it. */
    default String name() {
        return name(number());
    }

    /** The length of the command with its payload, bytes. */
    default int length() {
        return switch (this) {
            case Ack _ -> Ack.LENGTH;
            case Connect _ -> Connect.LENGTH;
            case VerifyConnect _ -> VerifyConnect.LENGTH;
            case Disconnect _ -> Disconnect.LENGTH;
            case Ping _ -> Ping.LENGTH;
            case SendReliable c -> SendReliable.LENGTH + c.payload.length();
            case SendUnreliable c -> SendUnreliable.LENGTH + c.payload.length();
            case SendFragment c -> SendFragment.LENGTH + c.fragment.payload.length();
            case SendUnsequenced c -> SendUnsequenced.LENGTH + c.payload.length();
            case BandwidthLimit _ -> BandwidthLimit.LENGTH;
            case ThrottleConfigure _ -> ThrottleConfigure.LENGTH;
            case SendUnreliableFragment c ->
                    SendUnreliableFragment.LENGTH + c.fragment.payload.length();
        };
    }

    private static String name(int number) {
        return switch (number) {
            case 1 -> "ACK";
            case 2 -> "CONNECT";
            case 3 -> "VERIFY_CONNECT";
            case 4 -> "DISCONNECT";
            case 5 -> "PING";
            case 6 -> "SEND_RELIABLE";
            case 7 -> "SEND_UNRELIABLE";
            case 8 -> "SEND_FRAGMENT";
            case 9 -> "SEND_UNSEQUENCED";
            case 10 -> "BANDWIDTH_LIMIT";
            case 11 -> "THROTTLE_CONFIGURE";
            case 12 -> "SEND_UNRELIABLE_FRAGMENT";
            default -> "unknown";
        };
    }

    /** Whether the command is retransmitted until an {@link Ack} arrives. */
    default boolean acknowledge() {
        return (flags() & ACKNOWLEDGE) != 0;
    }

    /** Whether the command is not ordered within its channel. */
    default boolean unsequenced() {
        return (flags() & UNSEQUENCED) != 0;
    }

    /** Walks one command with its payload; for reading, {@code m} is {@link Ping#BLANK}. */
    static EnetCommand wire(Wire w, EnetCommand m) {
        int first = w.u8("command", m.number() | m.flags());
        int number = first & 0x0F;
        int flags = first & 0xF0;
        if (w.tracing()) {
            w.annotate(name(number));
            w.bits("number", 0, 4, first);
            w.bits("unsequenced", 6, 1, first);
            w.bits("acknowledge", 7, 1, first);
        }
        int channel = w.u8("channel", m.channel());
        int seq = w.u16be("seq", m.seq());
        return switch (number) {
            case 1 -> Ack.body(w, flags, channel, seq, m instanceof Ack c ? c : Ack.BLANK);
            case 2 ->
                    Connect.body(
                            w, flags, channel, seq, m instanceof Connect c ? c : Connect.BLANK);
            case 3 ->
                    new VerifyConnect(
                            flags,
                            channel,
                            seq,
                            Terms.wire(w, m instanceof VerifyConnect c ? c.terms : Terms.BLANK));
            case 4 ->
                    new Disconnect(
                            flags,
                            channel,
                            seq,
                            w.u32be("data", m instanceof Disconnect c ? c.data : 0));
            case 5 -> new Ping(flags, channel, seq);
            case 6 ->
                    new SendReliable(
                            flags,
                            channel,
                            seq,
                            EnetCommand.payload(
                                    w, m instanceof SendReliable c ? c.payload : Bytes.EMPTY));
            case 7 ->
                    SendUnreliable.body(
                            w,
                            flags,
                            channel,
                            seq,
                            m instanceof SendUnreliable c ? c : SendUnreliable.BLANK);
            case 8 ->
                    new SendFragment(
                            flags,
                            channel,
                            seq,
                            Fragment.wire(
                                    w, m instanceof SendFragment c ? c.fragment : Fragment.BLANK));
            case 9 ->
                    SendUnsequenced.body(
                            w,
                            flags,
                            channel,
                            seq,
                            m instanceof SendUnsequenced c ? c : SendUnsequenced.BLANK);
            case 10 ->
                    BandwidthLimit.body(
                            w,
                            flags,
                            channel,
                            seq,
                            m instanceof BandwidthLimit c ? c : BandwidthLimit.BLANK);
            case 11 ->
                    ThrottleConfigure.body(
                            w,
                            flags,
                            channel,
                            seq,
                            m instanceof ThrottleConfigure c ? c : ThrottleConfigure.BLANK);
            case 12 ->
                    new SendUnreliableFragment(
                            flags,
                            channel,
                            seq,
                            Fragment.wire(
                                    w,
                                    m instanceof SendUnreliableFragment c
                                            ? c.fragment
                                            : Fragment.BLANK));
            default -> throw w.malformed("command", "is " + number + ", must be 1..12");
        };
    }

    private static Bytes payload(Wire w, Bytes payload) {
        int length = w.u16be("len", w.bounded("len", payload.length(), 0xFFFF));
        return w.bytes("payload", payload, length);
    }

    /**
     * Acknowledges a command.
     *
     * @param recvSeq the sequence number of the command; {@code seq} repeats it
     * @param recvSentTime the sent time of the datagram that carried the command
     */
    record Ack(int flags, int channel, int seq, int recvSeq, int recvSentTime)
            implements EnetCommand {
        static final int LENGTH = 8;
        private static final Ack BLANK = new Ack(0, 0, 0, 0, 0);

        private static Ack body(Wire w, int flags, int channel, int seq, Ack m) {
            int recvSeq = w.u16be("recvSeq", m.recvSeq);
            int recvSentTime = w.u16be("recvSentTime", m.recvSentTime);
            return new Ack(flags, channel, seq, recvSeq, recvSentTime);
        }
    }

    /**
     * Parameters of a connection, as a CONNECT requests and a VERIFY_CONNECT grants them.
     *
     * @param outgoingPeerID the sender's slot, which the receiver repeats in its headers
     * @param inSession the client's incoming session id, 255 to let the server choose
     * @param outSession the client's outgoing session id, 255 to let the server choose
     * @param mtu maximum datagram length, 576..4096 bytes
     * @param window bytes of reliable data in flight, 4096..65536
     * @param channels the number of channels, 1..255
     * @param inBW the sender's incoming bandwidth, bytes a second, 0 for unlimited
     * @param outBW the sender's outgoing bandwidth, bytes a second, 0 for unlimited
     * @param thrInterval interval of throttle adjustments, milliseconds
     * @param thrAccel increase of the throttle, in 32nds
     * @param thrDecel decrease of the throttle, in 32nds
     * @param connectID the client's random number for this connection
     */
    record Terms(
            int outgoingPeerID,
            int inSession,
            int outSession,
            long mtu,
            long window,
            long channels,
            long inBW,
            long outBW,
            long thrInterval,
            long thrAccel,
            long thrDecel,
            long connectID) {
        static final Terms BLANK = new Terms(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        static Terms wire(Wire w, Terms m) {
            return new Terms(
                    w.u16be("outgoingPeerID", m.outgoingPeerID),
                    w.u8("inSession", m.inSession),
                    w.u8("outSession", m.outSession),
                    w.u32be("mtu", m.mtu),
                    w.u32be("window", m.window),
                    w.u32be("channels", m.channels),
                    w.u32be("inBW", m.inBW),
                    w.u32be("outBW", m.outBW),
                    w.u32be("thrInterval", m.thrInterval),
                    w.u32be("thrAccel", m.thrAccel),
                    w.u32be("thrDecel", m.thrDecel),
                    w.u32be("connectID", m.connectID));
        }
    }

    /**
     * A client's request for a connection; answered by {@link VerifyConnect}.
     *
     * @param data a number for the application, 0..2^32-1
     */
    record Connect(int flags, int channel, int seq, Terms terms, long data) implements EnetCommand {
        static final int LENGTH = 48;
        private static final Connect BLANK = new Connect(0, 0, 0, Terms.BLANK, 0);

        private static Connect body(Wire w, int flags, int channel, int seq, Connect m) {
            Terms terms = Terms.wire(w, m.terms);
            return new Connect(flags, channel, seq, terms, w.u32be("data", m.data));
        }
    }

    /** The server's grant of a connection, with the parameters it allows. */
    record VerifyConnect(int flags, int channel, int seq, Terms terms) implements EnetCommand {
        static final int LENGTH = 44;
    }

    /**
     * Ends the connection.
     *
     * @param data the reason, a number for the application, 0..2^32-1
     */
    record Disconnect(int flags, int channel, int seq, long data) implements EnetCommand {
        static final int LENGTH = 8;
    }

    /** Requests an acknowledgement, to measure the round trip and as a keep-alive. */
    record Ping(int flags, int channel, int seq) implements EnetCommand {
        /** An argument for reading, which ignores it. */
        public static final Ping BLANK = new Ping(0, NO_CHANNEL, 0);

        static final int LENGTH = HEADER_LENGTH;
    }

    /** A reliable message, delivered once and in its channel's order. */
    record SendReliable(int flags, int channel, int seq, Bytes payload) implements EnetCommand {
        static final int LENGTH = 6;
    }

    /**
     * An unreliable message: it may be lost, and is dropped if it arrives late.
     *
     * @param useq the message's number since the reliable message {@code seq}, from 1
     */
    record SendUnreliable(int flags, int channel, int seq, int useq, Bytes payload)
            implements EnetCommand {
        static final int LENGTH = 8;
        private static final SendUnreliable BLANK = new SendUnreliable(0, 0, 0, 0, Bytes.EMPTY);

        private static SendUnreliable body(
                Wire w, int flags, int channel, int seq, SendUnreliable m) {
            int useq = w.u16be("useq", m.useq);
            return new SendUnreliable(flags, channel, seq, useq, EnetCommand.payload(w, m.payload));
        }
    }

    /**
     * An unsequenced message: it may be lost or reordered, but is not delivered twice.
     *
     * @param group the message's number in the connection
     */
    record SendUnsequenced(int flags, int channel, int seq, int group, Bytes payload)
            implements EnetCommand {
        static final int LENGTH = 8;
        private static final SendUnsequenced BLANK = new SendUnsequenced(0, 0, 0, 0, Bytes.EMPTY);

        private static SendUnsequenced body(
                Wire w, int flags, int channel, int seq, SendUnsequenced m) {
            int group = w.u16be("group", m.group);
            return new SendUnsequenced(
                    flags, channel, seq, group, EnetCommand.payload(w, m.payload));
        }
    }

    /**
     * A fragment of a message that is longer than a datagram.
     *
     * @param start the sequence number of the first fragment; for an unreliable message its number
     *     since the reliable one
     * @param count number of fragments, 1..{@link #MAX_FRAGMENTS}
     * @param num this fragment's index, from 0
     * @param total length of the whole message, at most {@link #MAX_MESSAGE_BYTES}
     * @param offset offset of the payload in the message, bytes
     * @param payload at least one byte
     */
    record Fragment(int start, int count, int num, int total, int offset, Bytes payload) {
        static final Fragment BLANK = new Fragment(0, 0, 0, 0, 0, Bytes.EMPTY);

        static Fragment wire(Wire w, Fragment m) {
            int start = w.u16be("start", m.start);
            int length = w.u16be("len", w.bounded("len", m.payload.length(), 0xFFFF));
            int count = within(w, "count", 1, w.u32be("count", m.count), MAX_FRAGMENTS);
            int num = within(w, "num", 0, w.u32be("num", m.num), count - 1);
            int total = within(w, "total", count, w.u32be("total", m.total), MAX_MESSAGE_BYTES);
            int offset = within(w, "offset", 0, w.u32be("offset", m.offset), total - 1);
            within(w, "len", 1, length, total - offset);
            Bytes payload = w.bytes("payload", m.payload, length);
            return new Fragment(start, count, num, total, offset, payload);
        }

        private static int within(Wire w, String name, int min, long value, int max) {
            if (value < min || value > max) {
                String problem = "is " + value + ", must be " + min + ".." + max;
                throw w.reading()
                        ? w.malformed(name, problem)
                        : new IllegalArgumentException(name + " " + problem);
            }
            return (int) value;
        }
    }

    /** A fragment of a reliable message. */
    record SendFragment(int flags, int channel, int seq, Fragment fragment) implements EnetCommand {
        static final int LENGTH = 24;
    }

    /** A fragment of an unreliable message. */
    record SendUnreliableFragment(int flags, int channel, int seq, Fragment fragment)
            implements EnetCommand {
        static final int LENGTH = 24;
    }

    /**
     * The sender's bandwidth limits.
     *
     * @param inBW incoming, bytes a second, 0 for unlimited
     * @param outBW outgoing, bytes a second, 0 for unlimited
     */
    record BandwidthLimit(int flags, int channel, int seq, long inBW, long outBW)
            implements EnetCommand {
        static final int LENGTH = 12;
        private static final BandwidthLimit BLANK = new BandwidthLimit(0, 0, 0, 0, 0);

        private static BandwidthLimit body(
                Wire w, int flags, int channel, int seq, BandwidthLimit m) {
            long inBW = w.u32be("inBW", m.inBW);
            return new BandwidthLimit(flags, channel, seq, inBW, w.u32be("outBW", m.outBW));
        }
    }

    /**
     * Parameters of the receiver's throttle of unreliable messages.
     *
     * @param interval interval of throttle adjustments, milliseconds
     * @param accel increase of the throttle, in 32nds
     * @param decel decrease of the throttle, in 32nds
     */
    record ThrottleConfigure(int flags, int channel, int seq, long interval, long accel, long decel)
            implements EnetCommand {
        static final int LENGTH = 16;
        private static final ThrottleConfigure BLANK = new ThrottleConfigure(0, 0, 0, 0, 0, 0);

        private static ThrottleConfigure body(
                Wire w, int flags, int channel, int seq, ThrottleConfigure m) {
            long interval = w.u32be("interval", m.interval);
            long accel = w.u32be("accel", m.accel);
            return new ThrottleConfigure(
                    flags, channel, seq, interval, accel, w.u32be("decel", m.decel));
        }
    }
}
