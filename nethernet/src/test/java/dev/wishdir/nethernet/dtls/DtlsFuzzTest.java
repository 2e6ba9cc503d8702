package dev.wishdir.nethernet.dtls;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Any bytes to a side of DTLS, and as the faults of a network between two sides. */
class DtlsFuzzTest {
    @FuzzTest
    void handshake(byte[] data) {
        Random random = new Random(1);
        Dtls dtls =
                new DtlsConnection(
                        data.length % 2 == 0,
                        DtlsCertificate.generate(random),
                        new byte[32],
                        random,
                        new Dtls.Listener() {
                            @Override
                            public void emit(byte[] datagram, int offset, int length) {}

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
                                // Whatever a stranger sends may end it.
                            }
                        });
        dtls.advance(0);
        assertThat(dtls.receive(1, data)).isFalse();
    }

    /** A handshake between two sides in which bytes change, come twice or are lost. */
    @FuzzTest
    void changedHandshake(byte[] data) {
        Random random = new Random(1);
        DtlsCertificate[] certificates = {
            DtlsCertificate.generate(random), DtlsCertificate.generate(random)
        };
        List<Datagrams> sides = List.of(new Datagrams(), new Datagrams());
        List<Dtls> dtls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            byte[] hash = certificates[1 - i].hash();
            dtls.add(new DtlsConnection(i == 0, certificates[i], hash, random, sides.get(i)));
        }
        int at = 0;
        for (long now = 0; now < 20; now++) {
            for (int i = 0; i < 2; i++) {
                dtls.get(i).advance(now * 100_000_000);
                while (!sides.get(i).sent.isEmpty()) {
                    byte[] datagram = sides.get(i).sent.remove();
                    int doing = at < data.length ? data[at++] & 3 : 3;
                    if (doing == 0 && at + 3 <= data.length) {
                        int where = (data[at] & 0xFF) << 8 | data[at + 1] & 0xFF;
                        datagram[where % datagram.length] ^= data[at + 2];
                        at += 3;
                    }
                    for (int times = doing == 1 ? 0 : doing == 2 ? 2 : 1; times > 0; times--) {
                        dtls.get(1 - i).receive(now * 100_000_000, datagram.clone());
                    }
                }
            }
        }
        assertThat(sides).noneMatch(side -> side.secured && side.violated);
        if (data.length == 0) {
            assertThat(sides).allMatch(side -> side.secured);
        }
    }

    private static final class Datagrams implements Dtls.Listener {
        final ArrayDeque<byte[]> sent = new ArrayDeque<>();
        boolean secured;
        boolean violated;

        @Override
        public void emit(byte[] datagram, int offset, int length) {
            sent.add(Arrays.copyOfRange(datagram, offset, offset + length));
        }

        @Override
        public void onSecured() {
            secured = true;
        }

        @Override
        public void onDecrypted(byte[] plain) {
            throw new AssertionError("nobody said anything");
        }

        @Override
        public void onEnded(boolean violation, String reason) {
            violated |= violation;
        }
    }
}
