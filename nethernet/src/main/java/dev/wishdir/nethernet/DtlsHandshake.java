package dev.wishdir.nethernet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The handshake's messages of either side, in the one order that they have. */
final class DtlsHandshake {
    static final int HEADER = 12;

    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int HELLO_VERIFY_REQUEST = 3;
    private static final int CERTIFICATE = 11;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int CERTIFICATE_REQUEST = 13;
    private static final int SERVER_HELLO_DONE = 14;
    private static final int CERTIFICATE_VERIFY = 15;
    private static final int CLIENT_KEY_EXCHANGE = 16;
    private static final int FINISHED = 20;

    private static final int SUITE = 0xC02B;
    private static final int RENEGOTIATION_SUITE = 0x00FF;
    private static final int GROUPS = 10;
    private static final int POINT_FORMATS = 11;
    private static final int SIGNATURES = 13;
    private static final int EXTENDED_MASTER_SECRET = 23;
    private static final int RENEGOTIATION = 0xFF01;
    private static final int ECDSA_SHA256 = 0x0403;
    private static final int ECDSA_SIGN = 64;
    private static final int NAMED_CURVE = 3;
    private static final int RANDOM = 32;

    private static final int LARGEST_MESSAGE = 4400;
    private static final int AHEAD = 8;

    /** What the handshake has its connection do. */
    interface Steps {
        /** What was sent is answered; another flight begins. */
        void newFlight();

        void message(byte[] message);

        void keys(DtlsKeys keys);

        /** Our last message, the first under the new keys. */
        void finished(byte[] message);

        /**
         * The flight is complete.
         *
         * @param last whether nothing answers it
         */
        void send(boolean last);

        void secured();
    }

    /** A message of which parts have come. */
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

    private final boolean client;
    private final DtlsCertificate certificate;
    private final byte[] peerHash;
    private final Steps steps;
    private final Map<Integer, Assembly> assemblies = new HashMap<>();
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    private final byte[] random = new byte[RANDOM];
    private byte[] peerRandom = new byte[0];
    private byte[] cookie = new byte[0];
    private int nextReceived;
    private int nextSent;
    private int expected;
    private DtlsKeys.@Nullable Exchange exchange;
    private byte[] peerPoint = new byte[0];
    private @Nullable ECPublicKey peerKey;
    private @Nullable DtlsKeys keys;

    DtlsHandshake(
            boolean client,
            DtlsCertificate certificate,
            byte[] peerHash,
            RandomGenerator random,
            Steps steps) {
        this.client = client;
        this.certificate = certificate;
        this.peerHash = peerHash.clone();
        this.steps = steps;
        random.nextBytes(this.random);
        expected = client ? SERVER_HELLO : CLIENT_HELLO;
    }

    /** The client's first message. */
    void begin() {
        steps.newFlight();
        Writer w = new Writer(512);
        w.u16be("version", DtlsConnection.VERSION);
        raw(w, random);
        w.u8("session", 0);
        w.u8("cookie length", cookie.length);
        raw(w, cookie);
        w.u16be("suites", 2);
        w.u16be("suite", SUITE);
        w.u8("compressions", 1);
        w.u8("compression", 0);
        Writer extensions = new Writer(256);
        extension(extensions, GROUPS, 0, 4, 0, DtlsKeys.X25519, 0, DtlsKeys.P256);
        extension(extensions, POINT_FORMATS, 1, 0);
        extension(extensions, SIGNATURES, 0, 2, ECDSA_SHA256 >> 8, ECDSA_SHA256 & 0xFF);
        extension(extensions, EXTENDED_MASTER_SECRET);
        extension(extensions, RENEGOTIATION, 0);
        w.u16be("extensions", extensions.position());
        raw(w, extensions.toByteArray());
        say(CLIENT_HELLO, w);
        steps.send(false);
    }

    private static void extension(Writer w, int type, int... content) {
        w.u16be("extension", type);
        w.u16be("extension length", content.length);
        for (int b : content) {
            w.u8("extension", b);
        }
    }

    private static void raw(Writer w, byte[] bytes) {
        w.append(bytes, 0, bytes.length);
    }

    private byte[] message(int type, byte[] body) {
        Writer w = new Writer(HEADER + body.length);
        w.u8("type", type);
        u24(w, body.length);
        w.u16be("number", nextSent++);
        u24(w, 0);
        u24(w, body.length);
        raw(w, body);
        transcript.write(w.array(), 0, w.position());
        return w.toByteArray();
    }

    private void say(int type, Writer body) {
        steps.message(message(type, body.toByteArray()));
    }

