package dev.wishdir.nethernet.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The row H9 of docs/HOSTILE.md: what a peer may send below the channels. */
class SctpHostileInputTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BEGIN_END = 3;

    @Test
    @DisplayName("H9 gaps of SCTP are bounded in number and bytes, and the rest goes on")
    void boundsGaps() {
        SctpPair pair = new SctpPair(256 << 10);
        for (int i = 0; i < 500; i++) {
            pair.data(pair.next + 2 + 2 * i, BEGIN_END, 1);
        }
        assertThat(pair.victim.association.received()).isLessThan(64 * 256);
        for (int i = 0; i < 20_000; i++) {
            pair.data(pair.next + 2 + i, BEGIN_END, 1100);
        }
        assertThat(pair.victim.association.received()).isLessThanOrEqualTo(256 << 10);
        pair.data(pair.next + (1 << 20), BEGIN_END, 10);
        pair.data(pair.next, BEGIN_END, 10);
        pair.data(pair.next + 1, BEGIN_END, 10);
        assertThat(pair.victim.messages).hasSizeGreaterThan(1);
        assertThat(pair.victim.reason).isEmpty();
    }

    @Test
    @DisplayName("H9 a message of SCTP without end ends the connection at its bound")
    void endsEndlessMessage() {
        SctpPair pair = new SctpPair(256 << 10);
        for (int i = 0; i < 300_000 && pair.victim.reason.isEmpty(); i++) {
            pair.data(pair.next + i, i == 0 ? 2 : 0, 1100);
            assertThat(pair.victim.association.received()).isLessThan(1 << 20);
        }
        assertThat(pair.victim.ending).isEqualTo(SctpAssociation.EndReason.VIOLATION);
    }

    @Test
    @DisplayName("H9 who keeps its window shut or acknowledges nothing is ended")
    void endsPeerWithShutWindow() {
        SctpPair pair = new SctpPair(256 << 10);
        pair.victim.association.send(1, 53, false, new byte[100_000]);
        int acknowledged = -1;
        for (int i = 0; i < 40_000 && pair.victim.reason.isEmpty(); i++) {
            pair.now += 1_000_000;
            pair.victim.association.advance(pair.now);
            for (byte[] packet : pair.victim.sent) {
                for (SctpPacket.Chunk chunk : SctpPacket.read(packet).chunks()) {
                    if (chunk.type() == SctpPacket.DATA && acknowledged == -1) {
                        acknowledged = new Reader(chunk.body()).i32be("TSN", 0) - 1;
                    }
                }
            }
            pair.victim.sent.clear();
            int before = acknowledged;
            if (i % 100 == 0 && before != -1) {
                pair.inject(
                        SctpPacket.SACK,
                        0,
                        w -> {
                            w.i32be("cumulative", before);
                            w.i32be("window", 0);
                            w.i32be("none", 0);
                        });
            }
        }
        assertThat(pair.victim.ending)
                .isIn(
                        SctpAssociation.EndReason.NOT_ACKNOWLEDGING,
                        SctpAssociation.EndReason.TIMED_OUT);
        assertThat(pair.now).isLessThan(25 * SECOND);
        assertThat(pair.victim.association.queued()).isZero();
        assertThat(pair.victim.emitted).as("few probes").isLessThan(100);
    }

    @Test
    @DisplayName(
            "H9 storms of INIT, HEARTBEAT, RE-CONFIG and wrong tags are answered within bounds")
    void boundsAnswersToStorms() {
        SctpPair pair = new SctpPair(256 << 10);
        for (int i = 0; i < 10_000; i++) {
            int round = i;
            try {
                pair.inject(pair.tag + 1, SctpPacket.ABORT, 0, _ -> {});
            } catch (MalformedPacketException e) {
                assertThat(e.field()).isEqualTo("tag");
            }
            pair.inject(SctpPacket.HEARTBEAT, 0, w -> w.i32be("info", round));
            pair.inject(
                    SctpPacket.RE_CONFIG,
                    0,
                    w -> {
                        w.u16be("parameter", 13);
                        w.u16be("length", 16);
                        w.i32be("request", round);
                        w.i32be("response", 0);
                        w.i32be("last", pair.next + 1000);
                    });
            pair.inject(
                    0,
                    SctpPacket.INIT,
                    0,
                    w -> {
                        w.i32be("tag", 77 + round);
                        w.i32be("window", 1);
                        w.i32be("streams", 0x10001);
                        w.i32be("TSN", 1);
                    });
        }
        pair.victim.association.advance(pair.now);
        assertThat(pair.victim.emitted).as("answers to all of it").isLessThan(100);
        assertThat(pair.victim.reason).isEmpty();
        assertThat(pair.victim.reset).isFalse();
        pair.data(pair.next, BEGIN_END, 5);
        assertThat(pair.victim.messages).hasSize(1);
    }

    @Test
    @DisplayName("H9 random packets with the right tag never throw but what is malformed")
    void throwsOnlyMalformedOnRandomPackets() {
        Random random = new Random(9);
        SctpPair pair = new SctpPair(256 << 10);
        for (int i = 0; i < 50_000; i++) {
            byte[] body = new byte[random.nextInt(64)];
            random.nextBytes(body);
            int type = random.nextInt(256);
            try {
                pair.inject(
                        random.nextInt(10) == 0 ? 0 : pair.tag,
                        type,
                        random.nextInt(256),
                        w -> w.bytes("body", Bytes.wrap(body), body.length));
            } catch (MalformedPacketException e) {
                assertThat(e.field()).isNotEmpty();
            }
            pair.victim.association.advance(pair.now += 1000);
            assertThat(pair.victim.association.received()).isLessThan(1 << 20);
            if (!pair.victim.reason.isEmpty()) {
                pair = new SctpPair(256 << 10);
            }
        }
    }

    @Test
    @DisplayName("A8 messages of SCTP arrive in order where all their numbers wrap")
    void deliversOverWrapOfNumbers() {
        List<Integer> arrived = new ArrayList<>();
        SctpReceiver receiver =
                new SctpReceiver(
                        1 << 20,
                        262_144,
                        new TrafficCounters(),
                        (_, _, message) -> arrived.add((int) message[0]));
        receiver.begin(-4);
        int[] order = {-4, -2, -3, 1, 0, -1, 2};
        for (int number : order) {
            Writer body = new Writer(20);
            body.i32be("TSN", number);
            body.u16be("stream", 1);
            body.u16be("sequence number", number & 0xFFFF);
            body.i32be("payload protocol", 53);
            body.u8("payload", number + 4);
            receiver.data(BEGIN_END, body.toBytes());
        }
        assertThat(arrived).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(receiver.cumulative()).isEqualTo(2);
    }
}
