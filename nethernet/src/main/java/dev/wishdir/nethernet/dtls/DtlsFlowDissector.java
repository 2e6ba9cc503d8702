package dev.wishdir.nethernet.dtls;

import dev.wishdir.nethernet.dissect.DissectionOutput;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dissector of DTLS between one client and one server, without keys: the records, and the
 * handshake's unencrypted messages.
 */
public final class DtlsFlowDissector {
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;
    private static final int RECORD_HEADER = 13;
    private static final int NONCE = 8;
    private static final int TAG = 16;

    /** The form of an {@code a=fingerprint} line of SDP. */
    private static final HexFormat FINGERPRINT = HexFormat.ofDelimiter(":").withUpperCase();

    private record Message(DtlsHeader header, Bytes body) {}

    /** The handshake messages of one side. */
    private static final class Half {
        final List<Message> whole = new ArrayList<>();
        final DtlsReassembler assembler =
                new DtlsReassembler(
                        (header, _, body) -> whole.add(new Message(header, Bytes.wrap(body))));
    }

    private Half client = new Half();
    private Half server = new Half();
    private Bytes helloRandom = Bytes.EMPTY;
    private boolean explicitNonce;

    /** Whether a datagram starts with a record of DTLS 1.0 or 1.2. */
    public static boolean isDtls(Bytes payload) {
        return payload.length() >= RECORD_HEADER
                && payload.get(0) >= CHANGE_CIPHER_SPEC
                && payload.get(0) <= 63
                && payload.get(1) == (byte) 0xFE
                && (payload.get(2) == (byte) 0xFD || payload.get(2) == (byte) 0xFF);
    }

    public void datagram(DissectionOutput output) {
        Reader r = output.reader(output.payload());
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        List<Bytes> handshakes = new ArrayList<>();
        while (r.remaining() > 0) {
            r.pushScope("records.", records.size());
            records.add(record(r, handshakes));
            r.popScope();
        }
        output.transport("dtls", Map.of("records", records), r);
        for (Bytes content : handshakes) {
            messages(output, content);
        }
    }

