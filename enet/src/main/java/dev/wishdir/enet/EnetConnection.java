package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.enet.EnetCommand.SendUnsequenced;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.ThrottleConfigure;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.enet.IncomingChannel.Verdict;
import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The state of one connection, what it sends and what comes in. Whoever uses it sees an {@link
 * EnetPeer}.
 */
final class EnetConnection implements IncomingChannel.Sink {
    /** The states of a connection: docs/protocols/enet.md#peer-states. */
    enum State {
        DISCONNECTED,
        CONNECTING,
        CONNECTED,
        DISCONNECT_LATER,
        DISCONNECTING,
        ACKNOWLEDGING_DISCONNECT
    }

    /** What a connection asks of the host that it belongs to. */
    interface Home extends SendQueue.Owner {
        /** The other side granted terms; the host opens the connection. */
        void granted(Terms terms, long now);

        /** Something is known of what the other side takes in, bytes a second. */
        void bandwidth(long theirIn);

        /** A message came in. */
        void received(int channel, Bytes payload, boolean reliable);

        /** The connection has ended, and the listener is notified. */
        void ended(long data, EnetDisconnectReason cause);

        /** The connection is over without a word to anyone. */
        void released();
    }

    private static final long LONG_AGO = Long.MIN_VALUE / 2;
    private static final int CHECK_INTERVAL_MILLIS = 1000;

    /** A peer that was heard so lately is not silent: it does not acknowledge. */
    private static final int TALKS = 3000;

    private final Home home;
    private final NegotiatedParameters parameters;
    private final DatagramBuilder datagram;
    private final InetSocketAddress address;
    private final long connectID;
    private final RoundTripEstimator roundTrip = new RoundTripEstimator();
    private final SendQueue sendQueue;
    private final MessageSender sender;
    private final MessageReceiver receiver;

    private State state = State.CONNECTING;
    private int inSession;
    private long inBandwidth;
    private long lastHeard = LONG_AGO;
    private long nextCheck;
    private long data;
    private EnetDisconnectReason cause = EnetDisconnectReason.LOCAL;

    EnetConnection(
            Home home,
            NegotiatedParameters parameters,
            DatagramBuilder datagram,
            InetSocketAddress address,
            long connectID) {
        this.home = home;
        this.parameters = parameters;
        this.datagram = datagram;
        this.address = address;
        this.connectID = connectID;
        EnetSettings settings = parameters.settings();
        sendQueue = new SendQueue(settings, PeerAddress.unanswered(address), roundTrip, home);
        sender = new MessageSender(sendQueue, roundTrip);
        receiver = new MessageReceiver(settings.receiveMemory(), this, sendQueue.traffic());
    }

    InetSocketAddress address() {
        return address;
    }

    long connectID() {
        return connectID;
    }

    SendQueue outbox() {
        return sendQueue;
    }

    RoundTripEstimator roundTrip() {
        return roundTrip;
    }

    MessageSender sender() {
        return sender;
    }

    @Override
    public boolean connected() {
        return state == State.CONNECTED;
    }

    @Override
    public void deliver(int channel, Bytes payload, boolean reliable) {
        if (state == State.CONNECTED) {
            home.received(channel, payload, reliable);
        }
    }

    EnetDisconnectReason cause() {
        return cause;
    }

    /** When a datagram came last, milliseconds. */
    long lastHeard() {
        return lastHeard;
    }

    /** The heap that is kept of messages that are incomplete or early, bytes. */
    int retainedBytes() {
        return receiver.retainedBytes();
    }

