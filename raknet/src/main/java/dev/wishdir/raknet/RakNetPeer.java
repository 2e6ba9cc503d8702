package dev.wishdir.raknet;

import dev.wishdir.net.DatagramSink;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.raknet.RakNetListener.EndReason;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Either side of one RakNet connection, after both have agreed to open it. It consists of the
 * handshake inside, frames both ways, pings and the end. A pure state machine: the caller passes
 * the time, the datagrams go to a {@link DatagramSink} and the messages to a {@link
 * RakNetListener}. Used by one thread.
 *
 * <p>Longer than its neighbours since all that opens, moves and ends a connection is one machine of
 * four states: what could be cut off are the halves that send and receive, pings and
 * acknowledgements.
 */
public final class RakNetPeer implements MemoryConsumer {
    private static final long STALL_CHECK_INTERVAL_NANOS = 3_000_000_000L;
    private static final long CLOSE_TIMEOUT_NANOS = 1_000_000_000L;
    private static final long BURST_WINDOW_NANOS = 10_000_000;
    private static final int EARLY_MESSAGES = 8;

    /** An array and its place in a list. */
    private static final int MESSAGE_HEAP = 24;

    private static final int MILLI = 1_000_000;

    private enum State {
        HANDSHAKE,
        CONNECTED,
        CLOSING,
        CLOSED
    }

    private final boolean server;
    private final InetSocketAddress remote;
    private final RakNetLimits limits;
    private final int lowestId;
    private final DatagramSink output;
    private final RakNetListener listener;
    private final TrafficCounters traffic = new TrafficCounters();
    private final RakNetSender sender;
    private final RakNetReceiver receiver;
    private final AckScheduler acks;
    private final KeepAlive keepAlive;
    private final long opened;
    private final List<Bytes> early = new ArrayList<>();
    private State state = State.HANDSHAKE;
    private int earlyHeld;
    private boolean accepted;
    private boolean proven;
    private boolean heard;
    private long now;
    private long lastReceivedNanos;
    private long stallDue = Long.MAX_VALUE;
    private long closeBy = Long.MAX_VALUE;
    private long burstUntil = Long.MIN_VALUE;
    private int burst;

    private RakNetPeer(
            boolean server,
            boolean proven,
            InetSocketAddress remote,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            RakNetListener listener,
            long now) {
        this.server = server;
        this.proven = proven;
        this.remote = remote;
        limits = settings.limits();
        lowestId = settings.lowestId();
        this.output = output;
        this.listener = listener;
        this.now = now;
        opened = now;
        lastReceivedNanos = now;
        int capacity = mtu - RakNet.headers(remote.getAddress());
        sender = new RakNetSender(capacity, limits.ackTimeoutNanos(), traffic, this::emit);
        receiver = new RakNetReceiver(limits, this::message);
        acks = new AckScheduler(receiver, capacity, traffic, this::emit);
        keepAlive = new KeepAlive(sender, message -> control(Reliability.UNRELIABLE, message));
    }

    /**
     * The server's side.
     *
     * @param proven whether the client has proved that it receives at its address; until it has,
     *     nothing is sent to it twice
     */
    static RakNetPeer server(
            InetSocketAddress remote,
            boolean proven,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            RakNetListener listener,
            long now) {
        return new RakNetPeer(true, proven, remote, mtu, settings, output, listener, now);
    }

    /** The client's side, which speaks first. */
    static RakNetPeer client(
            InetSocketAddress remote,
            long guid,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            RakNetListener listener,
            long now) {
        RakNetPeer peer = new RakNetPeer(false, true, remote, mtu, settings, output, listener, now);
        peer.control(
                Reliability.RELIABLE,
                new ConnectedMessage.ConnectionRequest(guid, now / MILLI, false));
        return peer;
    }

