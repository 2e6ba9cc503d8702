package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Vec3;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Floods on a server on which two players are, in virtual time. */
class BedrockFloodTest {
    private static final long SECOND = BedrockNetwork.SECOND;
    private static final long MILLI = SECOND / 1000;
    private static final byte[] PING =
            WireLaws.write(
                    new OfflineMessage.UnconnectedPing(false, 1, 2),
                    (w, m) -> OfflineMessage.UnconnectedPing.wire(w, m, RakNetSettings.MAGIC));
    private static final byte[] REQUEST_1 =
            WireLaws.write(
                    new OfflineMessage.OpenConnectionRequest1(11, 1446),
                    (w, m) ->
                            OfflineMessage.OpenConnectionRequest1.wire(w, m, RakNetSettings.MAGIC));

    private final BedrockNetwork n = new BedrockNetwork(8);
    private final InetSocketAddress game = n.endpoint.address();
    private final Map<InetSocketAddress, Long> answered = new HashMap<>();
    private final List<byte[]> sentByAnn = new ArrayList<>();
    private final BedrockNetwork.Events heardByAnn = new BedrockNetwork.Events();
    private final BedrockNetwork.Events heardByBob = new BedrockNetwork.Events();
    private final Random random = new Random(2);
    private InetSocketAddress ann = game;
    private Client bob;
    private int newcomers;

    @BeforeEach
    void join() {
        n.network.tap((_, from, to, data) -> {
            if (from.equals(game)) {
                answered.merge(to, (long) data.length, Long::sum);
            } else if (to.equals(game) && from.getAddress().isLoopbackAddress()) {
                if (ann.equals(game)) {
                    ann = from;
                }
                if (from.equals(ann)) {
                    sentByAnn.add(data);
                }
            }
        });
        n.join("Ann", (_, _) -> new PlayerInput(0, 0, 0.05, 0, false, false), heardByAnn);
        bob = n.join("Bob", BedrockNetwork.STILL, heardByBob);
    }

    /** Ann walks and Bob sees where, and a newcomer is in within two seconds. */
    private void allIsWell() {
        heardByBob.moved.clear();
        n.network.run(SECOND / 2);
        assertThat(heardByBob.moved).hasSizeBetween(5, 11);
        Vec3 seen = heardByBob.moved.getLast().movement().position();
        Vec3 is =
                n.arena.players().stream()
                        .filter(player -> player.name().equals("Ann"))
                        .findFirst()
                        .orElseThrow()
                        .movement()
                        .position();
        assertThat(seen.distance(is)).isLessThan(0.1);
        Client carol =
                n.client(
                        "Carol" + newcomers++,
                        BedrockNetwork.STILL,
                        new BedrockNetwork.Events(),
                        BedrockCodec.V748);
        assertThat(n.network.runUntil(carol::joined, 2 * SECOND)).isTrue();
        assertThat(heardByAnn.endings).isEmpty();
        assertThat(heardByBob.endings).isEmpty();
        assertThat(bob.joined()).isTrue();
    }

    private static InetSocketAddress stranger(int number) {
        return stranger(number, 4000);
    }

    private static InetSocketAddress stranger(int number, int port) {
        return new InetSocketAddress(
                RakNetNetwork.ip(77, number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF), port);
    }

