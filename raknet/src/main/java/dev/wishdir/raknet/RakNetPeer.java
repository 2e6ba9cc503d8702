package dev.wishdir.raknet;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;

/**
 * One RakNet connection, from the agreement to open it until its end.
 *
 * <p>A state machine without clock or socket: the caller passes the time and the datagrams; it
 * sends through a {@link DatagramSink} and reports to a {@link Listener}. Used only by one thread.
 *
 * <p>It has many fields, because the parts of one connection are joined here, with its state and
 * timers.
 */
public final class RakNetPeer implements MemoryConsumer {
    private static final long STALL_CHECK_INTERVAL_NANOS = 3_000_000_000L;
    private static final long CLOSE_TIMEOUT_NANOS = 1_000_000_000L;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long AT_ONCE = Long.MIN_VALUE;

    /** Reason for the end of a connection. */
    public enum EndReason {
        /** {@link RakNetPeer#close} ended it. */
        CLOSED,
        /** The peer disconnected. */
        LEFT,
        /** The server refused the connection. */
        REFUSED,
        /** The peer sent nothing within a time-out. */
        TIMED_OUT,
        /** The peer keeps sending but does not acknowledge. */
        NOT_ACKNOWLEDGING,
        /** {@link RakNetPeer#abort} ended it. */
        ABORTED,
        /** The peer broke the protocol or a limit. */
        VIOLATION
    }

    /**
     * Callbacks of connections, called within the methods of the state machine, on its thread. They
     * may use any peer.
     */
    public interface Listener {
        /** The connection is open: messages may be sent. */
        void onConnected(long now, RakNetPeer peer);

        /**
         * A message of the application was received.
         *
         * @param message whole, with its id first; a view of the received datagram, so copy what is
         *     to be kept
         */
        void onReceived(long now, RakNetPeer peer, Bytes message);

        /**
         * The peer broke a limit: the connection ends after this call. What is sent now is sent
         * once, as a last word.
         *
         * @param reason text for a log or a player
         */
        default void onViolation(long now, RakNetPeer peer, String reason) {}

        /**
         * The connection has ended, possibly before it was open; the last callback of this peer.
         *
         * @param reason text for a log or a player
         */
        void onEnded(long now, RakNetPeer peer, EndReason ending, String reason);
    }

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
    private final boolean orderedOnly;
    private final Listener listener;
    private final TrafficCounters traffic = new TrafficCounters();
    private final RakNetSender sender;
    private final RakNetReceiver receiver;
    private final AckScheduler acks;
    private final KeepAlive keepAlive;
    private final long opened;
    private final EarlyMessages early = new EarlyMessages();
    private final BurstLimiter bursts;
    private final LeaveVerifier leaveVerifier = new LeaveVerifier();
    private State state = State.HANDSHAKE;
    private boolean accepted;
    private boolean proven;
    private boolean hasReceived;
    private long now;
    private long lastReceivedNanos;
    private long stallDue = Long.MAX_VALUE;
    private long closeBy = Long.MAX_VALUE;

    /** Time at which {@link #advance} has something to do; {@link #AT_ONCE} after each event. */
    private long due = AT_ONCE;

    private RakNetPeer(
            boolean server,
            boolean proven,
            InetSocketAddress remote,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            Listener listener,
            long now) {
        this.server = server;
        this.proven = proven;
        this.remote = remote;
        limits = settings.limits();
        lowestId = settings.lowestId();
        orderedOnly = settings.orderedOnly();
        this.listener = listener;
        this.now = now;
        opened = now;
        lastReceivedNanos = now;
        int capacity = mtu - RakNet.headers(remote.getAddress());
        sender = new RakNetSender(capacity, limits.ackTimeoutNanos(), traffic, remote, output);
        ReceivedDatagrams datagrams = new ReceivedDatagrams(now);
        receiver = new RakNetReceiver(limits, datagrams, this::onMessage);
        acks = new AckScheduler(datagrams, capacity, traffic, remote, output);
        bursts = new BurstLimiter(limits.maxDatagramsPer10Ms());
        keepAlive = new KeepAlive(sender, message -> sendControl(Reliability.UNRELIABLE, message));
    }

    /**
     * The server's side of a connection.
     *
     * @param proven whether the client has proved its address; until then nothing is retransmitted
     *     to it
     */
    static RakNetPeer server(
            InetSocketAddress remote,
            boolean proven,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            Listener listener,
            long now) {
        return new RakNetPeer(true, proven, remote, mtu, settings, output, listener, now);
    }

