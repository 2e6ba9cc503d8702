package dev.wishdir.nethernet.dtls;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The body of a handshake message of DTLS 1.2 with ephemeral elliptic curves (RFC 5246, 7.4; RFC
 * 6347, 4.2; RFC 8422, 5), each described once for reading, writing and dissection.
 */
sealed interface DtlsMessage {
    int CLIENT_HELLO = 1;
    int SERVER_HELLO = 2;
    int HELLO_VERIFY_REQUEST = 3;
    int NEW_SESSION_TICKET = 4;
    int CERTIFICATE = 11;
    int SERVER_KEY_EXCHANGE = 12;
    int CERTIFICATE_REQUEST = 13;
    int SERVER_HELLO_DONE = 14;
    int CERTIFICATE_VERIFY = 15;
    int CLIENT_KEY_EXCHANGE = 16;
    int FINISHED = 20;

    /** Length of either side's random, bytes. */
    int RANDOM = 32;

    /** Maximum length of a body, bytes. */
    int MAX_BODY_BYTES = 4400;

    /** Walks the body. */
    void wire(Wire w);

    default byte[] toByteArray() {
        Writer w = new Writer(MAX_BODY_BYTES);
        wire(w);
        return w.toByteArray();
    }

    /**
     * An extension of a hello.
     *
     * @param type registered number
     */
    record Extension(int type, Bytes content) {
        static final int GROUPS = 10;
        static final int POINT_FORMATS = 11;
        static final int SIGNATURES = 13;
        static final int EXTENDED_MASTER_SECRET = 23;
        static final int RENEGOTIATION = 0xFF01;

        private static final Extension BLANK = new Extension(0, Bytes.EMPTY);

        static Extension of(int type, int... content) {
            byte[] bytes = new byte[content.length];
            for (int i = 0; i < content.length; i++) {
                bytes[i] = (byte) content[i];
            }
            return new Extension(type, Bytes.wrap(bytes));
        }

        private static Extension wire(Wire w, Extension m) {
            int type = w.u16be("extension", m.type);
            if (w.tracing()) {
                w.annotate(DtlsNames.extension(type));
            }
            Bytes content = vector16(w, "content", m.content);
            if (w.tracing() && content.length() > 0) {
                w.annotate(new Extension(type, content).meaning());
            }
            return new Extension(type, content);
        }

        /** The content as text, as far as it is known. */
        private String meaning() {
            try {
                return switch (type) {
                    case GROUPS -> DtlsNames.groups(codes());
                    case SIGNATURES -> DtlsNames.schemes(codes());
                    default -> content.toString();
                };
            } catch (MalformedPacketException e) {
                return content + ", malformed";
            }
        }

        /** The codes in the content of {@link #GROUPS} or {@link #SIGNATURES}. */
        List<Integer> codes() {
            return DtlsMessage.codes(new Reader(content), "codes", List.of());
        }

        private static List<Extension> all(Wire w, List<Extension> m) {
            if (w.reading() ? w.remaining() == 0 : m.isEmpty()) {
                return List.of();
            }
            int length =
                    w.u16be(
                            "extensions length",
                            m.stream().mapToInt(each -> 4 + each.content.length()).sum());
            int end = w.position() + length;
            List<Extension> all = new ArrayList<>();
            while (w.reading() ? w.position() < end : all.size() < m.size()) {
                w.pushScope("extensions.", all.size());
                all.add(wire(w, Wire.item(m, all.size(), BLANK)));
                w.popScope();
            }
            if (w.position() != end) {
                throw w.malformed("extensions", "do not end where they should");
            }
            return List.copyOf(all);
        }

        private static Optional<Extension> find(List<Extension> all, int type) {
            return all.stream().filter(each -> each.type == type).findFirst();
        }
    }

    /** The client's capabilities. */
    record ClientHello(
            int version,
            Bytes random,
            Bytes session,
            Bytes cookie,
            List<Integer> suites,
            Bytes compressions,
            List<Extension> extensions)
            implements DtlsMessage {
        static final ClientHello BLANK =
                new ClientHello(
                        0,
                        Bytes.wrap(new byte[RANDOM]),
                        Bytes.EMPTY,
                        Bytes.EMPTY,
                        List.of(),
                        Bytes.EMPTY,
                        List.of());

        public ClientHello {
            suites = List.copyOf(suites);
            extensions = List.copyOf(extensions);
        }

        static ClientHello wire(Wire w, ClientHello m) {
            return new ClientHello(
                    DtlsMessage.version(w, m.version),
                    w.bytes("random", m.random, RANDOM),
                    vector8(w, "session", m.session),
                    vector8(w, "cookie", m.cookie),
                    DtlsMessage.codes(w, "suites", m.suites),
                    vector8(w, "compressions", m.compressions),
                    Extension.all(w, m.extensions));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }

        Optional<Extension> extension(int type) {
            return Extension.find(extensions, type);
        }
    }

