package dev.wishdir.nethernet;

import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Either side of one connection, after offer and answer are exchanged. It consists of the path,
 * DTLS, SCTP, the channels and the packets above them. A pure state machine: the caller passes the
 * time, the datagrams go to a {@link NetherNetOutput} and the packets to a {@link Listener}.
 */
public final class NetherNetPeer implements MemoryConsumer {
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int CONGESTED_BYTES = 256 << 10;

    /** How a connection ended. */
    public enum EndReason {
        /** {@link NetherNetPeer#close} ended it. */
        CLOSED,
        /** The other side ended it. */
        LEFT,
        /** The other side did not let us in. */
        REFUSED,
        /** The other side fell silent, or was never heard. */
        TIMED_OUT,
        /** The other side goes on sending and does not acknowledge what it is sent. */
        NOT_ACKNOWLEDGING,
        /** {@link NetherNetPeer#abort} ended it. */
        SENT_AWAY,
        /** The other side broke the protocol or a limit. */
        VIOLATION
    }

    /** Why a host has no place for a connection. */
    public enum Refusal {
        FULL("the server is full"),
        ADDRESS_LIMIT("too many players or joins from your address");

        private final String text;

        Refusal(String text) {
            this.text = text;
        }

        /** For the player. */
        public String text() {
            return text;
        }
    }

    /** Receives the events of a connection, inside calls of the state machine's own methods. */
    public interface Listener {
        /** Both channels are open: packets may be sent. */
        void onConnected(long now, NetherNetPeer peer);

        /**
         * Both channels of a connection are open, but the host has no place for it. The listener
         * receives nothing else of it but its packets and its end. An implementation may send the
         * reason in its own protocol and close the connection; the default aborts it.
         */
        default void onRefused(long now, NetherNetPeer peer, Refusal reason) {
            peer.abort(now, reason.text());
        }

        /**
         * A packet came in; the array is the listener's to keep.
         *
         * @param reliable whether it came whole, once and in order, over the reliable channel
         */
        void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet);

