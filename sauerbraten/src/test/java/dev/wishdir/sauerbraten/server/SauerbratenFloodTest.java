package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.sauerbraten.message.SessionMessage;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Floods on both ports of a server on which two players walk, in virtual time. */
class SauerbratenFloodTest {
    private static final InetSocketAddress GAME = EnetNode.address("10.0.0.1:28785");
    private static final InetSocketAddress INFO = EnetNode.address("10.0.0.1:28786");
    private static final int QUERY_BYTES = 1;

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final DutyCycle cycle = network.cycle();
    private final Arena arena = new Arena(Level.BOX, 40);
    private final Counters counters = new Counters();
    private final Map<InetSocketAddress, Long> answered = new HashMap<>();
    private final Random random = new Random(2);
    private SauerbratenEndpoint endpoint;
    private ScriptedPlayer alice;
    private ScriptedPlayer bob;

    @BeforeEach
    void serve() throws IOException {
        cycle.add(arena::advance);
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, GAME, arena)
                                .name("test")
                                .maxPlayers(20)
                                .counters(counters)
                                .random(new Random(9))
                                .build());
        alice = new ScriptedPlayer(network, 1, GAME).join("alice");
        bob = new ScriptedPlayer(network, 2, GAME).join("bob");
        network.tap((_, from, to, data) -> {
            if (from.equals(GAME) || from.equals(INFO)) {
                answered.merge(to, (long) data.length, Long::sum);
            }
        });
    }

    /** Both players still see each other walk, and a newcomer is in within two seconds. */
    private void allIsWell() {
        alice.positions.clear();
        bob.positions.clear();
        alice.move(8200);
        bob.move(8300);
        network.run(20 * EnetNode.MILLI);
        assertThat(bob.positions).hasSize(1);
        assertThat(alice.positions).hasSize(1);
        ScriptedPlayer carol = new ScriptedPlayer(network, 3, GAME);
        assertThat(network.runUntil(() -> carol.cn >= 0, 2 * EnetNode.SECOND)).isTrue();
        carol.join("carol");
        assertThat(carol.heard(SessionMessage.Welcome.class)).hasSize(1);
    }

    private static InetSocketAddress stranger(int number) {
        return EnetNode.address(
                "77."
                        + (number >> 16 & 0xFF)
                        + "."
                        + (number >> 8 & 0xFF)
                        + "."
                        + (number & 0xFF)
                        + ":4000");
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
    @DisplayName("A2 every single byte, on both ports")
    void ignoresSingleBytes() {
        for (int value = 0; value < 256; value++) {
            network.inject(stranger(value), GAME, new byte[] {(byte) value});
            network.inject(stranger(value), INFO, new byte[] {(byte) value});
            network.run(20 * EnetNode.MILLI);
        }
        allIsWell();
    }

    @Test
    @DisplayName("A3 the longest datagrams")
    void ignoresLongDatagrams() {
        for (int length : new int[] {33, 1399, 1400, 1401, 4095, 4096, 4097, 65_507}) {
            network.inject(stranger(1), GAME, noise(length));
            network.inject(stranger(1), INFO, noise(length));
            network.run(EnetNode.MILLI);
        }
        allIsWell();
        assertThat(answeredToStrangers()).isZero();
    }

    @Test
    @DisplayName("A4 random bytes from twenty thousand addresses")
    void ignoresNoiseFromManyAddresses() {
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = noise(random.nextInt(100));
            if (bytes.length > 2 && i % 2 == 0) {
                // Half of it begins as a CONNECT does.
                bytes[0] = (byte) 0x8F;
                bytes[1] = (byte) 0xFF;
            }
            network.inject(stranger(i % 20_000), i % 3 == 0 ? INFO : GAME, bytes);
            if (i % 500 == 0) {
                network.run(10 * EnetNode.MILLI);
            }
        }
        assertThat(endpoint.sessions()).isEqualTo(2);
        allIsWell();
        assertThat(answeredToStrangers()).isLessThan(4 * 64 * 1024);
    }

    @Test
    @DisplayName("A5 the first packets of other games get no answer")
    void doesNotAnswerOtherGames() {
        List<byte[]> packets = new ArrayList<>();
        for (String words :
                List.of("getstatus", "getinfo xxx", "getchallenge\n", "status 34", "info 34")) {
            packets.add(("\u00FF\u00FF\u00FF\u00FF" + words).getBytes(StandardCharsets.ISO_8859_1));
        }
        // RakNet: unconnected ping, open connection request 1.
        byte[] magic = {0, -1, -1, 0, -2, -2, -2, -2, -3, -3, -3, -3, 0x12, 0x34, 0x56, 0x78};
        byte[] ping = new byte[33];
        ping[0] = 1;
        System.arraycopy(magic, 0, ping, 9, 16);
        packets.add(ping);
        byte[] open = new byte[1400];
        open[0] = 5;
        System.arraycopy(magic, 0, open, 1, 16);
        packets.add(open);
        for (byte[] packet : packets) {
            network.inject(stranger(9), GAME, packet);
            network.inject(stranger(9), INFO, packet);
        }
        network.run(EnetNode.SECOND);
        assertThat(answeredToStrangers()).isZero();
        allIsWell();
    }

    @Test
    @DisplayName("A6 no answer goes to ports of services or to ourselves")
    void makesNoReplyLoop() {
        List<InetSocketAddress> sources = new ArrayList<>(List.of(GAME, INFO));
        for (int port : new int[] {0, 7, 19, 53}) {
            sources.add(new InetSocketAddress(stranger(5).getAddress(), port));
        }
        for (InetSocketAddress source : sources) {
            network.inject(source, INFO, new byte[] {1});
            network.inject(source, GAME, new byte[] {1});
        }
        network.run(EnetNode.SECOND);
        assertThat(answered.keySet()).doesNotContainAnyElementsOf(sources);
        allIsWell();
    }

    @Test
    @DisplayName("A7 garbage from a player's own address leaves its connection as it was")
    void ignoresGarbageFromPlayerAddress() {
        InetSocketAddress address = alice.node.socket.local();
        for (int i = 0; i < 10_000; i++) {
            network.inject(address, GAME, noise(random.nextInt(60)));
        }
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.isGone()).isFalse();
        allIsWell();
    }

    @Test
    @DisplayName("A9 one query from each of twenty thousand addresses, then an honest one")
    void answersHonestQueryWithFullBuckets() throws IOException {
        for (int i = 0; i < 20_000; i++) {
            network.inject(stranger(i), INFO, new byte[] {1});
        }
        network.run(EnetNode.MILLI);
        assertThat(answeredToStrangers()).isLessThanOrEqualTo(64 * 1024);
        Browser browser = network.cycle().open(EnetNode.address("10.9.9.9:5000"), Browser::new);
        network.run(EnetNode.SECOND);
        browser.socket.send(INFO, new byte[] {1}, 0, QUERY_BYTES);
        network.run(EnetNode.SECOND);
        assertThat(browser.answers).hasSize(1);
        allIsWell();
    }

    private static final class Browser implements DatagramHandler {
        final UdpSocket socket;
        final List<byte[]> answers = new ArrayList<>();

        Browser(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            answers.add(data);
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    @Test
    @DisplayName("A10 a hundred thousand malformed packets a second are counted, not logged")
    void countsMalformedPackets() {
        byte[] malformed = {(byte) 0x8F, (byte) 0xFF, 0, 0, (byte) 0x8D, 1, 2, 3};
        for (int i = 0; i < 100_000; i++) {
            network.inject(stranger(i % 300), GAME, malformed);
            if (i % 100 == 0) {
                network.run(EnetNode.MILLI);
            }
        }
        network.run(10 * EnetNode.MILLI);
        assertThat(counters.get("sauerbraten.drop.malformed")).isEqualTo(100_000);
        allIsWell();
    }

    @Test
    @DisplayName(
            "B13 a thousand positions a second are coalesced, silence and a burst are no offence")
    void coalescesPositionsAtAnyRate() {
        for (int i = 0; i < 1000; i++) {
            alice.move(8000 + i % 100);
            network.run(EnetNode.MILLI);
        }
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.positions.size()).isBetween(30, 40);
        network.run(5 * EnetNode.SECOND);
        bob.positions.clear();
        for (int i = 0; i < 150; i++) {
            alice.move(8000 + i);
        }
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.positions.size()).isBetween(1, 3);
        assertThat(alice.isGone()).isFalse();
        assertThat(counters.get("sauerbraten.implausible")).isZero();
    }

    @Test
    @DisplayName("B17 queries of any length and kind are answered small or not at all")
    void boundsAnswersToQueries() {
        for (int length : new int[] {0, 1, 32, 33}) {
            network.inject(stranger(length), INFO, new byte[length]);
        }
        byte[] allPlayers = {0, 1, -1};
        for (int i = 0; i < 1000; i++) {
            network.inject(stranger(900), INFO, allPlayers);
            network.run(EnetNode.MILLI);
        }
        network.run(EnetNode.SECOND);
        assertThat(answered.getOrDefault(stranger(33), 0L)).isZero();
        assertThat(answered.getOrDefault(stranger(900), 0L)).isBetween(500L, 4096 + 3 * 2048L);
        allIsWell();
    }
}
