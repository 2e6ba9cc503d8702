package dev.wishdir.nethernet.sctp;

import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

/** Packets of SCTP with any chunk, and the numbers of an association by its packets. */
public final class SctpChunks {
    private int tag;
    private int next;

    /** Reads the numbers of a packet that a side sends. */
    public void watch(byte[] sent) {
        SctpPacket packet = SctpPacket.read(sent);
        tag = packet.tag() == 0 ? tag : packet.tag();
        for (SctpPacket.Chunk chunk : packet.chunks()) {
            if (chunk.type() == SctpPacket.DATA) {
                next = new Reader(chunk.body()).i32be("TSN", 0) + 1;
            }
        }
    }

    /** A packet with one chunk, with the tag of that side's packets. */
    public byte[] packet(int type, int flags, byte[] body) {
        Writer w = new Writer(SctpPacket.MAX_BYTES);
        SctpPacket.begin(w, type == SctpPacket.INIT ? 0 : tag);
        SctpPacket.chunk(w, type, flags, body.length);
        w.append(body, 0, body.length);
        SctpPacket.pad(w);
        SctpPacket.finish(w);
        return w.toByteArray();
    }

    /**
     * A packet with a chunk of data.
     *
     * @param ahead how far its number is from the next that is expected
     */
    public byte[] data(int ahead, int flags, int stream, int kind, byte[] part) {
        Writer w = new Writer(SctpPacket.MAX_BYTES);
        w.i32be("TSN", next + ahead);
        w.u16be("stream", stream);
        w.u16be("sequence number", 0);
        w.i32be("payload protocol", kind);
        w.append(part, 0, part.length);
        return packet(SctpPacket.DATA, flags, w.toByteArray());
    }
}
