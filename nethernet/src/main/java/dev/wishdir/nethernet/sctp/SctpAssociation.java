package dev.wishdir.nethernet.sctp;

import dev.wishdir.net.limit.AckProgressTimeout;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One side of an SCTP association (RFC 9260) over DTLS (RFC 8261), as a state machine without clock
 * or socket.
 *
 * <p>It has the extensions that data channels need: partial reliability (RFC 3758) and stream reset
 * (RFC 6525). Both sides may start at once.
 */
public final class SctpAssociation {
    /** Callbacks of an association, called within its own methods. */
    public interface Listener {
        /** Sends a packet; the array is reused after the call. */
        void emit(byte[] packet, int offset, int length);

        /** Messages may be sent. */
        void onEstablished();

        /** A message was received; the listener may keep the array. */
        void onMessage(int stream, int kind, byte[] message);

        /** The peer reset some of its streams. */
        void onReset();

        /** The association has ended, except by {@link #abort}. */
        void onEnded(EndReason ending, String reason);
    }

    /** Reason for the end of an association. */
    public enum EndReason {
        /** The peer ended it. */
        LEFT,
        /** The peer received nothing that it was sent. */
        TIMED_OUT,
        /** The peer keeps sending but does not acknowledge. */
        NOT_ACKNOWLEDGING,
        /** The peer broke the protocol or a limit. */
        VIOLATION
    }

    private static final int RESET_OUTGOING = 13;
    private static final int RESET_RESPONSE = 16;
    private static final int RESET_PERFORMED = 1;
    private static final int RESET_IN_PROGRESS = 6;
    private static final int USER_INITIATED_ABORT = 12;
    private static final int TAGGED_BY_SENDER = 1;

    private static final long ACK_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MAX_EXPIRED_TIMEOUTS = 12;

    private final Listener listener;
    private final TrafficCounters traffic = new TrafficCounters();
    private final SctpSender sender;
    private final SctpReceiver receiver;
    private final AckProgressTimeout ackTimeout;
    private final SctpHandshake handshake;
    private final Writer writer = new Writer(SctpPacket.MAX_BYTES);
    private final ArrayDeque<byte[]> control = new ArrayDeque<>();
    private boolean over;
    private long ackDue = Long.MAX_VALUE;
    private int unacknowledged;
    private long now;

    /**
     * @param window receive window, bytes
     * @param largestMessage maximum length of a received message, bytes
     * @param ackTimeoutNanos time that the peer may send without acknowledging anything
     */
    public SctpAssociation(
            int window,
            int largestMessage,
            long ackTimeoutNanos,
            RandomGenerator random,
            Listener listener) {
        this.listener = listener;
        handshake = new SctpHandshake(window, random, new HandshakeSteps());
        sender = new SctpSender(handshake.first(), traffic);
        receiver = new SctpReceiver(window, largestMessage, traffic, this::deliver);
        ackTimeout = new AckProgressTimeout(ackTimeoutNanos);
    }

    private final class HandshakeSteps implements SctpHandshake.Steps {
        @Override
        public void emit(Writer packet) {
            SctpPacket.finish(packet);
            listener.emit(packet.array(), 0, packet.position());
        }

        @Override
        public void peer(int theirWindow, int theirFirst, boolean abandons) {
            sender.begin(theirWindow, abandons);
            receiver.begin(theirFirst);
        }

        @Override
        public void accepted() {
            reply(SctpPacket.COOKIE_ACK, new byte[0]);
        }

        @Override
        public void established() {
            listener.onEstablished();
        }
    }

    /** Traffic counters: chunks are counted here, datagrams by the caller. */
    public TrafficCounters traffic() {
        return traffic;
    }

    private boolean isEstablished() {
        return !over && handshake.isEstablished();
    }

    private void deliver(int stream, int kind, byte[] message) {
        if (!over) {
            listener.onMessage(stream, kind, message);
        }
    }

    /** Starts the association, unless the peer has. */
    public void begin(long now) {
        this.now = now;
        if (!over) {
            handshake.begin(now);
        }
    }

    /** Changes the receive window. */
    public void window(int bytes) {
        receiver.window(bytes);
    }

    /** The heap of messages that are incomplete or after a gap, bytes. */
    public int received() {
        return receiver.retainedBytes();
    }

    /** The heap of messages queued or in flight, bytes. */
    public long queued() {
        return sender.retainedBytes();
    }

    public boolean idle() {
        return sender.idle();
    }