    /** The client's side of a connection, which sends the first message. */
    static RakNetPeer client(
            InetSocketAddress remote,
            long guid,
            int mtu,
            RakNetSettings settings,
            DatagramSink output,
            Listener listener,
            long now) {
        RakNetPeer peer = new RakNetPeer(false, true, remote, mtu, settings, output, listener, now);
        peer.sendControl(
                Reliability.RELIABLE,
                new ConnectedMessage.ConnectionRequest(guid, now / NANOS_PER_MILLI, false));
        return peer;
    }

    /** A closed connection, for the callback of an attempt that failed. */
    static RakNetPeer closed(
            InetSocketAddress remote,
            RakNetSettings settings,
            DatagramSink output,
            Listener listener,
            long now) {
        RakNetPeer peer =
                new RakNetPeer(
                        false, true, remote, settings.mtu(0), settings, output, listener, now);
        peer.state = State.CLOSED;
        return peer;
    }

    /** Lowers the MTU of a connection that is not open yet. */
    void lowerMtu(int mtu) {
        sender.lowerCapacity(mtu - RakNet.headers(remote.getAddress()));
    }

    /** The peer's address. */
    public InetSocketAddress remote() {
        return remote;
    }

    /** The smoothed round-trip time, nanoseconds; 0 before the first measurement. */
    public long roundTrip() {
        return sender.roundTrip();
    }

    /** Traffic counters; losses count datagrams. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether the connection has ended. */
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether any datagram of the connection was received. */
    boolean hasReceived() {
        return hasReceived;
    }

    /** Whether the handshake is not complete. */
    boolean isOpening() {
        return state == State.HANDSHAKE;
    }

    /**
     * Time of the peer's last plausible datagram, or acknowledgement of something in flight,
     * nanoseconds.
     */
    public long lastReceivedNanos() {
        return lastReceivedNanos;
    }

    /**
     * The heap of everything queued, in flight, incomplete or early, bytes. Includes object
     * overheads, but not what an idle connection takes.
     */
    @Override
    public long retainedBytes() {
        return sender.retainedBytes() + receivedBytes();
    }

    /** The heap of messages that are incomplete, after a gap or early, bytes. */
    public int receivedBytes() {
        return receiver.retainedBytes() + early.retainedBytes();
    }

    /** The heap of messages queued or in flight, bytes. */
    public long queuedBytes() {
        return sender.retainedBytes();
    }

    /**
     * Whether more than 256 KiB is queued or in flight (back pressure). What is sent now arrives
     * late, so send only the latest state after congestion and skip chat.
     */
    public boolean isCongested() {
        return sender.isCongested();
    }

    /** Ends the connection at once; the disconnection notification is sent once. */
    @Override
    public void abort(long now, String reason) {
        if (state != State.CLOSED) {
            this.now = now;
            try {
                sendLastNotification();
            } finally {
                end(EndReason.ABORTED, reason);
            }
        }
    }

    /**
     * Queues a message. Does nothing after the connection began to close.
     *
     * @param channel 0..31; each has its own order
     * @param message its first byte is at least {@link RakNetSettings#lowestId}; kept until it is
     *     acknowledged
     * @throws IllegalArgumentException if the channel, the message's id or the reliability is not
     *     allowed
     */
    public void send(Reliability reliability, int channel, Bytes message) {
        if (channel < 0 || channel >= OrderingChannels.COUNT) {
            throw new IllegalArgumentException("channel is " + channel + ", must be 0..31");
        }
        if (reliability.withReceipt()) {
            throw new IllegalArgumentException(
                    "reliability is " + reliability + ", must be one without receipt");
        }
        if (message.length() == 0 || (message.get(0) & 0xFF) < lowestId) {
            throw new IllegalArgumentException(
                    "message has the id "
                            + (message.length() == 0 ? "none" : message.get(0) & 0xFF)
                            + ", must be "
                            + lowestId
                            + "..255");
        }
        if (state != State.HANDSHAKE && state != State.CONNECTED) {
            return;
        }
        due = AT_ONCE;
        sender.send(reliability, channel, message);
        if (sender.retainedBytes() > limits.maxQueuedBytes()) {
            end(
                    EndReason.NOT_ACKNOWLEDGING,
                    "peer does not acknowledge: " + sender.retainedBytes() + " bytes are queued");
        }
    }

