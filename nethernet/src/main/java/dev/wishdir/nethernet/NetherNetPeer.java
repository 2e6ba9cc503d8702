package dev.wishdir.nethernet;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.ice.IceAgent;
import dev.wishdir.nethernet.ice.IceChecks;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.sctp.SctpAssociation;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One NetherNet connection, from the exchange of offer and answer until its end.
 *
 * <p>It consists of ICE, DTLS, SCTP, the data channels and the packets above them. A state machine
 * without clock or socket: the caller passes the time and the datagrams; it sends through a {@link
 * DatagramSink} and reports to a {@link Listener}. Used only by one thread.
 *
 * <p>It has many fields, because the layers of one connection are joined here, with its state and
 * timers.
 */
public final class NetherNetPeer implements MemoryConsumer {
    /** Long enough for two retransmissions to a peer that acknowledges late. */
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int CONGESTED_BYTES = 256 << 10;

    /** Reason for the end of a connection. */
    public enum EndReason {
        /** {@link NetherNetPeer#close} ended it. */
        CLOSED,
        /** The peer ended it. */
        LEFT,
        /** The server refused the connection. */
        REFUSED,
        /** The peer sent nothing within a time-out. */
        TIMED_OUT,
        /** The peer keeps sending but does not acknowledge. */
        NOT_ACKNOWLEDGING,
        /** {@link NetherNetPeer#abort} ended it. */
        ABORTED,
        /** The peer broke the protocol or a limit. */
        VIOLATION
    }

    /** Reason of a server for refusing an open connection. */
    public enum Refusal {
        FULL("the server is full"),
        ADDRESS_LIMIT("too many players or joins from your address");

        private final String text;

        Refusal(String text) {
            this.text = text;
        }

        /** The reason as a text for the player. */
        public String text() {
            return text;
        }
    }

    /** Callbacks of connections, called within the methods of the state machine, on its thread. */
    public interface Listener {
        /** Both channels are open: packets may be sent. */
        void onConnected(long now, NetherNetPeer peer);

        /**
         * Both channels are open, but the server refuses the connection; only its packets and its
         * end follow. An implementation may send the reason in its own protocol and close the
         * connection; the default aborts it.
         */
        default void onRefused(long now, NetherNetPeer peer, Refusal reason) {
            peer.abort(now, reason.text());
        }

        /**
         * A packet was received; the listener may keep the array.
         *
         * @param reliable whether it was sent over the reliable channel, once and in order
         */
        void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet);

