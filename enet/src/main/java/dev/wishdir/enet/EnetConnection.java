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
 * State machine of one connection; {@link EnetPeer} is its public view.
 *
 * <p>It has many fields, because the state of one connection is here; its halves, its round trip
 * and its parameters have classes of their own.
 */
final class EnetConnection {
    /** States of a connection: docs/protocols/enet.md#peer-states. */
    enum State {
        DISCONNECTED,
        CONNECTING,
        CONNECTED,
        DISCONNECT_LATER,
        DISCONNECTING,
        ACKNOWLEDGING_DISCONNECT
    }

    /** The host as its connection sees it. */
    interface Host extends SendQueue.Owner, IncomingChannel.Sink {
        /** The peer granted parameters; the host opens the connection. */
        void onGranted(Terms terms, long now);

        /** The peer's incoming bandwidth changed, bytes a second. */
        void onBandwidth(long peerIn);

        /** The connection has ended, and the listener is notified. */
        void onEnded(long data, EnetDisconnectReason cause);

        /** The connection has ended; the listener is not notified. */
        void onReleased();
    }

    private static final long LONG_AGO = Long.MIN_VALUE / 2;
    private static final int CHECK_INTERVAL_MILLIS = 1000;

    /**
     * Maximum distance between the sequence numbers of two commands of the connection itself. A
     * peer has few of them in flight: it pings only twice a second.
     */
    private static final int MAX_CONTROL_GAP = 64;

    /** A peer heard from this recently is not silent but does not acknowledge, milliseconds. */
    private static final int RECENTLY_HEARD_MILLIS = 3000;

    private final Host host;
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
    private int controlSeq;
    private long inBandwidth;
    private long lastReceivedMillis = LONG_AGO;
    private long nextCheck;
    private long data;
    private EnetDisconnectReason cause = EnetDisconnectReason.LOCAL;

    EnetConnection(
            Host host,
            NegotiatedParameters parameters,
            DatagramBuilder datagram,
            InetSocketAddress address,
            long connectID) {
        this.host = host;
        this.parameters = parameters;
        this.datagram = datagram;
        this.address = address;
        this.connectID = connectID;
        EnetSettings settings = parameters.settings();
        sendQueue = new SendQueue(settings, PeerAddress.unanswered(address), roundTrip, host);
        sender = new MessageSender(sendQueue, roundTrip);
        receiver = new MessageReceiver(settings.receiveMemory(), host, sendQueue.traffic());
    }

    InetSocketAddress address() {
        return address;
    }

    long connectID() {
        return connectID;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    RoundTripEstimator roundTrip() {
        return roundTrip;
    }

    MessageSender sender() {
        return sender;
    }

    /** Whether messages may be delivered. */
    boolean connected() {
        return state == State.CONNECTED;
    }

    EnetDisconnectReason cause() {
        return cause;
    }

    /** Time of the last datagram, milliseconds. */
    long lastReceivedMillis() {
        return lastReceivedMillis;
    }

    /** The heap of incomplete or early messages, bytes. */
    int retainedBytes() {
        return receiver.retainedBytes();
    }

    /**
     * Whether a message can be sent. A message that exceeds the send memory ends the connection.
     *
     * @throws IllegalArgumentException if it is longer than {@link EnetCommand#MAX_MESSAGE_BYTES}
     */
    boolean accepts(int channel, Bytes payload) {
        if (payload.length() > EnetCommand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "message has "
                            + payload.length()
                            + " bytes, must be at most "
                            + EnetCommand.MAX_MESSAGE_BYTES);
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

    /** Whether the connection is up and has the channel. */
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
            case CONNECTING -> host.onEnded(0, EnetDisconnectReason.LOCAL);
            case DISCONNECTED, DISCONNECTING, ACKNOWLEDGING_DISCONNECT -> {}
        }
    }

