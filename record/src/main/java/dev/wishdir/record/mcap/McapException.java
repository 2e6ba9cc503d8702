package dev.wishdir.record.mcap;

import java.io.IOException;

/** Thrown where bytes are not MCAP or exceed a limit; failures of the disk are plain exceptions. */
public final class McapException extends IOException {
    /** Kind of fault in the bytes of a file. */
    public enum Reason {
        /** The file does not begin with the magic bytes of MCAP. */
        NOT_MCAP,
        /** The file ends within a record. */
        TRUNCATED,
        /** A field has a value that the format does not allow. */
        MALFORMED,
        /** A record's length leads to no further record. */
        LENGTH,
        /** A size or a count exceeds a constant of {@link McapLimits}. */
        LIMIT,
        /** A chunk is compressed by a method other than zstd. */
        COMPRESSION,
        /** Bytes do not match their CRC. */
        CRC,
        /** A record contradicts an index or a record before it. */
        CONFLICT,
        /** Messages are outside of chunks, where no index leads to them. */
        UNCHUNKED
    }

    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final long offset;
    private final String field;

    McapException(Reason reason, long offset, String field, String problem) {
        super(field + " " + problem + ", at byte " + offset);
        this.reason = reason;
        this.offset = offset;
        this.field = field;
    }

    public Reason reason() {
        return reason;
    }

    /** Bytes from the start of the file; of a field in a compressed chunk, those of its record. */
    public long offset() {
        return offset;
    }

    /** The field that has the wrong value, by the name that the format gives it. */
    public String field() {
        return field;
    }
}
