package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.enet.EnetCommand.SendUnsequenced;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.ThrottleConfigure;
import dev.wishdir.wire.Bytes;

/**
 * Makes commands of messages: numbers them, fragments the long ones and applies the throttle. Also
 * makes the commands about the connection itself.
 */
final class MessageSender {
    private final SendQueue sendQueue;
    private final RoundTripEstimator roundTrip;
    private int sentGroup;

    MessageSender(SendQueue sendQueue, RoundTripEstimator roundTrip) {
        this.sendQueue = sendQueue;
        this.roundTrip = roundTrip;
    }

    private boolean isLong(Bytes payload) {
        return payload.length() > sendQueue.fragmentLength();
    }

    /** Sends a message; one longer than a datagram in reliable fragments. */
    void send(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel outgoing = sendQueue.channel(channel);
        if (isLong(payload)) {
            sendFragments(channel, payload, true);
        } else if (reliable || !outgoing.hasUnreliableNumbers()) {
            sendQueue.queueReliable(
                    new SendReliable(
                            EnetCommand.ACKNOWLEDGE, channel, outgoing.nextReliable(), payload));
        } else if (!roundTrip.shouldDrop()) {
            sendQueue.queueUnreliable(
                    new SendUnreliable(
                            0,
                            channel,
                            outgoing.lastReliable(),
                            outgoing.nextUnreliable(),
                            payload));
        }
    }

    /** Sends an unreliable message; one longer than a datagram in unreliable fragments. */
    void sendUnreliable(int channel, Bytes payload) {
        if (!isLong(payload)) {
            send(channel, payload, false);
        } else if (!sendQueue.channel(channel).hasUnreliableNumbers()) {
            sendFragments(channel, payload, true);
        } else if (!roundTrip.shouldDrop()) {
            sendFragments(channel, payload, false);
        }
    }

    /** Sends an unsequenced message; one longer than a datagram in reliable fragments. */
    void sendUnsequenced(int channel, Bytes payload) {
        if (isLong(payload)) {
            send(channel, payload, true);
        } else if (!roundTrip.shouldDrop()) {
            sentGroup = sentGroup + 1 & 0xFFFF;
            sendQueue.queueUnreliable(
                    new SendUnsequenced(EnetCommand.UNSEQUENCED, channel, 0, sentGroup, payload));
        }
    }

    void sendFile(int channel, EnetSharedPayload file) {
        int length = file.message().length();
        sendQueue.offer(length);
        OutgoingChannel outgoing = sendQueue.channel(channel);
        int start = outgoing.nextReliable();
        outgoing.skipReliable((length - 1) / sendQueue.fragmentLength());
        sendQueue.sendFile(file, channel, start);
    }

    private void sendFragments(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel outgoing = sendQueue.channel(channel);
        int length = sendQueue.fragmentLength();
        int total = payload.length();
        int count = (total + length - 1) / length;
        int useq = reliable ? 0 : outgoing.nextUnreliable();
        int start = outgoing.lastReliable() + 1 & 0xFFFF;
        for (int num = 0; num < count; num++) {
            int offset = num * length;
            Bytes piece = payload.slice(offset, Math.min(length, total - offset));
            if (reliable) {
                sendQueue.queueReliable(
                        new SendFragment(
                                EnetCommand.ACKNOWLEDGE,
                                channel,
                                outgoing.nextReliable(),
                                new Fragment(start, count, num, total, offset, piece)));
            } else {
                sendQueue.queueUnreliable(
                        new SendUnreliableFragment(
                                0,
                                channel,
                                outgoing.lastReliable(),
                                new Fragment(useq, count, num, total, offset, piece)));
            }
        }
    }

    /** Requests a connection. */
    void connect(Terms terms, long data) {
        sendQueue.queueReliable(
                new Connect(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        terms,
                        data));
    }

    void disconnect(long reason) {
        sendQueue.queueReliable(
                new Disconnect(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        reason));
    }

    /** Sends one DISCONNECT at once. */
    void disconnectNow(long reason, DatagramBuilder datagram) {
        sendQueue.sendNow(
                new Disconnect(
                        EnetCommand.UNSEQUENCED,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        reason),
                datagram);
    }

    /** Sends the host's incoming and outgoing bandwidth, bytes a second. */
    void limitBandwidth(long in, long out) {
        sendQueue.queueReliable(
                new BandwidthLimit(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        in,
                        out));
    }

    void configureThrottle(long interval, long accel, long decel) {
        sendQueue.queueReliable(
                new ThrottleConfigure(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        interval,
                        accel,
                        decel));
    }
}
