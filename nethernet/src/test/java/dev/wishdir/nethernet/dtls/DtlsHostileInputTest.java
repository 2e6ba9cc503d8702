package dev.wishdir.nethernet.dtls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Random;

/** The row H8 of docs/HOSTILE.md: what a stranger may send during a handshake. */
class DtlsHostileInputTest {
    @Test
    @DisplayName("H8 fragments of a DTLS handshake without end stay within their bounds")
    void boundsHandshakeFragments() {
        Random random = new Random(8);
        DtlsCertificate certificate = DtlsCertificate.generate(random);
        int[] emitted = new int[1];
        Dtls dtls =
                new DtlsConnection(
                        false,
                        certificate,
                        new byte[32],
                        random,
                        new Dtls.Listener() {
                            @Override
                            public void emit(byte[] datagram, int offset, int length) {
                                emitted[0]++;
                            }

                            @Override
                            public void onSecured() {
                                throw new AssertionError("nobody proved anything");
                            }

                            @Override
                            public void onDecrypted(byte[] plain) {
                                throw new AssertionError("nobody may say anything");
                            }

                            @Override
                            public void onEnded(boolean violation, String reason) {
                                throw new AssertionError("nobody may end it");
                            }
                        });
        for (int i = 0; i < 50_000; i++) {
            Writer w = new Writer(64);
            w.u8("type", 22);
            w.u16be("version", 0xFEFD);
            w.i64be("number", i);
            w.u16be("length", 13);
            w.u8("message", 1 + random.nextInt(20));
            w.u8("high", random.nextInt(3) == 0 ? 0xFF : 0);
            w.u16be("length", 4000);
            w.u16be("number", random.nextInt(65_536));
            w.u8("high", 0);
            w.u16be("offset", random.nextInt(3999));
            w.u8("high", 0);
            w.u16be("count", 1);
            w.u8("byte", 0);
            assertThat(dtls.receive(i, w.toByteArray())).isFalse();
        }
        assertThat(emitted[0]).as("no answer to any of it").isZero();
    }
}
