package dev.wishdir.quake2.netchan;

import dev.wishdir.wire.Wire;

/**
 * What stands before the data of a packet that is not out of band.
 *
 * <p>See docs/protocols/quake2.md, 2.
 *
 * @param sequence of this packet, 31 bits
 * @param reliable whether the data starts with reliable data
 * @param ack the highest sequence that came from the other side, 31 bits
 * @param reliableAck turns with each reliable data that came from the other side
 * @param qport of the client that sends, 0..65535; -1 in packets of the server, which have none
 */
public record NetchanHeader(
        int sequence, boolean reliable, int ack, boolean reliableAck, int qport) {
    /** For walking a header that a server sends. */
    public static final NetchanHeader FROM_SERVER = new NetchanHeader(0, false, 0, false, -1);

    /** For walking a header that a client sends. */
    public static final NetchanHeader FROM_CLIENT = new NetchanHeader(0, false, 0, false, 0);

    private static final int FLAG = 1 << 31;

    /** Walks a header; whether a qport is read, that of {@code h} tells. */
    public static NetchanHeader wire(Wire w, NetchanHeader h) {
        int first = w.i32le("seq", h.sequence | (h.reliable ? FLAG : 0));
        if (w.tracing()) {
            w.annotate((first & ~FLAG) + (first < 0 ? ", reliable" : ""));
        }
        int second = w.i32le("ack", h.ack | (h.reliableAck ? FLAG : 0));
        if (w.tracing()) {
            w.annotate((second & ~FLAG) + (second < 0 ? ", reliable" : ""));
        }
        int qport = h.qport < 0 ? -1 : w.u16le("qport", h.qport);
        return new NetchanHeader(first & ~FLAG, first < 0, second & ~FLAG, second < 0, qport);
    }
}