    private Map<String, @Nullable Object> record(Reader r, List<Bytes> handshakes) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        int type = r.u8("type", 0);
        r.annotate(name(type));
        int version = r.u16be("version", 0);
        r.annotate(DtlsNames.version(version));
        int epoch = r.u16be("epoch", 0);
        r.begin("sequence number");
        long number = (long) r.u16be("high", 0) << 32 | r.u32be("low", 0);
        r.end(number);
        int length = r.u16be("length", 0);
        fields.put("type", name(type));
        fields.put("epoch", epoch);
        fields.put("seq", number);
        fields.put("length", length);
        int mark = r.pushLimit("record", length);
        if (epoch > 0) {
            fields.put("encrypted", true);
            sealed(r);
        } else {
            switch (type) {
                case HANDSHAKE -> handshakes.add(handshake(r));
                case ALERT -> {
                    int level = r.u8("level", 0);
                    r.annotate(level == 1 ? "warning" : "fatal");
                    int description = r.u8("description", 0);
                    r.annotate(DtlsNames.alert(description));
                    fields.put("alert", DtlsNames.alert(description));
                }
                case CHANGE_CIPHER_SPEC -> r.u8("change", 0);
                default -> {}
            }
        }
        if (r.remaining() > 0) {
            r.rest("content", Bytes.EMPTY, r.remaining());
        }
        r.popLimit(mark);
        return fields;
    }

    private static String name(int type) {
        return switch (type) {
            case CHANGE_CIPHER_SPEC -> "change_cipher_spec";
            case ALERT -> "alert";
            case HANDSHAKE -> "handshake";
            case APPLICATION_DATA -> "application_data";
            default -> "type_" + type;
        };
    }

    private void sealed(Reader r) {
        if (explicitNonce && r.remaining() >= NONCE + TAG) {
            r.bytes("nonce", Bytes.EMPTY, NONCE);
            if (r.remaining() > TAG) {
                r.bytes("encrypted", Bytes.EMPTY, r.remaining() - TAG);
            }
            r.bytes("tag", Bytes.EMPTY, TAG);
        } else if (r.remaining() > 0) {
            r.rest("encrypted", Bytes.EMPTY, r.remaining());
        }
    }

    /** Walks the fragments of messages in a record and returns them unchanged. */
    private static Bytes handshake(Reader r) {
        int from = r.position();
        while (r.remaining() >= DtlsHeader.BYTES) {
            DtlsHeader header = DtlsHeader.wire(r, DtlsHeader.BLANK);
            if (header.count() > 0) {
                r.bytes("fragment", Bytes.EMPTY, header.count());
            }
        }
        return r.slice(from, r.position());
    }

    private void messages(DissectionOutput output, Bytes content) {
        begin(content);
        Half half = output.direction() == Direction.C2S ? client : server;
        try {
            half.assembler.fragments(content.toArray(), false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("nothing is checked here", e);
        }
        for (Message each : half.whole) {
            Reader r = output.reader(each.body);
            try {
                DtlsMessage read = DtlsMessage.read(each.header.type(), r);
                output.message(
                        DtlsNames.message(each.header.type()),
                        fields(each.header.number(), read),
                        r);
            } catch (MalformedPacketException e) {
                output.malformed(e);
            }
        }
        half.whole.clear();
    }

    /** Resets the state if a ClientHello has another random: a new association of the same flow. */
    private void begin(Bytes content) {
        int at = DtlsHeader.BYTES + 2;
        if (content.length() < at + DtlsMessage.RANDOM) {
            return;
        }
        DtlsHeader header = DtlsHeader.wire(new Reader(content), DtlsHeader.BLANK);
        Bytes random = content.slice(at, DtlsMessage.RANDOM);
        if (header.type() == DtlsMessage.CLIENT_HELLO
                && header.offset() == 0
                && !random.equals(helloRandom)) {
            helloRandom = Bytes.wrap(random.toArray());
            client = new Half();
            server = new Half();
            explicitNonce = false;
        }
    }

    private Map<String, @Nullable Object> fields(int number, DtlsMessage message) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        switch (message) {
            case DtlsMessage.ClientHello m -> {
                fields.put("version", DtlsNames.version(m.version()));
                fields.put("cookie", m.cookie().length());
                fields.put("suites", m.suites().stream().map(DtlsNames::suite).toList());
                fields.put("extensions", extensions(m.extensions()));
            }
            case DtlsMessage.ServerHello m -> {
                String suite = DtlsNames.suite(m.suite());
                explicitNonce = suite.contains("GCM");
                fields.put("version", DtlsNames.version(m.version()));
                fields.put("suite", suite);
                fields.put("extensions", extensions(m.extensions()));
            }
            case DtlsMessage.HelloVerifyRequest m -> fields.put("cookie", m.cookie().hex());
            case DtlsMessage.Certificate m ->
                    fields.put(
                            "sha256",
                            m.chain().stream()
                                    .map(der -> DtlsKeys.sha256(der.toArray()))
                                    .map(FINGERPRINT::formatHex)
                                    .toList());
            case DtlsMessage.ServerKeyExchange m -> {
                fields.put("group", DtlsNames.group(m.group()));
                fields.put("scheme", DtlsNames.scheme(m.scheme()));
            }
            case DtlsMessage.CertificateRequest m ->
                    fields.put("schemes", m.schemes().stream().map(DtlsNames::scheme).toList());
            case DtlsMessage.CertificateVerify m ->
                    fields.put("scheme", DtlsNames.scheme(m.scheme()));
            case DtlsMessage.NewSessionTicket m -> fields.put("lifetime", m.lifetime());
            case DtlsMessage.Rest m -> fields.put("length", m.content().length());
            case DtlsMessage.ServerHelloDone _, DtlsMessage.ClientKeyExchange _ -> {}
        }
        return fields;
    }

    private static List<String> extensions(List<DtlsMessage.Extension> all) {
        return all.stream().map(each -> DtlsNames.extension(each.type())).toList();
    }
}
