package dev.wishdir.enet;

import dev.wishdir.wire.Wire;

/**
 * The header of every ENet datagram: docs/protocols/enet.md#datagram-header. The optional checksum,
 * on which programs must agree beforehand, is not supported.
 *
 * @param peerID the index of the peer's slot in the receiver's host; {@link #NO_PEER} in a first
 *     CONNECT
 * @param session 0..3, distinguishes successive connections of a slot
 * @param compressed whether the commands are compressed
 * @param sentTime the low 16 bits of the sender's millisecond clock, or {@link #NO_TIME} in a
 *     datagram without a command to acknowledge
 */
public record EnetHeader(int peerID, int session, boolean compressed, int sentTime) {
    /** The {@link #peerID} of a sender that has no slot yet. */
    public static final int NO_PEER = 0xFFF;

    /** The {@link #sentTime} of a datagram without one. */
    public static final int NO_TIME = -1;

    /** An argument for reading, which ignores it. */
    public static final EnetHeader BLANK = new EnetHeader(0, 0, false, NO_TIME);

    /** Length of the longer form, with a sent time, bytes. */
    static final int MAX_LENGTH = 4;

    private static final int HAS_TIME = 0x8000;
    private static final int COMPRESSED = 0x4000;
    private static final int SESSION_SHIFT = 12;

    /** Whether the datagram carries its {@link #sentTime}. */
    public boolean hasSentTime() {
        return sentTime != NO_TIME;
    }

    /** Walks two bytes, or four with a sent time. */
    public static EnetHeader wire(Wire w, EnetHeader m) {
        int word =
                w.u16be(
                        "peerWord",
                        m.peerID & NO_PEER
                                | (m.session & 3) << SESSION_SHIFT
                                | (m.compressed ? COMPRESSED : 0)
                                | (m.hasSentTime() ? HAS_TIME : 0));
        w.bits("peerID", 0, 12, word);
        w.bits("session", 12, 2, word);
        w.bits("compressed", 14, 1, word);
        w.bits("hasSentTime", 15, 1, word);
        int sentTime = NO_TIME;
        if ((word & HAS_TIME) != 0) {
            sentTime = w.u16be("sentTime", m.sentTime);
            if (w.tracing()) {
                w.annotate(sentTime + " ms");
            }
        }
        return new EnetHeader(
                word & NO_PEER, word >> SESSION_SHIFT & 3, (word & COMPRESSED) != 0, sentTime);
    }
}
