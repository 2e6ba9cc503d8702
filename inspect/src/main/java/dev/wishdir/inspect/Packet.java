package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

/**
 * One packet as a capture holds it.
 *
 * @param nanos when it was seen, nanoseconds since 1970
 * @param link the registered number of the link type that it was seen on
 * @param cut whether the capture holds only its beginning
 */
record Packet(long nanos, int link, Bytes data, boolean cut) {
    /** The most bytes of one packet: what capture programs take as their own most. */
    static final int MAX_BYTES = 262_144;

    /**
     * A packet without its frame check sequence, of which the capture may have cut a part.
     *
     * @param length what was on the wire
     * @param checkSequence bytes at the end of that
     */
    static Packet of(long nanos, int link, Bytes data, long length, int checkSequence) {
        long content = Math.max(0, length - checkSequence);
        return new Packet(
                nanos,
                link,
                checkSequence > 0 && data.length() > content ? data.slice(0, (int) content) : data,
                data.length() < content);
    }
}
