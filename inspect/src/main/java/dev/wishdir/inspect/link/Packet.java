package dev.wishdir.inspect.link;

import dev.wishdir.wire.Bytes;

/**
 * A captured packet.
 *
 * @param nanos its time, in nanoseconds since 1970
 * @param link the registered number of its link type
 * @param cut whether the capture has only its beginning
 */
public record Packet(long nanos, int link, Bytes data, boolean cut) {
    /** Maximum length of a packet, the same as that of capture programs. */
    public static final int MAX_BYTES = 262_144;

    /**
     * A packet without its frame check sequence, which the capture may have truncated.
     *
     * @param length length on the wire
     * @param checkSequence length of the check sequence at its end
     */
    public static Packet of(long nanos, int link, Bytes data, long length, int checkSequence) {
        long content = Math.max(0, length - checkSequence);
        return new Packet(
                nanos,
                link,
                checkSequence > 0 && data.length() > content ? data.slice(0, (int) content) : data,
                data.length() < content);
    }
}
