package dev.wishdir.quake3.netchan;

import dev.wishdir.quake3.message.ServerMessage;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Puts the parts of one message together; they must come in order. */
public final class FragmentReassembler {
    /** The bytes of each part but the last, which has fewer. */
    static final int FRAGMENT = 1300;

    private byte[] message = new byte[0];
    private int sequence;
    private int length;

    /** Forgets a message of which parts are missing. */
    void clear() {
        message = new byte[0];
        length = 0;
    }

    /** The bytes that wait for the others of their message. */
    int retainedBytes() {
        return message.length;
    }

    /**
     * Adds a part. Parts of an older message are forgotten; a part that does not follow is ignored.
     *
     * @return the message, if this was its last part
     */
    public byte @Nullable [] add(NetchanHeader header, byte[] data, int offset, int available) {
        if (header.sequence() != sequence) {
            sequence = header.sequence();
            length = 0;
        }
        int part = header.length();
        if (header.fragment() != length
                || part > FRAGMENT
                || part > available
                || length + part > ServerMessage.MAX_LENGTH) {
            return null;
        }
        if (length + part > message.length) {
            message = Arrays.copyOf(message, length + FRAGMENT);
        }
        System.arraycopy(data, offset, message, length, part);
        length += part;
        if (part == FRAGMENT) {
            return null;
        }
        byte[] whole = Arrays.copyOf(message, length);
        length = 0;
        message = new byte[0];
        return whole;
    }
}
