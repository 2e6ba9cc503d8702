package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The rows H of docs/HOSTILE.md below HTTP: what anybody may send, and what a peer may. */
class NetherNetHostileInputTest {
    private static final InetSocketAddress STRANGER =
            new InetSocketAddress(InetAddress.ofLiteral("198.51.100.9"), 4444);
    private static final int BEGIN_END = 3;

    @Test
    @DisplayName("H3 an SDP that is cut, changed or too large is refused, and nothing is looked up")
    void refusesBadDescriptions() {
        Random random = new Random(3);
        Sdp offer = Pair.offer(FakeDtls.maker(1), random);
        byte[] text = offer.text().getBytes(StandardCharsets.UTF_8);
        assertThat(Sdp.read(text)).isEqualTo(offer);
        for (int cut = 0; cut < text.length; cut++) {
            readOrRefuse(java.util.Arrays.copyOf(text, cut));
        }
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = text.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            readOrRefuse(changed);
        }
        String good = offer.text();
        for (String bad :
                List.of(
                        good + "a=x:" + "y".repeat(600) + "\r\n",
                        good + "a=x\r\n".repeat(300),
                        good + "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n",
                        good + "a=candidate:1 1 udp 1 10.0.0.1 1 typ host\r\n".repeat(40),
                        good + "a=ice-pwd:" + "x".repeat(24) + "\r\n",
                        good + "a=x:\0\r\n",
                        good + "x".repeat(20_000),
                        good.replace("a=setup:actpass", "a=setup:holdconn"),
                        good.replace("sha-256", "sha-1"),
                        good.replaceAll("a=ice-ufrag:.*", "a=ice-ufrag:abc"),
                        good.replaceAll("a=ice-ufrag:.*", "a=ice-ufrag:" + "x".repeat(257)),
                        good.replaceAll("a=ice-pwd:.*", "a=ice-pwd:short"),
                        good.replace("m=application", "m=audio"),
                        good.replaceAll("a=fingerprint:.*", "a=fingerprint:sha-256 AA:BB"))) {
            assertThatThrownBy(() -> Sdp.read(bad.getBytes(StandardCharsets.UTF_8)))
                    .as(bad.substring(Math.max(0, bad.length() - 40)))
                    .isInstanceOf(MalformedPacketException.class);
        }
        String named =
                good.replaceAll("a=candidate.*", "a=candidate:1 1 udp 1 host.example 5 typ host");
        assertThat(Sdp.read(named.getBytes(StandardCharsets.UTF_8)).candidates()).isEmpty();
    }

    private static void readOrRefuse(byte[] text) {
        try {
            assertThat(Sdp.read(text).fingerprints()).isNotEmpty();
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }

    @Test
    @DisplayName("H5 who repeats another's offer gets no further than a half-open peer")
    void keepsReplayedOfferHalfOpen() {
        try (Pair pair = new Pair(5, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            Sdp recorded = Pair.offer(FakeDtls.maker(2), pair.random);
            Sdp answer =
                    pair.host.take(
                            pair.network.now(), STRANGER, recorded, null, List.of(Pair.SERVER));
            assertThat(pair.host.connections()).isEqualTo(2);
            // He has the answer's password, but not the certificate's key.
            byte[] check =
                    Stun.request(
                            Bytes.wrap(new byte[12]),
                            answer.ice().fragment() + ":" + recorded.ice().fragment(),
                            1,
                            answer.ice().password());
            pair.network.inject(STRANGER, Pair.SERVER, check);
            pair.network.run(Pair.SECOND);
            byte[] wrong = new byte[33];
            wrong[0] = 22;
            wrong[1] = 9;
            pair.network.inject(STRANGER, Pair.SERVER, wrong);
            pair.network.run(Pair.SECOND);
            assertThat(pair.host.connections()).isEqualTo(1);
            assertThat(pair.client.ending).isNull();
            pair.client.open().send(new byte[] {1}, 0, 1);
            pair.nudge();
            pair.network.run(Pair.SECOND);
            assertThat(pair.server.packets).hasSize(1);
        }
    }

    @Test
    @DisplayName("H6 half-open peers are few, of one address fewer, and gone after ten seconds")
    void boundsHalfOpenPeers() {
        try (Pair pair = new Pair(6, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            List<byte[]> sent = new ArrayList<>();
            pair.network.tap((now, from, to, data) -> {
                if (from.equals(Pair.SERVER) && !to.equals(Pair.CLIENT)) {
                    sent.add(data);
                }
            });
            for (int i = 0; i < 5_000; i++) {
                offer(pair, "203.0." + i / 250 % 250 + "." + i % 250);
                assertThat(pair.host.opening()).isLessThanOrEqualTo(64);
            }
            assertThat(pair.host.opening()).isEqualTo(64);
            pair.nudge();
            pair.network.run(11 * Pair.SECOND);
            assertThat(sent).as("nothing to who has not shown himself").isEmpty();
            assertThat(pair.host.opening()).isZero();
            assertThat(pair.host.connections()).isEqualTo(1);
            for (int i = 0; i < 100; i++) {
                offer(pair, "203.0.113.7");
            }
            assertThat(pair.host.opening()).isEqualTo(4);
            for (int i = 0; i < 100; i++) {
                offer(pair, "203.0.113." + i);
            }
            assertThat(pair.host.opening()).isEqualTo(16);
        }
    }

    private static Sdp offer(Pair pair, String from) {
        return pair.host.take(
                pair.network.now(),
                new InetSocketAddress(InetAddress.ofLiteral(from), 9),
                Pair.offer(FakeDtls.maker(3), pair.random),
                null,
                List.of(Pair.SERVER));
    }

    @Test
    @DisplayName("H7 STUN and DTLS of forged addresses get no answer and disturb no peer")
    void ignoresForgedStunAndDtls() {
        Random random = new Random(7);
        Dtls.Maker keys = new DtlsConnection.Maker(DtlsCertificate.generate(random), random);
        try (Pair pair = new Pair(7, true, keys, keys)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            List<byte[]> sent = new ArrayList<>();
            pair.network.tap((now, from, to, data) -> {
                if (from.equals(Pair.SERVER) && !to.equals(Pair.CLIENT)) {
                    sent.add(data);
                }
            });
            for (int i = 0; i < 20_000; i++) {
                byte[] data;
                if (i % 3 == 0) {
                    data =
                            Stun.request(
                                    Bytes.wrap(new byte[12]),
                                    pair.peerFragment() + ":abcd",
                                    i,
                                    "the wrong password of all " + i);
                } else {
                    data = new byte[20 + random.nextInt(100)];
                    random.nextBytes(data);
                    data[0] = (byte) (i % 64);
                    if (i % 3 == 1) {
                        data[0] &= 3;
                        data[4] = 0x21;
                        data[5] = 0x12;
                        data[6] = (byte) 0xA4;
                        data[7] = 0x42;
                        data[2] = 0;
                        data[3] = (byte) (data.length - 20);
                    }
                }
                InetAddress from = InetAddress.ofLiteral("203.0." + i % 200 + "." + i % 251);
                pair.network.inject(new InetSocketAddress(from, 1 + i), Pair.SERVER, data);
                if (i % 100 == 0) {
                    // And in the client's own name.
                    pair.network.inject(Pair.CLIENT, Pair.SERVER, data);
                }
            }
            pair.client.open().send(new byte[] {1}, 0, 1);
            pair.nudge();
            pair.network.run(2 * Pair.SECOND);
            assertThat(sent).isEmpty();
            assertThat(pair.host.connections()).isEqualTo(1);
            assertThat(pair.server.packets).hasSize(1);
            assertThat(
                            pair.counters.get("n.drop.stun")
                                    + pair.counters.get("n.drop.unknown")
                                    + pair.counters.get("n.drop.malformed"))
                    .isGreaterThan(19_000);
        }
    }

    @Test
    @DisplayName("H8 fragments of a DTLS handshake without end stay within their bounds")
    void boundsHandshakeFragments() {
        Random random = new Random(8);
        DtlsCertificate certificate = DtlsCertificate.generate(random);
        Pair.Told told = new Pair.Told();
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
                                told.reason = reason;
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
                        acknowledged =
                                new dev.wishdir.wire.Reader(chunk.body()).i32be("TSN", 0) - 1;
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
                        NetherNetPeer.EndReason.TIMED_OUT);
        assertThat(pair.now).isLessThan(25 * Pair.SECOND);
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
    @DisplayName("H10 a packet of the game in parts without end ends at its bound")
    void endsEndlessPacket() {
        SegmentCodec codec = new SegmentCodec(8 << 20);
        byte[] part = new byte[262_144];
        int joined = 0;
        try {
            for (int left = 255; left >= 0; left--) {
                part[0] = (byte) left;
                codec.join(part);
                joined++;
                assertThat(codec.retainedBytes()).isLessThan(17 << 20);
            }
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isEqualTo("packet");
        }
        assertThat(joined).isLessThan(33);
        SegmentCodec admitted = new SegmentCodec(8 << 20);
        admitted.largestPacket(1 << 20);
        part[0] = 0;
        byte[] large = new byte[(1 << 20) + 2];
        assertThatThrownBy(() -> admitted.join(large)).isInstanceOf(MalformedPacketException.class);
    }

    @Test
    @DisplayName("H10 other channels, channels twice and messages of no channel end the connection")
    void endsConnectionOnWrongChannels() {
        byte[] reliable = open(0, "ReliableDataChannel", 0);
        byte[] unreliable = open(0x81, "UnreliableDataChannel", 0);
        for (List<byte[]> bad :
                List.of(
                        List.of(open(0, "Other", 0)),
                        List.of(open(1, "ReliableDataChannel", 0)),
                        List.of(open(0x81, "UnreliableDataChannel", 3)),
                        List.of(reliable, reliable),
                        List.of(reliable, unreliable, unreliable),
                        List.of(new byte[] {3}),
                        List.of(new byte[] {2}),
                        List.of(new byte[] {9, 9}))) {
            assertThatThrownBy(
                            () -> {
                                DataChannels channels = channels(new ArrayList<>());
                                int stream = 1;
                                for (byte[] each : bad) {
                                    channels.message(stream, 50, each);
                                    stream += 2;
                                }
                            })
                    .isInstanceOf(MalformedPacketException.class);
        }
        List<byte[]> got = new ArrayList<>();
        DataChannels channels = channels(got);
        for (int i = 0; i < 8; i++) {
            channels.message(1, 53, new byte[] {0, (byte) i});
        }
        assertThatThrownBy(() -> channels.message(1, 53, new byte[] {0, 8}))
                .isInstanceOf(MalformedPacketException.class);
        assertThatThrownBy(() -> channels.message(1, 51, new byte[] {0, 8}))
                .isInstanceOf(MalformedPacketException.class);
        channels.message(1, 50, reliable);
        channels.message(3, 50, unreliable);
        assertThat(got).hasSize(8);
        assertThat(channels.retainedBytes()).isZero();
        assertThatThrownBy(() -> channels.message(7, 53, new byte[] {0, 8}))
                .isInstanceOf(MalformedPacketException.class);
    }

    private static byte[] open(int type, String label, int parameter) {
        Writer w = new Writer(100);
        w.u8("message", 3);
        w.u8("type", type);
        w.u16be("priority", 0);
        w.i32be("parameter", parameter);
        w.u16be("length", label.length());
        w.u16be("protocol", 0);
        byte[] text = label.getBytes(StandardCharsets.UTF_8);
        w.append(text, 0, text.length);
        return w.toByteArray();
    }

    private static DataChannels channels(List<byte[]> got) {
        return new DataChannels(
                false,
                new DataChannels.Steps() {
                    @Override
                    public void send(int stream, int kind, boolean unreliable, byte[] message) {}

                    @Override
                    public void opened() {}

                    @Override
                    public void message(boolean reliable, byte[] message) {
                        got.add(message);
                    }
                });
    }

    @Test
    @DisplayName("H10 what a slow reader makes wait is bounded, and then it is ended")
    void boundsSlowReader() {
        try (Pair pair = new Pair(10, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.network.conditions(new Conditions(1, 0, 1, 0));
            byte[] packet = new byte[100_000];
            for (int i = 0; i < 60 && pair.server.ending == null; i++) {
                pair.server.open().send(packet, 0, packet.length);
                assertThat(pair.server.open().retainedBytes()).isLessThan(5 << 20);
            }
            assertThat(pair.server.ending).isEqualTo(NetherNetPeer.EndReason.NOT_ACKNOWLEDGING);
            assertThat(pair.server.open().retainedBytes()).isZero();
        }
    }
}
