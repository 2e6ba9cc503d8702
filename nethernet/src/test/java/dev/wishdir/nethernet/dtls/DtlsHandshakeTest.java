package dev.wishdir.nethernet.dtls;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.wire.Writer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;

final class DtlsHandshakeTest {
    private static final class NoSteps implements DtlsHandshake.Steps {
        @Override
        public void newFlight() {}

        @Override
        public void message(DtlsHeader header, byte[] body) {}

        @Override
        public void keys(DtlsKeys keys) {}

        @Override
        public void finished(DtlsHeader header, byte[] body) {}

        @Override
        public void send(boolean last) {}

        @Override
        public void secured() {}
    }

    /** 1 is CLIENT_HELLO, 20 FINISHED. */
    @ParameterizedTest
    @CsvSource({
        "1, true, 'message 1 is protected, which only FINISHED may be'",
        "20, false, FINISHED is not protected",
        "20, true, 'message 20 was received, expected 1'"
    })
    void reportsWrongProtection(int type, boolean sealed, String reason) {
        Random random = new Random(1);
        DtlsHandshake handshake =
                new DtlsHandshake(
                        false,
                        DtlsCertificate.generate(random),
                        new byte[32],
                        random,
                        new NoSteps());
        Writer w = new Writer(100);
        DtlsHeader.wire(w, new DtlsHeader(type, 12, 0, 0, 12));
        w.bytes("body", dev.wishdir.wire.Bytes.wrap(new byte[12]), 12);
        byte[] content = Arrays.copyOf(w.array(), w.position());

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> handshake.fragments(content, sealed))
                .withMessage(reason);
    }
}