    void disconnectLater(long reason) {
        if (state == State.CONNECTED) {
            if (sendQueue.isIdle()) {
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
            host.onReleased();
        }
    }

    void reset() {
        host.onReleased();
    }

    /** The peer or the application exceeded a memory limit of the connection. */
    void overflow() {
        host.drop(DropReason.OVERFLOW);
        disconnect(parameters.settings().overflowReason());
        cause = EnetDisconnectReason.OVERFLOW;
    }

    /** Opens the connection of a client that has proved its address. */
    void accept(long now, PendingHandshake handshake) {
        Terms requested = handshake.requested();
        sendQueue.continueAfter(handshake.seq());
        controlSeq = handshake.requestSeq();
        roundTrip.configure(requested.thrInterval(), requested.thrAccel(), requested.thrDecel());
        roundTrip.addSample(now, now - handshake.verifySentAt());
        open(
                now,
                requested,
                handshake.granted().outSession(),
                handshake.granted().inSession(),
                parameters.sendWindow(requested.inBW()));
    }

    /**
     * Opens the connection that the server has granted.
     *
     * @param in session of incoming datagrams
     * @param out session of outgoing datagrams
     */
    void onGranted(long now, Terms terms, int in, int out) {
        open(now, terms, in, out, parameters.sendWindow(terms));
    }

    private void open(long now, Terms peerTerms, int in, int out, int window) {
        inSession = in;
        int channels = parameters.channels(peerTerms);
        receiver.open(channels);
        inBandwidth = peerTerms.inBW();
        PeerAddress peerAddress = new PeerAddress(address, peerTerms.outgoingPeerID(), out);
        sendQueue.open(now, peerAddress, parameters.mtu(peerTerms), window, channels);
        lastReceivedMillis = now;
        state = State.CONNECTED;
    }

    /** Whether a datagram's session belongs to this connection. */
    boolean hasSession(int session) {
        return state == State.CONNECTING || session == inSession;
    }

    /** The peer's incoming bandwidth, bytes a second, 0 for unlimited. */
    long inBandwidth() {
        return inBandwidth;
    }

    /**
     * Limits the throttle to the bandwidth, by what was offered in the last interval.
     *
     * @param out the host's outgoing bandwidth, bytes a second, 0 for unlimited
     * @param total bytes offered for all peers in the last interval
     */
    void shareBandwidth(long out, long total) {
        long offered = sendQueue.offered();
        long allowed = inBandwidth == 0 ? offered : Math.min(offered, inBandwidth);
        if (out != 0 && total > out) {
            allowed = Math.min(allowed, offered * out / total);
        }
        int fullThrottle = RoundTripEstimator.FULL_THROTTLE;
        roundTrip.limit(
                offered == 0 ? fullThrottle : (int) Math.max(1, fullThrottle * allowed / offered));
        sendQueue.resetOffered();
    }

    /** Whether the connection is up, even if it is about to be ended. */
    boolean isUp() {
        return state == State.CONNECTED || state == State.DISCONNECT_LATER;
    }

    boolean isClosed() {
        return state == State.DISCONNECTED;
    }

    void clear() {
        state = State.DISCONNECTED;
        sendQueue.clear();
        receiver.close();
    }

    /** Handles the commands of one datagram of this connection. */
    void receive(long now, EnetHeader header, List<EnetCommand> commands) {
        lastReceivedMillis = now;
        for (int i = 0; i < commands.size() && state != State.DISCONNECTED; i++) {
            EnetCommand command = commands.get(i);
            if (command.acknowledge() && !header.hasSentTime()) {
                host.drop(DropReason.UNTIMED);
                return;
            }
            Verdict verdict = receive(now, command);
            if (verdict == Verdict.STOP) {
                host.drop(DropReason.REFUSED);
                return;
            }
            if (verdict == Verdict.ACKNOWLEDGE
                    && command.acknowledge()
                    && mustAcknowledge(command)) {
                sendQueue.acknowledge(command, header.sentTime());
            }
        }
    }

    private boolean mustAcknowledge(EnetCommand command) {
        return switch (state) {
            case CONNECTED, DISCONNECT_LATER, CONNECTING -> true;
            case ACKNOWLEDGING_DISCONNECT -> command instanceof Disconnect;
            case DISCONNECTED, DISCONNECTING -> false;
        };
    }

    private Verdict receive(long now, EnetCommand command) {
        return switch (command) {
            case Ack c -> onAck(now, c);
            case Connect _ -> Verdict.STOP;
            case VerifyConnect c -> onVerifyConnect(now, c);
            case Ping _, Disconnect _, BandwidthLimit _, ThrottleConfigure _
                    when !continuesSequence(command) ->
                    Verdict.STOP;
            case Disconnect c -> onDisconnect(c);
            case Ping _ -> acknowledgeIfUp();
            case BandwidthLimit c when isUp() -> {
                inBandwidth = c.inBW();
                host.onBandwidth(inBandwidth);
                sendQueue.window(parameters.sendWindow(inBandwidth));
                yield Verdict.ACKNOWLEDGE;
            }
            case ThrottleConfigure c when isUp() -> {
                roundTrip.configure(c.interval(), c.accel(), c.decel());
                yield Verdict.ACKNOWLEDGE;
            }
            case BandwidthLimit _, ThrottleConfigure _ -> Verdict.STOP;
            case SendReliable _,
                    SendUnreliable _,
                    SendFragment _,
                    SendUnsequenced _,
                    SendUnreliableFragment _ ->
                    onMessage(command);
        };
    }

    /**
     * Whether a command of the connection itself continues the peer's sequence numbers. One that
     * does not is probably forged: it must not end the connection or change its bandwidth.
     */
    private boolean continuesSequence(EnetCommand command) {
        if (!isUp()) {
            return true;
        }
        int ahead = (short) (command.seq() - controlSeq);
        if (command.channel() != EnetCommand.NO_CHANNEL || Math.abs(ahead) > MAX_CONTROL_GAP) {
            return false;
        }
        controlSeq += Math.max(0, ahead);
        return true;
    }

    private Verdict acknowledgeIfUp() {
        return isUp() ? Verdict.ACKNOWLEDGE : Verdict.STOP;
    }

    private Verdict onMessage(EnetCommand command) {
        IncomingChannel channel = receiver.channel(command.channel());
        if (!isUp() || channel == null) {
            return Verdict.STOP;
        }
        if (state == State.DISCONNECT_LATER) {
            return Verdict.ACKNOWLEDGE;
        }
        return switch (command) {
            case SendReliable c -> channel.receive(c);
            case SendUnreliable c -> channel.receive(c);
            case SendFragment c -> channel.receive(c);
            case SendUnreliableFragment c -> channel.receive(c);
            case SendUnsequenced c -> receiver.receive(c);
            default -> Verdict.STOP;
        };
    }

    private Verdict onAck(long now, Ack ack) {
        if (state == State.CONNECTING) {
            // A CONNECT is answered, not acknowledged: this is forged, and would stop its repeats.
            return Verdict.STOP;
        }
        EnetCommand command = sendQueue.onAck(now, ack);
        if (command == null) {
            return Verdict.ACKNOWLEDGE;
        }
        if (state == State.DISCONNECTING && command instanceof Disconnect) {
            host.onEnded(0, cause);
        } else if (state == State.DISCONNECT_LATER && sendQueue.isIdle()) {
            disconnect(data);
        }
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict onVerifyConnect(long now, VerifyConnect command) {
        if (state != State.CONNECTING) {
            return Verdict.ACKNOWLEDGE;
        }
        Terms terms = command.terms();
        if (terms.connectID() != connectID) {
            // Only the server knows the number: this is forged, or for an earlier attempt.
            return Verdict.STOP;
        }
        controlSeq = command.seq();
        if (!NegotiatedParameters.repeatsRequest(terms, connectID)) {
            host.onEnded(0, EnetDisconnectReason.PROTOCOL);
            return Verdict.STOP;
        }
        sendQueue.onConnectAnswered(now);
        host.onGranted(terms, now);
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict onDisconnect(Disconnect command) {
        switch (state) {
            case CONNECTED, DISCONNECT_LATER -> {
                sendQueue.clear();
                receiver.close();
                if (command.acknowledge()) {
                    data = command.data();
                    state = State.ACKNOWLEDGING_DISCONNECT;
                    cause = EnetDisconnectReason.REMOTE;
                } else {
                    host.onEnded(command.data(), EnetDisconnectReason.REMOTE);
                }
            }
            case CONNECTING -> {
                // Nothing shows yet that it is the server's: anyone can forge its address.
                return Verdict.STOP;
            }
            case DISCONNECTING -> host.onEnded(command.data(), cause);
            case DISCONNECTED, ACKNOWLEDGING_DISCONNECT -> {}
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Latest time of the next {@link #service}, milliseconds. */
    long deadline() {
        return receiver.retainedBytes() == 0
                ? sendQueue.deadline()
                : Math.min(sendQueue.deadline(), nextCheck);
    }

    /** Sends what is due; called after {@link SendQueue.Owner#wake} and at the deadline. */
    void service(long now) {
        if (receiver.retainedBytes() > 0 && now >= nextCheck) {
            nextCheck = now + CHECK_INTERVAL_MILLIS;
            checkStall(now);
        }
        if (!sendQueue.flush(now, datagram)) {
            host.onEnded(0, timeoutReason(now));
        } else if (state == State.ACKNOWLEDGING_DISCONNECT) {
            host.onEnded(data, EnetDisconnectReason.REMOTE);
        }
    }

    private EnetDisconnectReason timeoutReason(long now) {
        return now - lastReceivedMillis < RECENTLY_HEARD_MILLIS
                ? EnetDisconnectReason.NOT_ACKNOWLEDGING
                : EnetDisconnectReason.TIMEOUT;
    }

    /**
     * Disconnects a peer whose message stays incomplete past the time in which ENet retransmits.
     */
    private void checkStall(long now) {
        if (receiver.isStalled(now)) {
            host.drop(DropReason.INCOMPLETE);
            disconnect(parameters.settings().timeoutReason());
            cause = EnetDisconnectReason.INCOMPLETE;
        }
    }
}
