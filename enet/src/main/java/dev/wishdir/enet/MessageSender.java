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
 * Makes commands: numbers messages, cuts the long ones into fragments, leaves out what the throttle
 * does not let through; and says what is to be said of the connection itself.
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

    /** One that is longer than a datagram goes in reliable fragments. */
    void send(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel sequence = sendQueue.sequence(channel);
        if (isLong(payload)) {
            sendFragments(channel, payload, true);
        } else if (reliable || !sequence.unreliableNumbersLeft()) {
            sendQueue.queueReliable(
                    new SendReliable(
                            EnetCommand.ACKNOWLEDGE, channel, sequence.nextReliable(), payload));
        } else if (!roundTrip.drops()) {
            sendQueue.queueUnreliable(
                    new SendUnreliable(
                            0,
                            channel,
                            sequence.lastReliable(),
                            sequence.nextUnreliable(),
                            payload));
        }
    }

    /** One that is longer than a datagram goes in fragments that may be lost. */
    void sendUnreliable(int channel, Bytes payload) {
        if (!isLong(payload)) {
            send(channel, payload, false);
        } else if (!sendQueue.sequence(channel).unreliableNumbersLeft()) {
            sendFragments(channel, payload, true);
        } else if (!roundTrip.drops()) {
            sendFragments(channel, payload, false);
        }
    }

    /** One that is longer than a datagram goes in reliable fragments. */
    void sendUnsequenced(int channel, Bytes payload) {
        if (isLong(payload)) {
            send(channel, payload, true);
        } else if (!roundTrip.drops()) {
            sentGroup = sentGroup + 1 & 0xFFFF;
            sendQueue.queueUnreliable(
                    new SendUnsequenced(EnetCommand.UNSEQUENCED, channel, 0, sentGroup, payload));
        }
    }

    void sendFile(int channel, EnetSharedPayload file) {
        int length = file.message().length();
        sendQueue.offer(length);
        OutgoingChannel sequence = sendQueue.sequence(channel);
        int start = sequence.nextReliable();
        sequence.skipReliable((length - 1) / sendQueue.fragmentLength());
        sendQueue.sendFile(file, channel, start);
    }

    private void sendFragments(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel sequence = sendQueue.sequence(channel);
        int length = sendQueue.fragmentLength();
        int total = payload.length();
        int count = (total + length - 1) / length;
        int useq = reliable ? 0 : sequence.nextUnreliable();
        int start = sequence.lastReliable() + 1 & 0xFFFF;
        for (int num = 0; num < count; num++) {
            int offset = num * length;
            Bytes piece = payload.slice(offset, Math.min(length, total - offset));
            if (reliable) {
                sendQueue.queueReliable(
                        new SendFragment(
                                EnetCommand.ACKNOWLEDGE,
                                channel,
                                sequence.nextReliable(),
                                new Fragment(start, count, num, total, offset, piece)));
            } else {
                sendQueue.queueUnreliable(
                        new SendUnreliableFragment(
                                0,
                                channel,
                                sequence.lastReliable(),
                                new Fragment(useq, count, num, total, offset, piece)));
            }
        }
    }

    /** Asks the other side for a connection. */
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

    /** Sends DISCONNECT at once, and only once. */
    void disconnectNow(long reason, DatagramBuilder datagram) {
        sendQueue.sendAlone(
                new Disconnect(
                        EnetCommand.UNSEQUENCED,
                        EnetCommand.NO_CHANNEL,
                        sendQueue.nextSeq(),
                        reason),
                datagram);
    }

    /** Sends the limits of incoming and outgoing bandwidth, bytes per second. */
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
