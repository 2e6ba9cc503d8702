package dev.wishdir.quake3.netchan;

import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.util.OptionalInt;

/**
 * The head of a packet in band: Quake III, netchan. What follows is a message, or a part of one.
 *
 * @param sequence the number of the message, from 1 on; its parts share it
 * @param qport the client's own number; of a server's packet, 0
 * @param checksum of a modern packet; otherwise 0
 * @param fragment where this part begins in the message, or {@link #WHOLE}
 * @param length of this part; 0 for a whole message
 */
public record NetchanHeader(int sequence, int qport, int checksum, int fragment, int length) {
    /** The {@link #fragment} of a message in one packet. */
    public static final int WHOLE = -1;

    /** A header for a reader to ignore. */
    public static final NetchanHeader BLANK = new NetchanHeader(0, 0, 0, WHOLE, 0);

    /** The bit of the sequence that says that the packet is a part. */
    private static final int FRAGMENT = 1 << 31;

    /** The checksum of a modern packet. */
    public static int checksum(int challenge, int sequence) {
        return challenge ^ sequence * challenge;
    }

    /**
     * The challenge that a checksum was made with: each bit of it is that of the checksum and of
     * the lower ones times the sequence. An odd sequence hides the lowest, so it tells none.
     */
    public static OptionalInt challenge(int checksum, int sequence) {
        if ((sequence & 1) != 0) {
            return OptionalInt.empty();
        }
        int challenge = 0;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            challenge |= (checksum ^ sequence * challenge) & 1 << bit;
        }
        return OptionalInt.of(challenge);
    }

    /**
     * Whether a packet is a modern one: its checksum is right if it has one: Quake III, receiver
     * that must guess.
     */
    public static boolean isModern(byte[] packet, Side from, int challenge) {
        try {
            NetchanHeader header = wire(new Reader(packet), BLANK, from, true);
            return header.checksum == checksum(challenge, header.sequence);
        } catch (MalformedPacketException _) {
            return false;
        }
    }

    public boolean isFragment() {
        return fragment != WHOLE;
    }

    /** Walks a header that {@code from} sends. */
    public static NetchanHeader wire(Wire w, NetchanHeader m, Side from, boolean modern) {
        int word = w.i32le("sequence", m.sequence | (m.isFragment() ? FRAGMENT : 0));
        int sequence = word & ~FRAGMENT;
        if (w.tracing()) {
            w.annotate(sequence + (word < 0 ? ", fragment" : ""));
        }
        int qport = from == Side.CLIENT ? w.u16le("qport", m.qport) : 0;
        int checksum = modern ? w.i32le("checksum", m.checksum) : 0;
        if (word >= 0) {
            return new NetchanHeader(sequence, qport, checksum, WHOLE, 0);
        }
        int start = w.u16le("fragmentStart", m.fragment);
        int length = w.u16le("fragmentLength", m.length);
        return new NetchanHeader(sequence, qport, checksum, start, length);
    }
}