        /**
         * The connection has ended, possibly before it was open; the last callback of this peer.
         */
        void onEnded(long now, NetherNetPeer peer, EndReason ending, String reason);
    }

    private enum State {
        OPENING,
        OPEN,
        CLOSING,
        CLOSED
    }

    /**
     * The agreement of both sides: the descriptions that they exchanged.
     *
     * @param own this side's description
     * @param other the peer's description
     * @param beginsDtls whether this side is the client of DTLS
     * @param checks a client's connectivity checks; null for a server, which only answers them
     * @param identity the peer's verified identity
     */
    record Agreement(
            Sdp own,
            Sdp other,
            boolean beginsDtls,
            @Nullable IceChecks checks,
            @Nullable Identity identity) {}

    private final Agreement agreed;
    private final NetherNetLimits limits;
    private final Listener listener;
    private final Dtls dtls;
    private final SctpAssociation sctp;
    private final DataChannels channels;
    private final SegmentCodec codec;
    private final DatagramSink output;
    private final IceAgent path;
    private final int largestMessage;
    private final long began;
    private State state = State.OPENING;
    private long now;
    private long lastReceivedNanos;
    private long closeBy = Long.MAX_VALUE;

    /** Time of the next turn; at once after something was received or queued. */
    private long due = Long.MIN_VALUE;

    /**
     * @param remote the peer's presumed address, until a signed check proves it
     */
    NetherNetPeer(
            Agreement agreed,
            InetSocketAddress remote,
            Dtls.Maker maker,
            NetherNetLimits limits,
            DatagramSink output,
            Listener listener,
            RandomGenerator random,
            long now) {
        this.agreed = agreed;
        this.limits = limits;
        this.listener = listener;
        this.now = now;
        this.output = output;
        path = new IceAgent(agreed.own.ice(), agreed.other.ice(), agreed.checks, remote, output);
        began = now;
        lastReceivedNanos = now;
        int theirs = agreed.other.maxMessageSize();
        largestMessage =
                theirs == 0
                        ? SegmentCodec.MAX_MESSAGE_BYTES
                        : Math.clamp(theirs, 2, SegmentCodec.MAX_MESSAGE_BYTES);
        codec = new SegmentCodec(limits.maxPacketBytes());
        channels = new DataChannels(agreed.checks != null, new Channels());
        sctp =
                new SctpAssociation(
                        limits.windowBytes(),
                        SegmentCodec.MAX_MESSAGE_BYTES,
                        limits.ackTimeoutNanos(),
                        random,
                        new Association());
        dtls = maker.make(agreed.beginsDtls, agreed.other.certificateHash(), new Security());
    }

    private final class Security implements Dtls.Listener {
        @Override
        public void emit(byte[] datagram, int offset, int length) {
            InetSocketAddress to = path.selected();
            if (to != null) {
                sctp.traffic().out(length);
                output.send(to, datagram, offset, length);
            }
        }

        @Override
        public void onSecured() {
            sctp.begin(now);
        }

        @Override
        public void onDecrypted(byte[] plain) {
            try {
                sctp.receive(now, plain);
            } catch (MalformedPacketException ignored) {
                // A damaged packet is dropped; SCTP retransmits what matters.
            }
        }

        @Override
        public void onEnded(boolean violation, String reason) {
            over(violation ? EndReason.VIOLATION : EndReason.LEFT, reason);
        }
    }

    private final class Association implements SctpAssociation.Listener {
        @Override
        public void emit(byte[] packet, int offset, int length) {
            dtls.send(packet, offset, length);
        }

        @Override
        public void onEstablished() {
            channels.open(agreed.beginsDtls ? 0 : 1);
        }

        @Override
        public void onMessage(int stream, int kind, byte[] message) {
            try {
                channels.message(stream, kind, message);
            } catch (MalformedPacketException e) {
                sctp.abort();
                over(EndReason.VIOLATION, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void onReset() {
            sctp.abort();
            over(EndReason.LEFT, "the peer closed its channels");
        }

        @Override
        public void onEnded(SctpAssociation.EndReason ending, String reason) {
            over(
                    switch (ending) {
                        case LEFT -> EndReason.LEFT;
                        case TIMED_OUT -> EndReason.TIMED_OUT;
                        case NOT_ACKNOWLEDGING -> EndReason.NOT_ACKNOWLEDGING;
                        case VIOLATION -> EndReason.VIOLATION;
                    },
                    reason);
        }
    }

    private final class Channels implements DataChannels.Steps {
        @Override
        public void send(int stream, int kind, boolean unreliable, byte[] message) {
            sctp.send(stream, kind, unreliable, message);
        }

        @Override
        public void opened() {
            if (state == State.OPENING) {
                state = State.OPEN;
                listener.onConnected(now, NetherNetPeer.this);
            }
        }

        @Override
        public void message(boolean reliable, byte[] message) {
            byte[] packet = reliable ? codec.join(message) : SegmentCodec.whole(message);
            if (packet != null && state == State.OPEN) {
                listener.onReceived(now, NetherNetPeer.this, reliable, packet);
            }
        }
    }

    /** The peer's address; proved when the connection is open. */
    public InetSocketAddress remote() {
        return path.remote();
    }

    /** The peer's verified identity; null if none was required and none was given. */
    public @Nullable Identity identity() {
        return agreed.identity;
    }

    /** Time of the last datagram that only the peer can have sent, nanoseconds. */
    public long lastReceivedNanos() {
        return lastReceivedNanos;
    }

    /** The smoothed round-trip time, nanoseconds; 0 before the first measurement. */
    public long roundTrip() {
        return sctp.roundTrip();
    }

    /** Traffic counters of DTLS; losses count retransmitted chunks of SCTP. */
    public TrafficCounters traffic() {
        return sctp.traffic();
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    /** The user fragment that identifies this peer in connectivity checks. */
    String fragment() {
        return agreed.own.ice().fragment();
    }

    /** The addresses that signed checks have proved. */
    SequencedSet<InetSocketAddress> addresses() {
        return path.addresses();
    }

    @Override
    public long retainedBytes() {
        return received() + sctp.queued();
    }

    /** The heap of messages and packets that are incomplete, after a gap or early, bytes. */
    int received() {
        return sctp.received() + channels.retainedBytes() + codec.retainedBytes();
    }

    /**
     * Whether more than 256 KiB is queued or in flight (back pressure). What is sent now arrives
     * late, so send only the latest state after congestion and skip chat.
     */
    public boolean isCongested() {
        return sctp.queued() > CONGESTED_BYTES;
    }

    /** Applies the limits of an admitted peer: it has logged in. */
    public void admit() {
        due = Long.MIN_VALUE;
        sctp.window(limits.admittedWindowBytes());
        codec.largestPacket(limits.admittedMaxPacketBytes());
    }

    /**
     * Queues a packet, which is sent reliably and in order; the bytes are copied. Does nothing
     * unless the connection is open.
     */
    public void send(byte[] packet, int offset, int length) {
        if (state != State.OPEN) {
            return;
        }
        due = Long.MIN_VALUE;
        for (byte[] message : SegmentCodec.split(packet, offset, length, largestMessage)) {
            channels.send(true, message);
        }
        if (sctp.queued() > limits.maxQueuedBytes()) {
            long waits = sctp.queued();
            sctp.abort();
            over(
                    EndReason.NOT_ACKNOWLEDGING,
                    "peer does not acknowledge: " + waits + " bytes are queued");
        }
    }

    /**
     * Queues a packet that may be lost or reordered, if it fits one message.
     *
     * @return false if it will not be sent: it is too long, or the connection is not open
     */
    public boolean sendUnreliably(byte[] packet, int offset, int length) {
        if (state != State.OPEN || length >= largestMessage) {
            return false;
        }
        due = Long.MIN_VALUE;
        channels.send(false, SegmentCodec.split(packet, offset, length, largestMessage).getFirst());
        return true;
    }

    /** Ends the connection after everything queued is acknowledged, or after 3 s. */
    public void close() {
        if (state == State.OPENING) {
            over(EndReason.CLOSED, "closed");
        } else if (state == State.OPEN) {
            state = State.CLOSING;
            due = Long.MIN_VALUE;
        }
    }

    /** Ends the connection at once; the peer is notified once. */
    @Override
    public void abort(long now, String reason) {
        if (state != State.CLOSED) {
            this.now = now;
            try {
                sctp.abort();
            } finally {
                over(EndReason.ABORTED, reason);
            }
        }
    }

    private void over(EndReason ending, String reason) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            try {
                sctp.abort();
                dtls.close();
            } finally {
                listener.onEnded(now, this, ending, reason);
            }
        }
    }

    /**
     * Handles a STUN message that names this peer or answers its check.
     *
     * @return whether it is signed, which only the peer can do
     */
    boolean stun(long now, InetSocketAddress from, Stun message, byte[] data) {
        if (state == State.CLOSED) {
            return false;
        }
        this.now = now;
        due = Long.MIN_VALUE;
        if (!path.stun(from, message, data)) {
            return false;
        }
        lastReceivedNanos = now;
        return true;
    }

    /** Handles a DTLS datagram from one of the peer's addresses. */
    void receive(long now, byte[] data) {
        if (state != State.CLOSED && path.selected() != null) {
            this.now = now;
            due = Long.MIN_VALUE;
            sctp.traffic().in(data.length);
            if (dtls.receive(now, data)) {
                lastReceivedNanos = now;
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
        if (state == State.CLOSED) {
            return Long.MAX_VALUE;
        }
        // Of many peers, few have something to do in a turn.
        if (now >= due) {
            due = Long.MAX_VALUE;
            long next = work(now);
            due = Math.min(due, next);
        }
        return due;
    }

    private long work(long now) {
        long limit = lastReceivedNanos + limits.idleTimeoutNanos();
        String reason =
                "nothing was received for " + limits.idleTimeoutNanos() / 1_000_000_000 + " s";
        if (state == State.OPENING) {
            boolean pathless = path.selected() == null;
            limit = began + (pathless ? limits.pathTimeoutNanos() : limits.openTimeoutNanos());
            reason = pathless ? "no path was found in time" : "the connection did not open in time";
            if (!dtls.problem().isEmpty()) {
                reason += "; " + dtls.problem();
            }
        }
        if (now >= limit) {
            over(state == State.CLOSING ? EndReason.CLOSED : EndReason.TIMED_OUT, reason);
            return Long.MAX_VALUE;
        }
        if (state == State.CLOSING && closeBy == Long.MAX_VALUE) {
            // Counted from here: a connection may be closed long after its last turn.
            closeBy = now + CLOSE_TIMEOUT_NANOS;
        }
        limit = Math.min(limit, path.advance(now));
        if (path.selected() != null) {
            limit = Math.min(limit, dtls.advance(now));
            limit = Math.min(limit, sctp.advance(now));
        }
        if (state == State.CLOSING && (sctp.idle() || now >= closeBy)) {
            sctp.abort();
            over(EndReason.CLOSED, "closed");
        }
        return state == State.CLOSED ? Long.MAX_VALUE : Math.min(limit, closeBy);
    }

    @Override
    public String toString() {
        return "NetherNet " + path.remote();
    }
}
