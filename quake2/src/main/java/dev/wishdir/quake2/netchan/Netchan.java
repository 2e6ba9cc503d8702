package dev.wishdir.quake2.netchan;

import dev.wishdir.net.AckProgressTimeout;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.Arrays;

/**
 * One side of a connection: a numbered stream of packets of which any may be lost, with one block
 * of reliable data in flight that is sent again until its acknowledgement turns. A pure state
 * machine: it is given what came and gives what to send. A packet that is a duplicate, or comes
 * after a later one, is ignored.
 *
 * <p>It has no timer: a lost block goes out again with the first packet after the loss is known, so
 * that the side with nothing to say must still send now and then.
 *
 * <p>A peer that goes on sending has {@link #ACK_TIMEOUT_NANOS} to acknowledge a block. The game
 * itself waits for no acknowledgement as long as packets come, and 90 s or 125 s for a packet.
 *
 * <p>See docs/protocols/quake2.md, 2.
 */
public final class Netchan {
    /** The most bytes of a datagram, headers and all. */
    public static final int MAX_PACKET_BYTES = 1400;

    /** The most bytes of reliable data in one packet, and waiting for theirs. */
    public static final int MAX_RELIABLE_BYTES = 1384;

    /** How long a peer may go on sending without acknowledging a block, nanoseconds. */
    static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    /** How far ahead of the last one a sequence may be; more is no gap but a forgery. */
    private static final int MAX_GAP = 1 << 16;

    private static final byte[] NOTHING = {};

    private final TrafficCounters traffic = new TrafficCounters();
    private final boolean client;
    private final int qport;
    private final Writer packet = new Writer(MAX_PACKET_BYTES);
    private final byte[] pending = new byte[MAX_RELIABLE_BYTES];
    private byte[] inFlight = NOTHING;
    private int pendingLength;
    private boolean overflowed;
    private boolean owesAcknowledgement;
    private int outgoing = 1;
    private int incoming;
    private int acknowledged;
    private boolean reliableAck;
    private boolean reliableSequence;
    private boolean reliableReceived;
    private int firstReliable;
    private int lastReliable;
    private int delivered;
    private final AckProgressTimeout ackTimeout = new AckProgressTimeout(ACK_TIMEOUT_NANOS);
    private int dropped;

    private Netchan(boolean client, int qport) {
        this.client = client;
        this.qport = qport;
    }

    /** The side of the client. */
    public static Netchan client(int qport) {
        return new Netchan(true, qport & 0xFFFF);
    }

    /** The side of the server. */
    public static Netchan server() {
        return new Netchan(false, -1);
    }

    /**
     * Queues reliable data.
     *
     * @return false if there is no room for it; nothing is queued then, and the connection is
     *     {@link #overflowed}
     */
    public boolean queue(byte[] data, int length) {
        if (length > MAX_RELIABLE_BYTES - pendingLength) {
            overflowed = true;
            return false;
        }
        System.arraycopy(data, 0, pending, pendingLength, length);
        pendingLength += length;
        return true;
    }

    /** How many more reliable bytes can be queued. */
    public int room() {
        return MAX_RELIABLE_BYTES - pendingLength;
    }

    /**
     * Whether reliable data found no room or the sequence numbers have run out: a reason to end.
     */
    public boolean overflowed() {
        return overflowed;
    }

    /** Whether reliable data waits for its first packet. */
    public boolean hasPending() {
        return pendingLength > 0;
    }

    /** Whether reliable data has come that no packet of ours has acknowledged yet. */
    public boolean owesAcknowledgement() {
        return owesAcknowledgement;
    }

    /** What came and went; what was lost on the way out is blocks of reliable data. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether all reliable data has arrived at the other side. */
    public boolean isQuiet() {
        return pendingLength == 0 && inFlight.length == 0;
    }

    /** The bytes that wait to be sent or acknowledged. */
    public int retainedBytes() {
        return pendingLength + inFlight.length;
    }

