package dev.wishdir.wire;

/**
 * Bytes that do not follow their protocol: cut short, a count over its maximum, an unknown code. It
 * is the only exception that a walk throws over foreign bytes, whatever they hold.
 *
 * <p>It carries no stack trace: a flood of malformed packets must cost no more than the packets.
 */
public final class MalformedPacketException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int offset;
    private final String field;

    /**
     * @param offset bytes from the start of the packet to the field
     * @param field the field's name in its protocol
     * @param problem what was wrong, without offset and field
     */
    public MalformedPacketException(int offset, String field, String problem) {
        super(field + " at byte " + offset + ": " + problem, null, false, false);
        this.offset = offset;
        this.field = field;
    }

    /** Bytes from the start of the packet to the field that was wrong. */
    public int offset() {
        return offset;
    }

    /** The name of the field that was wrong. */
    public String field() {
        return field;
    }
}
