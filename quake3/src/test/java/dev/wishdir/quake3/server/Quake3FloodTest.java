package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.netchan.OutOfBand;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Floods on a server on which one walks and another watches, in virtual time. */
class Quake3FloodTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = SECOND / 1000;
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
    private static final int UNPROVEN_BYTES = 64 << 10;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 10);
    private final Counters counters = new Counters();
    private final Random random = new Random(4);
    private final List<String> ended = new ArrayList<>();
    private final Map<InetSocketAddress, Long> answered = new HashMap<>();
    private final List<Long> seen = new ArrayList<>();
    private final List<Long> gaps = new ArrayList<>();
    private int newcomers;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, SERVER, arena)
                        .name("test")
                        .maxPlayers(10)
                        .adminPassword("secret")
                        .counters(counters)
                        .random(new Random(5))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                List.of());
        network.tap((_, _, to, data) -> {
            if (to.getAddress().getAddress()[0] == 77) {
                answered.merge(to, (long) data.length, Long::sum);
            }
        });
        join("bob", (_, _) -> BotController.PlayerInput.look(0, 0));
        join("alice", (now, _) -> BotController.PlayerInput.walk(now * 60.0 / SECOND % 360, 0, 0));
        network.run(SECOND);
        gaps.addAll(gapsOf(seen));
        seen.clear();
    }

    private void join(String name, BotController controller) throws IOException {
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onMoved(Client self, long now, Client.RemotePlayer other) {
                        if (name.equals("bob") && other.name().equals("alice")) {
                            seen.add(now);
                        }
                    }

                    @Override
                    public void onEnded(Client self, Ending ending, String reason) {
                        ended.add(name + " " + ending + " " + reason);
                    }
                };
        Quake3Client client =
                Quake3Client.connect(
                        ClientConfig.builder(network.cycle(), SERVER)
                                .name(name)
                                .controller(controller)
                                .listener(listener)
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 2 * SECOND)).as("%s joins", name).isTrue();
    }

    private static List<Long> gapsOf(List<Long> times) {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < times.size(); i++) {
            gaps.add(times.get(i) - times.get(i - 1));
        }
        gaps.sort(Long::compare);
        return gaps;
    }

    private static long percentile(List<Long> sorted, int percent) {
        return sorted.get(sorted.size() * percent / 100);
    }

    /** Bob sees Alice as often as before all the time, and a newcomer is in within two seconds. */
    private void allIsWell() throws IOException {
        network.run(SECOND / 2);
        assertThat(ended).isEmpty();
        List<Long> now = gapsOf(seen);
        assertThat(now).hasSizeGreaterThan(20);
        assertThat(percentile(now, 99)).isLessThanOrEqualTo(percentile(gaps, 99) + MILLI);
        assertThat(arena.players()).hasSize(2 + newcomers);
        join("newcomer" + newcomers++, (_, _) -> BotController.PlayerInput.look(0, 0));
        assertThat(ended).isEmpty();
    }

    private static InetSocketAddress stranger(int number) {
        try {
            byte[] address = {77, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
            return new InetSocketAddress(InetAddress.getByAddress(address), 4_000);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private long answeredToStrangers() {
        return answered.values().stream().mapToLong(Long::longValue).sum();
    }

    private byte[] noise(int length, @Nullable String head) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (head != null) {
            byte[] start = new OutOfBand(head).datagram().toArray();
            System.arraycopy(start, 0, bytes, 0, Math.min(start.length, length));
        }
        return bytes;
    }

    @Test
    @DisplayName("A4: random bytes from twenty thousand addresses")
    void ignoresNoiseFromManyAddresses() throws IOException {
        String[] heads = {null, "", "connect ", "getchallenge ", "getstatus ", "rcon ", null};
        long before = network.now();
        for (int i = 0; i < 100_000; i++) {
            network.inject(
                    stranger(i % 20_000),
                    SERVER,
                    noise(random.nextInt(100), heads[i % heads.length]));
            if (i % 500 == 0) {
                network.run(10 * MILLI);
            }
        }
        assertThat(arena.players()).hasSize(2);
        allIsWell();
        double seconds = (network.now() - before) / 1e9;
        assertThat(answeredToStrangers()).isBetween(1L, (long) (UNPROVEN_BYTES * (1 + seconds)));
    }

    @Test
    @DisplayName("A5: the first packets of other games are not taken for ours")
    void ignoresOtherGames() throws IOException {
        List<byte[]> packets = new ArrayList<>();
        for (String words :
                List.of("connect 34 1234 0 \"\\name\\x\"\n", "status 34", "info 34", "ack")) {
            packets.add(plain(words));
        }
        // ENet: a CONNECT, and Sauerbraten's questions on its other port.
        byte[] connect = new byte[56];
        connect[0] = (byte) 0x8F;
        connect[1] = (byte) 0xFF;
        connect[4] = (byte) 0x82;
        packets.add(connect);
        packets.add(new byte[] {1});
        packets.add(new byte[] {0, 1, -1});
        // RakNet: unconnected ping, open connection request 1, a datagram.
        byte[] magic = {0, -1, -1, 0, -2, -2, -2, -2, -3, -3, -3, -3, 0x12, 0x34, 0x56, 0x78};
        byte[] ping = new byte[33];
        ping[0] = 1;
        System.arraycopy(magic, 0, ping, 9, 16);
        packets.add(ping);
        byte[] open = new byte[1_464];
        open[0] = 5;
        System.arraycopy(magic, 0, open, 1, 16);
        packets.add(open);
        packets.add(Arrays.copyOf(new byte[] {(byte) 0x84, 0, 0, 0, 0x60}, 60));
        for (byte[] packet : packets) {
            network.inject(stranger(9), SERVER, packet);
        }
        network.run(SECOND);
        assertThat(answeredToStrangers()).isZero();
        // Quake II asks for a challenge in the same words: it gets one, and nothing else.
        network.inject(stranger(9), SERVER, plain("getchallenge\n"));
        network.run(SECOND);
        assertThat(answered).containsOnlyKeys(stranger(9));
        assertThat(answeredToStrangers()).isLessThan(48);
        allIsWell();
    }

    private static byte[] plain(String words) {
        return ("\u00FF\u00FF\u00FF\u00FF" + words)
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Test
    @DisplayName("A10: a hundred thousand malformed packets a second are counted, not logged")
    void countsMalformedPackets() throws IOException {
        byte[] cut = plain("connect ");
        byte[] unknown = plain("wishdir");
        byte[] message = new byte[40];
        message[0] = 1;
        byte[] tiny = {1, 2, 3};
        Set<String> before = Set.copyOf(counters.snapshot().keySet());
        for (int i = 0; i < 100_000; i++) {
            byte[] packet = List.of(cut, unknown, message, tiny).get(i % 4);
            network.inject(stranger(i % 300), SERVER, packet);
            if (i % 100 == 0) {
                network.run(MILLI);
            }
        }
        network.run(10 * MILLI);
        for (String reason : List.of("malformed", "unknown", "stranger", "short")) {
            assertThat(counters.get("quake3.drop." + reason)).as(reason).isEqualTo(25_000);
        }
        assertThat(counters.snapshot()).hasSizeLessThanOrEqualTo(before.size() + 4);
        allIsWell();
        assertThat(answeredToStrangers()).isZero();
    }
}