    /**
     * Whether the other side, which goes on sending, does not acknowledge what it is sent: a reason
     * to end. To be asked with each packet that came in.
     *
     * @param now nanoseconds
     */
    public boolean isNotAcknowledging(long now) {
        return ackTimeout.onPacket(now, inFlight.length > 0, delivered);
    }

    /** The sequence number of the next packet that is sent. */
    public int nextSequence() {
        return outgoing;
    }

    /** The highest sequence number that came. */
    public int incoming() {
        return incoming;
    }

    /** The highest sequence number of ours that the other side has told to have come. */
    public int acknowledged() {
        return acknowledged;
    }

    /** How many packets were missing before the newest one. */
    public int dropped() {
        return dropped;
    }

    /**
     * How many bytes of unreliable data the next packet has room for, beside the reliable data that
     * it will carry.
     */
    public int unreliableRoom() {
        int reliable = mustResend() ? inFlight.length : inFlight.length == 0 ? pendingLength : 0;
        return MAX_PACKET_BYTES - (client ? 10 : 8) - reliable;
    }

    private boolean mustResend() {
        return inFlight.length > 0
                && acknowledged > lastReliable
                && reliableAck != reliableSequence;
    }

    /**
     * Makes the next packet. Unreliable data that doesn't fit beside the reliable data is left out.
     *
     * @return the packet, valid until the next call; its length is {@link Writer#position}
     */
    public Writer send(byte[] unreliable, int length) {
        boolean reliable = mustResend();
        traffic.lostOut(reliable ? 1 : 0);
        if (inFlight.length == 0 && pendingLength > 0) {
            inFlight = Arrays.copyOf(pending, pendingLength);
            pendingLength = 0;
            reliableSequence = !reliableSequence;
            firstReliable = outgoing;
            reliable = true;
        }
        owesAcknowledgement = false;
        packet.reset();
        NetchanHeader.wire(
                packet, new NetchanHeader(outgoing, reliable, incoming, reliableReceived, qport));
        if (outgoing == Integer.MAX_VALUE - 1) {
            overflowed = true;
        } else {
            outgoing++;
        }
        if (reliable) {
            packet.append(inFlight, 0, inFlight.length);
            lastReliable = outgoing;
        }
        if (length <= packet.remaining()) {
            packet.append(unreliable, 0, length);
        }
        traffic.out(packet.position());
        return packet;
    }

    /** Makes the next packet, without unreliable data. */
    public Writer send() {
        return send(NOTHING, 0);
    }

    /**
     * Takes in a packet. One that acknowledges what was never sent, or is far ahead, is ignored: it
     * is made up by somebody who sees nothing of what goes the other way.
     *
     * @param reader at its start; afterwards at its data, or anywhere if it is ignored
     * @return whether the packet is new; what is not changes nothing
     */
    public boolean receive(Reader reader) {
        int bytes = reader.remaining();
        NetchanHeader header;
        try {
            header =
                    NetchanHeader.wire(
                            reader, client ? NetchanHeader.FROM_SERVER : NetchanHeader.FROM_CLIENT);
        } catch (MalformedPacketException e) {
            return false;
        }
        int ahead = header.sequence() - incoming;
        if (ahead <= 0 || ahead > MAX_GAP || header.ack() >= outgoing) {
            return false;
        }
        if (inFlight.length > 0 && header.reliableAck() == reliableSequence) {
            if (header.ack() < firstReliable) {
                return false;
            }
            inFlight = NOTHING;
            delivered++;
        }
        dropped = ahead - 1;
        traffic.in(bytes);
        traffic.sequencedIn(dropped);
        incoming = header.sequence();
        acknowledged = header.ack();
        reliableAck = header.reliableAck();
        reliableReceived ^= header.reliable();
        owesAcknowledgement |= header.reliable();
        return true;
    }
}
