package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.nethernet.discovery.LanAdvertisement;
import dev.wishdir.nethernet.discovery.LanMessage;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Any bytes at all, to each decoder and to each state machine that meets a stranger's. */
class NetherNetFuzzTest {
    @FuzzTest
    void decode(byte[] data) {
        attempt(() -> Sdp.read(data).text());
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
