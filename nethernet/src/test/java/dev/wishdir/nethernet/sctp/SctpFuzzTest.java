package dev.wishdir.nethernet.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.wire.MalformedPacketException;

/** Any bytes as a packet of SCTP, and as the chunks of an association's peer. */
class SctpFuzzTest {
    @FuzzTest
    void association(byte[] data) {
        attempt(() -> SctpPacket.read(data).chunks());
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

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }
}
