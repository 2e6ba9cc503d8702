package dev.wishdir.nethernet.dtls;

import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * DTLS 1.2 (RFC 6347) with the suite that all WebRTC implementations have: ECDHE-ECDSA with
 * AES-128-GCM.
 *
 * <p>Both sides present certificates and use the extended master secret. Records and retransmission
 * are here, the messages in {@link DtlsHandshake}. No renegotiation, no resumption, no tickets.
 *
 * <p>Only a record that the keys decrypt can end an association: a message of the handshake that is
 * not encrypted may be forged, and is dropped if it is wrong (RFC 6347, 4.1.2.7).
 *
 * <p>It has many fields, because the state of one association is here: the flight that is sent
 * again, the numbers of both sides, and the timers.
 */
public final class DtlsConnection implements Dtls {

    private static final int VERSION_1_0 = 0xFEFF;
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int DATA = 23;
    private static final int RECORD_HEADER = 13;
    private static final int DATAGRAM = 1200;
    private static final int FATAL = 2;
    private static final int CLOSE_NOTIFY = 0;
    private static final int HANDSHAKE_FAILURE = 40;
    private static final long INITIAL_RETRANSMIT_NANOS = 100_000_000;

    /** Peers start at 50 ms and a player waits: a few more small datagrams are better. */
    private static final long MAX_RETRANSMIT_NANOS = 1_000_000_000;

    private static final int EARLY_RECORDS = 8;
    private static final int WINDOW = 64;

    /** A message of the current flight, which is retransmitted until it is answered. */
    private static final class Sent {
        final int epoch;

        /** Header of the whole message; null for a ChangeCipherSpec. */
        final @Nullable DtlsHeader header;

        final byte[] body;

        Sent(int epoch, @Nullable DtlsHeader header, byte[] body) {
            this.epoch = epoch;
            this.header = header;
            this.body = body;
        }
    }

    /** Creates connections with one certificate. */
    public record Maker(DtlsCertificate certificate, RandomGenerator random) implements Dtls.Maker {
        @Override
        public Dtls make(boolean client, byte[] peerHash, Listener listener) {
            return new DtlsConnection(client, certificate, peerHash, random, listener);
        }

        @Override
        public byte[] certificateHash() {
            return certificate.hash();
        }
    }

    private final boolean client;
    private final Listener listener;
    private final DtlsHandshake handshake;
    private final List<Sent> flight = new ArrayList<>();
    private final ArrayDeque<byte[]> early = new ArrayDeque<>();
    private final byte[] datagram = new byte[DATAGRAM];
    private final long[] numbers = new long[2];
    private @Nullable DtlsKeys keys;
    private int filled;
    private long newest = -1;
    private long seen;
    private long now;
    private long interval = INITIAL_RETRANSMIT_NANOS;
    private long due = Long.MAX_VALUE;
    private long nextRepeat = Long.MIN_VALUE;
    private boolean begun;
    private boolean secured;
    private boolean over;
    private boolean repeated;
    private String problem = "";

    DtlsConnection(
            boolean client,
            DtlsCertificate certificate,
            byte[] peerHash,
            RandomGenerator random,
            Listener listener) {
        this.client = client;
        this.listener = listener;
        handshake = new DtlsHandshake(client, certificate, peerHash, random, new Steps());
    }

    private final class Steps implements DtlsHandshake.Steps {
        @Override
        public void newFlight() {
            flight.clear();
        }

        @Override
        public void message(DtlsHeader header, byte[] body) {
            flight.add(new Sent(0, header, body));
        }

        @Override
        public void keys(DtlsKeys made) {
            keys = made;
        }

        @Override
        public void finished(DtlsHeader header, byte[] body) {
            flight.add(new Sent(0, null, new byte[] {1}));
            flight.add(new Sent(1, header, body));
        }

        @Override
        public void send(boolean last) {
            interval = INITIAL_RETRANSMIT_NANOS;
            flush();
            due = last ? Long.MAX_VALUE : now + interval;
        }

        @Override
        public void secured() {
            secured = true;
            due = Long.MAX_VALUE;
            if (client) {
                flight.clear();
            }
            listener.onSecured();
        }
    }

    @Override
    public boolean receive(long now, byte[] data) {
        this.now = now;
        boolean authentic = false;
        int at = 0;
        repeated = false;
        while (!over && data.length - at > RECORD_HEADER) {
            ByteBuffer header = ByteBuffer.wrap(data, at, RECORD_HEADER);
            int type = header.get() & 0xFF;
            int version = header.getShort() & 0xFFFF;
            long number = header.getLong();
            int length = header.getShort() & 0xFFFF;
            int content = at + RECORD_HEADER;
            if (version != VERSION && version != VERSION_1_0 || length > data.length - content) {
                break;
            }
            at = content + length;
            int epoch = (int) (number >>> 48);
            if (epoch == 0) {
                if (type == HANDSHAKE) {
                    messages(Arrays.copyOfRange(data, content, at), false);
                }
            } else if (epoch == 1 && version == VERSION) {
                if (keys == null || type == DATA && !secured) {
                    if (early.size() < EARLY_RECORDS && length <= DATAGRAM) {
                        early.add(Arrays.copyOfRange(data, content - RECORD_HEADER, at));
                    }
                } else {
                    authentic |= open(keys, type, number, data, content, length);
                }
            }
        }
        authentic |= openEarly();
        if (repeated && secured && !client && now >= nextRepeat) {
            // The client did not receive the last flight, which has no timer: only this retransmits
            // it.
            nextRepeat = now + INITIAL_RETRANSMIT_NANOS / 2;
            flush();
        }
        return authentic;
    }

