package dev.wishdir.inspect;

import java.io.IOException;

/**
 * A capture that can't be read on: what came before has been given, and this says where it ends.
 */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1;

    private final long offset;

    CaptureException(long offset, String problem) {
        super(problem + ", at byte " + offset);
        this.offset = offset;
    }

    /**
     * Bytes from the start of the capture to the record that can't be read; of a compressed
     * capture, of what it holds.
     */
    public long offset() {
        return offset;
    }
}