    /** What stands for a connection that never came to be. */
    static RakNetPeer never(
            InetSocketAddress remote,
            RakNetSettings settings,
            DatagramSink output,
            RakNetListener listener,
            long now) {
        RakNetPeer peer =
                new RakNetPeer(
                        false, true, remote, settings.mtu(0), settings, output, listener, now);
        peer.state = State.CLOSED;
        return peer;
    }

    /** The other side. */
    public InetSocketAddress remote() {
        return remote;
    }

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    public long roundTrip() {
        return sender.roundTrip();
    }

    /** What came and went; what was lost are datagrams both ways. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether the connection is gone. */
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether any datagram of the connection has come. */
    boolean heard() {
        return heard;
    }

    /** Whether the handshake of the connection is under way. */
    boolean isOpening() {
        return state == State.HANDSHAKE;
    }

    /** When the other side last gave a sign of life that it could not give without being there. */
    public long lastReceivedNanos() {
        return lastReceivedNanos;
    }

    /**
     * The heap of all that waits: what is queued, sent and not acknowledged, incomplete or held
     * back. Overheads of objects are in it; what a connection without traffic takes is not.
     */
    @Override
    public long retainedBytes() {
        return sender.retainedBytes() + received();
    }

    /** The heap of messages that are incomplete, behind gaps or before their time. */
    public int received() {
        return receiver.retainedBytes() + earlyHeld;
    }

    /** The heap that waits to be sent or acknowledged. */
    public long queued() {
        return sender.retainedBytes();
    }

    /**
     * Whether much waits to be sent or acknowledged. What is sent now comes late: state should be
     * sent as its newest value when this is over, and what others say is better left out.
     */
    public boolean isCongested() {
        return sender.isCongested();
    }

    /** Ends the connection at once; the other side is notified once, without a repeat. */
    @Override
    public void abort(long now, String reason) {
        if (state != State.CLOSED) {
            this.now = now;
            farewell();
            end(EndReason.SENT_AWAY, reason);
        }
    }

    /**
     * Sends a message. Does nothing once the connection is closing.
     *
     * @param channel 0..31; each has an order of its own
     * @param message its first byte is at least {@link RakNetSettings#lowestId}; kept until it is
     *     acknowledged, however long it is
     * @throws IllegalArgumentException if channel, id or reliability are out of their bounds
     */
    public void send(Reliability reliability, int channel, Bytes message) {
        if (channel < 0 || channel >= RakNetReceiver.CHANNELS || reliability.withReceipt()) {
            throw new IllegalArgumentException("channel " + channel + ", " + reliability);
        }
        if (message.length() == 0 || (message.get(0) & 0xFF) < lowestId) {
            throw new IllegalArgumentException("an id of RakNet's own");
        }
        if (state != State.HANDSHAKE && state != State.CONNECTED) {
            return;
        }
        sender.send(reliability, channel, message);
        if (sender.retainedBytes() > limits.maxQueuedBytes()) {
            end(
                    EndReason.NOT_ACKNOWLEDGING,
                    "it does not take what it is sent: " + sender.retainedBytes() + " bytes wait");
        }
    }

