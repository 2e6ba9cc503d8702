package dev.wishdir.enet;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;

/**
 * One connection of an {@link EnetHost}. Messages are sent at the host's next {@link
 * EnetHost#advance}, several in a datagram. Used only by the host's thread.
 */
public final class EnetPeer {
    private final int index;
    private final EnetConnection connection;
    private final SendQueue sendQueue;
    private final MessageSender sender;

    EnetPeer(int index, EnetConnection connection) {
        this.index = index;
        this.connection = connection;
        sendQueue = connection.sendQueue();
        sender = connection.sender();
    }

    /** The header of a datagram to this peer. */
    EnetHeader header(int sentTime) {
        return sendQueue.header(sentTime);
    }

    /** This peer's slot in its host, from 0; it may be reused. */
    public int index() {
        return index;
    }

    /** The peer's address. */
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

    /** Reason for which the connection is ending, before its listener is notified. */
    public EnetDisconnectReason cause() {
        return connection.cause();
    }

    /** The smoothed round-trip time, milliseconds; 500 before the first acknowledgement. */
    public int roundTrip() {
        return connection.roundTrip().mean();
    }

    /** The number of unreliable messages out of 32 that are sent; the throttle drops the others. */
    public int throttle() {
        return connection.roundTrip().throttle();
    }

    /** The peer's incoming bandwidth, bytes a second, 0 for unlimited. */
    public long inBandwidth() {
        return connection.inBandwidth();
    }

    /**
     * Traffic counters. Outgoing losses are retransmitted reliable commands; incoming losses are
     * unreliable messages, including those that the peer's throttle dropped.
     */
    public TrafficCounters traffic() {
        return sendQueue.traffic();
    }

    /** Time of the peer's last datagram, milliseconds of the host's clock. */
    public long lastReceivedMillis() {
        return connection.lastReceivedMillis();
    }

    /**
     * The heap of everything queued, in flight, incomplete or early, bytes. Includes object
     * overheads and this peer's share of a {@linkplain EnetSharedPayload shared file}, but not what
     * an idle connection takes.
     */
    public long retainedBytes() {
        return sendQueue.retainedBytes() + incompleteBytes();
    }

    /** The heap of this peer's incomplete or early messages, bytes. */
    int incompleteBytes() {
        return connection.retainedBytes();
    }

    /** The heap of messages queued or in flight, bytes, without a file. */
    public int queuedBytes() {
        return sendQueue.queuedBytes();
    }

    /**
     * Whether more than 64 KiB is queued or in flight, without a file (back pressure). What is sent
     * now arrives late, so send only the latest state after congestion and skip chat.
     */
    public boolean isCongested() {
        return sendQueue.isCongested();
    }

    /** Whether a file is being sent to this peer. */
    public boolean isSendingFile() {
        return sendQueue.isSendingFile();
    }

    /**
     * Queues a message. A message longer than a datagram is sent in reliable fragments, even if
     * {@code reliable} is false.
     *
     * @param channel 0..254
     * @return false if it will not be sent: the peer is not connected, does not have the channel,
     *     or is disconnected because it left too much unacknowledged
     * @throws IllegalArgumentException if the message is longer than 32 MiB
     */
    public boolean send(int channel, Bytes payload, boolean reliable) {
        if (!connection.accepts(channel, payload)) {
            return false;
        }
        sender.send(channel, payload, reliable);
        return true;
    }

    /**
     * Queues an unreliable message; if it is longer than a datagram, in unreliable fragments.
     * Returns and throws as {@link #send}.
     */
    public boolean sendUnreliable(int channel, Bytes payload) {
        if (!connection.accepts(channel, payload)) {
            return false;
        }
        sender.sendUnreliable(channel, payload);
        return true;
    }

    /**
     * Queues an unsequenced message, which may be lost or reordered. A message longer than a
     * datagram is sent in reliable fragments. Returns and throws as {@link #send}.
     */
    public boolean sendUnsequenced(int channel, Bytes payload) {
        if (!connection.accepts(channel, payload)) {
            return false;
        }
        sender.sendUnsequenced(channel, payload);
        return true;
    }

    /**
     * Starts to send a file reliably; other messages have priority over it. Its bytes are not
     * copied: all receivers share them.
     *
     * @param channel 0..254; messages sent on it meanwhile are not ordered with the file
     * @return false if a file is being sent to this peer already, or the peer is not connected or
     *     does not have the channel
     * @throws IllegalArgumentException if the file is longer than 32 MiB or empty
     */
    public boolean sendFile(int channel, EnetSharedPayload file) {
        int length = file.message().length();
        if (length == 0 || length > EnetCommand.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "file has " + length + " bytes, must be 1.." + EnetCommand.MAX_MESSAGE_BYTES);
        }
        if (!connection.hasChannel(channel) || sendQueue.isSendingFile()) {
            return false;
        }
        sender.sendFile(channel, file);
        return true;
    }

    /**
     * Configures the peer's throttle of unreliable messages.
     *
     * @param interval interval of throttle adjustments, milliseconds
     * @param accel increase of the throttle, in 32nds
     * @param decel decrease of the throttle, in 32nds
     */
    public void configureThrottle(long interval, long accel, long decel) {
        connection.configureThrottle(interval, accel, decel);
    }

    /**
     * Disconnects: drops queued messages and sends a DISCONNECT until the peer acknowledges it;
     * then {@link EnetListener#onDisconnected} is called.
     *
     * @param reason an application-defined number for the peer, 0..2^32-1
     */
    public void disconnect(long reason) {
        connection.disconnect(reason);
    }

    /** As {@link #disconnect}, after everything queued is sent and acknowledged. */
    public void disconnectLater(long reason) {
        connection.disconnectLater(reason);
    }

    /** Sends one DISCONNECT at once and forgets the connection. */
    public void disconnectNow(long reason) {
        connection.disconnectNow(reason);
    }

    /** Forgets the connection without a DISCONNECT; the peer will time out. */
    public void reset() {
        connection.reset();
    }
}
