package dev.wishdir.nethernet.dtls;

import static dev.wishdir.nethernet.dtls.DtlsMessage.CERTIFICATE;
import static dev.wishdir.nethernet.dtls.DtlsMessage.CERTIFICATE_REQUEST;
import static dev.wishdir.nethernet.dtls.DtlsMessage.CERTIFICATE_VERIFY;
import static dev.wishdir.nethernet.dtls.DtlsMessage.CLIENT_HELLO;
import static dev.wishdir.nethernet.dtls.DtlsMessage.CLIENT_KEY_EXCHANGE;
import static dev.wishdir.nethernet.dtls.DtlsMessage.FINISHED;
import static dev.wishdir.nethernet.dtls.DtlsMessage.HELLO_VERIFY_REQUEST;
import static dev.wishdir.nethernet.dtls.DtlsMessage.SERVER_HELLO;
import static dev.wishdir.nethernet.dtls.DtlsMessage.SERVER_HELLO_DONE;
import static dev.wishdir.nethernet.dtls.DtlsMessage.SERVER_KEY_EXCHANGE;

import dev.wishdir.nethernet.dtls.DtlsMessage.Extension;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** The DTLS handshake of either side, with its messages in their only valid order. */
final class DtlsHandshake {
    private static final int SUITE = 0xC02B;
    private static final int RENEGOTIATION_SUITE = 0x00FF;
    private static final int ECDSA_SHA256 = 0x0403;
    private static final int ECDSA_SIGN = 64;

    /** Hellos of one client after the first that the server answers: one is the client's own. */
    private static final int MAX_RESTARTS = 8;

    /** Stage of a handshake. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Progress(byte[] transcript, int expected, int next, int sent) {}

    /** The messages that the reassembler completes. */
    private final class Messages implements DtlsReassembler.Taker {
        @Override
        public void message(DtlsHeader header, boolean sealed, byte[] body)
                throws GeneralSecurityException {
            take(header, sealed, body);
        }

        @Override
        public boolean again(DtlsHeader header, boolean sealed, byte[] part)
                throws GeneralSecurityException {
            return !sealed && takeAgain(header, part);
        }
    }

    /** The connection as its handshake sees it. */
    interface Steps {
        /** Starts a new flight, as the previous one is answered. */
        void newFlight();

        /** Adds a whole message to the flight. */
        void message(DtlsHeader header, byte[] body);

        void keys(DtlsKeys keys);

        /** Adds this side's last message, the first one under the new keys. */
        void finished(DtlsHeader header, byte[] body);

        /**
         * Sends the flight.
         *
         * @param last whether nothing answers it
         */
        void send(boolean last);

        void secured();
    }

    private final boolean client;
    private final DtlsCertificate certificate;
    private final byte[] peerHash;
    private final Steps steps;
    private final DtlsReassembler assembler = new DtlsReassembler(new Messages());
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    private final Bytes random;
    private Bytes peerRandom = Bytes.EMPTY;
    private Bytes cookie = Bytes.EMPTY;
    private int nextSent;
    private int expected;

    /** To which a wrong message leads back: after this side's last flight. */
    private Progress base;

    /** Before the server requested a cookie, which anyone can forge; null where it did not. */
    private @Nullable Progress withoutCookie;