    public long roundTrip() {
        return sender.roundTrip();
    }

    /**
     * Queues a message; the caller must not change the array any more.
     *
     * @param unreliable whether it is unordered and not retransmitted
     */
    public void send(int stream, int kind, boolean unreliable, byte[] message) {
        if (!over) {
            sender.send(stream, kind, unreliable, message);
        }
    }

    /** Ends the association; if it is established, one ABORT is sent. */
    public void abort() {
        if (isEstablished()) {
            SctpPacket.begin(writer, handshake.peerTag());
            SctpPacket.chunk(writer, SctpPacket.ABORT, 0, 4);
            writer.u16be("cause", USER_INITIATED_ABORT);
            writer.u16be("cause length", 4);
            emit();
        }
        close();
    }

    private void close() {
        over = true;
        ackDue = Long.MAX_VALUE;
        sender.drop();
        control.clear();
    }

    private void end(EndReason ending, String reason) {
        if (!over) {
            close();
            listener.onEnded(ending, reason);
        }
    }

    private void violated(String reason) {
        abort();
        listener.onEnded(EndReason.VIOLATION, reason);
    }

    private void emit() {
        SctpPacket.finish(writer);
        listener.emit(writer.array(), 0, writer.position());
    }

    /**
     * Handles a packet.
     *
     * @throws MalformedPacketException if it is malformed
     */
    public void receive(long now, byte[] data) {
        this.now = now;
        SctpPacket packet = SctpPacket.read(data);
        boolean acknowledges = false;
        for (SctpPacket.Chunk chunk : packet.chunks()) {
            if (over) {
                return;
            }
            if (chunk.type() == SctpPacket.INIT) {
                if (packet.tag() == 0 && packet.chunks().size() == 1) {
                    handshake.init(new Reader(chunk.body()));
                }
                return;
            }
            boolean ours = packet.tag() == handshake.tag();
            boolean reflected =
                    (chunk.type() == SctpPacket.ABORT
                                    || chunk.type() == SctpPacket.SHUTDOWN_COMPLETE)
                            && (chunk.flags() & TAGGED_BY_SENDER) != 0
                            && handshake.peerTag() != 0
                            && packet.tag() == handshake.peerTag();
            if (!ours && !reflected) {
                throw new MalformedPacketException(4, "tag", "is another association's");
            }
            if (chunk.type() == SctpPacket.DATA && isEstablished()) {
                acknowledges = true;
            }
            if (!take(chunk)) {
                break;
            }
        }
        if (acknowledges && isEstablished()) {
            // Every second packet is acknowledged at once, others a little later.
            if (++unacknowledged >= 2) {
                ackDue = now;
            } else {
                ackDue = Math.min(ackDue, now + ACK_DELAY_NANOS);
            }
        }
        if (isEstablished() && ackTimeout.onPacket(now, !sender.idle(), sender.progress())) {
            abort();
            listener.onEnded(
                    EndReason.NOT_ACKNOWLEDGING, "peer does not acknowledge what it is sent");
        }
    }

    /** Handles a chunk; false if the rest of the packet must be ignored. */
    private boolean take(SctpPacket.Chunk chunk) {
        Reader r = new Reader(chunk.body());
        switch (chunk.type()) {
            case SctpPacket.DATA -> {
                if (isEstablished()) {
                    data(chunk.flags(), chunk.body());
                }
            }
            case SctpPacket.INIT_ACK -> handshake.initAnswered(now, r);
            case SctpPacket.COOKIE_ECHO -> handshake.cookieEchoed(chunk.body());
            case SctpPacket.COOKIE_ACK -> handshake.cookieAcknowledged();
            case SctpPacket.SACK -> {
                if (isEstablished()) {
                    sender.acknowledged(now, r);
                }
            }
            case SctpPacket.HEARTBEAT -> {
                if (chunk.body().length() <= SctpPacket.MAX_BYTES / 2) {
                    reply(SctpPacket.HEARTBEAT_ACK, chunk.body().toArray());
                }
            }
            case SctpPacket.ABORT -> end(EndReason.LEFT, "the peer aborted the association");
            case SctpPacket.SHUTDOWN -> {
                if (isEstablished()) {
                    reply(SctpPacket.SHUTDOWN_ACK, new byte[0]);
                    flushControl();
                    end(EndReason.LEFT, "the peer shut the association down");
                }
            }
            case SctpPacket.SHUTDOWN_ACK -> {
                reply(SctpPacket.SHUTDOWN_COMPLETE, new byte[0]);
                flushControl();
                end(EndReason.LEFT, "the association is shut down");
            }
            case SctpPacket.RE_CONFIG -> {
                if (isEstablished()) {
                    reconfigure(r);
                }
            }
            case SctpPacket.FORWARD_TSN -> {
                if (isEstablished()) {
                    forward(r);
                }
            }
            default -> {
                // The high bit of an unknown type says whether the following chunks are handled.
                return (chunk.type() & 0x80) != 0;
            }
        }
        return true;
    }

