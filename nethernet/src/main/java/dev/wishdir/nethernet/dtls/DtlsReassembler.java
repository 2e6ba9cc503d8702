package dev.wishdir.nethernet.dtls;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.security.GeneralSecurityException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Reassembly of handshake messages from fragments in any order, each message once. */
final class DtlsReassembler {
    /** Takes each message whole and in order. */
    @FunctionalInterface
    interface Taker {
        void message(DtlsHeader header, boolean sealed, byte[] body)
                throws GeneralSecurityException;
    }

    private static final int AHEAD = 8;

    /** An incomplete message. */
    private static final class Assembly {
        final int type;
        final boolean sealed;
        final byte[] body;
        final BitSet have;

        Assembly(int type, boolean sealed, int length) {
            this.type = type;
            this.sealed = sealed;
            body = new byte[length];
            have = new BitSet(length);
        }

        boolean complete() {
            return have.nextClearBit(0) >= body.length;
        }
    }

    private final Taker taker;
    private final Map<Integer, Assembly> assemblies = new HashMap<>();
    private int next;

    DtlsReassembler(Taker taker) {
        this.taker = taker;
    }

    /** Drops incomplete messages. */
    void forget() {
        assemblies.clear();
    }

    /**
     * Handles the content of a record, up to the first malformed fragment.
     *
     * @param sealed whether it was encrypted
     * @return whether any of it was received before
     * @throws GeneralSecurityException as the taker does
     * @throws MalformedPacketException as the taker does
     */
    boolean fragments(byte[] content, boolean sealed) throws GeneralSecurityException {
        Reader r = new Reader(content);
        boolean old = false;
        while (r.remaining() >= DtlsHeader.BYTES) {
            DtlsHeader header = DtlsHeader.wire(r, DtlsHeader.BLANK);
            if (header.length() > DtlsMessage.MAX_BODY_BYTES
                    || header.offset() + header.count() > header.length()
                    || header.count() > r.remaining()) {
                return old;
            }
            byte[] part = r.bytes("fragment", Bytes.EMPTY, header.count()).toArray();
            old |= header.number() < next;
            part(header, sealed, part);
        }
        return old;
    }

    private void part(DtlsHeader header, boolean sealed, byte[] part)
            throws GeneralSecurityException {
        int number = header.number();
        if (number < next || number >= next + AHEAD) {
            return;
        }
        Assembly assembly =
                assemblies.computeIfAbsent(
                        number, _ -> new Assembly(header.type(), sealed, header.length()));
        if (assembly.type == header.type()
                && assembly.sealed == sealed
                && assembly.body.length == header.length()) {
            System.arraycopy(part, 0, assembly.body, header.offset(), part.length);
            assembly.have.set(header.offset(), header.offset() + part.length);
            complete();
        }
    }

    private void complete() throws GeneralSecurityException {
        Assembly whole = assemblies.get(next);
        while (whole != null && whole.complete()) {
            int length = whole.body.length;
            DtlsHeader header = new DtlsHeader(whole.type, length, next, 0, length);
            assemblies.remove(next);
            taker.message(header, whole.sealed, whole.body);
            next++;
            whole = assemblies.get(next);
        }
    }
}
