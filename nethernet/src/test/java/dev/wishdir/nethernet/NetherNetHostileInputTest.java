package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.dtls.DtlsCertificate;
import dev.wishdir.nethernet.dtls.DtlsConnection;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.sdp.Sdp;
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
