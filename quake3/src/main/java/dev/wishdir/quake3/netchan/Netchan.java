package dev.wishdir.quake3.netchan;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

/**
 * The netchan: sequence numbers, fragmentation and reassembly of messages:
 * docs/protocols/quake3.md#netchan. It retransmits nothing; reliable commands are repeated by the
 * messages. A pure state machine.
 */
public final class Netchan {
    /** Sends a datagram; the bytes are valid only during the call. */
    @FunctionalInterface
    public interface Sink {
        void send(byte[] datagram, int offset, int length);
    }

    /** Maximum gap of sequence numbers; a packet beyond it is taken for a forgery. */
    public static final int MAX_GAP = 1 << 16;

    /** Maximum gap of a packet that {@linkplain #isNext continues} the sequence numbers. */
    private static final int MAX_NEXT_GAP = 64;

    private static final int MAX_HEADER_BYTES = 14;

    /** The top bit of a number marks a fragment, and peers do not follow a wrap. */
    private static final int LAST_SEQUENCE = Integer.MAX_VALUE - 1;

    private final TrafficCounters traffic = new TrafficCounters();
    private final Side side;
    private final boolean modern;
    private final int qport;
    private final int challenge;
    private final FragmentReassembler reassembler = new FragmentReassembler();
    private final Writer writer = new Writer(MAX_HEADER_BYTES + FragmentReassembler.FRAGMENT_BYTES);
    private final Reader reader = new Reader(new byte[0]);
    private int outgoing;
    private int incoming;
    private int previousIncoming;
    private byte @Nullable [] unsent;
    private int unsentFrom;

    /**
     * @param side the local side
     * @param modern whether packets have a checksum
     */
    public Netchan(Side side, boolean modern, int qport, int challenge) {
        this(side, modern, qport, challenge, 1);
    }

    /**
     * @param first the number of the first message that is sent
     */
    public Netchan(Side side, boolean modern, int qport, int challenge, int first) {
        outgoing = first;
        this.side = side;
        this.modern = modern;
        this.qport = qport;
        this.challenge = challenge;
    }

    /** The number of the next message to send, or of the one whose fragments are pending. */
    public int outgoing() {
        return outgoing;
    }

    /** The number of the last message received, 0 before any. */
    public int incoming() {
        return incoming;
    }

    /** Traffic counters; outbound loss is unknown. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether fragments of a message are pending: until sent, no other message may be sent. */
    public boolean hasPendingFragments() {
        return unsent != null;
    }

    /**
     * Sends a message, or the first fragment of a long one; {@link #sendFragment} sends the others.
     *
     * @param message must not change until all has been sent
     */
    public void send(byte[] message, Sink sink) {
        if (unsent != null || message.length > ServerMessage.MAX_LENGTH) {
            throw new IllegalStateException(
                    unsent != null
                            ? "fragments of the previous message are pending"
                            : "message of "
                                    + message.length
                                    + " bytes, limit "
                                    + ServerMessage.MAX_LENGTH);
        }
        if (message.length < FragmentReassembler.FRAGMENT_BYTES) {
            packet(NetchanHeader.WHOLE, message, 0, message.length, sink);
            sent();
        } else {
            unsent = message;
            unsentFrom = 0;
            sendFragment(sink);
        }
    }

    /** Sends the next pending fragment, if any. */
    public void sendFragment(Sink sink) {
        byte[] message = unsent;
        if (message == null) {
            return;
        }
        int length = Math.min(FragmentReassembler.FRAGMENT_BYTES, message.length - unsentFrom);
        packet(unsentFrom, message, unsentFrom, length, sink);
        unsentFrom += length;
        if (length < FragmentReassembler.FRAGMENT_BYTES) {
            unsent = null;
            sent();
        }
    }

    private void sent() {
        outgoing = Math.min(outgoing + 1, LAST_SEQUENCE);
    }

    /** Whether there is no number for another message: a reason to disconnect. */
    public boolean isExhausted() {
        return outgoing == LAST_SEQUENCE;
    }

    private void packet(int fragment, byte[] message, int offset, int length, Sink sink) {
        writer.reset();
        int checksum = modern ? NetchanHeader.checksum(challenge, outgoing) : 0;
        NetchanHeader.wire(
                writer,
                new NetchanHeader(outgoing, qport, checksum, fragment, length),
                side,
                modern);
        writer.append(message, offset, length);
        traffic.out(writer.position());
        sink.send(writer.array(), 0, writer.position());
    }

    /**
     * Receives a packet.
     *
     * @return the message that it completes, or null if it completes none or is old or invalid
     */
    public byte @Nullable [] receive(byte[] datagram) {
        reader.reset(datagram, 0, datagram.length);
        NetchanHeader header;
        try {
            Side peer = side == Side.CLIENT ? Side.SERVER : Side.CLIENT;
            header = NetchanHeader.wire(reader, NetchanHeader.BLANK, peer, modern);
        } catch (MalformedPacketException _) {
            return null;
        }
        int sequence = header.sequence();
        if (sequence <= incoming || sequence - incoming > MAX_GAP) {
            return null;
        }
        if (modern && header.checksum() != NetchanHeader.checksum(challenge, sequence)) {
            return null;
        }
        int remaining = reader.remaining();
        if (remaining > ServerMessage.MAX_LENGTH) {
            return null;
        }
        traffic.in(datagram.length);
        byte[] message = new byte[header.isFragment() ? 0 : remaining];
        if (header.isFragment()) {
            byte[] whole = reassembler.add(header, datagram, reader.position(), remaining);
            if (whole == null) {
                return null;
            }
            message = whole;
        } else {
            System.arraycopy(datagram, reader.position(), message, 0, remaining);
        }
        previousIncoming = incoming;
        incoming = sequence;
        return message;
    }

    /** Whether a packet's number is among the next 64, or {@code more} above. */
    public boolean isNext(byte[] datagram, int more) {
        return isNew(datagram) && sequence(datagram) - incoming <= MAX_NEXT_GAP + more;
    }

    /** Whether a packet's number is above the last message's; fragments share one number. */
    public boolean isNew(byte[] datagram) {
        return sequence(datagram) > incoming;
    }

    private static int sequence(byte[] datagram) {
        return new Reader(datagram).i32le("sequence", 0) & Integer.MAX_VALUE;
    }

    /** Confirms that the last received message is genuine: drops fragments of an older one. */
    public void accept() {
        traffic.sequencedIn(incoming - previousIncoming - 1);
        reassembler.clear();
    }

    /** Heap bytes of pending fragments and of the incomplete message. */
    public int retainedBytes() {
        byte[] pending = unsent;
        return reassembler.retainedBytes() + (pending == null ? 0 : pending.length);
    }

    /**
     * Rejects the last received message as a forgery: its number may be received again, so that the
     * peer's own messages do not look old.
     */
    public void forget() {
        incoming = previousIncoming;
    }
}