        /** The connection is gone; nothing follows. It may never have been open. */
        void onEnded(long now, NetherNetPeer peer, EndReason ending, String reason);
    }

    private enum State {
        OPENING,
        OPEN,
        CLOSING,
        CLOSED
    }

    /**
     * What both sides agreed on.
     *
     * @param own what our description said
     * @param other what the other side's said
     * @param beginsDtls whether we are DTLS's client
     * @param checks a client's, which looks for the path; null for a server, which only answers
     * @param identity who the other side proved to be
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
    private final NetherNetOutput output;
    private final IceAgent path;
    private final int largestMessage;
    private final long began;
    private State state = State.OPENING;
    private long now;
    private long lastHeard;
    private long closeBy = Long.MAX_VALUE;

    /** When something is to be done next; at once after anything came in or is to go out. */
    private long due = Long.MIN_VALUE;

    /**
     * @param remote where the other side seems to be, until it has shown it
     */
    NetherNetPeer(
            Agreement agreed,
            InetSocketAddress remote,
            Dtls.Maker maker,
            NetherNetLimits limits,
            NetherNetOutput output,
            Listener listener,
            RandomGenerator random,
            long now) {
        this.agreed = agreed;
        this.limits = limits;
        this.listener = listener;
        this.now = now;
        this.output = output;
        path = new IceAgent(agreed, remote, output);
        began = now;
        lastHeard = now;
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
                // What is damaged is dropped; it is sent again if it is worth anything.
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
            over(EndReason.LEFT, "the other side closed its channels");
        }

        @Override
        public void onEnded(EndReason ending, String reason) {
            over(ending, reason);
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

    /** Where the other side is: proved once the connection is open. */
    public InetSocketAddress remote() {
        return path.remote();
    }

    /** Who the other side proved to be; null where none was asked for and none given. */
    public @Nullable Identity identity() {
        return agreed.identity;
    }

    /** When the other side last gave a sign of life that it could not give without being there. */
    public long lastHeard() {
        return lastHeard;
    }

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    public long roundTrip() {
        return sctp.roundTrip();
    }

    /** What came and went in DTLS; what was lost is chunks of SCTP that were sent again. */
    public TrafficCounters traffic() {
        return sctp.traffic();
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    boolean isOpening() {
        return state == State.OPENING;
    }

    /** The fragment that names this peer in connectivity checks. */
    String fragment() {
        return agreed.own.ice().fragment();
    }

    /** From where the other side has shown that it sends. */
    SequencedSet<InetSocketAddress> addresses() {
        return path.addresses();
    }

    @Override
    public long retainedBytes() {
        return received() + sctp.queued();
    }

    /** The heap of messages and packets that are incomplete, behind gaps or before their time. */
    int received() {
        return sctp.received() + channels.retainedBytes() + codec.retainedBytes();
    }

    /**
     * Whether much waits to be sent or acknowledged. What is sent now comes late: state should be
     * sent as its newest value when this is over, and what others say is better left out.
     */
    public boolean isCongested() {
        return sctp.queued() > CONGESTED_BYTES;
    }

    /** The other side has logged in: the limits of one who has hold from now on. */
    public void admit() {
        due = Long.MIN_VALUE;
        sctp.window(limits.admittedWindowBytes());
        codec.largestPacket(limits.admittedMaxPacketBytes());
    }

    /**
     * Sends a packet, whole, once and in order; the bytes are copied. Does nothing unless the
     * connection is open.
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
                    "it does not take what it is sent: " + waits + " bytes wait");
        }
    }

    /**
     * Sends a packet once, in no order, or not at all if it needs more than one message.
     *
     * @return whether it was sent
     */
    public boolean sendUnreliably(byte[] packet, int offset, int length) {
        if (state != State.OPEN || length >= largestMessage) {
            return false;
        }
        due = Long.MIN_VALUE;
        channels.send(false, SegmentCodec.split(packet, offset, length, largestMessage).getFirst());
        return true;
    }

    /** Ends the connection once what was sent has arrived, or half a second has passed. */
    public void close() {
        if (state == State.OPENING) {
            over(EndReason.CLOSED, "closed");
        } else if (state == State.OPEN) {
            state = State.CLOSING;
            due = Long.MIN_VALUE;
            closeBy = now + CLOSE_TIMEOUT_NANOS;
        }
    }

    /** Ends the connection at once; the other side is notified once, without a repeat. */
    @Override
    public void abort(long now, String reason) {
        if (state != State.CLOSED) {
            this.now = now;
            sctp.abort();
            over(EndReason.SENT_AWAY, reason);
        }
    }

    private void over(EndReason ending, String reason) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            sctp.abort();
            dtls.close();
            listener.onEnded(now, this, ending, reason);
        }
    }

    /**
     * Takes in a message of STUN that names this peer, or answers it.
     *
     * @return whether it is signed: then its sender is there
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
        lastHeard = now;
        return true;
    }

    /** Takes in a datagram of DTLS from one of its addresses. */
    void receive(long now, byte[] data) {
        if (state != State.CLOSED && path.selected() != null) {
            this.now = now;
            due = Long.MIN_VALUE;
            sctp.traffic().in(data.length);
            if (dtls.receive(now, data)) {
                lastHeard = now;
            }
        }
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
        // Of many peers few have anything to do in a turn.
        if (now >= due) {
            due = Long.MAX_VALUE;
            long next = work(now);
            due = Math.min(due, next);
        }
        return due;
    }

    private long work(long now) {
        long limit = lastHeard + limits.idleTimeoutNanos();
        String reason = "nothing was heard for " + limits.idleTimeoutNanos() / 1_000_000_000 + " s";
        if (state == State.OPENING) {
            boolean pathless = path.selected() == null;
            limit = began + (pathless ? limits.pathTimeoutNanos() : limits.openTimeoutNanos());
            reason = pathless ? "no path was found in time" : "it did not open in time";
        }
        if (now >= limit) {
            over(state == State.CLOSING ? EndReason.CLOSED : EndReason.TIMED_OUT, reason);
            return Long.MAX_VALUE;
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
