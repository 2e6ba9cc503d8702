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
final class EnetHandshake {
    final int index;
    final InetSocketAddress address;
    final Terms asked;
    final Terms granted;

    /** When the CONNECT came, milliseconds. */
    final long begun;

    /** When the VERIFY_CONNECT was sent last, milliseconds. */
    long verified;

    private final int proof;

    /**
     * @param proof 32 random bits
     */
    EnetHandshake(
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

    /** The sequence number of the VERIFY_CONNECT; those of later commands follow. */
    int seq() {
        return proof >>> 16;
    }

    private int sentTime() {
        return proof & 0xFFFF;
    }

    EnetHeader header() {
        return new EnetHeader(asked.outgoingPeerID(), granted.inSession(), false, sentTime());
    }

    VerifyConnect verify() {
        return new VerifyConnect(EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, seq(), granted);
    }

    /** Whether an acknowledgement shows that its sender was sent the VERIFY_CONNECT. */
    boolean isProof(Ack ack) {
        return ack.channel() == EnetCommand.NO_CHANNEL
                && ack.recvSeq() == seq()
                && ack.recvSentTime() == sentTime();
    }
}
