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
        super(field + " at byte " + offset + ": " + problem, null, false, false);
        this.offset = offset;
        this.field = field;
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