    /** Ends the connection after everything queued is acknowledged, or after 1 s. */
    public void close() {
        if (state == State.HANDSHAKE || state == State.CONNECTED) {
            sendControl(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
            due = AT_ONCE;
            state = State.CLOSING;
        }
    }

    private void end(EndReason ending, String reason) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            sender.drop();
            early.take();
            listener.onEnded(now, this, ending, reason);
        }
    }

    /**
     * Ends the connection of a peer that broke a limit, with a last word if its address is proven.
     */
    private void onViolation(String reason) {
        if (proven && state != State.CLOSED) {
            if (sender.isCongested()) {
                sendLastNotification();
            } else {
                listener.onViolation(now, this, reason);
                sendControl(
                        Reliability.RELIABLE,
                        new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
                sender.flush(now);
            }
        }
        end(EndReason.VIOLATION, reason);
    }

    /**
     * Drops everything queued and sends a disconnection notification once. A reliable one, as its
     * index shows the peer that it is not forged; not an ordered one, which would wait for what was
     * dropped.
     */
    private void sendLastNotification() {
        sender.drop();
        sendControl(
                Reliability.RELIABLE,
                new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
        sender.flush(now);
    }

    private void sendControl(Reliability reliability, ConnectedMessage message) {
        Writer w = new Writer(1024);
        ConnectedMessage.write(w, message);
        sender.send(reliability, 0, w.toBytes());
    }

    /**
     * Handles a datagram whose first byte says that it belongs to a connection.
     *
     * @throws MalformedPacketException if it is malformed or implausible; nothing has changed
     */
    void receive(long now, byte[] data) {
        this.now = now;
        due = AT_ONCE;
        if (state == State.CLOSED || !bursts.tryAcquire(now)) {
            return;
        }
        traffic.in(data.length);
        int kind = data[0] & 0xFF;
        Reader reader = new Reader(data);
        try {
            if ((kind & (RakNetDatagram.ACK | RakNetDatagram.NACK)) != 0) {
                if (onAcknowledgement(kind, AckPacket.wire(reader, AckPacket.BLANK).ranges())) {
                    lastReceivedNanos = now;
                }
            } else {
                RakNetDatagram datagram = RakNetDatagram.wire(reader, RakNetDatagram.BLANK);
                datagram.frames().forEach(RakNetPeer::check);
                onFrames(datagram);
            }
        } finally {
            acks.onReceived(now);
        }
    }

    private static void check(Frame frame) {
        if (frame.reliability().withReceipt()) {
            throw new MalformedPacketException(0, "reliability", "is a receipt's, never sent");
        }
        if (frame.channel() > 31) {
            throw new MalformedPacketException(0, "channel", "is " + frame.channel());
        }
    }

    private void onFrames(RakNetDatagram datagram) {
        long before = lastReceivedNanos;
        lastReceivedNanos = now;
        boolean plausible;
        try {
            plausible = receiver.receive(now, datagram);
        } catch (MalformedPacketException e) {
            onViolation(String.valueOf(e.getMessage()));
            return;
        }
        if (!plausible) {
            lastReceivedNanos = before;
            throw new MalformedPacketException(0, "number", "is not plausible");
        }
        traffic.sequencedIn(0);
        hasReceived = true;
    }

    /**
     * Handles an acknowledgement.
     *
     * @return whether it names something in flight, which is a sign of life; a repeated or invented
     *     one is not
     * @throws MalformedPacketException if it names a datagram that was never sent; nothing has
     *     changed
     */
    private boolean onAcknowledgement(int kind, List<AckPacket.Range> ranges) {
        for (AckPacket.Range range : ranges) {
            if (!sender.wasSent(range)) {
                throw new MalformedPacketException(
                        0, "last", "is " + range.last() + ", which was never sent");
            }
        }
        boolean alive = false;
        for (AckPacket.Range range : ranges) {
            if ((kind & RakNetDatagram.ACK) != 0) {
                alive |= sender.onAck(now, range);
            } else if (proven) {
                alive |= sender.onNack(now, range);
            }
        }
        return alive;
    }

    private void onMessage(Bytes message, boolean ordered, boolean verified) {
        if (state == State.CLOSED || message.length() == 0) {
            return;
        }
        if ((message.get(0) & 0xFF) >= lowestId) {
            if (ordered || !orderedOnly) {
                deliver(message);
            }
            return;
        }
        try {
            switch (ConnectedMessage.read(new Reader(message))) {
                case ConnectedMessage.ConnectedPing ping -> keepAlive.onPing(ping);
                case ConnectedMessage.ConnectedPong _ -> {}
                case ConnectedMessage.ConnectionRequest request -> onRequest(request);
                case ConnectedMessage.ConnectionRequestAccepted answer -> onAccepted(answer);
                case ConnectedMessage.NewIncomingConnection _ -> {
                    if (server && accepted && state == State.HANDSHAKE) {
                        open();
                    }
                }
                case ConnectedMessage.Bare bare -> {
                    if (bare.id() == ConnectedMessage.DISCONNECTION_NOTIFICATION) {
                        acks.acknowledge(now);
                        onDisconnection(verified);
                    } else {
                        keepAlive.onProbe();
                    }
                }
            }
        } catch (MalformedPacketException ignored) {
            // An unknown message does not end a connection: other implementations send such.
        }
    }

    private void onDisconnection(boolean verified) {
        // A handshake's numbers are known to all.
        if (state == State.CLOSING || verified && state == State.CONNECTED) {
            end(EndReason.LEFT, "the peer disconnected");
        } else {
            leaveVerifier.onNotification(now);
        }
    }

    private void deliver(Bytes message) {
        if (state == State.CONNECTED) {
            listener.onReceived(now, this, message);
        } else if (state == State.HANDSHAKE) {
            early.add(message, limits.maxReassemblyBytes() - receivedBytes());
        }
    }

    private void onRequest(ConnectedMessage.ConnectionRequest request) {
        if (server && state == State.HANDSHAKE && !accepted) {
            accepted = true;
            sendControl(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.ConnectionRequestAccepted(
                            remote,
                            0,
                            Collections.nCopies(RakNet.LISTED_ADDRESSES, RakNet.NO_ADDRESS),
                            request.time(),
                            now / NANOS_PER_MILLI));
        }
    }

    private void onAccepted(ConnectedMessage.ConnectionRequestAccepted answer) {
        if (!server && state == State.HANDSHAKE) {
            sendControl(
                    Reliability.RELIABLE_ORDERED,
                    new ConnectedMessage.NewIncomingConnection(
                            remote,
                            Collections.nCopies(RakNet.LISTED_ADDRESSES, RakNet.NO_ADDRESS),
                            answer.pong(),
                            now / NANOS_PER_MILLI));
            open();
        }
    }

    private void open() {
        state = State.CONNECTED;
        proven = true;
        stallDue = now;
        keepAlive.ping(now);
        listener.onConnected(now, this);
        for (Bytes message : early.take()) {
            if (state == State.CONNECTED) {
                listener.onReceived(now, this, message);
            }
        }
    }

    /**
     * Handles time-outs and sends what is due.
     *
     * @return the latest time of the next call, nanoseconds
     */
    long advance(long now) {
        this.now = now;
        if (now < due) {
            return due;
        }
        due = Long.MAX_VALUE;
        long next = work(now);
        // A listener may have sent something meanwhile.
        due = due == AT_ONCE ? AT_ONCE : next;
        return next;
    }

    private long work(long now) {
        if (state == State.CLOSED) {
            return Long.MAX_VALUE;
        }
        if (now - lastReceivedNanos >= limits.idleTimeoutNanos()) {
            end(
                    state == State.CLOSING ? EndReason.CLOSED : EndReason.TIMED_OUT,
                    "nothing was received for " + limits.idleTimeoutNanos() / 1_000_000_000 + " s");
            return Long.MAX_VALUE;
        }
        if (state == State.HANDSHAKE && now - opened >= limits.handshakeTimeoutNanos()) {
            end(EndReason.TIMED_OUT, "the handshake was not completed in time");
            return Long.MAX_VALUE;
        }
        if (state == State.CLOSING && closeBy == Long.MAX_VALUE) {
            // Counted from here: a connection may be closed long after its last turn.
            closeBy = now + CLOSE_TIMEOUT_NANOS;
        }
        if (state == State.CLOSING && (sender.isIdle() || now >= closeBy)) {
            acks.acknowledge(now);
            end(EndReason.CLOSED, "closed");
            return Long.MAX_VALUE;
        }
        LeaveVerifier.Step step = leaveVerifier.advance(now, lastReceivedNanos);
        if (step == LeaveVerifier.Step.LEFT) {
            end(EndReason.LEFT, "the peer disconnected");
            return Long.MAX_VALUE;
        }
        if (now >= keepAlive.due() || step == LeaveVerifier.Step.PING) {
            keepAlive.ping(now);
        }
        if (now >= stallDue) {
            stallDue = now + STALL_CHECK_INTERVAL_NANOS;
            try {
                receiver.checkStall(now);
            } catch (MalformedPacketException e) {
                onViolation(String.valueOf(e.getMessage()));
                return Long.MAX_VALUE;
            }
        }
        if (now >= acks.due()) {
            acks.acknowledge(now);
        }
        if (proven) {
            sender.expire(now);
            boolean sends = now - lastReceivedNanos < limits.idleTimeoutNanos() / 2;
            if (sends && sender.isTimedOut(now)) {
                sendLastNotification();
                end(EndReason.NOT_ACKNOWLEDGING, "peer does not acknowledge what it is sent");
                return Long.MAX_VALUE;
            }
        }
        sender.flush(now);
        keepAlive.reply(now);
        return deadline();
    }

    private long deadline() {
        long next = Math.min(Math.min(acks.due(), stallDue), Math.min(keepAlive.due(), closeBy));
        next = Math.min(next, lastReceivedNanos + limits.idleTimeoutNanos());
        next = Math.min(next, leaveVerifier.due());
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
