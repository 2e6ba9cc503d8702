package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;

import java.net.InetSocketAddress;

/**
 * A CONNECT that a host has answered, until its sender proves that it receives at its address: its
 * acknowledgement repeats the sequence number and the sent time of the VERIFY_CONNECT, which are 32
 * random bits. ENet lets a server choose both: its clients echo them and look at neither.
 */
final class PendingHandshake {
    private final int index;
    private final InetSocketAddress address;
    private final Terms asked;
    private final Terms granted;
    private final long begun;
    private final int proof;
    private long verified;

    /**
     * @param proof 32 random bits
     * @param begun when the CONNECT came, milliseconds
     */
    PendingHandshake(
            int index,
            InetSocketAddress address,
            Terms asked,
            Terms granted,
            int proof,
            long begun) {
        this.index = index;
        this.address = address;
        this.asked = asked;
        this.granted = granted;
        this.proof = proof;
        this.begun = begun;
    }

    int index() {
        return index;
    }

    InetSocketAddress address() {
        return address;
    }

    Terms asked() {
        return asked;
    }

    Terms granted() {
        return granted;
    }

    /** When the CONNECT came, milliseconds. */
    long begun() {
        return begun;
    }

    /** When the VERIFY_CONNECT was sent last, milliseconds. */
    long verified() {
        return verified;
    }

    /** The sequence number of the VERIFY_CONNECT; those of later commands follow. */
    int seq() {
        return proof >>> 16;
    }

    private int sentTime() {
        return proof & 0xFFFF;
    }

    /** Sends the VERIFY_CONNECT, with what proves that it was received. */
    void verify(long now, DatagramBuilder datagram) {
        verified = now;
        datagram.start(EnetSettings.MIN_MTU);
        datagram.add(
                new VerifyConnect(EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, seq(), granted),
                VerifyConnect.LENGTH);
        datagram.emit(
                address,
                new EnetHeader(asked.outgoingPeerID(), granted.inSession(), false, sentTime()));
    }

    /** Whether an acknowledgement shows that its sender was sent the VERIFY_CONNECT. */
    boolean isProof(Ack ack) {
        return ack.channel() == EnetCommand.NO_CHANNEL
                && ack.recvSeq() == seq()
                && ack.recvSentTime() == sentTime();
    }
}
