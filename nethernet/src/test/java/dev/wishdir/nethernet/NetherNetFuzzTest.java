package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Any bytes at all, to each decoder and to each state machine that meets a stranger's. */
class NetherNetFuzzTest {
    @FuzzTest
    void decode(byte[] data) {
        attempt(() -> Sdp.read(data).text());
        attempt(() -> Stun.read(data).isSigned(data, "password"));
        attempt(() -> SctpPacket.read(data).chunks());
        attempt(() -> LanMessage.read(data).sender());
        attempt(() -> LanMessage.read(new Reader(data)).sender());
        attempt(() -> LanAdvertisement.read(Bytes.of(data)).name());
        attempt(() -> SegmentCodec.whole(data));
    }

    @FuzzTest
    void framing(byte[] data) {
        SegmentCodec codec = new SegmentCodec(1 << 10);
        for (int at = 0; at < data.length; ) {
            int length = Math.min(data.length - at - 1, data[at] & 0xFF);
            byte[] message = new byte[Math.max(0, length)];
            System.arraycopy(data, Math.min(data.length, at + 1), message, 0, message.length);
            at += 1 + message.length;
            try {
                codec.join(message);
            } catch (MalformedPacketException e) {
                return;
            }
            assertThat(codec.retainedBytes()).isLessThan(4 << 10);
        }
    }

    @FuzzTest
    void handshake(byte[] data) {
        Random random = new Random(1);
        Pair.Told told = new Pair.Told();
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
                                told.reason = reason;
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

    @FuzzTest
    void association(byte[] data) {
        SctpPair pair = new SctpPair(64 << 10);
        for (int at = 0; at + 3 <= data.length; ) {
            int length = Math.min(data.length - at - 3, data[at + 2] & 0x3F);
            int from = at + 3;
            int type = data[at] & 0xFF;
            int flags = data[at + 1] & 0xFF;
            at = from + length;
            attempt(() -> pair.inject(pair.tag, type, flags, w -> w.append(data, from, length)));
            pair.victim.association.advance(pair.now += 1_000_000);
            assertThat(pair.victim.association.received()).isLessThan(600 << 10);
        }
    }

    /** Explains them as datagrams of one flow, and all of it as a recording. */
    @FuzzTest
    void explain(byte[] data) {
        NetherNetDissector dissector = new NetherNetDissector("game", true);
        InetSocketAddress[] ends = {
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1),
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 2)
        };
        for (int at = 0; at + 2 <= data.length; ) {
            int length = Math.min(data.length - at - 2, (data[at] & 7) << 8 | data[at + 1] & 0xFF);
            int way = data[at] >> 7 & 1;
            Bytes payload = Bytes.copyOf(data, at + 2, length);
            at += 2 + length;
            Datagram datagram = new Datagram(1, 0, ends[way], ends[1 - way], payload);
            dissector.recognise(datagram);
            dissector.datagram(
                    datagram,
                    way == 0 ? Direction.C2S : Direction.S2C,
                    NetherNetFuzzTest::assertTraced);
        }
        if (dissector.recogniseFile("any", Bytes.of(data))) {
            attempt(() -> dissector.file(Bytes.of(data), NetherNetFuzzTest::assertTraced));
        }
    }

    private static void assertTraced(DissectedMessage line) {
        int covered = 0;
        for (Traced field : line.trace()) {
            assertThat(field.bit()).isEqualTo(covered);
            covered += field.bits();
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }
}
