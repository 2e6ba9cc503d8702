package dev.wishdir.nethernet.sctp;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The handshake of an association (RFC 9260, section 5): INIT, signed cookie, echo.
 *
 * <p>Either side may start it, or both at once; nothing is kept of a mere INIT.
 */
final class SctpHandshake {
    /** The association as its handshake sees it. */
    interface Steps {
        /** Adds the checksum to a packet and sends it. */
        void emit(Writer packet);

        /**
         * The peer's parameters are known.
         *
         * @param window its receive window, bytes
         * @param first its first transmission number
         * @param abandons whether it supports partial reliability
         */
        void peer(int window, int first, boolean abandons);

        /** Acknowledges the peer's echo of the cookie. */
        void accepted();

        /** Messages may be sent. */
        void established();
    }

    private static final int STREAMS = 1024;
    private static final int FORWARD_TSN_SUPPORTED = 0xC000;
    private static final int SUPPORTED_EXTENSIONS = 0x8008;
    private static final int STATE_COOKIE = 7;
    private static final int INIT_LENGTH = 16 + 4 + 8;
    private static final int COOKIE_FIELDS = 16;
    private static final int COOKIE = COOKIE_FIELDS + 32;
    private static final int MAX_COOKIE_BYTES = 1024;
    private static final long INITIAL_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private enum State {
        WAITING,
        COOKIE_WAIT,
        COOKIE_ECHOED,
        ESTABLISHED
    }

    /** The parameters in an INIT or its answer. */
    private record Init(int tag, int window, int first) {
        static Init read(Reader r) {
            int tag = r.i32be("tag", 0);
            int window = r.i32be("window", 0);
            r.u16be("outgoing streams", 0);
            r.u16be("incoming streams", 0);
            return new Init(tag, window, r.i32be("TSN", 0));
        }
    }

    private final Steps steps;
    private final int tag;
    private final int first;
    private final int window;
    private final byte[] secret = new byte[16];
    private State state = State.WAITING;
    private int peerTag;
    private byte @Nullable [] cookie;
    private long due = Long.MAX_VALUE;
    private long interval = INITIAL_RETRY_NANOS;

    /**
     * @param window this side's receive window, bytes
     */
    SctpHandshake(int window, RandomGenerator random, Steps steps) {
        this.window = window;
        this.steps = steps;
        random.nextBytes(secret);
        int drawn = random.nextInt();
        tag = drawn == 0 ? 1 : drawn;
        first = random.nextInt();
    }

    /** This side's verification tag. */
    int tag() {
        return tag;
    }

    /** The peer's verification tag; 0 before it is known. */
    int peerTag() {
        return peerTag;
    }

    /** This side's first transmission sequence number. */
    int first() {
        return first;
    }

    boolean isEstablished() {
        return state == State.ESTABLISHED;
    }

    /** Starts the handshake, unless the peer has. */
    void begin(long now) {
        if (state == State.WAITING) {
            state = State.COOKIE_WAIT;
            interval = INITIAL_RETRY_NANOS;
            ask(now);
        }
    }

    /** Retransmits what is not answered; returns the time of the next call. */
    long advance(long now) {
        if (now >= due) {
            interval = Math.min(2 * interval, MAX_RETRY_NANOS);
            if (state == State.COOKIE_WAIT) {
                ask(now);
            } else {
                echo(now);
            }
        }
        return due;
    }

    private void ask(long now) {
        Writer w = new Writer(SctpPacket.MAX_BYTES);
        SctpPacket.begin(w, 0);
        SctpPacket.chunk(w, SctpPacket.INIT, 0, INIT_LENGTH);
        parameters(w);
        steps.emit(w);
        due = now + interval;
    }

    private void parameters(Writer w) {
        w.i32be("tag", tag);
        w.i32be("window", window);
        w.u16be("outgoing streams", STREAMS);
        w.u16be("incoming streams", STREAMS);
        w.i32be("TSN", first);
        w.u16be("parameter", FORWARD_TSN_SUPPORTED);
        w.u16be("parameter length", 4);
        w.u16be("parameter", SUPPORTED_EXTENSIONS);
        w.u16be("parameter length", 6);
        w.u8("extension", SctpPacket.RE_CONFIG);
        w.u8("extension", SctpPacket.FORWARD_TSN);
        SctpPacket.pad(w);
    }

