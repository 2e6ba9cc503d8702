package dev.wishdir.quake3.netchan;

import dev.wishdir.net.TrafficCounters;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

/**
 * Numbers messages, cuts them into packets and puts them together again: Quake III, netchan.
 * Nothing is repeated here; what must arrive is repeated by the messages. A pure state machine.
 */
public final class Netchan {
    /** Takes a datagram to send; the bytes are valid during the call alone. */
    @FunctionalInterface
    public interface Sink {
        void send(byte[] datagram, int offset, int length);
    }

    /** How far ahead of the last one a sequence may be; more is no gap but a forgery. */
    static final int MAX_GAP = 1 << 16;

    /** How far ahead a sequence is that is one of the next. */
    private static final int NEXT = 64;

    private static final int MAX_HEADER_BYTES = 14;

    private final TrafficCounters traffic = new TrafficCounters();
    private final Side side;
    private final boolean modern;
    private final int qport;
    private final int challenge;
    private final FragmentReassembler reassembler = new FragmentReassembler();
    private final Writer writer = new Writer(MAX_HEADER_BYTES + FragmentReassembler.FRAGMENT);
    private final Reader reader = new Reader(new byte[0]);
    private int outgoing;
    private int incoming;
    private int beforeIncoming;
    private byte @Nullable [] unsent;
    private int unsentFrom;

    /**
     * @param side who we are
     * @param modern whether packets carry a checksum
     */
    public Netchan(Side side, boolean modern, int qport, int challenge) {
        this(side, modern, qport, challenge, 1);
    }

    /**
     * As above.
     *
     * @param first the number of the first message that is sent
     */
    public Netchan(Side side, boolean modern, int qport, int challenge, int first) {
        outgoing = first;
        this.side = side;
        this.modern = modern;
        this.qport = qport;
        this.challenge = challenge;
    }

    /** The number of the next message that is sent, or of the one whose parts are being sent. */
    public int outgoing() {
        return outgoing;
    }

    /** The number of the last message received, 0 before any. */
    public int incoming() {
        return incoming;
    }

    /** What came and went; of the way out nothing says what was lost. */
    public TrafficCounters traffic() {
        return traffic;
    }

    /** Whether parts of a message wait: no other may be sent until they have gone. */
    public boolean sending() {
        return unsent != null;
    }

    /**
     * Sends a message, of a long one its first part. The others go by {@link #sendPart}.
     *
     * @param message must not change until all has been sent
     */
    public void send(byte[] message, Sink sink) {
        if (unsent != null || message.length > ServerMessage.MAX_LENGTH) {
            throw new IllegalStateException(
                    "a message of " + message.length + " bytes can't be sent now");
        }
        if (message.length < FragmentReassembler.FRAGMENT) {
            packet(NetchanHeader.WHOLE, message, 0, message.length, sink);
            outgoing++;
        } else {
            unsent = message;
            unsentFrom = 0;
            sendPart(sink);
        }
    }

    /** Sends the next part of what {@link #send} began; nothing where no part waits. */
    public void sendPart(Sink sink) {
        byte[] message = unsent;
        if (message == null) {
            return;
        }
        int length = Math.min(FragmentReassembler.FRAGMENT, message.length - unsentFrom);
        packet(unsentFrom, message, unsentFrom, length, sink);
        unsentFrom += length;
        if (length < FragmentReassembler.FRAGMENT) {
            unsent = null;
            outgoing++;
        }
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
     * Takes a packet in.
     *
     * @return the message that it completes, or null where it completes none or is not the next one
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
        int left = reader.remaining();
        if (left > ServerMessage.MAX_LENGTH) {
            return null;
        }
        traffic.in(datagram.length);
        byte[] message = new byte[header.isFragment() ? 0 : left];
        if (header.isFragment()) {
            byte[] whole = reassembler.add(header, datagram, reader.position(), left);
            if (whole == null) {
                return null;
            }
            message = whole;
        } else {
            System.arraycopy(datagram, reader.position(), message, 0, left);
        }
        beforeIncoming = incoming;
        incoming = sequence;
        return message;
    }

    /** Whether a packet has one of the next numbers, or so many more. */
    public boolean isNext(byte[] datagram, int more) {
        return isNew(datagram) && sequence(datagram) - incoming <= NEXT + more;
    }

    /** Whether a packet has a number after that of the last one; a part may have the same. */
    public boolean isNew(byte[] datagram) {
        return sequence(datagram) > incoming;
    }

    private static int sequence(byte[] datagram) {
        return new Reader(datagram).i32le("sequence", 0) & Integer.MAX_VALUE;
    }

    /**
     * What was received last is a message of the peer: one before it of which parts are missing
     * will never be whole.
     */
    public void accept() {
        traffic.sequencedIn(incoming - beforeIncoming - 1);
        reassembler.clear();
    }

    /** The bytes of a message that is not yet sent, or not yet received, in all its parts. */
    public int retainedBytes() {
        byte[] rest = unsent;
        return reassembler.retainedBytes() + (rest == null ? 0 : rest.length);
    }

    /**
     * What was received last turned out to be no message of the peer: its number is free again, so
     * that a forgery does not make the peer's own messages look old.
     */
    public void forget() {
        incoming = beforeIncoming;
    }
}
