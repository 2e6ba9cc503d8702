package dev.wishdir.idtech;

/** Thrown for a map file that violates its format. The message says what is wrong and where. */
public final class MalformedMapException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long offset;

    /**
     * @param offset bytes from the start of the file
     * @param problem what is wrong there
     */
    public MalformedMapException(long offset, String problem) {
        super("map, byte " + offset + ": " + problem);
        this.offset = offset;
    }

    /** Bytes from the start of the file to the error. */
    public long offset() {
        return offset;
    }
}