    /**
     * Whether a message can be sent. One that there is no room for ends the connection.
     *
     * @throws IllegalArgumentException if it is longer than any may be
     */
    boolean takes(int channel, Bytes payload) {
        if (payload.length() > EnetCommand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "message has " + payload.length() + " bytes, at most 32 MiB can be sent");
        }
        if (!hasChannel(channel)) {
            return false;
        }
        if (!sendQueue.fits(payload.length())) {
            overflow();
            return false;
        }
        sendQueue.offer(payload.length());
        return true;
    }

    /** Whether anything may be sent on a channel. */
    boolean hasChannel(int channel) {
        return state == State.CONNECTED && sendQueue.hasChannel(channel);
    }

    void configureThrottle(long interval, long accel, long decel) {
        if (state == State.CONNECTED) {
            roundTrip.configure(interval, accel, decel);
            sender.configureThrottle(interval, accel, decel);
        }
    }

    void disconnect(long reason) {
        switch (state) {
            case CONNECTED, DISCONNECT_LATER -> {
                sendQueue.clear();
                receiver.close();
                sender.disconnect(reason);
                state = State.DISCONNECTING;
            }
            case CONNECTING -> home.ended(0, EnetDisconnectReason.LOCAL);
            case DISCONNECTED, DISCONNECTING, ACKNOWLEDGING_DISCONNECT -> {}
        }
    }

    void disconnectLater(long reason) {
        if (state == State.CONNECTED) {
            if (sendQueue.idle()) {
                disconnect(reason);
            } else {
                data = reason;
                state = State.DISCONNECT_LATER;
            }
        } else {
            disconnect(reason);
        }
    }

    void disconnectNow(long reason) {
        if (state != State.DISCONNECTED) {
            sendQueue.clear();
            if (state != State.CONNECTING) {
                sender.disconnectNow(reason, datagram);
            }
            home.released();
        }
    }

    void reset() {
        home.released();
    }

    /** The other side, or the application, went beyond what is kept for a peer. */
    @Override
    public void overflow() {
        home.drop(DropReason.OVERFLOW);
        disconnect(parameters.settings().overflowReason());
        cause = EnetDisconnectReason.OVERFLOW;
    }

    /** The other side proved that it had the answer to its CONNECT; the connection is up. */
    void accept(long now, PendingHandshake handshake) {
        Terms asked = handshake.asked();
        sendQueue.continueAfter(handshake.seq());
        roundTrip.configure(asked.thrInterval(), asked.thrAccel(), asked.thrDecel());
        roundTrip.sample(now, now - handshake.verified());
        open(
                now,
                asked,
                handshake.granted().outSession(),
                handshake.granted().inSession(),
                parameters.sendWindow(asked.inBW()));
    }

    /**
     * The other side granted what this one asked for; the connection is up.
     *
     * @param in session of what comes from there
     * @param out session of what goes there
     */
    void granted(long now, Terms terms, int in, int out) {
        open(now, terms, in, out, parameters.sendWindow(terms));
    }

    private void open(long now, Terms theirs, int in, int out, int window) {
        inSession = in;
        int channels = parameters.channels(theirs);
        receiver.open(channels);
        inBandwidth = theirs.inBW();
        PeerAddress peerAddress = new PeerAddress(address, theirs.outgoingPeerID(), out);
        sendQueue.open(now, peerAddress, parameters.mtu(theirs), window, channels);
        lastHeard = now;
        state = State.CONNECTED;
    }

    /** Whether a datagram's session is that of this connection. */
    boolean accepts(int session) {
        return state == State.CONNECTING || session == inSession;
    }

    /** Bytes a second that the other side takes in, 0 for unlimited. */
    long inBandwidth() {
        return inBandwidth;
    }

    /**
     * Caps the throttle so that of what was offered lately no more goes out than may.
     *
     * @param out bytes a second that the host puts out, 0 for unlimited
     * @param total what was offered for all peers lately, bytes
     */
    void shareBandwidth(long out, long total) {
        long offered = sendQueue.offered();
        long allowed = inBandwidth == 0 ? offered : Math.min(offered, inBandwidth);
        if (out != 0 && total > out) {
            allowed = Math.min(allowed, offered * out / total);
        }
        int full = RoundTripEstimator.FULL_THROTTLE;
        roundTrip.limit(offered == 0 ? full : (int) Math.max(1, full * allowed / offered));
        sendQueue.forgetOffered();
    }

    /** Whether the connection is up, to be ended or not. */
    boolean up() {
        return state == State.CONNECTED || state == State.DISCONNECT_LATER;
    }

    boolean gone() {
        return state == State.DISCONNECTED;
    }

    void clear() {
        state = State.DISCONNECTED;
        sendQueue.clear();
        receiver.close();
    }

    /** Takes in the commands of one datagram that belongs to this connection. */
    void receive(long now, EnetHeader header, List<EnetCommand> commands) {
        lastHeard = now;
        for (int i = 0; i < commands.size() && state != State.DISCONNECTED; i++) {
            EnetCommand command = commands.get(i);
            if (command.acknowledge() && !header.hasSentTime()) {
                home.drop(DropReason.UNTIMED);
                return;
            }
            Verdict verdict = receive(now, command);
            if (verdict == Verdict.STOP) {
                home.drop(DropReason.REFUSED);
                return;
            }
            if (verdict == Verdict.ACKNOWLEDGE && command.acknowledge() && acknowledges(command)) {
                sendQueue.acknowledge(command, header.sentTime());
            }
        }
    }

    private boolean acknowledges(EnetCommand command) {
        return switch (state) {
            case CONNECTED, DISCONNECT_LATER, CONNECTING -> true;
            case ACKNOWLEDGING_DISCONNECT -> command instanceof Disconnect;
            case DISCONNECTED, DISCONNECTING -> false;
        };
    }

    private Verdict receive(long now, EnetCommand command) {
        return switch (command) {
            case Ack c -> acknowledged(now, c);
            case Connect _ -> Verdict.STOP;
            case VerifyConnect c -> verified(now, c);
            case Disconnect c -> disconnected(c);
            case Ping _ -> whenUp();
            case BandwidthLimit c when up() -> {
                inBandwidth = c.inBW();
                home.bandwidth(inBandwidth);
                sendQueue.window(parameters.sendWindow(inBandwidth));
                yield Verdict.ACKNOWLEDGE;
            }
            case ThrottleConfigure c when up() -> {
                roundTrip.configure(c.interval(), c.accel(), c.decel());
                yield Verdict.ACKNOWLEDGE;
            }
            case BandwidthLimit _, ThrottleConfigure _ -> Verdict.STOP;
            case SendReliable _,
                    SendUnreliable _,
                    SendFragment _,
                    SendUnsequenced _,
                    SendUnreliableFragment _ ->
                    message(command);
        };
    }

    private Verdict whenUp() {
        return up() ? Verdict.ACKNOWLEDGE : Verdict.STOP;
    }

    private Verdict message(EnetCommand command) {
        if (whenUp() == Verdict.STOP || !receiver.hasChannel(command)) {
            return Verdict.STOP;
        }
        return state == State.DISCONNECT_LATER ? Verdict.ACKNOWLEDGE : receiver.receive(command);
    }

    private Verdict acknowledged(long now, Ack ack) {
        EnetCommand command = sendQueue.acknowledged(now, ack);
        if (command == null) {
            return Verdict.ACKNOWLEDGE;
        }
        if (state == State.DISCONNECTING && command instanceof Disconnect) {
            home.ended(0, cause);
        } else if (state == State.DISCONNECT_LATER && sendQueue.idle()) {
            disconnect(data);
        }
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict verified(long now, VerifyConnect command) {
        if (state != State.CONNECTING) {
            return Verdict.ACKNOWLEDGE;
        }
        Terms terms = command.terms();
        if (!NegotiatedParameters.repeatsRequest(terms, connectID)) {
            home.ended(0, EnetDisconnectReason.PROTOCOL);
            return Verdict.STOP;
        }
        sendQueue.answered(now);
        home.granted(terms, now);
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict disconnected(Disconnect command) {
        switch (state) {
            case CONNECTED, DISCONNECT_LATER -> {
                sendQueue.clear();
                receiver.close();
                if (command.acknowledge()) {
                    data = command.data();
                    state = State.ACKNOWLEDGING_DISCONNECT;
                    cause = EnetDisconnectReason.REMOTE;
                } else {
                    home.ended(command.data(), EnetDisconnectReason.REMOTE);
                }
            }
            case CONNECTING -> home.ended(command.data(), EnetDisconnectReason.REMOTE);
            case DISCONNECTING -> home.ended(command.data(), cause);
            case DISCONNECTED, ACKNOWLEDGING_DISCONNECT -> {}
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** When {@link #service} has to be called again, milliseconds. */
    long deadline() {
        return receiver.retainedBytes() == 0
                ? sendQueue.deadline()
                : Math.min(sendQueue.deadline(), nextCheck);
    }

    /**
     * Sends what is due; the host calls it when the connection woke it or the deadline is there.
     */
    void service(long now) {
        if (receiver.retainedBytes() > 0 && now >= nextCheck) {
            nextCheck = now + CHECK_INTERVAL_MILLIS;
            checkStall(now);
        }
        if (!sendQueue.flush(now, datagram)) {
            home.ended(0, silence(now));
        } else if (state == State.ACKNOWLEDGING_DISCONNECT) {
            home.ended(data, EnetDisconnectReason.REMOTE);
        }
    }

    private EnetDisconnectReason silence(long now) {
        return now - lastHeard < TALKS
                ? EnetDisconnectReason.NOT_ACKNOWLEDGING
                : EnetDisconnectReason.TIMEOUT;
    }

    /**
     * Ends a connection of which a message stays incomplete though the other side has had the time
     * to send it again until it would have given up itself.
     */
    private void checkStall(long now) {
        if (receiver.isStalled(now)) {
            home.drop(DropReason.INCOMPLETE);
            disconnect(parameters.settings().timeoutReason());
            cause = EnetDisconnectReason.INCOMPLETE;
        }
    }
}
