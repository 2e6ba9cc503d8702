package dev.wishdir.enet;

import dev.wishdir.enet.EnetChannel.Verdict;
import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.enet.EnetCommand.SendUnsequenced;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.ThrottleConfigure;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.List;

/**
 * One connection of an {@link EnetHost}. What is sent leaves at the host's next {@link
 * EnetHost#advance}, several messages in a datagram. Used by the host's thread alone.
 */
public final class EnetPeer {
    /** The states of a connection: ENet 1.3, peer states. */
    enum State {
        DISCONNECTED,
        CONNECTING,
        CONNECTED,
        DISCONNECT_LATER,
        DISCONNECTING,
        ACKNOWLEDGING_DISCONNECT
    }

    private static final int UNSEQUENCED_WINDOW = 1024;
    private static final long NEVER = Long.MIN_VALUE / 2;
    private static final int CHECK_INTERVAL = 1000;
    private static final int UNSEQUENCED_AHEAD = 32 * UNSEQUENCED_WINDOW;

    private final EnetHost host;
    private final int index;
    private final InetSocketAddress address;
    private final long connectID;
    private final EnetRoundTrip roundTrip = new EnetRoundTrip();
    private final EnetOutbox outbox;

    /** When the host has to look at this peer again, milliseconds. */
    long deadline = EnetHost.NEVER;

    /** Whether the host will look at this peer in its next {@link EnetHost#advance}. */
    boolean dirty;

    private State state = State.CONNECTING;
    private int outgoingPeerID = EnetHeader.NO_PEER;
    private int inSession;
    private int outSession;
    private EnetChannel[] channels = {};
    private long inBandwidth;

    private int held;
    private long lastHeard = NEVER;
    private long nextCheck;
    private int receivedGroup;
    private final BitSet receivedGroups = new BitSet(UNSEQUENCED_WINDOW);
    private int sentGroup;

    private long data;
    private EnetListener.Cause cause = EnetListener.Cause.LOCAL;

    EnetPeer(EnetHost host, int index, InetSocketAddress address, long connectID) {
        this.host = host;
        this.index = index;
        this.address = address;
        this.connectID = connectID;
        outbox = new EnetOutbox(host, this, roundTrip);
    }

    /** The slot of this peer in its host, from 0; another peer may have it later. */
    public int index() {
        return index;
    }

    /** Where the other side is. */
    public InetSocketAddress address() {
        return address;
    }

    /** Whether messages may be sent. */
    public boolean connected() {
        return state == State.CONNECTED;
    }

    /** Why it is no longer connected, where its listener has not been told yet. */
    public EnetListener.Cause cause() {
        return cause;
    }

    /** The smoothed round trip, milliseconds; 500 before anything was acknowledged. */
    public int roundTrip() {
        return roundTrip.mean();
    }

    /** The smoothed deviation of the round trip, milliseconds. */
    public int roundTripVariance() {
        return roundTrip.variance();
    }

    /** The longest datagram that is sent to this peer, bytes. */
    public int mtu() {
        return outbox.mtu();
    }

    /** The bytes that were sent to this peer, without IP and UDP headers. */
    public long sentBytes() {
        return outbox.sentBytes();
    }

    /** The reliable commands that were sent again. */
    public long retransmissions() {
        return outbox.retransmissions();
    }

    /**
     * The heap of all that waits: what is queued, sent and not acknowledged, incomplete or early.
     * Overheads of objects are in it, and of a file the share of this one among all who are being
     * sent it; what a connection without traffic takes is not.
     */
    public long held() {
        return outbox.held() + held;
    }

    /**
     * Whether much waits to be sent or acknowledged, a file aside. What is sent now comes late:
     * state should be sent as its newest value when this is over, and what others say is better
     * left out.
     */
    public boolean isBehind() {
        return outbox.isBehind();
    }

    /** Whether a file is on its way to this peer. */
    public boolean isSendingFile() {
        return outbox.isSendingFile();
    }

    /** The heap that is kept for this peer until it is sent and acknowledged, without a file. */
    public int queuedBytes() {
        return outbox.queuedBytes();
    }

