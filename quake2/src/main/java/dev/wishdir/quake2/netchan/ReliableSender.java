package dev.wishdir.quake2.netchan;

import dev.wishdir.net.limit.AckProgressTimeout;

import java.util.Arrays;

/**
 * The reliable data that one side sends: a queue, and one block in flight that is retransmitted
 * until the peer's acknowledgement bit is that of the block.
 *
 * <p>See docs/protocols/quake2.md, 2.
 */
final class ReliableSender {
    private static final byte[] NO_DATA = {};

    private final byte[] pending;
    private final AckProgressTimeout ackTimeout;
    private int pendingLength;
    private byte[] inFlight = NO_DATA;
    private boolean blockBit;
    private int firstPacket;
    private int lastPacket;
    private int delivered;
    private int acknowledged;
    private boolean acknowledgedBit;

    /**
     * @param maxBytes of a block, and of the queue
     * @param ackTimeoutNanos how long a peer may keep sending without acknowledging a block
     */
    ReliableSender(int maxBytes, long ackTimeoutNanos) {
        pending = new byte[maxBytes];
        ackTimeout = new AckProgressTimeout(ackTimeoutNanos);
    }

    /**
     * Queues data.
     *
     * @return false if there is no room; then nothing is queued
     */
    boolean queue(byte[] data, int length) {
        if (length > room()) {
            return false;
        }
        System.arraycopy(data, 0, pending, pendingLength, length);
        pendingLength += length;
        return true;
    }

    /** Bytes that can still be queued. */
    int room() {
        return pending.length - pendingLength;
    }

    /** Whether data waits for its first transmission. */
    boolean hasPending() {
        return pendingLength > 0;
    }

    /** Whether the peer has acknowledged all data. */
    boolean isQuiet() {
        return retainedBytes() == 0;
    }

    /** Bytes that wait to be sent or acknowledged. */
    int retainedBytes() {
        return pendingLength + inFlight.length;
    }

    /** Whether the ack time-out has passed; to be called for each received packet. */
    boolean isNotAcknowledging(long now) {
        return ackTimeout.onPacket(now, inFlight.length > 0, delivered);
    }

    /** Highest packet that the peer has acknowledged. */
    int acknowledged() {
        return acknowledged;
    }

    /**
     * Processes the acknowledgement in a packet.
     *
     * @param packet highest that the peer has received
     * @param bit that toggles with each block that it has received
     * @return false if it is a forgery, as the block was not sent by then; nothing changes
     */
    boolean acknowledge(int packet, boolean bit) {
        if (inFlight.length > 0 && bit == blockBit) {
            if (packet < firstPacket) {
                return false;
            }
            inFlight = NO_DATA;
            delivered++;
        }
        acknowledged = packet;
        acknowledgedBit = bit;
        return true;
    }

    /** Whether the block was lost, and the next packet retransmits it. */
    boolean mustResend() {
        return inFlight.length > 0 && acknowledged > lastPacket && acknowledgedBit != blockBit;
    }

    /** Bytes of the block that the next packet will carry. */
    int nextBytes() {
        return mustResend() ? inFlight.length : inFlight.length == 0 ? pendingLength : 0;
    }

    /**
     * Takes the block for the next packet: the lost one, or all queued data as a new one.
     *
     * @param packet number of the next packet
     * @return empty if there is none to send now
     */
    byte[] next(int packet) {
        if (mustResend()) {
            return inFlight;
        }
        if (inFlight.length > 0 || pendingLength == 0) {
            return NO_DATA;
        }
        inFlight = Arrays.copyOf(pending, pendingLength);
        pendingLength = 0;
        blockBit = !blockBit;
        firstPacket = packet;
        return inFlight;
    }

    /**
     * Records that a packet with the block was sent.
     *
     * @param following number of the packet after it: the block is lost if the peer acknowledges a
     *     packet after that without it
     */
    void sent(int following) {
        lastPacket = following;
    }
}