    /** Decrypts records that arrived before their keys: those after the peer's Finished. */
    private boolean openEarly() {
        if (early.isEmpty()) {
            return false;
        }
        boolean authentic = false;
        List<byte[]> records = List.copyOf(early);
        early.clear();
        for (byte[] record : records) {
            if (record[0] != DATA) {
                authentic |= openEarly(record);
            }
        }
        for (byte[] record : records) {
            if (record[0] == DATA) {
                authentic |= openEarly(record);
            }
        }
        return authentic;
    }

    private boolean openEarly(byte[] record) {
        int type = record[0];
        if (keys == null || type == DATA && !secured) {
            early.add(record);
            return false;
        }
        long number = ByteBuffer.wrap(record).getLong(3);
        int length = record.length - RECORD_HEADER;
        return open(keys, type, number, record, RECORD_HEADER, length);
    }

    private boolean open(
            DtlsKeys with, int type, long number, byte[] data, int offset, int length) {
        long place = newest - number;
        if (number <= newest && (place >= WINDOW || (seen & 1L << place) != 0)) {
            return false;
        }
        byte[] plain;
        try {
            plain = with.open(number, type, data, offset, length);
        } catch (GeneralSecurityException e) {
            return false;
        }
        if (number > newest) {
            long ahead = newest < 0 ? WINDOW : number - newest;
            seen = ahead >= WINDOW ? 1 : seen << ahead | 1;
            newest = number;
        } else {
            seen |= 1L << place;
        }
        switch (type) {
            case HANDSHAKE -> messages(plain, true);
            case DATA -> {
                if (secured) {
                    listener.onDecrypted(plain);
                }
            }
            case ALERT -> {
                if (plain.length == 2 && (plain[0] == FATAL || plain[1] == CLOSE_NOTIFY)) {
                    end(false, "the peer closed DTLS (alert " + plain[1] + ")");
                }
            }
            default -> {}
        }
        return true;
    }

    private void messages(byte[] content, boolean sealed) {
        if (secured) {
            repeated = true;
            return;
        }
        try {
            repeated |= handshake.fragments(content, sealed);
        } catch (GeneralSecurityException | MalformedPacketException e) {
            problem = "the DTLS handshake failed: " + ExceptionMessage.of(e);
            if (sealed && !over) {
                alert(FATAL, HANDSHAKE_FAILURE, 0);
                end(true, problem);
            }
        }
    }

    private void end(boolean violation, String reason) {
        if (!over) {
            over = true;
            due = Long.MAX_VALUE;
            flight.clear();
            early.clear();
            listener.onEnded(violation, reason);
        }
    }

    @Override
    public void send(byte[] plain, int offset, int length) {
        if (secured && !over) {
            record(DATA, 1, plain, offset, length);
            emit();
        }
    }

    @Override
    public void close() {
        if (!over) {
            over = true;
            due = Long.MAX_VALUE;
            if (secured) {
                alert(1, CLOSE_NOTIFY, 1);
            } else if (!problem.isEmpty()) {
                alert(FATAL, HANDSHAKE_FAILURE, 0);
            }
        }
    }

    @Override
    public String problem() {
        return problem;
    }

    private void alert(int level, int description, int epoch) {
        record(ALERT, epoch, new byte[] {(byte) level, (byte) description}, 0, 2);
        emit();
    }

    @Override
    public long advance(long now) {
        this.now = now;
        if (over) {
            return Long.MAX_VALUE;
        }
        if (!begun) {
            begun = true;
            if (client) {
                handshake.begin();
            }
        }
        if (now >= due) {
            interval = Math.min(2 * interval, MAX_RETRANSMIT_NANOS);
            due = now + interval;
            flush();
        }
        return due;
    }

    /** Sends the flight, with its messages in fragments that fit a datagram. */
    private void flush() {
        for (Sent each : flight) {
            if (each.header == null) {
                record(CHANGE_CIPHER_SPEC, each.epoch, each.body, 0, each.body.length);
            } else {
                fragments(each.epoch, each.header, each.body);
            }
        }
        emit();
    }

    private void fragments(int epoch, DtlsHeader whole, byte[] body) {
        int overhead = RECORD_HEADER + DtlsHeader.BYTES + epoch * DtlsKeys.OVERHEAD;
        int at = 0;
        do {
            if (filled + overhead + Math.min(64, body.length - at) > DATAGRAM) {
                emit();
            }
            int count = Math.min(body.length - at, DATAGRAM - filled - overhead);
            Writer w = new Writer(DtlsHeader.BYTES + count);
            DtlsHeader.wire(
                    w, new DtlsHeader(whole.type(), whole.length(), whole.number(), at, count));
            w.append(body, at, count);
            record(HANDSHAKE, epoch, w.array(), 0, w.position());
            at += count;
        } while (at < body.length);
    }

    /** Appends a record to the datagram. */
    private void record(int type, int epoch, byte[] content, int offset, int length) {
        int sealed = length + epoch * DtlsKeys.OVERHEAD;
        if (filled + RECORD_HEADER + sealed > DATAGRAM) {
            emit();
        }
        long number = (long) epoch << 48 | numbers[epoch]++;
        ByteBuffer.wrap(datagram, filled, RECORD_HEADER)
                .put((byte) type)
                .putShort((short) VERSION)
                .putLong(number)
                .putShort((short) sealed);
        filled += RECORD_HEADER;
        if (epoch == 0) {
            System.arraycopy(content, offset, datagram, filled, length);
        } else if (keys != null) {
            try {
                keys.seal(number, type, content, offset, length, datagram, filled);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("our own keys do not seal", e);
            }
        }
        filled += sealed;
    }

    private void emit() {
        if (filled > 0) {
            int length = filled;
            filled = 0;
            listener.emit(datagram, 0, length);
        }
    }
}