    private void data(int flags, Bytes body) {
        try {
            if (!receiver.data(flags, body) || (flags & 8) != 0) {
                ackDue = now;
            }
        } catch (MalformedPacketException e) {
            if (!over) {
                violated(String.valueOf(e.getMessage()));
            }
        }
    }

    private void forward(Reader r) {
        try {
            receiver.forward(r.i32be("TSN", 0));
            ackDue = now;
        } catch (MalformedPacketException e) {
            if (!over) {
                violated(String.valueOf(e.getMessage()));
            }
        }
    }

    private void reply(int type, byte[] body) {
        Writer w = new Writer(SctpPacket.MAX_BYTES);
        SctpPacket.chunk(w, type, 0, body.length);
        w.append(body, 0, body.length);
        SctpPacket.pad(w);
        if (control.size() < 16) {
            control.add(w.toByteArray());
        }
    }

    private void reconfigure(Reader r) {
        List<byte[]> answers = new ArrayList<>();
        boolean reset = false;
        while (r.remaining() >= 4 && answers.size() < 2) {
            int type = r.u16be("parameter", 0);
            int length = Math.max(0, r.u16be("parameter length", 0) - 4);
            int mark = r.pushLimit("parameter", length);
            if (type == RESET_OUTGOING) {
                int request = r.i32be("request", 0);
                r.i32be("response", 0);
                boolean complete = r.i32be("last TSN", 0) - receiver.cumulative() <= 0;
                reset |= complete;
                Writer w = new Writer(12);
                w.u16be("parameter", RESET_RESPONSE);
                w.u16be("parameter length", 12);
                w.i32be("request", request);
                w.i32be("result", complete ? RESET_PERFORMED : RESET_IN_PROGRESS);
                answers.add(w.toByteArray());
            }
            r.popLimit(mark);
            r.bytes("padding", Bytes.EMPTY, Math.min(-length & 3, r.remaining()));
        }
        for (byte[] answer : answers) {
            reply(SctpPacket.RE_CONFIG, answer);
        }
        if (reset) {
            flushControl();
            listener.onReset();
        }
    }

    private void flushControl() {
        while (!control.isEmpty() && handshake.peerTag() != 0) {
            SctpPacket.begin(writer, handshake.peerTag());
            byte[] chunk = control.remove();
            writer.append(chunk, 0, chunk.length);
            emit();
        }
    }

    /** Handles time-outs and sends what is due; returns the time of the next call. */
    public long advance(long now) {
        this.now = now;
        if (over) {
            return Long.MAX_VALUE;
        }
        if (!handshake.isEstablished()) {
            return handshake.advance(now);
        }
        sender.expire(now);
        if (sender.expired() > MAX_EXPIRED_TIMEOUTS) {
            abort();
            listener.onEnded(EndReason.TIMED_OUT, "the peer received nothing that it was sent");
            return Long.MAX_VALUE;
        }
        flush();
        return Math.min(ackDue, sender.deadline());
    }

    private void flush() {
        while (true) {
            SctpPacket.begin(writer, handshake.peerTag());
            while (!control.isEmpty() && control.element().length <= writer.remaining()) {
                byte[] chunk = control.remove();
                writer.append(chunk, 0, chunk.length);
            }
            boolean owes = ackDue != Long.MAX_VALUE;
            int before = writer.position();
            if (owes) {
                receiver.acknowledge(writer);
            }
            int mark = writer.position();
            sender.fill(now, writer);
            if (writer.position() == mark && owes && ackDue > now) {
                // There is no data to send with it, and it is not due yet.
                writer.truncate(before);
                owes = false;
            }
            if (writer.position() == SctpPacket.HEADER) {
                return;
            }
            if (owes) {
                ackDue = Long.MAX_VALUE;
                unacknowledged = 0;
            }
            emit();
        }
    }
}
