package dev.wishdir.wire;

/**
 * Thrown for bytes that violate their protocol: cut short, a count over its maximum, an unknown
 * code. It is the only exception that reading received bytes throws.
 *
 * <p>It carries no stack trace: a flood of malformed packets must not cost more than other packets.
 */
public final class MalformedPacketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int offset;
    private final String field;

    /**
     * @param offset bytes from the start of the packet to the field
     * @param field name of the field in its protocol
     * @param problem what is wrong, without offset and field
     */
    public MalformedPacketException(int offset, String field, String problem) {
        this(field + " at byte " + offset + ": " + problem, offset, field);
    }

    private MalformedPacketException(String message, int offset, String field) {
        super(message, null, false, false);
        this.offset = offset;
        this.field = field;
    }

    /**
     * This exception with the message that the field is of: {@code N_TEXT: text at byte 7: …}.
     *
     * @param message its name in the protocol
     */
    public MalformedPacketException in(String message) {
        return new MalformedPacketException(message + ": " + getMessage(), offset, field);
    }

    /** Bytes from the start of the packet to the malformed field. */
    public int offset() {
        return offset;
    }

    /** The name of the malformed field. */
    public String field() {
        return field;
    }
}