    /** A part of a whole message, with its own header. */
    static byte[] fragment(byte[] message, int at, int count) {
        byte[] fragment = Arrays.copyOf(message, HEADER + count);
        for (int i = 0; i < 3; i++) {
            fragment[6 + i] = (byte) (at >> 16 - 8 * i);
            fragment[9 + i] = (byte) (count >> 16 - 8 * i);
        }
        System.arraycopy(message, HEADER + at, fragment, HEADER, count);
        return fragment;
    }

    private static void u24(Writer w, int value) {
        w.u8("high", value >> 16);
        w.u16be("low", value & 0xFFFF);
    }

    private static int u24(Reader r, String name) {
        return r.u8(name, 0) << 16 | r.u16be(name, 0);
    }

    /**
     * Takes in the content of a record.
     *
     * @param sealed whether it was protected
     * @return whether any of it had come before
     * @throws GeneralSecurityException if the other side is not who it should be, or can't do what
     *     is needed
     */
    boolean fragments(byte[] content, boolean sealed) throws GeneralSecurityException {
        Reader r = new Reader(content);
        boolean old = false;
        while (r.remaining() >= HEADER) {
            int type = r.u8("type", 0);
            int length = u24(r, "length");
            int number = r.u16be("number", 0);
            int at = u24(r, "fragment offset");
            int count = u24(r, "fragment length");
            if (length > LARGEST_MESSAGE || at + count > length || count > r.remaining()) {
                return old;
            }
            byte[] part = r.bytes("fragment", Bytes.EMPTY, count).toArray();
            if (number < nextReceived) {
                old = true;
            } else if (number < nextReceived + AHEAD) {
                Assembly assembly =
                        assemblies.computeIfAbsent(number, _ -> new Assembly(type, sealed, length));
                if (assembly.type == type
                        && assembly.sealed == sealed
                        && assembly.body.length == length) {
                    System.arraycopy(part, 0, assembly.body, at, count);
                    assembly.have.set(at, at + count);
                    complete();
                }
            }
        }
        return old;
    }

    private void complete() throws GeneralSecurityException {
        Assembly next = assemblies.get(nextReceived);
        while (next != null && next.complete()) {
            assemblies.remove(nextReceived);
            take(next);
            nextReceived++;
            next = assemblies.get(nextReceived);
        }
    }

    private void take(Assembly message) throws GeneralSecurityException {
        if (message.sealed != (message.type == FINISHED)) {
            throw new GeneralSecurityException("a message is protected that should not be");
        }
        if (client && expected == SERVER_HELLO && message.type == HELLO_VERIFY_REQUEST) {
            verifyRequest(new Reader(message.body));
            return;
        }
        if (message.type != expected) {
            throw new GeneralSecurityException(
                    "message " + message.type + " came instead of " + expected);
        }
        byte[] before = transcript.toByteArray();
        hear(message);
        Reader r = new Reader(message.body);
        switch (message.type) {
            case CLIENT_HELLO -> clientHello(r);
            case SERVER_HELLO -> serverHello(r);
            case CERTIFICATE -> certificate(r);
            case SERVER_KEY_EXCHANGE -> serverKeyExchange(r);
            case CERTIFICATE_REQUEST -> certificateRequest(r);
            case SERVER_HELLO_DONE -> clientFlight();
            case CLIENT_KEY_EXCHANGE -> clientKeyExchange(r);
            case CERTIFICATE_VERIFY -> certificateVerify(r, before);
            case FINISHED -> finished(message.body, before);
            default -> throw new GeneralSecurityException("message " + message.type);
        }
    }

    private void hear(Assembly message) {
        Writer w = new Writer(HEADER);
        w.u8("type", message.type);
        u24(w, message.body.length);
        w.u16be("number", nextReceived);
        u24(w, 0);
        u24(w, message.body.length);
        transcript.write(w.array(), 0, w.position());
        transcript.writeBytes(message.body);
    }

    private void verifyRequest(Reader r) throws GeneralSecurityException {
        if (cookie.length > 0) {
            throw new GeneralSecurityException("a cookie was asked for twice");
        }
        r.u16be("version", 0);
        cookie = vector(r, "cookie", r.u8("cookie length", 0));
        transcript.reset();
        begin();
    }

    private static byte[] vector(Reader r, String name, int length) {
        return r.bytes(name, Bytes.EMPTY, length).toArray();
    }