    private byte[] hello = {};
    private int restarts;
    private DtlsKeys.@Nullable Exchange exchange;
    private Bytes peerPoint = Bytes.EMPTY;
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
        byte[] drawn = new byte[DtlsMessage.RANDOM];
        random.nextBytes(drawn);
        this.random = Bytes.wrap(drawn);
        expected = client ? SERVER_HELLO : CLIENT_HELLO;
        base = progress();
    }

    private Progress progress() {
        return new Progress(transcript.toByteArray(), expected, assembler.next(), nextSent);
    }

    private void restore(Progress to) {
        transcript.reset();
        transcript.writeBytes(to.transcript);
        expected = to.expected;
        nextSent = to.sent;
        assembler.restart(to.next);
    }

    /** The client's first message. */
    void begin() {
        steps.newFlight();
        say(
                CLIENT_HELLO,
                new DtlsMessage.ClientHello(
                        Dtls.VERSION,
                        random,
                        Bytes.EMPTY,
                        cookie,
                        List.of(SUITE),
                        Bytes.of((byte) 0),
                        List.of(
                                Extension.of(
                                        Extension.GROUPS,
                                        0,
                                        4,
                                        0,
                                        DtlsKeys.X25519,
                                        0,
                                        DtlsKeys.P256),
                                Extension.of(Extension.POINT_FORMATS, 1, 0),
                                Extension.of(
                                        Extension.SIGNATURES,
                                        0,
                                        2,
                                        ECDSA_SHA256 >> 8,
                                        ECDSA_SHA256 & 0xFF),
                                Extension.of(Extension.EXTENDED_MASTER_SECRET),
                                Extension.of(Extension.RENEGOTIATION, 0))));
        base = progress();
        steps.send(false);
    }

    private void say(int type, DtlsMessage message) {
        byte[] body = message.toByteArray();
        steps.message(said(type, body), body);
    }

    /** Numbers a message of this side. */
    private DtlsHeader said(int type, byte[] body) {
        DtlsHeader header = new DtlsHeader(type, body.length, nextSent++, 0, body.length);
        remember(header, body);
        return header;
    }

    private void remember(DtlsHeader header, byte[] body) {
        Writer w = new Writer(DtlsHeader.BYTES);
        DtlsHeader.wire(w, header);
        transcript.write(w.array(), 0, w.position());
        transcript.writeBytes(body);
    }

    /**
     * Handles the content of a record.
     *
     * @param sealed whether it was encrypted
     * @return whether any of it was received before
     * @throws GeneralSecurityException if the peer is not the agreed one or lacks what is needed;
     *     nothing has changed if the message was not encrypted
     * @throws MalformedPacketException if a whole message is malformed; as above
     */
    boolean fragments(byte[] content, boolean sealed) throws GeneralSecurityException {
        try {
            return assembler.fragments(content, sealed);
        } catch (SignatureException e) {
            if (!sealed) {
                // It signs those before it, of which one is forged: the peer repeats its flight.
                restore(base);
            }
            throw e;
        }
    }

    /**
     * Handles a message with the number of one that was taken: the one before may have been forged.
     *
     * @return whether it was taken in its place
     */
    private boolean takeAgain(DtlsHeader header, byte[] part) throws GeneralSecurityException {
        if (header.number() != 0 || header.count() != header.length()) {
            return false;
        }
        Progress before = progress();
        Progress start;
        if (client) {
            Progress direct = withoutCookie;
            if (direct == null || expected != SERVER_HELLO || header.type() != SERVER_HELLO) {
                return false;
            }
            start = direct;
        } else {
            if (expected == FINISHED
                    || header.type() != CLIENT_HELLO
                    || Arrays.equals(part, hello)
                    || restarts == MAX_RESTARTS) {
                return false;
            }
            start = new Progress(new byte[0], CLIENT_HELLO, 0, 0);
        }
        restore(start);
        try {
            take(
                    new DtlsHeader(header.type(), header.length(), 0, 0, header.length()),
                    false,
                    part);
            restarts++;
            assembler.restart(1);
            base = client ? start : progress();
            withoutCookie = null;
        } catch (GeneralSecurityException | MalformedPacketException e) {
            restore(before);
        }
        return true;
    }

    private void take(DtlsHeader header, boolean sealed, byte[] body)
            throws GeneralSecurityException {
        int type = header.type();
        if (sealed != (type == FINISHED)) {
            throw new GeneralSecurityException(
                    sealed
                            ? "message " + type + " is protected, which only FINISHED may be"
                            : "FINISHED is not protected");
        }
        Reader r = new Reader(body);
        if (client && expected == SERVER_HELLO && type == HELLO_VERIFY_REQUEST) {
            verifyRequest(
                    DtlsMessage.HelloVerifyRequest.wire(r, DtlsMessage.HelloVerifyRequest.BLANK));
            return;
        }
        if (type != expected) {
            throw new GeneralSecurityException(
                    "message " + type + " was received, expected " + expected);
        }
        byte[] before = transcript.toByteArray();
        DtlsMessage message = DtlsMessage.read(type, r);
        remember(header, body);
        try {
            take(message, before);
        } catch (GeneralSecurityException e) {
            // It may be forged: the peer's own one finds the handshake as it was.
            transcript.reset();
            transcript.writeBytes(before);
            throw e;
        }
        if (message instanceof DtlsMessage.ClientHello) {
            hello = body;
        }
        // What this side answers, and what the peer has signed, is not taken back.
        if (message instanceof DtlsMessage.ClientHello
                || message instanceof DtlsMessage.ServerHelloDone
                || message instanceof DtlsMessage.CertificateVerify) {
            base = new Progress(transcript.toByteArray(), expected, header.number() + 1, nextSent);
        }
    }

    private void take(DtlsMessage message, byte[] before) throws GeneralSecurityException {
        switch (message) {
            case DtlsMessage.ClientHello m -> clientHello(m);
            case DtlsMessage.ServerHello m -> serverHello(m);
            case DtlsMessage.Certificate m -> certificate(m);
            case DtlsMessage.ServerKeyExchange m -> serverKeyExchange(m);
            case DtlsMessage.CertificateRequest m -> certificateRequest(m);
            case DtlsMessage.ServerHelloDone _ -> clientFlight();
            case DtlsMessage.ClientKeyExchange m -> clientKeyExchange(m);
            case DtlsMessage.CertificateVerify m -> certificateVerify(m, before);
            case DtlsMessage.Rest m -> finished(m.content().toArray(), before);
            case DtlsMessage.HelloVerifyRequest _, DtlsMessage.NewSessionTicket _ ->
                    throw new GeneralSecurityException("message is not of this handshake");
        }
    }

    private void verifyRequest(DtlsMessage.HelloVerifyRequest m) throws GeneralSecurityException {
        if (withoutCookie != null) {
            throw new GeneralSecurityException("the server requested a cookie twice");
        }
        withoutCookie = base;
        cookie = m.cookie();
        transcript.reset();
        begin();
        base = new Progress(base.transcript, SERVER_HELLO, base.next + 1, base.sent);
    }

    private void clientHello(DtlsMessage.ClientHello m) throws GeneralSecurityException {
        version(m.version());
        int group = m.extension(Extension.GROUPS).map(DtlsHandshake::group).orElse(0);
        boolean signature =
                m.extension(Extension.SIGNATURES)
                        .map(each -> each.codes().contains(ECDSA_SHA256))
                        .orElse(true);
        if (!m.suites().contains(SUITE)
                || group == 0
                || !signature
                || m.extension(Extension.EXTENDED_MASTER_SECRET).isEmpty()) {
            throw new GeneralSecurityException(
                    "the client lacks ECDHE-ECDSA with AES-128-GCM, P-256 or the extended master"
                            + " secret");
        }
        peerRandom = m.random();
        expected = CERTIFICATE;
        serverFlight(m, group);
    }

    private static void version(int version) throws GeneralSecurityException {
        if (version > Dtls.VERSION) {
            throw new GeneralSecurityException("the peer does not support DTLS 1.2");
        }
    }

    /** The first of the client's groups that this side supports; 0 for none. */
    private static int group(Extension groups) {
        return groups.codes().stream()
                .filter(each -> each == DtlsKeys.X25519 || each == DtlsKeys.P256)
                .findFirst()
                .orElse(0);
    }

    private void serverFlight(DtlsMessage.ClientHello m, int group)
            throws GeneralSecurityException {
        steps.newFlight();
        List<Extension> extensions = new ArrayList<>();
        extensions.add(Extension.of(Extension.EXTENDED_MASTER_SECRET));
        if (m.suites().contains(RENEGOTIATION_SUITE)
                || m.extension(Extension.RENEGOTIATION).isPresent()) {
            extensions.add(Extension.of(Extension.RENEGOTIATION, 0));
        }
        if (m.extension(Extension.POINT_FORMATS).isPresent()) {
            extensions.add(Extension.of(Extension.POINT_FORMATS, 1, 0));
        }
        say(
                SERVER_HELLO,
                new DtlsMessage.ServerHello(
                        Dtls.VERSION, random, Bytes.EMPTY, SUITE, 0, extensions));
        sayCertificate();
        DtlsKeys.Exchange own = DtlsKeys.Exchange.of(group);
        exchange = own;
        DtlsMessage.ServerKeyExchange unsigned =
                new DtlsMessage.ServerKeyExchange(
                        DtlsMessage.ServerKeyExchange.NAMED_CURVE,
                        group,
                        Bytes.wrap(own.point()),
                        ECDSA_SHA256,
                        Bytes.EMPTY);
        Bytes signature =
                sign(DtlsKeys.join(peerRandom.toArray(), random.toArray(), unsigned.parameters()));
        say(
                SERVER_KEY_EXCHANGE,
                new DtlsMessage.ServerKeyExchange(
                        unsigned.curveType(), group, unsigned.point(), ECDSA_SHA256, signature));
        say(
                CERTIFICATE_REQUEST,
                new DtlsMessage.CertificateRequest(
                        Bytes.of((byte) ECDSA_SIGN), List.of(ECDSA_SHA256), Bytes.EMPTY));
        say(SERVER_HELLO_DONE, new DtlsMessage.ServerHelloDone());
        steps.send(false);
    }

    private void sayCertificate() {
        say(CERTIFICATE, new DtlsMessage.Certificate(List.of(Bytes.wrap(certificate.der()))));
    }

    private Bytes sign(byte[] text) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(certificate.key());
        signature.update(text);
        return Bytes.wrap(signature.sign());
    }

    private void checkSignature(int scheme, Bytes signed, byte[] text)
            throws GeneralSecurityException {
        if (scheme != ECDSA_SHA256 || peerKey == null) {
            throw new GeneralSecurityException(
                    "the signature has another scheme than ECDSA with SHA-256");
        }
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initVerify(peerKey);
        signature.update(text);
        if (!signature.verify(signed.toArray())) {
            throw new SignatureException("the signature is wrong");
        }
    }

    private void serverHello(DtlsMessage.ServerHello m) throws GeneralSecurityException {
        version(m.version());
        if (m.suite() != SUITE
                || m.compression() != 0
                || m.extension(Extension.EXTENDED_MASTER_SECRET).isEmpty()) {
            throw new GeneralSecurityException("the server chose what was not offered");
        }
        peerRandom = m.random();
        expected = CERTIFICATE;
    }

    private void certificate(DtlsMessage.Certificate m) throws GeneralSecurityException {
        byte[] der = m.chain().isEmpty() ? new byte[0] : m.chain().getFirst().toArray();
        if (!DtlsKeys.isEqual(DtlsKeys.sha256(der), peerHash)) {
            throw new GeneralSecurityException("the certificate is not the agreed one");
        }
        peerKey = DtlsCertificate.key(der);
        expected = client ? SERVER_KEY_EXCHANGE : CLIENT_KEY_EXCHANGE;
    }

    private void serverKeyExchange(DtlsMessage.ServerKeyExchange m)
            throws GeneralSecurityException {
        int group = m.group();
        if (m.curveType() != DtlsMessage.ServerKeyExchange.NAMED_CURVE
                || group != DtlsKeys.X25519 && group != DtlsKeys.P256) {
            throw new GeneralSecurityException("the server chose what was not offered");
        }
        checkSignature(
                m.scheme(),
                m.signature(),
                DtlsKeys.join(random.toArray(), peerRandom.toArray(), m.parameters()));
        peerPoint = m.point();
        exchange = DtlsKeys.Exchange.of(group);
        expected = CERTIFICATE_REQUEST;
    }

    private void certificateRequest(DtlsMessage.CertificateRequest m)
            throws GeneralSecurityException {
        if (!m.schemes().contains(ECDSA_SHA256)) {
            throw new GeneralSecurityException("the server does not accept ECDSA with SHA-256");
        }
        expected = SERVER_HELLO_DONE;
    }

    private void clientFlight() throws GeneralSecurityException {
        DtlsKeys.Exchange own = exchange();
        steps.newFlight();
        sayCertificate();
        say(CLIENT_KEY_EXCHANGE, new DtlsMessage.ClientKeyExchange(Bytes.wrap(own.point())));
        DtlsKeys made = agree(own, peerPoint);
        say(
                CERTIFICATE_VERIFY,
                new DtlsMessage.CertificateVerify(ECDSA_SHA256, sign(transcript.toByteArray())));
        finish(made);
        expected = FINISHED;
        steps.send(false);
    }

    private void finish(DtlsKeys made) throws GeneralSecurityException {
        byte[] body = made.finished(client, transcriptHash());
        steps.finished(said(FINISHED, body), body);
    }

    private byte[] transcriptHash() {
        return DtlsKeys.sha256(transcript.toByteArray());
    }

    private DtlsKeys.Exchange exchange() throws GeneralSecurityException {
        if (exchange == null) {
            throw new GeneralSecurityException("the key exchange is missing");
        }
        return exchange;
    }

    private DtlsKeys agree(DtlsKeys.Exchange own, Bytes point) throws GeneralSecurityException {
        byte[] ours = random.toArray();
        byte[] theirs = peerRandom.toArray();
        DtlsKeys made =
                new DtlsKeys(
                        client,
                        own.agree(point.toArray()),
                        transcriptHash(),
                        client ? ours : theirs,
                        client ? theirs : ours);
        keys = made;
        steps.keys(made);
        return made;
    }

    private void clientKeyExchange(DtlsMessage.ClientKeyExchange m)
            throws GeneralSecurityException {
        agree(exchange(), m.point());
        expected = CERTIFICATE_VERIFY;
    }

    private void certificateVerify(DtlsMessage.CertificateVerify m, byte[] before)
            throws GeneralSecurityException {
        checkSignature(m.scheme(), m.signature(), before);
        expected = FINISHED;
    }

    private void finished(byte[] body, byte[] before) throws GeneralSecurityException {
        DtlsKeys made = keys;
        if (made == null
                || !DtlsKeys.isEqual(body, made.finished(!client, DtlsKeys.sha256(before)))) {
            throw new GeneralSecurityException("the peer's FINISHED does not match this handshake");
        }
        expected = -1;
        if (!client) {
            steps.newFlight();
            finish(made);
            steps.send(true);
        }
        transcript.reset();
        assembler.forget();
        steps.secured();
    }
}
