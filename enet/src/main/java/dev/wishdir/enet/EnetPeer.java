package dev.wishdir.enet;

import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;

/**
 * One connection of an {@link EnetHost}. What is sent leaves at the host's next {@link
 * EnetHost#advance}, several messages in a datagram. Used only by the host's thread.
 */
public final class EnetPeer {
    private final int index;
    private final EnetConnection connection;
    private final SendQueue sendQueue;
    private final MessageSender sender;

    EnetPeer(int index, EnetConnection connection) {
        this.index = index;
        this.connection = connection;
        sendQueue = connection.outbox();
        sender = connection.sender();
    }

    /** The head of a datagram to this peer. */
    EnetHeader header(int sentTime) {
        return sendQueue.header(sentTime);
    }

    /** The slot of this peer in its host, from 0; another peer may have it later. */
    public int index() {
        return index;
    }

    /** Where the other side is. */
    public InetSocketAddress address() {
        return connection.address();
    }

    /** The client's random number for this connection, 0..2^32-1. */
    public long connectID() {
        return connection.connectID();
    }

    /** Whether messages may be sent. */
    public boolean connected() {
        return connection.connected();
    }

    /** The reason of the disconnect, if the listener is not notified yet. */
    public EnetDisconnectReason cause() {
        return connection.cause();
    }

    /** The smoothed round trip, milliseconds; 500 before anything was acknowledged. */
    public int roundTrip() {
        return connection.roundTrip().mean();
    }

    /** The smoothed deviation of the round trip, milliseconds. */
    public int roundTripVariance() {
        return connection.roundTrip().variance();
    }

    /** How many of 32 unreliable messages are sent; the rest is left out, as the line is full. */
    public int throttle() {
        return connection.roundTrip().throttle();
    }

    /** The longest datagram that is sent to this peer, bytes. */
    public int mtu() {
        return sendQueue.mtu();
    }

    /** Bytes a second that the other side takes in, 0 for unlimited. */
    public long inBandwidth() {
        return connection.inBandwidth();
    }

    /**
     * What came and went. What was lost on the way out is reliable commands that were sent again;
     * on the way in unreliable messages, one that the other side's throttle left out among them.
     */
    public TrafficCounters traffic() {
        return sendQueue.traffic();
    }

    /** When a datagram of this connection came last, milliseconds of the host's clock. */
    public long lastHeard() {
        return connection.lastHeard();
    }

    /**
     * The heap of all that waits: what is queued, sent and not acknowledged, incomplete or early.
     * Overheads of objects are in it, and of a file the share of this one among all who are being
     * sent it; what a connection without traffic takes is not.
     */
    public long held() {
        return sendQueue.retainedBytes() + heldBytes();
    }

    /** The heap that is kept of this peer's incomplete or early messages. */
    public int heldBytes() {
        return connection.retainedBytes();
    }

    /** The heap that is kept for this peer until it is sent and acknowledged, without a file. */
    public int queuedBytes() {
        return sendQueue.queuedBytes();
    }

    /**
     * Whether much waits to be sent or acknowledged, a file aside. What is sent now comes late:
     * state should be sent as its newest value when this is over, and what others say is better
     * left out.
     */
    public boolean isCongested() {
        return sendQueue.isCongested();
    }

    /** Whether a file is on its way to this peer. */
    public boolean isSendingFile() {
        return sendQueue.isSendingFile();
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
        if (!connection.takes(channel, payload)) {
            return false;
        }
        sender.send(channel, payload, reliable);
        return true;
    }

    /**
     * Queues a message that may be lost, in fragments that may be lost if it is longer than a
     * datagram. Returns and throws as {@link #send} does.
     */
    public boolean sendUnreliable(int channel, Bytes payload) {
        if (!connection.takes(channel, payload)) {
            return false;
        }
        sender.sendUnreliable(channel, payload);
        return true;
    }

    /**
     * Queues a message that may be lost and overtaken. One that is longer than a datagram goes in
     * reliable fragments. Returns and throws as {@link #send} does.
     */
    public boolean sendUnsequenced(int channel, Bytes payload) {
        if (!connection.takes(channel, payload)) {
            return false;
        }
        sender.sendUnsequenced(channel, payload);
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
    public boolean sendFile(int channel, EnetSharedPayload file) {
        int length = file.message().length();
        if (length == 0 || length > EnetCommand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("file has " + length + " bytes, must be 1..32 MiB");
        }
        if (!connection.hasChannel(channel) || sendQueue.isSendingFile()) {
            return false;
        }
        sender.sendFile(channel, file);
        return true;
    }

    /**
     * Asks the other side to move its throttle of unreliable messages differently.
     *
     * @param interval milliseconds between two looks at the round trip
     * @param accel how much the throttle rises, in parts of 32
     * @param decel how much the throttle falls, in parts of 32
     */
    public void configureThrottle(long interval, long accel, long decel) {
        connection.configureThrottle(interval, accel, decel);
    }

    /**
     * Ends the connection: the queue is discarded, DISCONNECT is sent until it acknowledges; then
     * {@link EnetListener#onDisconnected} comes.
     *
     * @param reason a number for the other side, 0..2^32-1
     */
    public void disconnect(long reason) {
        connection.disconnect(reason);
    }

    /** As {@link #disconnect}, once everything queued has been sent and acknowledged. */
    public void disconnectLater(long reason) {
        connection.disconnectLater(reason);
    }

    /** Sends DISCONNECT once, at once, and forgets the connection. */
    public void disconnectNow(long reason) {
        connection.disconnectNow(reason);
    }

    /** Forgets the connection without a DISCONNECT; the other side will time out. */
    public void reset() {
        connection.reset();
    }
}
