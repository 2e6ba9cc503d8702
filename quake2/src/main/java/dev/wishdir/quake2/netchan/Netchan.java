package dev.wishdir.quake2.netchan;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

/**
 * One side of a connection: sequenced unreliable packets, with one block of reliable data in flight
 * that is retransmitted until its acknowledgement bit toggles. A pure state machine: it is passed
 * received packets and returns packets to send. Duplicates and packets that arrive after a later
 * one are ignored.
 *
 * <p>It has no timer: a lost block is retransmitted with the first packet after the loss is known,
 * so a side with nothing to say must still send now and then.
 *
 * <p>A peer that keeps sending must acknowledge a block within {@link #ACK_TIMEOUT_NANOS}. The game
 * itself has no ack time-out while packets arrive, and an idle time-out of 90 s or 125 s.
 *
 * <p>See docs/protocols/quake2.md, 2.
 */
public final class Netchan {
    /** Maximum size of a datagram, headers included. */
    public static final int MAX_PACKET_BYTES = 1400;

    /** Maximum reliable data in one packet, and in the queue. */
    public static final int MAX_RELIABLE_BYTES = 1384;

    /** Ack time-out: how long a peer may keep sending without acknowledging a block. */
    static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    /** Maximum gap in sequence numbers; a larger one is a forgery. */
    private static final int MAX_SEQUENCE_GAP = 1 << 16;

    private static final byte[] NO_DATA = {};

    private final TrafficCounters traffic = new TrafficCounters();
    private final boolean client;
    private final int qport;
    private final Writer packet = new Writer(MAX_PACKET_BYTES);
    private final ReliableSender reliable =
            new ReliableSender(MAX_RELIABLE_BYTES, ACK_TIMEOUT_NANOS);
    private boolean overflowed;
    private boolean owesAck;
    private int outgoing = 1;
    private int incoming;
    private boolean reliableReceived;
    private boolean newestIsReliable;
    private int dropped;

    private Netchan(boolean client, int qport) {
        this.client = client;
        this.qport = qport;
    }

    /** The client side. */
    public static Netchan client(int qport) {
        return new Netchan(true, qport & 0xFFFF);
    }

    /** The server side. */
    public static Netchan server() {
        return new Netchan(false, -1);
    }

    /**
     * Queues reliable data.
     *
     * @return false if there is no room; then nothing is queued, and the connection is {@link
     *     #overflowed}
     */
    public boolean queue(byte[] data, int length) {
        boolean queued = reliable.queue(data, length);
        overflowed |= !queued;
        return queued;
    }

    /** Reliable bytes that can still be queued. */
    public int room() {
        return reliable.room();
    }

    /**
     * Whether the reliable queue overflowed or the sequence numbers are exhausted: a reason to
     * disconnect.
     */
    public boolean overflowed() {
        return overflowed;
    }

    /** Whether reliable data waits for its first transmission. */
    public boolean hasPending() {
        return reliable.hasPending();
    }

    /** Whether reliable data was received that no sent packet has acknowledged yet. */
    public boolean owesAck() {
        return owesAck;
    }

    /** Whether the newest received packet has reliable data. */
    public boolean newestIsReliable() {
        return newestIsReliable;
    }

    /** Traffic counters; outbound loss counts blocks of reliable data. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether the peer has acknowledged all reliable data. */
    public boolean isQuiet() {
        return reliable.isQuiet();
    }

    /** Bytes that wait to be sent or acknowledged. */
    public int retainedBytes() {
        return reliable.retainedBytes();
    }

    /**
     * Whether the ack time-out has passed while the peer keeps sending: a reason to disconnect. To
     * be called for each received packet.
     *
     * @param now nanoseconds
     */
    public boolean isNotAcknowledging(long now) {
        return reliable.isNotAcknowledging(now);
    }

    /** Sequence number of the next packet to send. */
    public int nextSequence() {
        return outgoing;
    }

    /** Highest sequence number received. */
    public int incoming() {
        return incoming;
    }

    /** Highest sequence number that the peer has acknowledged. */
    public int acknowledged() {
        return reliable.acknowledged();
    }

    /** Number of packets missing before the newest one. */
    public int dropped() {
        return dropped;
    }

    /**
     * Room for unreliable data in the next packet, besides the reliable data that it will carry,
     * bytes.
     */
    public int unreliableRoom() {
        return MAX_PACKET_BYTES - (client ? 10 : 8) - reliable.nextBytes();
    }

    /**
     * Builds the next packet. Unreliable data that doesn't fit after the reliable data is dropped.
     *
     * @return the packet, valid until the next call; its length is {@link Writer#position}
     */
    public Writer send(byte[] unreliable, int length) {
        traffic.lostOut(reliable.mustResend() ? 1 : 0);
        byte[] block = reliable.next(outgoing);
        boolean hasBlock = block.length > 0;
        owesAck = false;
        packet.reset();
        NetchanHeader.wire(
                packet, new NetchanHeader(outgoing, hasBlock, incoming, reliableReceived, qport));
        if (outgoing == Integer.MAX_VALUE - 1) {
            overflowed = true;
        } else {
            outgoing++;
        }
        if (hasBlock) {
            packet.append(block, 0, block.length);
            reliable.sent(outgoing);
        }
        if (length <= packet.remaining()) {
            packet.append(unreliable, 0, length);
        }
        traffic.out(packet.position());
        return packet;
    }

    /** Builds the next packet, without unreliable data. */
    public Writer send() {
        return send(NO_DATA, 0);
    }

    /**
     * Processes a packet. One that acknowledges a packet never sent, or is far ahead, is ignored:
     * it was forged by a sender that does not see our packets.
     *
     * @param reader at the packet's start; afterwards at its data, or anywhere if it is ignored
     * @return whether the packet is new; an ignored one changes nothing
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
        if (ahead <= 0 || ahead > MAX_SEQUENCE_GAP || header.ack() >= outgoing) {
            return false;
        }
        if (!reliable.acknowledge(header.ack(), header.reliableAck())) {
            return false;
        }
        dropped = ahead - 1;
        traffic.in(bytes);
        traffic.sequencedIn(dropped);
        incoming = header.sequence();
        newestIsReliable = header.reliable();
        reliableReceived ^= header.reliable();
        owesAck |= header.reliable();
        return true;
    }
}
