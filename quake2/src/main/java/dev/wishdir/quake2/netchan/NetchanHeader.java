package dev.wishdir.quake2.netchan;

import dev.wishdir.wire.Wire;

/**
 * The header of a packet that is not out of band.
 *
 * <p>See docs/protocols/quake2.md, 2.
 *
 * @param sequence of this packet, 31 bits
 * @param reliable whether the data starts with reliable data
 * @param ack highest sequence received from the peer, 31 bits
 * @param reliableAck toggles with each reliable block received from the peer
 * @param qport of the client that sends, 0..65535; -1 in packets of the server, which have none
 */
public record NetchanHeader(
        int sequence, boolean reliable, int ack, boolean reliableAck, int qport) {
    /** Template for a header of a server. */
    public static final NetchanHeader FROM_SERVER = new NetchanHeader(0, false, 0, false, -1);

    /** Template for a header of a client. */
    public static final NetchanHeader FROM_CLIENT = new NetchanHeader(0, false, 0, false, 0);

    private static final int FLAG = 1 << 31;

    /** Walks a header; reads a qport if {@code h} has one. */
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
