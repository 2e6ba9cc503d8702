package dev.wishdir.nethernet.dtls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The bodies of DTLS's handshake, each by the laws of a walk. */
class DtlsMessageTest {
    private static final Bytes RANDOM = Bytes.wrap(new byte[DtlsMessage.RANDOM]);
    private static final Bytes SOME = Bytes.of((byte) 7, (byte) 8, (byte) 9);
    private static final DtlsMessage.Extension GROUPS =
            DtlsMessage.Extension.of(DtlsMessage.Extension.GROUPS, 0, 4, 0, 29, 0, 23);

    @Test
    void holdsLawsForHeader() {
        WireLaws.hold(
                new DtlsHeader(11, 0x12345, 3, 0x1234, 0x100), DtlsHeader.BLANK, DtlsHeader::wire);
    }

    @Test
    void holdsLawsForHellos() {
        WireLaws.holdToTheEnd(
                new DtlsMessage.ClientHello(
                        0xFEFD,
                        RANDOM,
                        SOME,
                        SOME,
                        List.of(0xC02B, 0xFF),
                        Bytes.of((byte) 0),
                        List.of(GROUPS, DtlsMessage.Extension.of(23))),
                DtlsMessage.ClientHello.BLANK,
                DtlsMessage.ClientHello::wire);
        WireLaws.holdToTheEnd(
                new DtlsMessage.ServerHello(0xFEFD, RANDOM, SOME, 0xC02B, 0, List.of(GROUPS)),
                DtlsMessage.ServerHello.BLANK,
                DtlsMessage.ServerHello::wire);
        WireLaws.hold(
                new DtlsMessage.HelloVerifyRequest(0xFEFF, SOME),
                DtlsMessage.HelloVerifyRequest.BLANK,
                DtlsMessage.HelloVerifyRequest::wire);
        assertThat(GROUPS.codes()).containsExactly(29, 23);
    }

    @Test
    void holdsLawsForCertificatesAndKeys() {
        WireLaws.hold(
                new DtlsMessage.Certificate(List.of(SOME, RANDOM)),
                DtlsMessage.Certificate.BLANK,
                DtlsMessage.Certificate::wire);
        WireLaws.hold(
                new DtlsMessage.ServerKeyExchange(3, 29, RANDOM, 0x0403, SOME),
                DtlsMessage.ServerKeyExchange.BLANK,
                DtlsMessage.ServerKeyExchange::wire);
        WireLaws.hold(
                new DtlsMessage.CertificateRequest(SOME, List.of(0x0403, 0x0401), SOME),
                DtlsMessage.CertificateRequest.BLANK,
                DtlsMessage.CertificateRequest::wire);
        WireLaws.hold(
                new DtlsMessage.ClientKeyExchange(RANDOM),
                DtlsMessage.ClientKeyExchange.BLANK,
                DtlsMessage.ClientKeyExchange::wire);
        WireLaws.hold(
                new DtlsMessage.CertificateVerify(0x0403, SOME),
                DtlsMessage.CertificateVerify.BLANK,
                DtlsMessage.CertificateVerify::wire);
        WireLaws.hold(
                new DtlsMessage.NewSessionTicket(100, SOME),
                DtlsMessage.NewSessionTicket.BLANK,
                DtlsMessage.NewSessionTicket::wire);
        WireLaws.holdToTheEnd(
                new DtlsMessage.Rest(SOME), DtlsMessage.Rest.BLANK, DtlsMessage.Rest::wire);
    }

    @Test
    void readsEachByType() {
        for (int type = 0; type < 256; type++) {
            byte[] body = type == DtlsMessage.SERVER_HELLO_DONE ? new byte[0] : new byte[64];
            DtlsMessage read = DtlsMessage.read(type, new Reader(body));
            assertThat(DtlsMessage.read(type, new Reader(read.toByteArray()))).isEqualTo(read);
        }
    }
}