    /** The server's request of a cookie, which proves the client's address. */
    record HelloVerifyRequest(int version, Bytes cookie) implements DtlsMessage {
        static final HelloVerifyRequest BLANK = new HelloVerifyRequest(0, Bytes.EMPTY);

        static HelloVerifyRequest wire(Wire w, HelloVerifyRequest m) {
            return new HelloVerifyRequest(
                    DtlsMessage.version(w, m.version), vector8(w, "cookie", m.cookie));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /** The server's choice. */
    record ServerHello(
            int version,
            Bytes random,
            Bytes session,
            int suite,
            int compression,
            List<Extension> extensions)
            implements DtlsMessage {
        static final ServerHello BLANK =
                new ServerHello(0, Bytes.wrap(new byte[RANDOM]), Bytes.EMPTY, 0, 0, List.of());

        public ServerHello {
            extensions = List.copyOf(extensions);
        }

        static ServerHello wire(Wire w, ServerHello m) {
            int version = DtlsMessage.version(w, m.version);
            Bytes random = w.bytes("random", m.random, RANDOM);
            Bytes session = vector8(w, "session", m.session);
            int suite = w.u16be("suite", m.suite);
            if (w.tracing()) {
                w.annotate(DtlsNames.suite(suite));
            }
            return new ServerHello(
                    version,
                    random,
                    session,
                    suite,
                    w.u8("compression", m.compression),
                    Extension.all(w, m.extensions));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }

        Optional<Extension> extension(int type) {
            return Extension.find(extensions, type);
        }
    }

    /** The sender's certificate chain, its own first, as DER. */
    record Certificate(List<Bytes> chain) implements DtlsMessage {
        static final Certificate BLANK = new Certificate(List.of());

        public Certificate {
            chain = List.copyOf(chain);
        }

        static Certificate wire(Wire w, Certificate m) {
            int length =
                    u24(w, "length", m.chain.stream().mapToInt(each -> 3 + each.length()).sum());
            int end = w.position() + length;
            List<Bytes> chain = new ArrayList<>();
            while (w.reading() ? w.position() < end : chain.size() < m.chain.size()) {
                Bytes der = Wire.item(m.chain, chain.size(), Bytes.EMPTY);
                int count = u24(w, "certificate length", der.length());
                chain.add(w.bytes("certificate", der, count));
            }
            if (w.position() != end) {
                throw w.malformed("certificates", "do not end where they should");
            }
            return new Certificate(chain);
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /** The server's signed ephemeral public key. */
    record ServerKeyExchange(int curveType, int group, Bytes point, int scheme, Bytes signature)
            implements DtlsMessage {
        static final int NAMED_CURVE = 3;
        static final ServerKeyExchange BLANK =
                new ServerKeyExchange(0, 0, Bytes.EMPTY, 0, Bytes.EMPTY);

        static ServerKeyExchange wire(Wire w, ServerKeyExchange m) {
            int curveType = w.u8("curve type", m.curveType);
            int group = w.u16be("group", m.group);
            if (w.tracing()) {
                w.annotate(DtlsNames.group(group));
            }
            return new ServerKeyExchange(
                    curveType,
                    group,
                    vector8(w, "point", m.point),
                    DtlsMessage.scheme(w, m.scheme),
                    vector16(w, "signature", m.signature));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }

        /** The part that is signed, after the randoms of both sides. */
        byte[] parameters() {
            Writer w = new Writer(MAX_BODY_BYTES);
            w.u8("curve type", curveType);
            w.u16be("group", group);
            vector8(w, "point", point);
            return w.toByteArray();
        }
    }

    /** The server's request of the client's certificate. */
    record CertificateRequest(Bytes types, List<Integer> schemes, Bytes authorities)
            implements DtlsMessage {
        static final CertificateRequest BLANK =
                new CertificateRequest(Bytes.EMPTY, List.of(), Bytes.EMPTY);

        public CertificateRequest {
            schemes = List.copyOf(schemes);
        }

        static CertificateRequest wire(Wire w, CertificateRequest m) {
            return new CertificateRequest(
                    vector8(w, "types", m.types),
                    DtlsMessage.codes(w, "schemes", m.schemes),
                    vector16(w, "authorities", m.authorities));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /** The end of the server's flight. */
    record ServerHelloDone() implements DtlsMessage {
        @Override
        public void wire(Wire w) {}
    }

    /** The client's ephemeral public key. */
    record ClientKeyExchange(Bytes point) implements DtlsMessage {
        static final ClientKeyExchange BLANK = new ClientKeyExchange(Bytes.EMPTY);

        static ClientKeyExchange wire(Wire w, ClientKeyExchange m) {
            return new ClientKeyExchange(vector8(w, "point", m.point));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /** The client's signature of all messages so far. */
    record CertificateVerify(int scheme, Bytes signature) implements DtlsMessage {
        static final CertificateVerify BLANK = new CertificateVerify(0, Bytes.EMPTY);

        static CertificateVerify wire(Wire w, CertificateVerify m) {
            return new CertificateVerify(
                    DtlsMessage.scheme(w, m.scheme), vector16(w, "signature", m.signature));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /** A ticket for resumption, which is not supported here. */
    record NewSessionTicket(int lifetime, Bytes ticket) implements DtlsMessage {
        static final NewSessionTicket BLANK = new NewSessionTicket(0, Bytes.EMPTY);

        static NewSessionTicket wire(Wire w, NewSessionTicket m) {
            int lifetime = w.i32be("lifetime", m.lifetime);
            w.annotate(lifetime + " s");
            return new NewSessionTicket(lifetime, vector16(w, "ticket", m.ticket));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /**
     * A Finished, whose content shows that both sides saw the same handshake; or an unknown
     * message.
     */
    record Rest(Bytes content) implements DtlsMessage {
        static final Rest BLANK = new Rest(Bytes.EMPTY);

        static Rest wire(Wire w, Rest m) {
            return new Rest(w.rest("content", m.content, MAX_BODY_BYTES));
        }

        @Override
        public void wire(Wire w) {
            wire(w, this);
        }
    }

    /**
     * Reads a body.
     *
     * @param type of the message; an unknown one gives a {@link Rest}
     * @throws dev.wishdir.wire.MalformedPacketException if it is malformed
     */
    static DtlsMessage read(int type, Reader r) {
        return switch (type) {
            case CLIENT_HELLO -> ClientHello.wire(r, ClientHello.BLANK);
            case SERVER_HELLO -> ServerHello.wire(r, ServerHello.BLANK);
            case HELLO_VERIFY_REQUEST -> HelloVerifyRequest.wire(r, HelloVerifyRequest.BLANK);
            case NEW_SESSION_TICKET -> NewSessionTicket.wire(r, NewSessionTicket.BLANK);
            case CERTIFICATE -> Certificate.wire(r, Certificate.BLANK);
            case SERVER_KEY_EXCHANGE -> ServerKeyExchange.wire(r, ServerKeyExchange.BLANK);
            case CERTIFICATE_REQUEST -> CertificateRequest.wire(r, CertificateRequest.BLANK);
            case SERVER_HELLO_DONE -> new ServerHelloDone();
            case CERTIFICATE_VERIFY -> CertificateVerify.wire(r, CertificateVerify.BLANK);
            case CLIENT_KEY_EXCHANGE -> ClientKeyExchange.wire(r, ClientKeyExchange.BLANK);
            default -> Rest.wire(r, Rest.BLANK);
        };
    }

    private static int version(Wire w, int value) {
        int version = w.u16be("version", value);
        if (w.tracing()) {
            w.annotate(DtlsNames.version(version));
        }
        return version;
    }

    private static int scheme(Wire w, int value) {
        int scheme = w.u16be("scheme", value);
        if (w.tracing()) {
            w.annotate(DtlsNames.scheme(scheme));
        }
        return scheme;
    }

    private static List<Integer> codes(Wire w, String name, List<Integer> values) {
        int length = w.u16be(name + " length", 2 * values.size());
        if ((length & 1) != 0) {
            throw w.malformed(name, "have an odd length");
        }
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < length / 2; i++) {
            codes.add(w.u16be(name + "." + i, Wire.item(values, i, 0)));
            if (w.tracing()) {
                w.annotate(DtlsNames.code(name, codes.getLast()));
            }
        }
        return List.copyOf(codes);
    }

    private static Bytes vector8(Wire w, String name, Bytes value) {
        return w.bytes(name, value, w.u8(name + " length", value.length()));
    }

    private static Bytes vector16(Wire w, String name, Bytes value) {
        return w.bytes(name, value, w.u16be(name + " length", value.length()));
    }

    /** Three bytes, high first, 0..2^24-1. */
    static int u24(Wire w, String name, int value) {
        w.begin(name);
        int whole = w.u8(name, value >> 16) << 16 | w.u16be(name, value & 0xFFFF);
        w.end(whole);
        return whole;
    }
}
