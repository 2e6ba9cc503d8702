package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;

import java.net.InetSocketAddress;

/**
 * A half-open connection: an answered CONNECT whose sender has not proved its address.
 *
 * <p>The proof is an acknowledgement that repeats the sequence number and sent time of the
 * VERIFY_CONNECT, 32 random bits. ENet lets a server choose both: its clients echo them unchecked.
 */
final class PendingHandshake {
    private final int index;
    private final InetSocketAddress address;
    private final Terms requested;
    private final int requestSeq;
    private final Terms granted;
    private final long startedAt;
    private final int proof;
    private long verifySentAt;

    /**
     * @param requestSeq sequence number of the CONNECT
     * @param proof 32 random bits
     * @param startedAt time of the CONNECT, milliseconds
     */
    PendingHandshake(
            int index,
            InetSocketAddress address,
            Terms requested,
            int requestSeq,
            Terms granted,
            int proof,
            long startedAt) {
        this.index = index;
        this.address = address;
        this.requested = requested;
        this.requestSeq = requestSeq;
        this.granted = granted;
        this.proof = proof;
        this.startedAt = startedAt;
    }

    int index() {
        return index;
    }

    InetSocketAddress address() {
        return address;
    }

    Terms requested() {
        return requested;
    }

    /** The sequence number of the CONNECT, which the client's later commands continue. */
    int requestSeq() {
        return requestSeq;
    }

    Terms granted() {
        return granted;
    }

    /** Time of the CONNECT, milliseconds. */
    long startedAt() {
        return startedAt;
    }

    /** Time of the last VERIFY_CONNECT, milliseconds. */
    long verifySentAt() {
        return verifySentAt;
    }

    /** The sequence number of the VERIFY_CONNECT, which later commands continue. */
    int seq() {
        return proof >>> 16;
    }

    private int sentTime() {
        return proof & 0xFFFF;
    }

    /** Sends the VERIFY_CONNECT with the random bits. */
    void sendVerify(long now, DatagramBuilder datagram) {
        verifySentAt = now;
        datagram.start(EnetSettings.MIN_MTU);
        datagram.add(
                new VerifyConnect(EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, seq(), granted),
                VerifyConnect.LENGTH);
        datagram.emit(
                address,
                new EnetHeader(requested.outgoingPeerID(), granted.inSession(), false, sentTime()));
    }

    /** Whether an acknowledgement repeats the random bits. */
    boolean isProof(Ack ack) {
        return ack.channel() == EnetCommand.NO_CHANNEL
                && ack.recvSeq() == seq()
                && ack.recvSentTime() == sentTime();
    }
}