    private long answeredToStrangers() {
        return answered.entrySet().stream()
                .filter(entry -> entry.getKey().getAddress().getAddress()[0] == 77)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private byte[] noise(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    @DisplayName("A2 every single byte, and every prefix of what a player sends")
    void ignoresSingleBytesAndPrefixes() {
        for (int value = 0; value < 256; value++) {
            n.network.inject(stranger(value), game, new byte[] {(byte) value});
            n.network.inject(ann, game, new byte[] {(byte) value});
            n.network.run(20 * MILLI);
        }
        List<byte[]> packets = sentByAnn.stream().filter(p -> p.length < 300).limit(60).toList();
        assertThat(packets).hasSize(60);
        for (byte[] packet : packets) {
            for (int length = 0; length < packet.length; length++) {
                n.network.inject(stranger(length), game, Arrays.copyOf(packet, length));
            }
            n.network.run(20 * MILLI);
        }
        allIsWell();
    }

    @Test
    @DisplayName("A3 the longest datagrams are not cut into valid ones")
    void doesNotTruncateLongDatagrams() {
        for (int length : new int[] {1463, 1464, 1465, 1491, 1492, 1493, 2048, 65_507}) {
            byte[] request = Arrays.copyOf(REQUEST_1, length);
            n.network.inject(stranger(1), game, noise(length));
            n.network.inject(ann, game, noise(length));
            long before = answeredToStrangers();
            n.network.inject(stranger(length), game, request);
            n.network.inject(stranger(2), game, Arrays.copyOf(PING, length));
            n.network.run(SECOND);
            assertThat(answeredToStrangers() > before)
                    .as("%s bytes", length)
                    .isEqualTo(length <= 1492);
        }
        allIsWell();
    }

    @Test
    @DisplayName("A4 random bytes from twenty thousand addresses")
    void ignoresNoiseFromManyAddresses() {
        int[] firsts = {0x01, 0x02, 0x05, 0x07, 0x84, 0xC0, 0xA0, 0x1C};
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = noise(random.nextInt(100));
            if (bytes.length > 0 && i % 2 == 0) {
                bytes[0] = (byte) firsts[i / 2 % firsts.length];
            }
            n.network.inject(stranger(i % 20_000), game, bytes);
            if (i % 500 == 0) {
                n.network.run(10 * MILLI);
            }
        }
        assertThat(n.endpoint.connections()).hasSize(2);
        allIsWell();
        assertThat(answeredToStrangers()).isLessThan(4 * 64 * 1024);
    }

    @Test
    @DisplayName("A6 no question makes a loop of answers")
    void makesNoReplyLoop() {
        List<InetSocketAddress> sources = new ArrayList<>(List.of(game));
        for (int port : new int[] {0, 7, 19, 53}) {
            sources.add(stranger(5, port));
        }
        // Whatever is sent to these comes back, as from an echo service.
        List<byte[]> echoes = new ArrayList<>();
        n.network.tap((_, from, to, data) -> {
            if (from.equals(game) && sources.contains(to)) {
                echoes.add(data);
            }
        });
        for (InetSocketAddress source : sources) {
            for (byte[] packet : List.of(PING, REQUEST_1)) {
                n.network.inject(source, game, packet);
                n.network.run(SECOND / 10);
                for (int i = 0; i < 10 && !echoes.isEmpty(); i++) {
                    byte[] echo = echoes.removeFirst();
                    assertThat(i).as("answers to answers at %s", source).isZero();
                    n.network.inject(source, game, echo);
                    n.network.run(SECOND / 10);
                }
            }
        }
        assertThat(answered).doesNotContainKey(stranger(5, 0));
        allIsWell();
    }

    @Test
    @DisplayName("A7 garbage from a player's own address leaves its connection as it was")
    void ignoresGarbageFromPlayerAddress() {
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = noise(1 + random.nextInt(60));
            if (i % 2 == 0) {
                bytes[0] = (byte) 0x84;
            }
            n.network.inject(ann, game, bytes);
            if (i % 10 == 0) {
                n.network.run(MILLI);
            }
        }
        for (byte[] packet : List.of(PING, REQUEST_1)) {
            n.network.inject(ann, game, packet);
        }
        allIsWell();
    }

    @Test
    @DisplayName("A9 one ping from each of twenty thousand addresses, then an honest one")
    void answersHonestPingWithFullBuckets() {
        for (int i = 0; i < 20_000; i++) {
            n.network.inject(stranger(i), game, PING);
        }
        n.network.run(MILLI);
        assertThat(answeredToStrangers()).isLessThanOrEqualTo(64 * 1024);
        InetSocketAddress honest = RakNetNetwork.address(900, 5000);
        n.network.run(SECOND);
        n.network.inject(honest, game, PING);
        n.network.run(SECOND);
        assertThat(answered).containsKey(honest);
        allIsWell();
    }

    @Test
    @DisplayName("A10 a hundred thousand malformed packets a second are counted, not logged")
    void countsMalformedPackets() {
        byte[] malformed = Arrays.copyOf(PING, 20);
        long before = n.counters.get("bedrock.drop.malformed");
        for (int i = 0; i < 100_000; i++) {
            n.network.inject(stranger(i % 300), game, malformed);
            if (i % 100 == 0) {
                n.network.run(MILLI);
            }
        }
        n.network.run(10 * MILLI);
        assertThat(n.counters.get("bedrock.drop.malformed") - before).isEqualTo(100_000);
        allIsWell();
    }
}
