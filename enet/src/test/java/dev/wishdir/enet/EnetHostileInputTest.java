package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.TestEffort;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a sender may try against a server. An honest client is connected all the time, and after
 * each test it still is and its messages arrive.
 */
@Tag("slow")
class EnetHostileInputTest {
    private static final Bytes DATA = Bytes.ofHex("0102030405060708");
    private static final InetSocketAddress NEWCOMER = EnetNode.address("30.0.0.1:1000");

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode canary = EnetNode.client(network, 100);
    private final EnetPeer canaryPeer = canary.connect(server);

    /** A client whose socket the attacker has taken over. */
    private final EnetNode attacker = EnetNode.client(network, 200);

    private final EnetPeer attackerPeer = attacker.connect(server);
    private final EnetPeer atServer = server.connected.getLast();
    private final List<EnetDatagram> answers = new ArrayList<>();

    {
        network.run(2 * SECOND);
        attacker.socket.close();
        attackerPeer.reset();
        network.tap((_, _, to, data) -> {
            if (to.equals(attacker.socket.local())) {
                answers.add(EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK));
            }
        });
    }

    private void attack(byte[] datagram) {
        network.inject(attacker.socket.local(), server.socket.local(), datagram);
        network.run(0);
    }

    private static byte[] bytes(EnetHeader header, EnetCommand... commands) {
        return WireLaws.write(new EnetDatagram(header, List.of(commands)), EnetDatagram::wire);
    }

    private EnetHeader header() {
        return attackerPeer.header(1);
    }

    /** The same in hexadecimal digits. */
    private String headerHex() {
        return "%04x0001".formatted(0x8000 | header().session() << 12 | header().peerID());
    }

    private void attack(EnetCommand... commands) {
        attack(bytes(header(), commands));
    }

    private static Connect connect(Terms terms) {
        return new Connect(0x80, 255, 1, terms, 0);
    }

    private static Terms terms(long channels, long mtu, long window, long in, long out, long id) {
        return new Terms(0, 255, 255, mtu, window, channels, in, out, 5000, 2, 2, id);
    }

    private static byte[] connect(long id) {
        return bytes(
                new EnetHeader(EnetHeader.NO_PEER, 0, false, 1),
                connect(terms(3, 1400, 65536, 0, 0, id)));
    }

    private void undisturbed() {
        assertThat(server.host.peers()).contains(atServer);
        assertThat(atServer.connected()).isTrue();
        assertThat(atServer.incompleteBytes()).isZero();
        assertThat(server.received).isEmpty();
    }

    @AfterEach
    void theCanaryIsFine() {
        server.received.clear();
        canaryPeer.send(1, DATA, true);
        canary.wake();
        network.run(100 * MILLI);
        assertThat(server.received)
                .filteredOn(message -> message.payload().equals(DATA))
                .hasSize(1);
        assertThat(canary.ended).isEmpty();
    }

    @Test
    @DisplayName("B1 a CONNECT flood takes no slot from an honest client")
    void admitsHonestClientDuringConnectFlood() {
        Map<String, Integer> sent = new HashMap<>();
        network.tap((_, from, to, data) -> {
            if (from.equals(server.socket.local()) && to.getAddress().getAddress()[0] == 20) {
                byte[] address = to.getAddress().getAddress();
                sent.merge(address[1] + "." + address[2], data.length, Integer::sum);
            }
        });
        Random random = new Random(1);
        EnetNode honest = EnetNode.client(network, 50);
        long joined = -1;
        for (int milli = 0; milli < 10_000; milli++) {
            for (int i = 0; i < 5; i++) {
                String from = "20.0." + random.nextInt(8) + "." + random.nextInt(256) + ":";
                network.inject(
                        EnetNode.address(from + (1024 + random.nextInt(60_000))),
                        server.socket.local(),
                        connect(random.nextInt() & 0xFFFFFFFFL));
            }
            if (milli == 3000) {
                honest.host.connect(server.socket.local(), 0);
                honest.wake();
            }
            network.run(MILLI);
            if (joined < 0 && server.connected.size() == 3) {
                joined = milli - 3000L;
            }
        }
        assertThat(joined).isBetween(0L, 2000L);
        assertThat(server.host.peers())
                .containsExactlyInAnyOrder(server.connected.getFirst(), server.connected.getLast());
        assertThat(server.host.halfOpen()).isLessThanOrEqualTo(1024);
        assertThat(sent.values()).allMatch(bytes -> bytes <= 4096 + 10 * 2048);
        assertThat(server.drops(DropReason.BUDGET)).isGreaterThan(10_000);
        network.run(10 * SECOND);
        assertThat(server.host.halfOpen()).isZero();
    }

    @Test
    @DisplayName("B1 half-open connections are bounded and the oldest gives way")
    void boundsHalfOpenConnections() {
        EnetNode small =
                new EnetNode(
                        network,
                        EnetNode.address("10.0.0.3:28785"),
                        EnetNode.usual()
                                .maxPeers(4)
                                .maxHalfOpen(8)
                                .maxPeersPerAddress(4)
                                .receiveMemory(1 << 20)
                                .sendMemory(1 << 20)
                                .build(),
                        new AddressLimits(
                                8,
                                List.of(),
                                new AmplificationLimiter(1 << 30, 1 << 30, 1 << 30, 1),
                                1));
        for (int i = 0; i < 1000; i++) {
            network.inject(
                    EnetNode.address("20.0.0.1:" + (2000 + i)), small.socket.local(), connect(i));
        }
        network.run(MILLI);
        assertThat(small.host.halfOpen()).isEqualTo(8);
        assertThat(small.drops(DropReason.EVICTED)).isEqualTo(992);
        assertThat(EnetNode.client(network, 51).connect(small).connected()).isTrue();
    }

    @Test
    @DisplayName("A4 one network has 32 half-open connections, and takes none of another's")
    void boundsHalfOpenConnectionsPerNetwork() {
        EnetNode other =
                new EnetNode(
                        network,
                        EnetNode.address("10.0.0.3:28785"),
                        EnetNode.server(4, 4),
                        new AddressLimits(
                                8,
                                List.of(),
                                new AmplificationLimiter(1 << 30, 1 << 30, 1 << 30, 1),
                                1));
        List<EnetDatagram> verifies = verifies(NEWCOMER);
        network.inject(NEWCOMER, other.socket.local(), connect(1));
        for (int i = 0; i < 300; i++) {
            network.inject(
                    EnetNode.address("20.0.0." + i % 256 + ":" + (2000 + i)),
                    other.socket.local(),
                    connect(i));
        }
        network.run(MILLI);
        assertThat(other.host.halfOpen()).isEqualTo(33);
        assertThat(other.drops(DropReason.EVICTED)).isEqualTo(268);
        network.inject(
                NEWCOMER,
                other.socket.local(),
                guess(verifies.getFirst(), seq(verifies), time(verifies)));
        network.run(0);
        assertThat(other.connected).hasSize(1);
    }

    /** What is sent to an address from now on. */
    private List<EnetDatagram> verifies(InetSocketAddress address) {
        List<EnetDatagram> sent = new ArrayList<>();
        network.tap((_, _, to, data) -> {
            if (to.equals(address)) {
                sent.add(EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK));
            }
        });
        return sent;
    }

    private static int seq(List<EnetDatagram> verifies) {
        return verifies.getFirst().commands().getFirst().seq();
    }

    private static int time(List<EnetDatagram> verifies) {
        return verifies.getFirst().header().sentTime();
    }

    /** The answer to a VERIFY_CONNECT of one who knows slot and session. */
    private static byte[] guess(EnetDatagram verify, int seq, int time) {
        Terms granted = ((VerifyConnect) verify.commands().getFirst()).terms();
        return bytes(
                new EnetHeader(granted.outgoingPeerID(), granted.outSession(), false, 1),
                new Ack(0, 255, seq, seq, time),
                new SendReliable(0x80, 1, 1, DATA));
    }

    @Test
    @DisplayName("G4 who knows slot, session and half of the proof does not find the other half")
    void resistsGuessingHalfOfProof() {
        List<EnetDatagram> verifies = verifies(NEWCOMER);
        network.inject(NEWCOMER, server.socket.local(), connect(1));
        network.run(MILLI);
        EnetDatagram verify = verifies.getFirst();
        int seq = seq(verifies);
        int time = time(verifies);
        for (int guess = 0; guess < 1 << 16; guess++) {
            if (guess != 1) {
                // All sent times, with the number that ENet itself begins at.
                network.inject(NEWCOMER, server.socket.local(), guess(verify, 1, guess));
            }
            int other = guess == 0 ? 1 : guess;
            network.inject(NEWCOMER, server.socket.local(), guess(verify, seq ^ other, time));
            network.inject(NEWCOMER, server.socket.local(), guess(verify, seq, time ^ other));
            network.run(0);
        }
        assertThat(server.connected).hasSize(2);
        assertThat(server.drops(DropReason.WRONG_ACK)).isEqualTo(3 * (1 << 16) - 1);
        assertThat(verifies).hasSize(1);
        assertThat(server.host.halfOpen()).isEqualTo(1);
        network.inject(NEWCOMER, server.socket.local(), guess(verify, seq, time));
        network.run(0);
        assertThat(server.connected).hasSize(3);
        server.connected.getLast().reset();
    }

    @Test
    @DisplayName("G4 blind guesses at 10,000 a second neither open nor end a session")
    void resistsBlindGuesses() {
        int guesses = TestEffort.times(1 << 17);
        Map<InetSocketAddress, Integer> sent = new HashMap<>();
        network.tap((_, _, to, data) -> sent.merge(to, data.length, Integer::sum));
        InetSocketAddress player = canary.socket.local();
        Random random = new Random(1);
        for (int i = 0; i < guesses; i++) {
            InetSocketAddress from = random.nextBoolean() ? NEWCOMER : player;
            if (i % 100 == 0) {
                network.inject(from, server.socket.local(), connect(i));
            }
            int seq = random.nextInt(1 << 16);
            network.inject(
                    from,
                    server.socket.local(),
                    bytes(
                            new EnetHeader(random.nextInt(1040), random.nextInt(4), false, 1),
                            new Ack(0, 255, seq, seq, random.nextInt(1 << 16))));
            network.run(SECOND / 10_000);
        }
        int seconds = guesses / 10_000 + 1;
        assertThat(server.connected).hasSize(2);
        assertThat(server.host.peers()).contains(server.connected.getFirst());
        assertThat(sent.get(NEWCOMER)).isBetween(48, 4096 + seconds * 2048);
        // His own pings and acknowledgements are in it.
        assertThat(sent.get(player)).isLessThan(4096 + seconds * (2048 + 200));
        assertThat(server.drops(DropReason.WRONG_ACK)).isPositive();
        assertThat(server.drops(DropReason.STRAY)).isGreaterThan(guesses / 2);
    }

    @Test
    @DisplayName("G5 the right numbers with a wrong sent time are no sign of life")
    void ignoresWrongSentTimes() {
        int roundTrip = atServer.roundTrip();
        int seen = 0;
        for (int i = 0; i < 310 && atServer.connected(); i++) {
            for (; seen < answers.size(); seen++) {
                EnetDatagram ping = answers.get(seen);
                acknowledge(
                        new EnetDatagram(
                                new EnetHeader(0, 0, false, ping.header().sentTime() ^ 0x8000),
                                ping.commands()));
            }
            network.run(100 * MILLI);
        }
        assertThat(atServer.roundTrip()).isEqualTo(roundTrip);
        assertThat(server.drops(DropReason.WRONG_ACK)).isPositive();
        assertThat(server.ended)
                .extracting(EnetNode.Ended::cause)
                .containsExactly(EnetDisconnectReason.TIMEOUT);
    }

    @Test
    @DisplayName("B1 a repeated CONNECT is answered ten times a second at most")
    void limitsAnswersToRepeatedConnect() {
        List<byte[]> verifies = new ArrayList<>();
        InetSocketAddress from = EnetNode.address("20.0.0.1:1000");
        network.tap((_, _, to, data) -> {
            if (to.equals(from)) {
                verifies.add(data);
            }
        });
        for (int i = 0; i < 1000; i++) {
            network.inject(from, server.socket.local(), connect(1));
            network.run(MILLI);
        }
        assertThat(verifies).hasSizeBetween(9, 11).allMatch(data -> data.length == 48);
        assertThat(server.host.halfOpen()).isEqualTo(1);
    }

    @ParameterizedTest(name = "B2 channels {0}, mtu {1}, window {2}, bandwidths {3} {4}")
    @CsvSource({
        "0, 1400, 65536, 0, 0, -1, 0",
        "256, 1400, 65536, 0, 0, -1, 0",
        "4294967295, 1400, 65536, 0, 0, -1, 0",
        "255, 0, 65536, 0, 0, 576, 65536",
        "1, 575, 65536, 0, 0, 576, 65536",
        "3, 4097, 65536, 0, 0, 1400, 65536",
        "3, 4294967295, 65536, 0, 0, 1400, 65536",
        "3, 1400, 0, 0, 0, 1400, 4096",
        "3, 1400, 4294967295, 0, 0, 1400, 65536",
        "3, 1400, 65536, 4294967295, 4294967295, 1400, 65536",
        "3, 1400, 65536, 1, 1, 1400, 65536",
    })
    void replacesStrangeConnectTerms(
            long channels,
            long mtu,
            long window,
            long in,
            long out,
            int expectedMtu,
            int expectedWindow) {
        List<EnetCommand> verifies = new ArrayList<>();
        InetSocketAddress from = EnetNode.address("20.0.0.1:1000");
        network.tap((_, _, to, data) -> {
            if (to.equals(from)) {
                verifies.add(
                        EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK)
                                .commands()
                                .getFirst());
            }
        });
        network.inject(
                from,
                server.socket.local(),
                bytes(
                        new EnetHeader(EnetHeader.NO_PEER, 0, false, 1),
                        connect(terms(channels, mtu, window, in, out, 1))));
        network.run(MILLI);
        if (expectedMtu < 0) {
            assertThat(verifies).isEmpty();
            assertThat(server.host.halfOpen()).isZero();
        } else {
            Terms granted = ((VerifyConnect) verifies.getFirst()).terms();
            assertThat(granted.mtu()).isEqualTo(expectedMtu);
            assertThat(granted.window()).isEqualTo(expectedWindow);
            assertThat(granted.channels()).isEqualTo(Math.min(3, channels));
        }
    }

    @ParameterizedTest(name = "B3 a data length of {0} drops the whole datagram")
    @ValueSource(strings = {"0009", "7fff", "8000", "8008", "ffff"})
    void dropsLengthPastEnd(String length) {
        String ping = "85ff0001";
        String body = "0102030405060708";
        for (String command :
                List.of(
                        "86000001" + length,
                        "070000000001" + length,
                        "490000000001" + length,
                        "880000010001" + length + "00000001000000000000ffff00000000",
                        "0c0000000001" + length + "00000001000000000000ffff00000000")) {
            attack(Bytes.ofHex(headerHex() + ping + command + body).toArray());
        }
        undisturbed();
        assertThat(answers).isEmpty();
        assertThat(server.drops(DropReason.MALFORMED)).isEqualTo(5);
    }

    @ParameterizedTest(name = "B4 fragment count {0}, number {1}, total {2}, offset {3}")
    @CsvSource({
        "1048577, 0, 33554432, 0",
        "4294967295, 0, 33554432, 0",
        "0, 0, 100, 0",
        "3, 3, 24, 16",
        "3, 4294967295, 24, 16",
        "3, 0, 2, 0",
        "3, 0, 33554433, 0",
        "3, 1, 24, 24",
        "3, 1, 24, 4294967295",
        "3, 1, 24, 17",
    })
    void dropsImpossibleFragments(long count, long number, long total, long offset) {
        for (int command : new int[] {0x88, 0x0C}) {
            attack(
                    Bytes.ofHex(
                                    headerHex()
                                            + "%02x000001000100080"
                                                    .formatted(command)
                                                    .substring(0, 16)
                                            + "%08x%08x%08x%08x"
                                                    .formatted(count, number, total, offset)
                                            + "0102030405060708")
                            .toArray());
        }
        undisturbed();
        assertThat(server.drops(DropReason.MALFORMED)).isEqualTo(2);
    }

    @Test
    @DisplayName("B4 a fragment without bytes is dropped")
    void dropsEmptyFragment() {
        attack(
                Bytes.ofHex(headerHex() + "8800000100010000" + "00000002000000000000000800000000")
                        .toArray());
        undisturbed();
        assertThat(server.drops(DropReason.MALFORMED)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "B5 first fragments of huge messages cost what came, and their sender is sent away")
    void endsSenderOfHugeIncompleteMessages() {
        int memory = server.settings.receiveMemory();
        int piece = 1372;
        int total = memory - memory % piece;
        int most = 0;
        for (int i = 1; i < 20_000 && server.host.peers().contains(atServer); i++) {
            // Not the next one, so that it waits; each on another channel.
            int seq = 2 + i;
            Fragment first =
                    new Fragment(seq, total / piece, 0, total, 0, Bytes.wrap(new byte[piece]));
            attack(
                    i % 2 == 0
                            ? new SendFragment(0x80, i % 3, seq, first)
                            : new SendUnreliableFragment(0, i % 3, 1 + i / 6, first));
            most = Math.max(most, atServer.incompleteBytes());
        }
        assertThat(most).isBetween(memory / 2, memory);
        assertThat(atServer.incompleteBytes()).isZero();
        assertThat(answers.getLast().commands().getFirst())
                .isInstanceOfSatisfying(Disconnect.class, c -> assertThat(c.data()).isEqualTo(9));
        assertThat(server.drops(DropReason.OVERFLOW)).isEqualTo(1);
    }

    @Test
    @DisplayName("B5 a message longer than what is kept of a peer ends the connection at once")
    void endsConnectionOnClaimAboveBudget() {
        attack(
                new SendFragment(
                        0x80,
                        2,
                        1,
                        new Fragment(1, 32 << 10, 0, 32 << 20, 0, Bytes.wrap(new byte[1024]))));
        assertThat(atServer.connected()).isFalse();
        assertThat(atServer.incompleteBytes()).isZero();
        assertThat(answers.getLast().commands().getFirst()).isInstanceOf(Disconnect.class);
    }

    @Test
    @DisplayName("B5 reliable messages behind a hole count against the same budget")
    void countsMessagesBehindGapAgainstBudget() {
        for (int i = 2; i < 28_000 && atServer.connected(); i++) {
            attack(new SendReliable(0x80, 1, i, Bytes.wrap(new byte[1000])));
        }
        assertThat(atServer.connected()).isFalse();
        assertThat(server.drops(DropReason.OVERFLOW)).isEqualTo(1);
    }

    @Test
    @DisplayName("B5 unreliable messages that wait are lost when the budget is used up")
    void dropsWaitingUnreliableMessagesAboveBudget() {
        for (int i = 1; i < 10_000; i++) {
            attack(new SendUnreliable(0, 1, 1, i, Bytes.wrap(new byte[1000])));
        }
        assertThat(atServer.incompleteBytes()).isBetween(4 << 20, 5 << 20);
        assertThat(atServer.connected()).isTrue();
        attack(new SendReliable(0x80, 1, 1, DATA));
        assertThat(atServer.incompleteBytes()).isZero();
        assertThat(server.received).hasSizeGreaterThan(4000);
    }

    private static Fragment fragment(int count, int num, int total, int offset, String hex) {
        return new Fragment(1, count, num, total, offset, Bytes.ofHex(hex));
    }

    @Test
    @DisplayName("B6 fragments that contradict the first are refused")
    void refusesContradictingFragments() {
        attack(new SendFragment(0x80, 2, 1, fragment(3, 0, 10, 0, "01020304")));
        long refused = server.drops(DropReason.REFUSED);
        attack(new SendFragment(0x80, 2, 2, fragment(4, 1, 14, 4, "05060708")));
        attack(new SendFragment(0x80, 2, 2, fragment(3, 1, 11, 4, "05060708")));
        attack(new SendFragment(0x80, 2, 2, fragment(3, 1, 10, 2, "05060708")));
        attack(new SendFragment(0x80, 2, 2, fragment(3, 1, 10, 4, "0506")));
        attack(new SendFragment(0x80, 2, 3, fragment(3, 2, 10, 7, "080910")));
        attack(new SendFragment(0x80, 2, 7, fragment(3, 1, 10, 4, "05060708")));
        assertThat(server.drops(DropReason.REFUSED) - refused).isEqualTo(6);
        assertThat(server.received).isEmpty();
    }

    @Test
    @DisplayName("B6 of two fragments with one number the first wins")
    void keepsFirstOfDuplicateFragments() {
        attack(new SendFragment(0x80, 2, 1, fragment(3, 0, 10, 0, "01020304")));
        attack(new SendFragment(0x80, 2, 1, fragment(3, 0, 10, 0, "ffffffff")));
        attack(new SendFragment(0x80, 2, 3, fragment(3, 2, 10, 8, "090a")));
        attack(new SendFragment(0x80, 2, 2, fragment(3, 1, 10, 4, "05060708")));
        attack(new SendFragment(0x80, 2, 2, fragment(3, 1, 10, 4, "ffffffff")));
        assertThat(server.received)
                .extracting(EnetNode.Message::payload)
                .containsExactly(Bytes.ofHex("0102030405060708090a"));
        assertThat(atServer.incompleteBytes()).isZero();
    }

    @Test
    @DisplayName("B7 33 commands, none, an unknown one, a compressed datagram")
    void dropsMalformedDatagrams() {
        Ping ping = new Ping(0x80, 255, 1);
        EnetCommand[] full = new EnetCommand[32];
        Arrays.fill(full, ping);
        byte[] most = bytes(header(), full);
        byte[] tooMany = Arrays.copyOf(most, most.length + 4);
        System.arraycopy(most, most.length - 4, tooMany, most.length, 4);
        attack(tooMany);
        attack(bytes(header()));
        attack(Arrays.copyOf(bytes(attackerPeer.header(EnetHeader.NO_TIME), ping), 2));
        for (int number : new int[] {0, 13, 14, 15}) {
            attack(
                    Bytes.ofHex(headerHex() + "85ff0001" + "%02xff0001".formatted(0x80 | number))
                            .toArray());
        }
        assertThat(server.drops(DropReason.MALFORMED)).isEqualTo(7);
        attack(bytes(new EnetHeader(atServer.index(), header().session(), true, 1), ping));
        assertThat(server.drops(DropReason.COMPRESSED)).isEqualTo(1);
        // Four bytes of a checksum that was not agreed on stand where a command has to.
        attack(Bytes.ofHex(headerHex() + "deadbeef" + "85ff0001").toArray());
        assertThat(server.drops(DropReason.MALFORMED)).isEqualTo(8);
        assertThat(answers).isEmpty();
        undisturbed();
        attack(most);
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().commands()).hasSize(32);
    }

    @Test
    @DisplayName("B8 acknowledgements of what was never sent are ignored")
    void ignoresInventedAcknowledgements() {
        Random random = new Random(1);
        int roundTrip = atServer.roundTrip();
        for (int i = 0; i < 5000; i++) {
            EnetCommand[] acks = new EnetCommand[32];
            for (int j = 0; j < acks.length; j++) {
                int seq = 100 + random.nextInt(65_000);
                acks[j] = new Ack(0, random.nextInt(256), seq, seq, random.nextInt(65_536));
            }
            attack(acks);
        }
        assertThat(atServer.roundTrip()).isEqualTo(roundTrip);
        undisturbed();
        // They are no sign of life either: the pings stay unacknowledged.
        for (int i = 0; i < 400 && atServer.connected(); i++) {
            attack(new Ack(0, 255, 60_000, 60_000, (int) (network.now() / MILLI) & 0xFFFF));
            network.run(100 * MILLI);
        }
        assertThat(server.ended)
                .extracting(EnetNode.Ended::cause)
                .contains(EnetDisconnectReason.NOT_ACKNOWLEDGING);
    }

    @Test
    @DisplayName("B8 a wrong session, and peer 4095 outside CONNECT")
    void ignoresWrongSession() {
        for (int other = 1; other < 4; other++) {
            int session = header().session() + other & 3;
            attack(
                    bytes(
                            new EnetHeader(atServer.index(), session, false, 1),
                            new Disconnect(0x80, 255, 9, 0)));
        }
        assertThat(server.drops(DropReason.SESSION)).isEqualTo(3);
        attack(
                bytes(
                        new EnetHeader(EnetHeader.NO_PEER, 0, false, 1),
                        new Disconnect(0x80, 255, 9, 0)));
        attack(bytes(new EnetHeader(EnetHeader.NO_PEER, 0, false, 1), new Ping(0x80, 255, 9)));
        attack(bytes(new EnetHeader(4000, 0, false, 1), new Ping(0x80, 255, 9)));
        attack(
                bytes(
                        new EnetHeader(1 ^ canaryPeer.header(1).peerID(), 0, false, 1),
                        new Ping(0x80, 255, 9)));
        assertThat(server.drops(DropReason.STRAY)).isEqualTo(4);
        attack(connect(terms(3, 1400, 65536, 0, 0, 1)));
        assertThat(answers).isEmpty();
        undisturbed();
    }

    @Test
    @DisplayName("B9 a datagram for a peer from another address is ignored")
    void ignoresDatagramFromAnotherAddress() {
        byte[] farewell = bytes(header(), new Disconnect(0x80, 255, 9, 0));
        for (String other : List.of("10.1.200.1:5001", "10.1.200.2:5000", "10.1.100.1:5000")) {
            network.inject(EnetNode.address(other), server.socket.local(), farewell);
        }
        network.run(MILLI);
        assertThat(server.drops(DropReason.STRAY)).isEqualTo(3);
        undisturbed();
    }

    @Test
    @DisplayName("A2 every single byte, and every prefix of a valid datagram, is dropped")
    void dropsPrefixes() {
        byte[] valid =
                bytes(
                        header(),
                        new Ack(0, 255, 900, 900, 1),
                        new SendReliable(0x80, 1, 500, DATA),
                        new SendFragment(0x80, 2, 1, fragment(3, 0, 10, 0, "01020304")));
        for (int value = 0; value < 256; value++) {
            attack(new byte[] {(byte) value});
        }
        int whole = 0;
        for (int length = 0; length < valid.length; length++) {
            int before = answers.size();
            attack(Arrays.copyOf(valid, length));
            whole += answers.size() - before;
        }
        // The one prefix that is a datagram itself: its message waits for its turn.
        assertThat(whole).isEqualTo(1);
        assertThat(server.received).isEmpty();
        assertThat(atServer.connected()).isTrue();
    }

    @Test
    @DisplayName("A3 a datagram longer than ENet's longest is dropped, not cut")
    void dropsOversizedDatagram() {
        byte[] ping = bytes(header(), new SendUnreliable(0, 1, 0, 1, Bytes.wrap(new byte[4084])));
        assertThat(ping).hasSize(4096);
        attack(Arrays.copyOf(ping, 4097));
        attack(Arrays.copyOf(ping, 65_507));
        assertThat(server.drops(DropReason.OVERSIZED)).isEqualTo(2);
        undisturbed();
        attack(ping);
        assertThat(server.received).hasSize(1);
    }

    @Test
    @DisplayName("G5 acknowledgements of what was never sent are no sign of life")
    void ignoresBlindAcknowledgementsForTimeout() {
        atServer.send(1, DATA, true);
        server.wake();
        for (int i = 0; i < 310 && atServer.connected(); i++) {
            attack(
                    new Ack(0, 1, 1000 + i, 1000 + i, i),
                    new Ack(0, 2, 1 + i, 1 + i, i),
                    new Ack(0, 255, 40_000 + i, 40_000 + i, i));
            network.run(100 * MILLI);
        }
        assertThat(atServer.connected()).isFalse();
    }

    @Test
    @DisplayName("G20 a message that ends its connection leaves nothing counted of those behind it")
    void releasesMessagesBehindFatalOne() {
        server.onReceived = (peer, _) -> peer.disconnect(4);
        attack(new SendReliable(0x80, 1, 2, DATA));
        assertThat(atServer.incompleteBytes()).isPositive();
        attack(new SendReliable(0x80, 1, 1, DATA));
        assertThat(atServer.incompleteBytes()).isZero();
        server.onReceived = (_, _) -> {};
    }

    @Test
    @DisplayName("G20 what is never completed is counted as heap and expires")
    void expiresIncompleteMessages() {
        for (int i = 1; i < 1000; i++) {
            attack(
                    new SendFragment(
                            0x80, 2, 1 + i, new Fragment(1, 4000, i, 4000, i, Bytes.of((byte) i))),
                    new SendReliable(0x80, 1, 1 + i, Bytes.EMPTY),
                    new SendUnreliable(0, 0, 5, i, Bytes.EMPTY));
        }
        assertThat(atServer.incompleteBytes()).isBetween(350_000, 700_000);
        assertThat(atServer.retainedBytes()).isGreaterThanOrEqualTo(atServer.incompleteBytes());
        assertThat(canaryPeer.retainedBytes()).isLessThan(1000);
        // It answers each ping, so that it is not for silence that it goes.
        int seen = 0;
        for (int i = 0; i < 400 && atServer.connected(); i++) {
            for (; seen < answers.size(); seen++) {
                acknowledge(answers.get(seen));
            }
            network.run(100 * MILLI);
            assertThat(i).isLessThan(330);
        }
        assertThat(atServer.incompleteBytes()).isZero();
        assertThat(server.drops(DropReason.INCOMPLETE)).isEqualTo(1);
        network.run(60 * SECOND);
        assertThat(server.ended).extracting(EnetNode.Ended::cause).hasSize(1);
    }

    private void acknowledge(EnetDatagram datagram) {
        for (EnetCommand command : datagram.commands()) {
            if (command.acknowledge()) {
                attack(
                        new Ack(
                                0,
                                command.channel(),
                                command.seq(),
                                command.seq(),
                                datagram.header().sentTime()));
            }
        }
    }

    @Test
    @DisplayName("G2 who acknowledges all but one message is ended within his deadline")
    void endsPeerThatAcknowledgesAllButOne() {
        Bytes withheld = Bytes.of((byte) 77);
        atServer.send(1, withheld, true);
        server.wake();
        long began = network.now();
        int seen = 0;
        while (atServer.connected() && network.now() - began < 60 * SECOND) {
            network.run(100 * MILLI);
            for (; seen < answers.size(); seen++) {
                EnetDatagram datagram = answers.get(seen);
                acknowledge(
                        new EnetDatagram(
                                datagram.header(),
                                datagram.commands().stream()
                                        .filter(c ->
                                                !(c instanceof SendReliable r
                                                        && r.payload().equals(withheld)))
                                        .toList()));
            }
            atServer.send(1, DATA, true);
            server.wake();
        }
        assertThat(network.now() - began).isBetween(29 * SECOND, 32 * SECOND);
        assertThat(server.ended)
                .containsExactly(
                        new EnetNode.Ended(atServer, 0, EnetDisconnectReason.NOT_ACKNOWLEDGING));
        assertThat(atServer.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("G14 a flood of pings leaves few answers waiting")
    void boundsAnswersToPings() {
        EnetCommand[] pings = new EnetCommand[32];
        Arrays.fill(pings, new Ping(0x80, 255, 9));
        for (int i = 0; i < 2000; i++) {
            attack(pings);
            assertThat(atServer.retainedBytes()).isLessThan(2000);
        }
        undisturbed();
    }
}