    /** When a datagram of this connection came last, milliseconds of the host's clock. */
    public long lastHeard() {
        return lastHeard;
    }

    /** The heap that is kept of this peer's incomplete or early messages. */
    public int heldBytes() {
        return held;
    }

    long connectID() {
        return connectID;
    }

    EnetRoundTrip measured() {
        return roundTrip;
    }

    EnetOutbox outbox() {
        return outbox;
    }

    /**
     * Queues a message. One that is longer than a datagram goes in reliable fragments, even if it
     * is not meant to be reliable.
     *
     * @param channel 0..254
     * @return false if it will not be sent: the peer is not connected, has fewer channels, or has
     *     left too much unacknowledged and is disconnected for it
     * @throws IllegalArgumentException if the message is longer than 32 MiB
     */
    public boolean send(int channel, Bytes payload, boolean reliable) {
        if (!sendable(channel, payload)) {
            return false;
        }
        EnetChannel stream = channels[channel];
        if (payload.length() > outbox.fragmentLength()) {
            sendFragments(stream, channel, payload, true);
        } else if (reliable || !stream.unreliableNumbersLeft()) {
            outbox.queueReliable(
                    new SendReliable(
                            EnetCommand.ACKNOWLEDGE, channel, stream.nextReliable(), payload));
        } else if (!roundTrip.drops()) {
            outbox.queueUnreliable(
                    new SendUnreliable(
                            0, channel, stream.lastReliable(), stream.nextUnreliable(), payload));
        }
        return true;
    }

    /**
     * Begins to send a file, reliably; other messages go before it, whenever they come. Its bytes
     * are not copied: all who are being sent it share them.
     *
     * @param channel 0..254, of which nothing may be sent meanwhile that relies on the order
     * @return false if a file is on its way to this peer already, or the peer is not connected or
     *     has fewer channels
     * @throws IllegalArgumentException if the file is longer than 32 MiB or empty
     */
    public boolean sendFile(int channel, EnetFile file) {
        int length = file.message().length();
        if (length == 0 || length > EnetCommand.MAX_MESSAGE) {
            throw new IllegalArgumentException("file has " + length + " bytes, must be 1..32 MiB");
        }
        if (state != State.CONNECTED || channel >= channels.length || outbox.isSendingFile()) {
            return false;
        }
        EnetChannel stream = channels[channel];
        int start = stream.nextReliable();
        stream.skipReliable((length - 1) / outbox.fragmentLength());
        outbox.offer(length);
        outbox.sendFile(file, channel, start);
        return true;
    }

    /**
     * Queues a message that may be lost, in fragments that may be lost if it is longer than a
     * datagram. Returns and throws as {@link #send} does.
     */
    public boolean sendUnreliable(int channel, Bytes payload) {
        if (payload.length() <= outbox.fragmentLength()) {
            return send(channel, payload, false);
        }
        if (!sendable(channel, payload)) {
            return false;
        }
        EnetChannel stream = channels[channel];
        if (!stream.unreliableNumbersLeft()) {
            sendFragments(stream, channel, payload, true);
        } else if (!roundTrip.drops()) {
            sendFragments(stream, channel, payload, false);
        }
        return true;
    }

    /**
     * Queues a message that may be lost and overtaken. One that is longer than a datagram goes in
     * reliable fragments. Returns and throws as {@link #send} does.
     */
    public boolean sendUnsequenced(int channel, Bytes payload) {
        if (payload.length() > outbox.fragmentLength()) {
            return send(channel, payload, true);
        }
        if (!sendable(channel, payload)) {
            return false;
        }
        if (!roundTrip.drops()) {
            sentGroup = sentGroup + 1 & 0xFFFF;
            outbox.queueUnreliable(
                    new SendUnsequenced(EnetCommand.UNSEQUENCED, channel, 0, sentGroup, payload));
        }
        return true;
    }

