package dev.wishdir.nethernet.dtls;

import dev.wishdir.wire.Wire;

/**
 * The header of a fragment of a handshake message (RFC 6347, section 4.2.2).
 *
 * @param type of the message
 * @param length of the whole message
 * @param number of the message in its handshake
 * @param offset of the fragment in the message, bytes
 * @param count length of the fragment, bytes
 */
record DtlsHeader(int type, int length, int number, int offset, int count) {
    static final DtlsHeader BLANK = new DtlsHeader(0, 0, 0, 0, 0);

    static final int BYTES = 12;

    static DtlsHeader wire(Wire w, DtlsHeader m) {
        int type = w.u8("message", m.type);
        if (w.tracing()) {
            w.annotate(DtlsNames.message(type));
        }
        return new DtlsHeader(
                type,
                DtlsMessage.u24(w, "length", m.length),
                w.u16be("number", m.number),
                DtlsMessage.u24(w, "fragment offset", m.offset),
                DtlsMessage.u24(w, "fragment length", m.count));
    }
}
