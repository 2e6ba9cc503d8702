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
    private final SendQueue outbox;
    private final RoundTripEstimator roundTrip;
    private int sentGroup;

    MessageSender(SendQueue outbox, RoundTripEstimator roundTrip) {
        this.outbox = outbox;
        this.roundTrip = roundTrip;
    }

    private boolean isLong(Bytes payload) {
        return payload.length() > outbox.fragmentLength();
    }

    /** One that is longer than a datagram goes in reliable fragments. */
    void send(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel sequence = outbox.sequence(channel);
        if (isLong(payload)) {
            sendFragments(channel, payload, true);
        } else if (reliable || !sequence.unreliableNumbersLeft()) {
            outbox.queueReliable(
                    new SendReliable(
                            EnetCommand.ACKNOWLEDGE, channel, sequence.nextReliable(), payload));
        } else if (!roundTrip.drops()) {
            outbox.queueUnreliable(
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
        } else if (!outbox.sequence(channel).unreliableNumbersLeft()) {
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
            outbox.queueUnreliable(
                    new SendUnsequenced(EnetCommand.UNSEQUENCED, channel, 0, sentGroup, payload));
        }
    }

    void sendFile(int channel, EnetSharedPayload file) {
        int length = file.message().length();
        outbox.offer(length);
        OutgoingChannel sequence = outbox.sequence(channel);
        int start = sequence.nextReliable();
        sequence.skipReliable((length - 1) / outbox.fragmentLength());
        outbox.sendFile(file, channel, start);
    }

    private void sendFragments(int channel, Bytes payload, boolean reliable) {
        OutgoingChannel sequence = outbox.sequence(channel);
        int length = outbox.fragmentLength();
        int total = payload.length();
        int count = (total + length - 1) / length;
        int useq = reliable ? 0 : sequence.nextUnreliable();
        int start = sequence.lastReliable() + 1 & 0xFFFF;
        for (int num = 0; num < count; num++) {
            int offset = num * length;
            Bytes piece = payload.slice(offset, Math.min(length, total - offset));
            if (reliable) {
                outbox.queueReliable(
                        new SendFragment(
                                EnetCommand.ACKNOWLEDGE,
                                channel,
                                sequence.nextReliable(),
                                new Fragment(start, count, num, total, offset, piece)));
            } else {
                outbox.queueUnreliable(
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
        outbox.queueReliable(
                new Connect(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        outbox.nextSeq(),
                        terms,
                        data));
    }

    void disconnect(long reason) {
        outbox.queueReliable(
                new Disconnect(
                        EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, outbox.nextSeq(), reason));
    }

    /** Tells the other side at once, and only once. */
    void disconnectNow(long reason, DatagramBuilder packer) {
        outbox.sendAlone(
                new Disconnect(
                        EnetCommand.UNSEQUENCED, EnetCommand.NO_CHANNEL, outbox.nextSeq(), reason),
                packer);
    }

    /** Tells the other side what this host takes in and puts out, bytes a second. */
    void limitBandwidth(long in, long out) {
        outbox.queueReliable(
                new BandwidthLimit(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        outbox.nextSeq(),
                        in,
                        out));
    }

    void configureThrottle(long interval, long accel, long decel) {
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
