package dev.wishdir.inspect.capture;

import java.io.IOException;

/**
 * Thrown where a capture is malformed or truncated. The packets before that place were returned.
 */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1;

    private final long offset;

    CaptureException(long offset, String problem) {
        super(problem + ", at byte " + offset);
        this.offset = offset;
    }

    /**
     * Bytes from the start of the capture to the unreadable record; in a compressed capture, of its
     * uncompressed content.
     */
    public long offset() {
        return offset;
    }
}