    private boolean sendable(int channel, Bytes payload) {
        if (payload.length() > EnetCommand.MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "message has " + payload.length() + " bytes, at most 32 MiB can be sent");
        }
        if (state != State.CONNECTED || channel >= channels.length) {
            return false;
        }
        if (!outbox.fits(payload.length())) {
            overflow();
            return false;
        }
        outbox.offer(payload.length());
        return true;
    }

    private void sendFragments(EnetChannel stream, int channel, Bytes payload, boolean reliable) {
        int length = outbox.fragmentLength();
        int total = payload.length();
        int count = (total + length - 1) / length;
        int useq = reliable ? 0 : stream.nextUnreliable();
        int start = stream.lastReliable() + 1 & 0xFFFF;
        for (int num = 0; num < count; num++) {
            int offset = num * length;
            Bytes piece = payload.slice(offset, Math.min(length, total - offset));
            if (reliable) {
                outbox.queueReliable(
                        new SendFragment(
                                EnetCommand.ACKNOWLEDGE,
                                channel,
                                stream.nextReliable(),
                                new Fragment(start, count, num, total, offset, piece)));
            } else {
                outbox.queueUnreliable(
                        new SendUnreliableFragment(
                                0,
                                channel,
                                stream.lastReliable(),
                                new Fragment(useq, count, num, total, offset, piece)));
            }
        }
    }

    /** Asks the other side to move its throttle of unreliable messages differently. */
    public void configureThrottle(long interval, long accel, long decel) {
        if (state == State.CONNECTED) {
            roundTrip.configure(interval, accel, decel);
            outbox.queueReliable(
                    new ThrottleConfigure(
                            EnetCommand.ACKNOWLEDGE,
                            EnetCommand.NO_CHANNEL,
                            outbox.nextSeq(),
                            interval,
                            accel,
                            decel));
        }
    }

    /**
     * Ends the connection: what is queued is thrown away, the other side is told until it
     * acknowledges; then {@link EnetListener#disconnected} comes.
     *
     * @param reason a number for the other side, 0..2^32-1
     */
    public void disconnect(long reason) {
        switch (state) {
            case CONNECTED, DISCONNECT_LATER -> {
                outbox.clear();
                forgetReceived();
                outbox.queueReliable(
                        new Disconnect(
                                EnetCommand.ACKNOWLEDGE,
                                EnetCommand.NO_CHANNEL,
                                outbox.nextSeq(),
                                reason));
                state = State.DISCONNECTING;
            }
            case CONNECTING -> host.ended(this, 0, EnetListener.Cause.LOCAL);
            case DISCONNECTED, DISCONNECTING, ACKNOWLEDGING_DISCONNECT -> {}
        }
    }

    /** As {@link #disconnect}, once everything queued has been sent and acknowledged. */
    public void disconnectLater(long reason) {
        if (state == State.CONNECTED) {
            if (outbox.idle()) {
                disconnect(reason);
            } else {
                data = reason;
                state = State.DISCONNECT_LATER;
            }
        } else {
            disconnect(reason);
        }
    }

    /** Tells the other side once, at once, and forgets the connection. */
    public void disconnectNow(long reason) {
        if (state != State.DISCONNECTED) {
            outbox.clear();
            if (state != State.CONNECTING) {
                outbox.sendAlone(
                        new Disconnect(
                                EnetCommand.UNSEQUENCED,
                                EnetCommand.NO_CHANNEL,
                                outbox.nextSeq(),
                                reason));
            }
            host.release(this);
        }
    }

    /** Forgets the connection; the other side is not told and will time out. */
    public void reset() {
        host.release(this);
    }

    /** The other side, or the application, went beyond what is kept for a peer. */
    private void overflow() {
        host.drop(EnetHost.Drop.OVERFLOW);
        disconnect(host.settings().overflowReason());
        cause = EnetListener.Cause.OVERFLOW;
    }

    // Called by the host.

    /**
     * Takes over what the two sides agreed on; the connection is up.
     *
     * @param theirs the terms that the other side sent
     */
    void open(long now, Terms theirs, int inSession, int outSession, int mtu, int window) {
        this.inSession = inSession;
        this.outSession = outSession;
        outgoingPeerID = theirs.outgoingPeerID();
        channels = new EnetChannel[Math.min(host.settings().channels(), (int) theirs.channels())];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = new EnetChannel(this, i);
        }
        inBandwidth = theirs.inBW();
        outbox.open(now, mtu, window);
        lastHeard = now;
        state = State.CONNECTED;
    }

    /** Whether a datagram's session is that of this connection. */
    boolean accepts(int session) {
        return state == State.CONNECTING || session == inSession;
    }

    EnetHeader header(int sentTime) {
        return new EnetHeader(outgoingPeerID, outSession, false, sentTime);
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
        long offered = outbox.offered();
        long allowed = inBandwidth == 0 ? offered : Math.min(offered, inBandwidth);
        if (out != 0 && total > out) {
            allowed = Math.min(allowed, offered * out / total);
        }
        int full = EnetRoundTrip.FULL_THROTTLE;
        roundTrip.limit(offered == 0 ? full : (int) Math.max(1, full * allowed / offered));
        outbox.forgetOffered();
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
        deadline = EnetHost.NEVER;
        outbox.clear();
        forgetReceived();
    }

    private void forgetReceived() {
        channels = new EnetChannel[0];
        held = 0;
    }

    /** Takes in the commands of one datagram that belongs to this connection. */
    void receive(long now, EnetHeader header, List<EnetCommand> commands) {
        lastHeard = now;
        for (int i = 0; i < commands.size() && state != State.DISCONNECTED; i++) {
            EnetCommand command = commands.get(i);
            if (command.acknowledge() && !header.hasSentTime()) {
                host.drop(EnetHost.Drop.UNTIMED);
                return;
            }
            Verdict verdict = receive(now, command);
            if (verdict == Verdict.STOP) {
                host.drop(EnetHost.Drop.REFUSED);
                return;
            }
            if (verdict == Verdict.ACKNOWLEDGE && command.acknowledge() && acknowledges(command)) {
                outbox.acknowledge(command, header.sentTime());
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
            case BandwidthLimit c -> {
                if (whenUp() == Verdict.ACKNOWLEDGE) {
                    inBandwidth = c.inBW();
                    outbox.window(host.sendWindow(inBandwidth));
                }
                yield whenUp();
            }
            case ThrottleConfigure c -> {
                if (whenUp() == Verdict.ACKNOWLEDGE) {
                    roundTrip.configure(c.interval(), c.accel(), c.decel());
                }
                yield whenUp();
            }
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
        if (whenUp() == Verdict.STOP || command.channel() >= channels.length) {
            return Verdict.STOP;
        }
        if (state == State.DISCONNECT_LATER) {
            return Verdict.ACKNOWLEDGE;
        }
        EnetChannel channel = channels[command.channel()];
        return switch (command) {
            case SendReliable c -> channel.receive(c);
            case SendUnreliable c -> channel.receive(c);
            case SendFragment c -> channel.receive(c);
            case SendUnreliableFragment c -> channel.receive(c);
            case SendUnsequenced c -> unsequenced(c);
            default -> Verdict.STOP;
        };
    }

    private Verdict unsequenced(SendUnsequenced command) {
        int bit = command.group() % UNSEQUENCED_WINDOW;
        int group = command.group() + (command.group() < receivedGroup ? 0x10000 : 0);
        if (group >= receivedGroup + UNSEQUENCED_AHEAD) {
            return Verdict.ACKNOWLEDGE;
        }
        int window = (group & 0xFFFF) - bit;
        if (window != receivedGroup) {
            receivedGroup = window;
            receivedGroups.clear();
        } else if (receivedGroups.get(bit)) {
            return Verdict.ACKNOWLEDGE;
        }
        receivedGroups.set(bit);
        deliver(command.channel(), command.payload(), false);
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict acknowledged(long now, Ack ack) {
        EnetCommand command = outbox.acknowledged(now, ack);
        if (command == null) {
            return Verdict.ACKNOWLEDGE;
        }
        if (command instanceof SendReliable || command instanceof SendFragment) {
            if (command.channel() < channels.length) {
                channels[command.channel()].acknowledged(command.seq());
            }
        }
        if (state == State.DISCONNECTING && command instanceof Disconnect) {
            host.ended(this, 0, cause);
        } else if (state == State.DISCONNECT_LATER && outbox.idle()) {
            disconnect(data);
        }
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict verified(long now, VerifyConnect command) {
        if (state != State.CONNECTING) {
            return Verdict.ACKNOWLEDGE;
        }
        Terms terms = command.terms();
        if (!host.asked(terms, connectID)) {
            host.ended(this, 0, EnetListener.Cause.PROTOCOL);
            return Verdict.STOP;
        }
        outbox.answered(now);
        host.verified(now, this, terms);
        return Verdict.ACKNOWLEDGE;
    }

    private Verdict disconnected(Disconnect command) {
        switch (state) {
            case CONNECTED, DISCONNECT_LATER -> {
                outbox.clear();
                forgetReceived();
                if (command.acknowledge()) {
                    data = command.data();
                    state = State.ACKNOWLEDGING_DISCONNECT;
                    cause = EnetListener.Cause.REMOTE;
                } else {
                    host.ended(this, command.data(), EnetListener.Cause.REMOTE);
                }
            }
            case CONNECTING -> host.ended(this, command.data(), EnetListener.Cause.REMOTE);
            case DISCONNECTING -> host.ended(this, command.data(), cause);
            case DISCONNECTED, ACKNOWLEDGING_DISCONNECT -> {}
        }
        return Verdict.ACKNOWLEDGE;
    }

    /** Sends what is due; the host calls it for a peer that is dirty or whose deadline has come. */
    void service(long now) {
        if (held > 0 && now >= nextCheck) {
            nextCheck = now + CHECK_INTERVAL;
            checkStall(now);
        }
        if (!outbox.flush(now)) {
            host.ended(this, 0, outbox.cause(now));
        } else if (state == State.ACKNOWLEDGING_DISCONNECT) {
            host.ended(this, data, EnetListener.Cause.REMOTE);
        } else if (state != State.DISCONNECTED) {
            deadline = held == 0 ? outbox.deadline() : Math.min(outbox.deadline(), nextCheck);
        }
    }

    /**
     * Ends a connection of which a message stays incomplete though the other side has had the time
     * to send it again until it would have given up itself.
     */
    private void checkStall(long now) {
        for (EnetChannel channel : channels) {
            if (channel.isStalled(now)) {
                host.drop(EnetHost.Drop.INCOMPLETE);
                disconnect(host.settings().timeoutReason());
                cause = EnetListener.Cause.INCOMPLETE;
                return;
            }
        }
    }

    // Called by the channels.

    void deliver(int channel, Bytes payload, boolean reliable) {
        if (state == State.CONNECTED) {
            host.listener().received(this, channel, payload, reliable);
        }
    }

    /** Whether so many bytes more may be kept of this peer's messages. */
    boolean fits(int bytes) {
        return held + bytes <= host.settings().receiveMemory();
    }

    /**
     * Counts bytes that are kept of a message. A peer that goes over what is kept for it is
     * disconnected.
     *
     * @param whole the bytes of the whole message
     * @param part the bytes that are kept now
     * @return whether they may be kept
     */
    boolean hold(int whole, int part) {
        if (whole > host.settings().receiveMemory() || !fits(part)) {
            overflow();
            return false;
        }
        if (held == 0) {
            for (EnetChannel channel : channels) {
                channel.startWaiting();
            }
        }
        held += part;
        return true;
    }

    void release(int bytes) {
        // What was held is forgotten when a message ends the connection that it came in.
        if (up()) {
            held -= bytes;
        }
    }

    /** Whether a reliable command may leave for the first time. */
    boolean mayStart(EnetCommand command) {
        return command.channel() >= channels.length
                || channels[command.channel()].mayStart(command.seq());
    }

    void started(EnetCommand command) {
        if (command.channel() < channels.length) {
            channels[command.channel()].started(command.seq());
        }
    }
}