    private void clientHello(Reader r) throws GeneralSecurityException {
        version(r);
        peerRandom = vector(r, "random", RANDOM);
        vector(r, "session", r.u8("session length", 0));
        vector(r, "cookie", r.u8("cookie length", 0));
        boolean suite = false;
        boolean renegotiation = false;
        int suites = r.narrow("suites", r.u16be("suites", 0));
        while (r.remaining() > 0) {
            int each = r.u16be("suite", 0);
            suite |= each == SUITE;
            renegotiation |= each == RENEGOTIATION_SUITE;
        }
        r.widen(suites);
        vector(r, "compressions", r.u8("compressions", 0));
        int group = 0;
        boolean signature = true;
        boolean extended = false;
        boolean formats = false;
        int all = r.narrow("extensions", r.u16be("extensions", 0));
        while (r.remaining() > 0) {
            int type = r.u16be("extension", 0);
            int mark = r.narrow("extension", r.u16be("extension length", 0));
            switch (type) {
                case GROUPS -> group = group(r);
                case SIGNATURES -> signature = signature(r);
                case EXTENDED_MASTER_SECRET -> extended = true;
                case POINT_FORMATS -> formats = true;
                case RENEGOTIATION -> renegotiation = true;
                default -> {}
            }
            r.widen(mark);
        }
        r.widen(all);
        if (!suite || group == 0 || !signature || !extended) {
            throw new GeneralSecurityException(
                    "the client has no ECDHE-ECDSA with AES-128-GCM, P-256 and extended secrets");
        }
        expected = CERTIFICATE;
        serverFlight(group, renegotiation, formats);
    }

    private static void version(Reader r) throws GeneralSecurityException {
        if (r.u16be("version", 0) > DtlsConnection.VERSION) {
            throw new GeneralSecurityException("the other side has no DTLS 1.2");
        }
    }

    /** The first of the client's groups that is ours, 0 for none. */
    private static int group(Reader r) {
        int found = 0;
        r.u16be("groups", 0);
        while (r.remaining() > 0) {
            int each = r.u16be("group", 0);
            if (found == 0 && (each == DtlsKeys.X25519 || each == DtlsKeys.P256)) {
                found = each;
            }
        }
        return found;
    }

    private static boolean signature(Reader r) {
        boolean found = false;
        r.u16be("signatures", 0);
        while (r.remaining() > 0) {
            found |= r.u16be("signature", 0) == ECDSA_SHA256;
        }
        return found;
    }

    private void serverFlight(int group, boolean renegotiation, boolean formats)
            throws GeneralSecurityException {
        steps.newFlight();
        Writer hello = new Writer(128);
        hello.u16be("version", DtlsConnection.VERSION);
        raw(hello, random);
        hello.u8("session", 0);
        hello.u16be("suite", SUITE);
        hello.u8("compression", 0);
        Writer extensions = new Writer(32);
        extension(extensions, EXTENDED_MASTER_SECRET);
        if (renegotiation) {
            extension(extensions, RENEGOTIATION, 0);
        }
        if (formats) {
            extension(extensions, POINT_FORMATS, 1, 0);
        }
        hello.u16be("extensions", extensions.position());
        raw(hello, extensions.toByteArray());
        say(SERVER_HELLO, hello);
        sayCertificate();
        DtlsKeys.Exchange own = DtlsKeys.Exchange.of(group);
        exchange = own;
        Writer params = new Writer(128);
        params.u8("curve type", NAMED_CURVE);
        params.u16be("group", group);
        params.u8("point length", own.point().length);
        raw(params, own.point());
        Writer w = new Writer(256);
        raw(w, params.toByteArray());
        sign(w, DtlsKeys.join(peerRandom, random, params.toByteArray()));
        say(SERVER_KEY_EXCHANGE, w);
        Writer request = new Writer(16);
        request.u8("types", 1);
        request.u8("type", ECDSA_SIGN);
        request.u16be("signatures", 2);
        request.u16be("signature", ECDSA_SHA256);
        request.u16be("authorities", 0);
        say(CERTIFICATE_REQUEST, request);
        say(SERVER_HELLO_DONE, new Writer(0));
        steps.send(false);
    }

    private void sayCertificate() {
        byte[] der = certificate.der();
        Writer w = new Writer(6 + der.length);
        u24(w, 3 + der.length);
        u24(w, der.length);
        raw(w, der);
        say(CERTIFICATE, w);
    }