    /** Ends the connection once what was sent has arrived, or a second has passed. */
    public void close() {
        if (state == State.HANDSHAKE || state == State.CONNECTED) {
            control(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
            state = State.CLOSING;
            closeBy = now + CLOSE_TIMEOUT_NANOS;
        }
    }

    private void end(EndReason ending, String reason) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            sender.drop();
            early.clear();
            earlyHeld = 0;
            listener.onEnded(now, this, ending, reason);
        }
    }

    /** Says goodbye past all that waits, in a datagram that is sent once. */
    private void farewell() {
        sender.drop();
        control(
                Reliability.UNRELIABLE,
                new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
        sender.flush(now);
    }

    private void emit(Writer datagram) {
        traffic.out(datagram.position());
        output.send(remote, datagram.array(), 0, datagram.position());
    }

    private void control(Reliability reliability, ConnectedMessage message) {
        Writer w = new Writer(1024);
        ConnectedMessage.write(w, message);
        sender.send(reliability, 0, w.toBytes());
    }

    /**
     * Takes in a datagram whose first byte says that it belongs to a connection.
     *
     * @throws MalformedPacketException if it has no valid form: it is dropped, nothing has changed
     */
    void receive(long now, byte[] data) {
        this.now = now;
        if (state == State.CLOSED || isTooMany()) {
            return;
        }
        traffic.in(data.length);
        int kind = data[0] & 0xFF;
        Reader reader = new Reader(data);
        try {
            if ((kind & (RakNetDatagram.ACK | RakNetDatagram.NACK)) != 0) {
                if (acknowledgement(kind, AckPacket.wire(reader, AckPacket.BLANK).ranges())) {
                    lastReceivedNanos = now;
                }
            } else {
                RakNetDatagram datagram = RakNetDatagram.wire(reader, RakNetDatagram.BLANK);
                datagram.frames().forEach(RakNetPeer::check);
                receiver.checkNumber(datagram.number());
                lastReceivedNanos = now;
                heard = true;
                accept(datagram);
            }
        } finally {
            acks.received(now);
        }
    }

    private boolean isTooMany() {
        if (now >= burstUntil) {
            burstUntil = now + BURST_WINDOW_NANOS;
            burst = 0;
        }
        return ++burst > limits.maxDatagramsPer10Ms();
    }

    private static void check(Frame frame) {
        if (frame.reliability().withReceipt()) {
            throw new MalformedPacketException(0, "reliability", "is a receipt's, never sent");
        }
        if (frame.channel() > 31) {
            throw new MalformedPacketException(0, "channel", "is " + frame.channel());
        }
    }

    private void accept(RakNetDatagram datagram) {
        try {
            traffic.sequencedIn(0);
            receiver.datagram(now, datagram);
        } catch (MalformedPacketException e) {
            end(EndReason.VIOLATION, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Takes an acknowledgement in.
     *
     * @return whether it names what is on its way, which is a sign of life; what came twice or was
     *     made up is none
     * @throws MalformedPacketException if it names what was never sent: nothing has changed
     */
    private boolean acknowledgement(int kind, List<AckPacket.Range> ranges) {
        for (AckPacket.Range range : ranges) {
            if (!sender.wasSent(range)) {
                throw new MalformedPacketException(
                        0, "last", "is " + range.last() + ", which was never sent");
            }
        }
        boolean news = false;
        for (AckPacket.Range range : ranges) {
            if ((kind & RakNetDatagram.ACK) != 0) {
                news |= sender.acknowledged(now, range);
            } else if (proven) {
                news |= sender.missing(now, range);
            }
        }
        return news;
    }

    private void message(Bytes message) {
        if (state == State.CLOSED || message.length() == 0) {
            return;
        }
        if ((message.get(0) & 0xFF) >= lowestId) {
            deliver(message);
            return;
        }
        try {
            switch (ConnectedMessage.read(new Reader(message))) {
                case ConnectedMessage.ConnectedPing ping -> keepAlive.asked(ping);
                case ConnectedMessage.ConnectedPong _ -> {}
                case ConnectedMessage.ConnectionRequest request -> requested(request);
                case ConnectedMessage.ConnectionRequestAccepted answer -> answered(answer);
                case ConnectedMessage.NewIncomingConnection _ -> {
                    if (server && accepted && state == State.HANDSHAKE) {
                        opened();
                    }
                }
                case ConnectedMessage.Bare bare -> {
                    if (bare.id() == ConnectedMessage.DISCONNECTION_NOTIFICATION) {
                        acks.acknowledge(now);
                        end(EndReason.LEFT, "the other side disconnected");
                    } else {
                        keepAlive.probed();
                    }
                }
            }
        } catch (MalformedPacketException ignored) {
            // An unknown message does not end a connection: other implementations send such.
        }
    }

    private void deliver(Bytes message) {
        if (state == State.CONNECTED) {
            listener.onReceived(now, this, message);
        } else if (state == State.HANDSHAKE
                && early.size() < EARLY_MESSAGES
                && received() + message.length() <= limits.maxReassemblyBytes()) {
            early.add(Bytes.wrap(message.toArray()));
            earlyHeld += MESSAGE_HEAP + message.length();
        }
    }

    private void requested(ConnectedMessage.ConnectionRequest request) {
        if (server && state == State.HANDSHAKE && !accepted) {
            accepted = true;
            control(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.ConnectionRequestAccepted(
                            remote,
                            0,
                            Collections.nCopies(RakNet.LISTED_ADDRESSES, RakNet.NO_ADDRESS),
                            request.time(),
                            now / MILLI));
        }
    }

    private void answered(ConnectedMessage.ConnectionRequestAccepted answer) {
        if (!server && state == State.HANDSHAKE) {
            control(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.NewIncomingConnection(
                            remote,
                            Collections.nCopies(RakNet.LISTED_ADDRESSES, RakNet.NO_ADDRESS),
                            answer.pong(),
                            now / MILLI));
            opened();
        }
    }

    private void opened() {
        state = State.CONNECTED;
        proven = true;
        stallDue = now;
        keepAlive.ask(now);
        listener.onConnected(now, this);
        for (Bytes message : early) {
            if (state == State.CONNECTED) {
                listener.onReceived(now, this, message);
            }
        }
        early.clear();
        earlyHeld = 0;
    }

    /**
     * Does what time brings about and sends what waits.
     *
     * @return when to call again at the latest, nanoseconds
     */
    long advance(long now) {
        this.now = now;
        if (state == State.CLOSED) {
            return Long.MAX_VALUE;
        }
        if (now - lastReceivedNanos >= limits.idleTimeoutNanos()) {
            end(
                    state == State.CLOSING ? EndReason.CLOSED : EndReason.TIMED_OUT,
                    "nothing was heard for " + limits.idleTimeoutNanos() / 1_000_000_000 + " s");
            return Long.MAX_VALUE;
        }
        if (state == State.HANDSHAKE && now - opened >= limits.handshakeTimeoutNanos()) {
            end(EndReason.TIMED_OUT, "the handshake was not finished in time");
            return Long.MAX_VALUE;
        }
        if (state == State.CLOSING && (sender.idle() || now >= closeBy)) {
            acks.acknowledge(now);
            end(EndReason.CLOSED, "closed");
            return Long.MAX_VALUE;
        }
        if (now >= keepAlive.due()) {
            keepAlive.ask(now);
        }
        if (now >= stallDue) {
            stallDue = now + STALL_CHECK_INTERVAL_NANOS;
            try {
                receiver.checkStall(now);
            } catch (MalformedPacketException e) {
                end(EndReason.VIOLATION, String.valueOf(e.getMessage()));
                return Long.MAX_VALUE;
            }
        }
        if (now >= acks.due()) {
            acks.acknowledge(now);
        }
        if (proven) {
            sender.expire(now);
            boolean talks = now - lastReceivedNanos < limits.idleTimeoutNanos() / 2;
            if (talks && sender.isOverdue(now)) {
                farewell();
                end(EndReason.NOT_ACKNOWLEDGING, "it does not acknowledge what it is sent");
                return Long.MAX_VALUE;
            }
        }
        sender.flush(now);
        keepAlive.answer(now);
        return deadline();
    }

    private long deadline() {
        long next = Math.min(Math.min(acks.due(), stallDue), Math.min(keepAlive.due(), closeBy));
        next = Math.min(next, lastReceivedNanos + limits.idleTimeoutNanos());
        if (state == State.HANDSHAKE) {
            next = Math.min(next, opened + limits.handshakeTimeoutNanos());
        }
        return proven ? Math.min(next, sender.deadline()) : next;
    }

    @Override
    public String toString() {
        return "RakNet " + remote;
    }
}