    /** Answers an INIT in any state; nothing is kept. */
    void init(Reader r) {
        Init init = Init.read(r);
        if (init.tag == 0 || state == State.ESTABLISHED && init.tag != peerTag) {
            return;
        }
        boolean abandons = parameter(r, FORWARD_TSN_SUPPORTED) != null;
        Writer fields = new Writer(COOKIE_FIELDS);
        fields.i32be("tag", init.tag);
        fields.i32be("window", init.window);
        fields.i32be("TSN", init.first);
        fields.i32be("abandons", abandons ? 1 : 0);
        byte[] signed = fields.toByteArray();
        Writer w = new Writer(SctpPacket.MAX_BYTES);
        SctpPacket.begin(w, init.tag);
        SctpPacket.chunk(w, SctpPacket.INIT_ACK, 0, INIT_LENGTH + 4 + COOKIE);
        parameters(w);
        w.u16be("parameter", STATE_COOKIE);
        w.u16be("parameter length", 4 + COOKIE);
        w.append(signed, 0, signed.length);
        byte[] signature = signature(signed);
        w.append(signature, 0, signature.length);
        steps.emit(w);
    }

    private byte[] signature(byte[] fields) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(fields);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", e);
        }
    }

    /** The content of a parameter among those that follow; null if it is missing. */
    private static @Nullable Bytes parameter(Reader r, int wanted) {
        Bytes found = null;
        while (r.remaining() >= 4) {
            int type = r.u16be("parameter", 0);
            int at = r.position();
            int length = r.u16be("parameter length", 0) - 4;
            if (length < 0) {
                throw new MalformedPacketException(at, "parameter length", "is too small");
            }
            Bytes content = r.bytes("parameter", Bytes.EMPTY, length);
            r.bytes("padding", Bytes.EMPTY, Math.min(-length & 3, r.remaining()));
            if (type == wanted) {
                found = content;
            }
        }
        return found;
    }

    /** Handles the answer to this side's INIT. */
    void initAnswered(long now, Reader r) {
        if (state != State.COOKIE_WAIT) {
            return;
        }
        Init init = Init.read(r);
        int mark = r.position();
        Bytes rest = r.rest("parameters", Bytes.EMPTY, SctpPacket.MAX_BYTES * 2);
        Bytes echoed = parameter(new Reader(rest), STATE_COOKIE);
        if (init.tag == 0 || echoed == null || echoed.length() > MAX_COOKIE_BYTES) {
            throw new MalformedPacketException(mark, "cookie", "is missing or too long");
        }
        know(init, parameter(new Reader(rest), FORWARD_TSN_SUPPORTED) != null);
        cookie = echoed.toArray();
        state = State.COOKIE_ECHOED;
        interval = INITIAL_RETRY_NANOS;
        echo(now);
    }

    private void know(Init init, boolean abandons) {
        peerTag = init.tag;
        steps.peer(init.window < 0 ? Integer.MAX_VALUE : init.window, init.first, abandons);
    }

    private void echo(long now) {
        byte[] echoed = cookie;
        if (echoed != null) {
            Writer w = new Writer(SctpPacket.MAX_BYTES);
            SctpPacket.begin(w, peerTag);
            SctpPacket.chunk(w, SctpPacket.COOKIE_ECHO, 0, echoed.length);
            w.append(echoed, 0, echoed.length);
            SctpPacket.pad(w);
            steps.emit(w);
            due = now + interval;
        }
    }

    /** Handles the echo of this side's cookie. */
    void cookieEchoed(Bytes echoed) {
        if (echoed.length() != COOKIE) {
            throw new MalformedPacketException(0, "cookie", "has another length than ours");
        }
        byte[] fields = echoed.slice(0, COOKIE_FIELDS).toArray();
        byte[] signature = echoed.slice(COOKIE_FIELDS, COOKIE - COOKIE_FIELDS).toArray();
        if (!MessageDigest.isEqual(signature, signature(fields))) {
            throw new MalformedPacketException(0, "cookie", "is not signed by us");
        }
        Reader r = new Reader(fields);
        Init init = new Init(r.i32be("tag", 0), r.i32be("window", 0), r.i32be("TSN", 0));
        boolean abandons = r.i32be("abandons", 0) != 0;
        if (peerTag != 0 && init.tag != peerTag) {
            return;
        }
        if (state != State.ESTABLISHED && peerTag == 0) {
            know(init, abandons);
        }
        steps.accepted();
        if (state != State.ESTABLISHED) {
            established();
        }
    }

    /** Handles the acknowledgement of the cookie that this side echoed. */
    void cookieAcknowledged() {
        if (state == State.COOKIE_ECHOED) {
            established();
        }
    }

    private void established() {
        state = State.ESTABLISHED;
        cookie = null;
        due = Long.MAX_VALUE;
        steps.established();
    }
}