    private void sign(Writer w, byte[] text) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(certificate.key());
        signature.update(text);
        byte[] signed = signature.sign();
        w.u16be("signature", ECDSA_SHA256);
        w.u16be("signature length", signed.length);
        raw(w, signed);
    }

    private void checkSignature(Reader r, byte[] text) throws GeneralSecurityException {
        if (r.u16be("signature", 0) != ECDSA_SHA256 || peerKey == null) {
            throw new GeneralSecurityException("a signature of another kind");
        }
        byte[] signed = vector(r, "signature", r.u16be("signature length", 0));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initVerify(peerKey);
        signature.update(text);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("a signature is wrong");
        }
    }

    private void serverHello(Reader r) throws GeneralSecurityException {
        version(r);
        peerRandom = vector(r, "random", RANDOM);
        vector(r, "session", r.u8("session length", 0));
        boolean fits = r.u16be("suite", 0) == SUITE && r.u8("compression", 0) == 0;
        boolean extended = false;
        if (r.remaining() > 0) {
            int all = r.narrow("extensions", r.u16be("extensions", 0));
            while (r.remaining() > 0) {
                extended |= r.u16be("extension", 0) == EXTENDED_MASTER_SECRET;
                vector(r, "extension", r.u16be("extension length", 0));
            }
            r.widen(all);
        }
        if (!fits || !extended) {
            throw new GeneralSecurityException("the server chose what was not offered");
        }
        expected = CERTIFICATE;
    }

    private void certificate(Reader r) throws GeneralSecurityException {
        int all = r.narrow("certificates", u24(r, "certificates"));
        byte[] der = vector(r, "certificate", u24(r, "certificate length"));
        r.widen(all);
        if (!DtlsConnection.same(IdentityKey.sha256(der), peerHash)) {
            throw new GeneralSecurityException("the certificate is not the one that was agreed");
        }
        peerKey = DtlsCertificate.key(der);
        expected = client ? SERVER_KEY_EXCHANGE : CLIENT_KEY_EXCHANGE;
    }

    private void serverKeyExchange(Reader r) throws GeneralSecurityException {
        int from = r.position();
        int type = r.u8("curve type", 0);
        int group = r.u16be("group", 0);
        peerPoint = vector(r, "point", r.u8("point length", 0));
        byte[] params = r.between(from, r.position()).toArray();
        if (type != NAMED_CURVE || group != DtlsKeys.X25519 && group != DtlsKeys.P256) {
            throw new GeneralSecurityException("the server chose what was not offered");
        }
        checkSignature(r, DtlsKeys.join(random, peerRandom, params));
        exchange = DtlsKeys.Exchange.of(group);
        expected = CERTIFICATE_REQUEST;
    }

    private void certificateRequest(Reader r) throws GeneralSecurityException {
        vector(r, "types", r.u8("types", 0));
        int all = r.narrow("signatures", r.u16be("signatures", 0));
        boolean fits = false;
        while (r.remaining() > 0) {
            fits |= r.u16be("signature", 0) == ECDSA_SHA256;
        }
        r.widen(all);
        if (!fits) {
            throw new GeneralSecurityException("the server takes no ECDSA with SHA-256");
        }
        expected = SERVER_HELLO_DONE;
    }

    private void clientFlight() throws GeneralSecurityException {
        DtlsKeys.Exchange own = exchange();
        steps.newFlight();
        sayCertificate();
        Writer key = new Writer(128);
        key.u8("point length", own.point().length);
        raw(key, own.point());
        say(CLIENT_KEY_EXCHANGE, key);
        DtlsKeys made = agree(own, peerPoint);
        Writer proof = new Writer(256);
        sign(proof, transcript.toByteArray());
        say(CERTIFICATE_VERIFY, proof);
        steps.finished(message(FINISHED, made.finished(true, transcriptHash())));
        expected = FINISHED;
        steps.send(false);
    }

    private byte[] transcriptHash() {
        return IdentityKey.sha256(transcript.toByteArray());
    }

    private DtlsKeys.Exchange exchange() throws GeneralSecurityException {
        if (exchange == null) {
            throw new GeneralSecurityException("no keys were exchanged");
        }
        return exchange;
    }

    private DtlsKeys agree(DtlsKeys.Exchange own, byte[] point) throws GeneralSecurityException {
        DtlsKeys made =
                new DtlsKeys(
                        client,
                        own.agree(point),
                        transcriptHash(),
                        client ? random : peerRandom,
                        client ? peerRandom : random);
        keys = made;
        steps.keys(made);
        return made;
    }

    private void clientKeyExchange(Reader r) throws GeneralSecurityException {
        agree(exchange(), vector(r, "point", r.u8("point length", 0)));
        expected = CERTIFICATE_VERIFY;
    }

    private void certificateVerify(Reader r, byte[] before) throws GeneralSecurityException {
        checkSignature(r, before);
        expected = FINISHED;
    }

    private void finished(byte[] body, byte[] before) throws GeneralSecurityException {
        if (keys == null
                || !DtlsConnection.same(body, keys.finished(!client, IdentityKey.sha256(before)))) {
            throw new GeneralSecurityException("the other side finished another handshake");
        }
        expected = -1;
        if (!client) {
            steps.newFlight();
            steps.finished(message(FINISHED, keys.finished(false, transcriptHash())));
            steps.send(true);
        }
        transcript.reset();
        assemblies.clear();
        steps.secured();
    }
}
