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

        /**
         * A fragment of a message whose number was taken before.
         *
         * @return whether it was taken in the place of the one before
         */
        default boolean again(DtlsHeader header, boolean sealed, byte[] part)
                throws GeneralSecurityException {
            return false;
        }
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

    /** The number of the next message. */
    int next() {
        return next;
    }

    /** Expects another message next; drops incomplete ones. */
    void restart(int number) {
        assemblies.clear();
        next = number;
    }

    /**
     * Handles the content of a record, up to the first malformed fragment.
     *
     * @param sealed whether it was encrypted
     * @return whether any of it was received before
     * @throws GeneralSecurityException as the taker does; the message can be received again
     * @throws MalformedPacketException as the taker does; the message can be received again
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
            old |= header.number() < next && !taker.again(header, sealed, part);
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
        Assembly assembly = assemblies.get(number);
        if (assembly == null
                || assembly.type != header.type()
                || assembly.sealed != sealed
                || assembly.body.length != header.length()) {
            // One of both is forged; the peer repeats the true one.
            assembly = new Assembly(header.type(), sealed, header.length());
            assemblies.put(number, assembly);
        }
        System.arraycopy(part, 0, assembly.body, header.offset(), part.length);
        assembly.have.set(header.offset(), header.offset() + part.length);
        complete();
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
