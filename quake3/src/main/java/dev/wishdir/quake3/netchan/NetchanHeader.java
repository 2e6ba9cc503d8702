package dev.wishdir.quake3.netchan;

import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.util.OptionalInt;

/**
 * The header of an in-band packet, before a message or a fragment:
 * docs/protocols/quake3.md#netchan.
 *
 * @param sequence the number of the message, from 1 on; its fragments share it
 * @param qport distinguishes clients behind one address; 0 in a server's packet
 * @param checksum of a modern packet, otherwise 0
 * @param fragment offset of this fragment in the message, or {@link #WHOLE}
 * @param length of this fragment; 0 for a whole message
 */
public record NetchanHeader(int sequence, int qport, int checksum, int fragment, int length) {
    /** The {@link #fragment} of an unfragmented message. */
    public static final int WHOLE = -1;

    /** A placeholder that readers ignore. */
    public static final NetchanHeader BLANK = new NetchanHeader(0, 0, 0, WHOLE, 0);

    /** The bit of the sequence that marks a fragment. */
    private static final int FRAGMENT = 1 << 31;

    /** The checksum of a modern packet. */
    public static int checksum(int challenge, int sequence) {
        return challenge ^ sequence * challenge;
    }

    /**
     * The challenge from a checksum, bit by bit: each is that of the checksum XOR the lower bits
     * times the sequence. An odd sequence hides the lowest bit, so the result is then empty.
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
     * Whether a packet has a valid checksum, so is a modern one:
     * docs/protocols/quake3.md#receiver-that-must-guess.
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

    /** Reads, writes or traces a header that {@code from} sends. */
    public static NetchanHeader wire(Wire w, NetchanHeader m, Side from, boolean modern) {
        int sequenceField = w.i32le("sequence", m.sequence | (m.isFragment() ? FRAGMENT : 0));
        int sequence = sequenceField & ~FRAGMENT;
        if (w.tracing()) {
            w.annotate(sequence + (sequenceField < 0 ? ", fragment" : ""));
        }
        int qport = from == Side.CLIENT ? w.u16le("qport", m.qport) : 0;
        int checksum = modern ? w.i32le("checksum", m.checksum) : 0;
        if (sequenceField >= 0) {
            return new NetchanHeader(sequence, qport, checksum, WHOLE, 0);
        }
        int start = w.u16le("fragmentStart", m.fragment);
        int length = w.u16le("fragmentLength", m.length);
        return new NetchanHeader(sequence, qport, checksum, start, length);
    }
}
