package dev.wishdir.quake3.netchan;

import dev.wishdir.quake3.message.ServerMessage;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Reassembles the fragments of one message, which must arrive in order. */
public final class FragmentReassembler {
    /** Bytes of each fragment but the last, which has fewer. */
    static final int FRAGMENT_BYTES = 1300;

    private byte[] message = new byte[0];
    private int sequence;
    private int length;

    /** Drops an incomplete message. */
    void clear() {
        message = new byte[0];
        length = 0;
    }

    /** Heap bytes of the incomplete message. */
    int retainedBytes() {
        return message.length;
    }

    /**
     * Adds a fragment. One of another message drops the incomplete one; one out of order is
     * ignored.
     *
     * @return the message, or null if this was not its last fragment
     */
    public byte @Nullable [] add(NetchanHeader header, byte[] data, int offset, int available) {
        if (header.sequence() != sequence) {
            sequence = header.sequence();
            length = 0;
        }
        int fragmentLength = header.length();
        if (header.fragment() != length
                || fragmentLength > FRAGMENT_BYTES
                || fragmentLength > available
                || length + fragmentLength > ServerMessage.MAX_LENGTH) {
            return null;
        }
        if (length + fragmentLength > message.length) {
            message = Arrays.copyOf(message, length + FRAGMENT_BYTES);
        }
        System.arraycopy(data, offset, message, length, fragmentLength);
        length += fragmentLength;
        if (fragmentLength == FRAGMENT_BYTES) {
            return null;
        }
        byte[] whole = Arrays.copyOf(message, length);
        length = 0;
        message = new byte[0];
        return whole;
    }
}
