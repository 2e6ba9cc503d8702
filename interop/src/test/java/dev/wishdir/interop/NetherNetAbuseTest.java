package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.HostilePeer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is thrown at NetherNet of a whole server, in virtual time, while players of all games are
 * there, of Bedrock over both transports: no player loses a place or a word.
 */
@Tag("slow")
class NetherNetAbuseTest {
    private static final long SECOND = 1_000_000_000;
    private static final int HEARTBEAT = 4;
    private static final int BEGIN = 2;
    private static final int BEGIN_END = 3;
    private static final int BINARY = 53;
    private static final int CONTROL = 50;

    private final Random random = new Random(8);
    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final LoggedErrors errors = new LoggedErrors();
    private final DutyCycle attacker = network.cycle();
    private final List<TestClient> canaries = new ArrayList<>();

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static final List<AddressRange> TRUSTED = List.of(AddressRange.parse("127.0.0.1"));

    /** A server with canaries, two of each game, who have joined. */
    private FourGames server(List<AddressRange> trusted) throws IOException {
        FourGames server = new FourGames(network, random, 64, "", trusted);
        for (Game game : FourGames.ALL) {
            boolean bedrock = game.name().equals("bedrock");
            for (int i = 0; i < 2; i++) {
                String name = "canary" + canaries.size();
                canaries.add(
                        bedrock && i == 1
                                ? server.nethernetGuest(name, TestClient.CIRCLES)
                                : server.guest(game, name));
                network.run(SECOND / 10);
            }
        }
        assertThat(network.runUntil(() -> canaries.stream().allMatch(TestClient::in), 30 * SECOND))
                .as("%s", canaries)
                .isTrue();
        network.run(5 * SECOND);
        return server;
    }

    /** All are there, hear each other, and nothing is held for who attacked. */
    private void assertUnharmed(FourGames server, long heldBefore) {
        network.run(35 * SECOND);
        assertThat(canaries).allMatch(TestClient::in);
        for (TestClient canary : canaries) {
            canary.client.say("word " + canary.name);
            network.run(2 * SECOND);
        }
        network.run(3 * SECOND);
        for (TestClient canary : canaries) {
            for (TestClient other : canaries) {
                if (other != canary) {
                    assertThat(canary.heard.keySet())
                            .as(canary.name)
                            .anyMatch(text -> text.endsWith("word " + other.name));
                }
            }
        }
        assertThat(server.arena().players()).hasSize(canaries.size());
        assertThat(server.laws().broken()).isEmpty();
        assertThat(server.memory().retainedBytes()).isLessThan(heldBefore + (256 << 10));
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private List<HostilePeer> open(FourGames server, int count) throws IOException {
        List<HostilePeer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            peers.add(peer(server, false));
            network.run(SECOND / 10);
        }
        assertThat(network.runUntil(() -> peers.stream().allMatch(HostilePeer::isOpen), 5 * SECOND))
                .as("%s", peers)
                .isTrue();
        return peers;
    }

    private HostilePeer peer(FourGames server, boolean liar) throws IOException {
        return new HostilePeer(attacker, loopback(), server.address("bedrock"), liar, random);
    }

    private static int count(Map<Integer, Integer> statuses, int status) {
        return statuses.getOrDefault(status, 0);
    }

    @Test
    @DisplayName(
            "H3 H4 offers that are cut, changed and wrongly signed are refused at no cost to"
                    + " others")
    void refusesBadOffers() throws IOException {
        FourGames server = server(TRUSTED);
        long held = server.memory().retainedBytes();
        String good = HostilePeer.offer(random);
        String other = HostilePeer.offer(random);
        String identity =
                good.lines().filter(l -> l.startsWith("a=identity")).findFirst().orElse("");
        String foreign =
                other.lines().filter(l -> l.startsWith("a=identity")).findFirst().orElse("");
        // A line after this one may be missing, and who vouches may be called anything.
        int needed = good.indexOf("a=setup");
        int vouched = good.indexOf(identity) + 40;
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            byte[] text =
                    HostilePeer.bytes(
                            switch (i % 4) {
                                case 0 -> good.substring(0, random.nextInt(needed));
                                case 1 -> good.replace(identity, foreign);
                                case 2 -> good.replace(identity, identity + "\r\n" + identity);
                                default -> good;
                            });
            if (i % 4 == 3) {
                int at = vouched + random.nextInt(identity.length() / 2);
                text[at] = (byte) (text[at] == 'A' ? 'B' : 'A');
            }
            HostilePeer.post(
                    attacker,
                    server.address("bedrock"),
                    text,
                    status -> statuses.merge(status, 1, Integer::sum));
            network.run(SECOND / 100);
        }
        network.run(5 * SECOND);
        assertThat(statuses.keySet()).as("%s", statuses).isSubsetOf(400, 403, 429, 503);
        assertThat(count(statuses, 400)).as("%s", statuses).isPositive();
        assertThat(count(statuses, 403)).as("%s", statuses).isPositive();
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H5 H8 who can't show the certificate of his offer gets nowhere")
    void refusesClientWithoutCertificate() throws IOException {
        FourGames server = server(TRUSTED);
        long held = server.memory().retainedBytes();
        List<HostilePeer> liars = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            liars.add(peer(server, true));
            network.run(SECOND / 5);
        }
        network.run(20 * SECOND);
        assertThat(liars).noneMatch(HostilePeer::isOpen);
        assertThat(liars).noneMatch(liar -> liar.ending().isEmpty());
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H6 R11 offers without end of one address are refused after a few, and forgotten")
    void limitsOffersOfOneAddress() throws IOException {
        FourGames server = server(List.of());
        // The canaries have all places of an address.
        canaries.removeLast().client.close();
        network.run(SECOND);
        long held = server.memory().retainedBytes();
        Set<InetSocketAddress> told = new HashSet<>();
        network.tap((_, from, to, _) -> {
            if (from.equals(server.address("bedrock"))) {
                told.add(to);
            }
        });
        network.run(SECOND);
        Set<InetSocketAddress> before = new HashSet<>(told);
        Map<Integer, Integer> statuses = new TreeMap<>();
        byte[] offer = HostilePeer.bytes(HostilePeer.offer(random));
        for (int i = 0; i < 2000; i++) {
            HostilePeer.post(
                    attacker,
                    server.address("bedrock"),
                    offer,
                    status -> statuses.merge(status, 1, Integer::sum));
            network.run(SECOND / 100);
        }
        network.run(12 * SECOND);
        assertThat(count(statuses, 200)).as("%s", statuses).isBetween(1, 50);
        assertThat(count(statuses, 429)).as("%s", statuses).isGreaterThan(1900);
        assertThat(told).as("nothing is sent to who only offers").isEqualTo(before);
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H7 STUN and DTLS of forged addresses, and in the players' own names")
    void ignoresForgedStunAndDtls() throws IOException {
        FourGames server = server(TRUSTED);
        long held = server.memory().retainedBytes();
        InetSocketAddress port = server.address("bedrock");
        Set<InetSocketAddress> known = new HashSet<>();
        Set<String> fragments = new HashSet<>();
        List<byte[]> records = new ArrayList<>();
        Set<InetSocketAddress> answered = new HashSet<>();
        network.tap((_, from, to, data) -> {
            if (to.equals(port) && from.getAddress().isLoopbackAddress()) {
                known.add(from);
                String whom = HostilePeer.username(data);
                if (!whom.isEmpty()) {
                    fragments.add(whom);
                } else if (records.size() < 2000) {
                    records.add(data.clone());
                }
            }
            if (from.equals(port) && !to.getAddress().isLoopbackAddress()) {
                answered.add(to);
            }
        });
        network.run(5 * SECOND);
        List<InetSocketAddress> players = List.copyOf(known);
        List<String> names = List.copyOf(fragments);
        assertThat(names).as("the fragments that were seen").isNotEmpty();
        for (int i = 0; i < 8_000; i++) {
            byte[] data;
            switch (i % 4) {
                case 0 -> data = HostilePeer.check(names.get(i % names.size()), random);
                case 1 -> {
                    data = records.get(random.nextInt(records.size())).clone();
                    data[random.nextInt(data.length)] ^= (byte) (i % 8 == 1 ? 1 : 0);
                }
                default -> {
                    data = new byte[20 + random.nextInt(100)];
                    random.nextBytes(data);
                    data[0] = (byte) (i % 64);
                }
            }
            byte[] stranger = {(byte) 203, 0, (byte) (i >> 8), (byte) i};
            network.inject(
                    i % 16 < 8
                            ? new InetSocketAddress(InetAddress.getByAddress(stranger), 1 + i)
                            : players.get(i % players.size()),
                    port,
                    data);
            if (i % 100 == 0) {
                network.run(SECOND / 50);
            }
        }
        network.run(2 * SECOND);
        assertThat(answered).as("strangers who were sent anything").isEmpty();
        assertThat(server.counters().get("bedrock.nethernet.drop.stun")).isGreaterThan(1_900);
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H9 gaps, a message without end, shut windows and storms of chunks")
    void boundsChunks() throws IOException {
        FourGames server = server(TRUSTED);
        long held = server.memory().retainedBytes();
        List<HostilePeer> peers = open(server, 4);
        HostilePeer gaps = peers.get(0);
        HostilePeer endless = peers.get(1);
        HostilePeer deaf = peers.get(2);
        HostilePeer storm = peers.get(3);
        deaf.packet(new byte[] {6, (byte) 0xC1, 1, 0, 0, 8, (byte) 0x91});
        attacker.execute(() -> {});
        network.run(SECOND / 50);
        deaf.deafen();
        byte[] part = new byte[1000];
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 20; i++) {
                if (gaps.isOpen()) {
                    gaps.data(2 + 2 * (20 * round + i), BEGIN_END, 1, BINARY, part);
                }
                if (endless.isOpen()) {
                    endless.data(20 * round + i, round + i == 0 ? BEGIN : 0, 1, BINARY, part);
                }
                if (storm.isOpen()) {
                    byte[] noise = new byte[random.nextInt(60)];
                    random.nextBytes(noise);
                    // Neither ABORT nor SHUTDOWN, with which it would only end itself.
                    int[] types = {1, 2, 3, 4, 10, 11, 130, 192, 77, 200};
                    storm.chunk(types[random.nextInt(types.length)], random.nextInt(256), noise);
                }
            }
            if (deaf.isOpen()) {
                deaf.chunk(HEARTBEAT, 0, new byte[8]);
            }
            network.run(SECOND / 10);
            assertThat(server.memory().retainedBytes()).isLessThan(held + (4 << 20));
        }
        // The deaf one does not hear that it is over.
        network.run(40 * SECOND);
        assertThat(peers).as("%s", peers).noneMatch(HostilePeer::isOpen);
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H10 packets without end, other channels, channels twice and data of no channel")
    void refusesWrongChannels() throws IOException {
        FourGames server = server(TRUSTED);
        long held = server.memory().retainedBytes();
        List<HostilePeer> peers = open(server, 4);
        byte[] open = ByteBuffer.allocate(31).array();
        open[0] = 3;
        byte[] label = HostilePeer.bytes("ReliableDataChannel");
        open[9] = (byte) label.length;
        System.arraycopy(label, 0, open, 12, label.length);
        peers.get(0).data(0, BEGIN_END, 9, CONTROL, open);
        byte[] other = open.clone();
        other[12] = 'X';
        peers.get(1).data(0, BEGIN_END, 9, CONTROL, other);
        peers.get(2).data(0, BEGIN_END, 77, BINARY, new byte[] {0, 1});
        HostilePeer endless = peers.get(3);
        byte[] part = new byte[1000];
        for (int i = 0; i < 9000 && endless.isOpen(); i++) {
            // Of each packet 255 more are to come, without an end.
            part[0] = (byte) 255;
            endless.data(i, BEGIN_END, 1, BINARY, part);
            endless.data(i, BEGIN_END, 0, BINARY, part);
            network.run(SECOND / 1000);
        }
        network.run(5 * SECOND);
        assertThat(peers).as("%s", peers).noneMatch(HostilePeer::isOpen);
        assertUnharmed(server, held);
    }

    @Test
    @DisplayName("H10 only a player who stops acknowledging is ended, by its own deadline")
    void endsUnacknowledgingPlayer() throws IOException {
        FourGames server = server(TRUSTED);
        TestClient deaf = server.nethernetGuest("deaf", TestClient.CIRCLES);
        assertThat(network.runUntil(deaf::in, 10 * SECOND)).isTrue();
        long held = server.memory().retainedBytes();
        deaf.cycle.deafen();
        for (int i = 0; i < 40; i++) {
            canaries.get(i % canaries.size()).client.say("line " + i);
            network.run(SECOND);
        }
        assertUnharmed(server, held);
    }
}
