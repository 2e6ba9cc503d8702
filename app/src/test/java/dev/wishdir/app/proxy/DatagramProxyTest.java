package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A proxy between sockets of a test, in virtual time. */
class DatagramProxyTest {
    private static final long SECOND = 1_000_000_000;
    private static final byte[] QUESTION = text("getstatus x");
    private static final byte[] ANSWER = text("statusResponse\n\\a\\b\n");
    private static final InetSocketAddress SERVER = address("127.0.0.1", 27_970);
    private static final InetSocketAddress LISTEN = address("127.0.0.1", 27_960);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final DutyCycle cycle = network.cycle();
    private final LinkEmulation links =
            new LinkEmulation(LinkConditions.NONE, LinkConditions.NONE, 1);
    private final List<String> notices = new ArrayList<>();
    private final List<ProxiedDatagram> observed = new ArrayList<>();
    private Side server;
    private DatagramProxy proxy;

    /** Whether the listener throws. */
    private boolean breaks;

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private static byte[] text(String text) {
        return ("\u00FF\u00FF\u00FF\u00FF" + text).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A packet of a Quake III client. */
    private static byte[] packet(int sequence, int qport) {
        return ByteBuffer.allocate(30)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(sequence)
                .putShort((short) qport)
                .array();
    }

    private final class Listener implements ProxyListener {
        @Override
        public void onDatagram(ProxiedDatagram datagram) {
            observed.add(datagram);
        }

        @Override
        public void onConnected(InetSocketAddress client, InetSocketAddress local) {
            notices.add("connected " + client.getPort());
        }

        @Override
        public void onPortChanged(InetSocketAddress before, InetSocketAddress after) {
            notices.add(before.getPort() + " to " + after.getPort());
        }

        @Override
        public void onClosed(InetSocketAddress client, String reason) {
            if (breaks) {
                throw new IllegalStateException("on purpose");
            }
            notices.add("closed " + client.getPort() + " " + reason);
        }
    }

    /** A socket that keeps what it received, and may answer. */
    private final class Side implements DatagramHandler {
        final UdpSocket socket;
        final List<byte[]> received = new ArrayList<>();
        final List<InetSocketAddress> senders = new ArrayList<>();
        List<byte[]> answers = List.of();

        Side(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            received.add(data);
            senders.add(from);
            answers.forEach(answer -> socket.send(from, answer, 0, answer.length));
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }

        void send(InetSocketAddress to, byte[] data) {
            socket.send(to, data, 0, data.length);
        }

        void ask(byte[] data) {
            send(LISTEN, data);
            network.run(SECOND / 100);
        }
    }

    private Side side(InetSocketAddress at) {
        try {
            return network.cycle().open(at, Side::new);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Side client(String host, int port) {
        return side(address(host, port));
    }

    private DatagramProxy open(Game game, int maxClients) throws IOException {
        return open(game.proxyRules(), maxClients);
    }

    private DatagramProxy open(ProxyRules rules, int maxClients) throws IOException {
        return DatagramProxy.open(
                cycle,
                links.around(cycle),
                new ProxyConfig(
                        rules,
                        LISTEN,
                        SERVER,
                        maxClients,
                        AddressLimits.standard(5),
                        Optional::empty),
                new Listener());
    }

    @BeforeEach
    void open() throws IOException {
        server = side(SERVER);
        proxy = open(new Quake3Game(), 16);
    }

    private long dropped(String reason) {
        return proxy.counters().get("proxy.drop." + reason);
    }

    /** A client in whose session the server has sent a packet of a netchan. */
    private Side joined(String host, int port) {
        Side client = client(host, port);
        server.answers = List.of(packet(1, 0));
        client.ask(packet(1, 77));
        server.answers = List.of();
        return client;
    }

    @Test
    void passesDatagramsOnUnchangedFromASocketForEachClient() {
        server.answers = List.of(ANSWER);
        Side a = client("10.0.0.1", 1);
        Side b = client("10.0.1.1", 1);
        a.ask(QUESTION);
        b.ask(QUESTION);
        a.ask(QUESTION);
        assertThat(server.received).containsExactly(QUESTION, QUESTION, QUESTION);
        assertThat(server.senders.get(0)).isEqualTo(server.senders.get(2));
        assertThat(server.senders.get(0)).isNotEqualTo(server.senders.get(1));
        assertThat(a.received).containsExactly(ANSWER, ANSWER);
        assertThat(b.received).containsExactly(ANSWER);
        assertThat(a.senders).containsOnly(LISTEN);
    }

    @Test
    void closesSocketWhereListenerThrows() {
        List<Throwable> defects = new ArrayList<>();
        network.onDefect(defects::add);
        joined("10.0.0.1", 5);
        InetSocketAddress towardsServer = server.senders.getFirst();
        breaks = true;
        network.run(3600 * SECOND);
        assertThat(defects).hasSize(1);
        assertThat(proxy.clients()).isZero();
        // Its port is free again.
        assertThat(side(towardsServer).socket.local()).isEqualTo(towardsServer);
    }

    @Test
    void observesDatagramsWithTheAddressesOfClientAndServer() {
        server.answers = List.of(ANSWER);
        Side a = client("10.0.0.1", 1234);
        a.ask(QUESTION);
        assertThat(observed)
                .extracting(ProxiedDatagram::direction)
                .containsExactly(Direction.C2S, Direction.S2C);
        assertThat(observed.getFirst().source()).isEqualTo(address("10.0.0.1", 1234));
        assertThat(observed.getFirst().destination()).isEqualTo(SERVER);
        assertThat(observed.getLast().source()).isEqualTo(SERVER);
        assertThat(observed.getLast().data()).isEqualTo(Bytes.wrap(ANSWER));
    }

    @Test
    void passesSauerbratensInfoPortOn() throws IOException {
        InetSocketAddress listen = address("127.0.0.1", 28_785);
        DatagramProxy sauerbraten =
                DatagramProxy.open(
                        cycle,
                        links.around(cycle),
                        new ProxyConfig(
                                new SauerbratenGame().proxyRules(),
                                listen,
                                address("127.0.0.1", 28_795),
                                4,
                                AddressLimits.standard(5),
                                Optional::empty),
                        ProxyListener.NONE);
        Side info = client("127.0.0.1", 28_796);
        info.answers = List.of(new byte[] {1, 2, 3});
        Side browser = client("10.0.0.1", 1);
        browser.send(address("127.0.0.1", 28_786), new byte[] {1});
        network.run(SECOND);
        assertThat(browser.received).containsExactly(new byte[] {1, 2, 3});
        assertThat(browser.senders).containsExactly(address("127.0.0.1", 28_786));
        assertThat(sauerbraten.halfOpen()).isOne();
    }

    /** An answer of the info port repeats the question, which may look like a command of ENet. */
    @Test
    @DisplayName("P1: an answer that a stranger has chosen proves nothing")
    void takesNoProofFromRepeatedQuestion() {
        ProxyRules rules = new SauerbratenGame().proxyRules();
        byte[] ping = {0, 0, (byte) 0x85, (byte) 0xFF, 0, 1};
        assertThat(rules.isProof(0, ping)).isTrue();
        assertThat(rules.isProof(1, ping)).isFalse();
    }

    @Test
    @DisplayName("P1: a flood of strangers: bounded sessions, a new client is served at once")
    void boundsHalfOpenSessionsOfStrangers() {
        Side player = joined("10.9.9.9", 5);
        for (int i = 0; i < 20_000; i++) {
            InetSocketAddress stranger =
                    address("11." + i % 200 + "." + i / 200 + ".1", 1 + i % 60_000);
            network.inject(stranger, LISTEN, QUESTION);
            if (i % 100 == 0) {
                network.run(SECOND / 100);
            }
            assertThat(proxy.halfOpen()).isLessThanOrEqualTo(DatagramProxy.MAX_HALF_OPEN);
        }
        assertThat(dropped("rate") + dropped("evicted")).isGreaterThan(10_000);
        Side newcomer = client("12.1.1.1", 5);
        server.answers = List.of(packet(1, 0));
        newcomer.ask(packet(1, 3));
        assertThat(newcomer.received).hasSize(1);
        player.ask(packet(2, 77));
        assertThat(player.received).hasSize(2);
        assertThat(notices).doesNotContain("closed 5 gave way to another client");
    }

    @Test
    @DisplayName("P2: a server that answers a stranger a thousand times: the amplification limit")
    void limitsAnswersToStrangers() {
        List<byte[]> thousand = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            thousand.add(ANSWER);
        }
        server.answers = thousand;
        Side stranger = client("10.0.0.1", 1);
        stranger.ask(QUESTION);
        int bytes = stranger.received.size() * ANSWER.length;
        assertThat(bytes).isBetween(1000, 4096);
        assertThat(dropped("unproven")).isEqualTo(1000 - stranger.received.size());
        Side player = joined("10.0.1.1", 1);
        server.answers = thousand;
        player.ask(packet(2, 77));
        assertThat(player.received).hasSize(1001);
    }

    @ParameterizedTest
    @CsvSource({"quake3, true", "quake2, true", "sauerbraten, false"})
    @DisplayName("P3: a client that changes its port continues its session by its qport")
    void followsPortChange(String name, boolean follows) throws IOException {
        Game game =
                switch (name) {
                    case "quake2" -> new Quake2Game();
                    case "quake3" -> new Quake3Game();
                    default -> new SauerbratenGame();
                };
        cycle.close();
        network.run(SECOND);
        SimulatedNetwork other = network;
        DutyCycle again = other.cycle();
        proxy =
                DatagramProxy.open(
                        again,
                        links.around(again),
                        new ProxyConfig(
                                game.proxyRules(),
                                LISTEN,
                                SERVER,
                                8,
                                AddressLimits.standard(5),
                                Optional::empty),
                        new Listener());
        byte[] first = name.equals("quake2") ? quake2Packet(10) : packet(10, 77);
        byte[] next = name.equals("quake2") ? quake2Packet(14) : packet(14, 77);
        Side before = client("10.0.0.1", 1);
        server.answers =
                List.of(follows ? packet(1, 0) : new byte[] {0, 0, (byte) 0x85, (byte) 0xFF, 0, 1});
        before.ask(first);
        network.run(2 * SECOND);
        Side after = client("10.0.0.1", 2);
        after.ask(next);
        assertThat(server.senders.getFirst().equals(server.senders.getLast())).isEqualTo(follows);
        assertThat(after.received).hasSize(1);
        assertThat(notices.contains("1 to 2")).isEqualTo(follows);
        // Dissectors still know it by its first address.
        assertThat(observed.getLast().session().getPort()).isEqualTo(follows ? 1 : 2);
        assertThat(observed.getLast().client().getPort()).isEqualTo(2);
    }

    private static byte[] quake2Packet(int sequence) {
        return ByteBuffer.allocate(30)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(sequence)
                .putInt(3)
                .putShort((short) 77)
                .array();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 78, 2, 2",
        "10.0.0.1, 77, 34, 2",
        "10.0.0.1, 77, 1, 2",
        "10.0.0.2, 77, 2, 2",
        "10.0.0.1, 77, 2, 0"
    })
    @DisplayName("P3: another client's packet does not take a session over")
    void keepsSessionFromOthers(String from, int qport, int sequence, int silence) {
        Side player = joined("10.0.0.1", 1);
        network.run(silence * SECOND);
        client(from, 2).ask(packet(sequence, qport));
        assertThat(notices).containsExactly("connected 1");
        server.answers = List.of(packet(2, 0));
        player.ask(packet(2, 77));
        assertThat(player.received).hasSize(2);
    }

    @Test
    @DisplayName("P3: guesses at a session's qport are limited")
    void limitsGuesses() {
        joined("10.0.0.1", 1);
        network.run(2 * SECOND);
        for (int qport = 1000; qport < 1100; qport++) {
            network.inject(address("10.0.0.1", qport), LISTEN, packet(2, qport));
        }
        network.inject(address("10.0.0.1", 999), LISTEN, packet(2, 77));
        network.run(SECOND / 100);
        assertThat(notices).containsExactly("connected 1");
    }

    @Test
    @DisplayName("P4: half-open sessions end after 10 s, idle ones after 30 s, clients keep theirs")
    void endsIdleSessions() {
        Side player = joined("10.0.0.1", 1);
        client("10.0.1.1", 1).ask(QUESTION);
        assertThat(proxy.halfOpen()).isOne();
        for (int i = 2; i < 60; i++) {
            player.ask(packet(i, 77));
            network.run(SECOND);
        }
        assertThat(proxy.halfOpen()).isZero();
        assertThat(proxy.clients()).isOne();
        network.run(28 * SECOND);
        assertThat(proxy.clients()).isOne();
        network.run(3 * SECOND);
        assertThat(proxy.clients()).isZero();
        assertThat(notices).containsExactly("connected 1", "closed 1 idle");
    }

    @Test
    @DisplayName("P4: a server that keeps sending to a client that is gone: 200 s")
    void endsSessionOfSilentClient() {
        joined("10.0.0.1", 1);
        InetSocketAddress session = server.senders.getLast();
        for (int i = 0; i < 198; i++) {
            server.send(session, packet(i, 0));
            network.run(SECOND);
        }
        assertThat(proxy.clients()).isOne();
        server.send(session, packet(199, 0));
        network.run(3 * SECOND);
        assertThat(proxy.clients()).isZero();
    }

    @Test
    @DisplayName("P5: at most so many clients of an address, and in all")
    void boundsClients() throws IOException {
        for (int i = 1; i <= AddressLimits.DEFAULT_MAX_SESSIONS + 4; i++) {
            joined("10.0.0.1", i);
            network.run(2 * SECOND);
        }
        assertThat(proxy.clients()).isEqualTo(AddressLimits.DEFAULT_MAX_SESSIONS);
        assertThat(dropped("address")).isEqualTo(4);
        for (int i = 1; i <= 20; i++) {
            joined("10.0." + i + ".2", 1);
        }
        assertThat(proxy.clients()).isEqualTo(16);
        assertThat(dropped("full")).isEqualTo(12);
        Side late = client("10.1.0.1", 1);
        late.ask(text("getchallenge 1"));
        late.ask(QUESTION);
        assertThat(late.received)
                .containsExactly(text("print\nThe proxy is full: 16 clients at most.\n"));
    }

    /** Sessions that pass all datagrams on and claim to retain so much for each. */
    private static ProxySession.Factory retaining(long bytes) {
        return out ->
                new ProxySession() {
                    private long retained;

                    @Override
                    public void receive(long now, Direction direction, byte[] datagram) {
                        retained += bytes;
                        out.send(direction, datagram);
                    }

                    @Override
                    public long retainedBytes() {
                        return retained;
                    }

                    @Override
                    public void abort() {
                        out.send(Direction.S2C, ANSWER);
                    }
                };
    }

    @Test
    @DisplayName("P14: sessions retain more than a quarter of the heap together")
    void endsTheSessionThatRetainsMost() throws IOException {
        proxy =
                DatagramProxy.open(
                        cycle,
                        cycle,
                        new ProxyConfig(
                                new Quake3Game().proxyRules(),
                                address("127.0.0.1", 27_961),
                                SERVER,
                                16,
                                AddressLimits.standard(5),
                                Optional::empty,
                                retaining(Runtime.getRuntime().maxMemory() / 32)),
                        new Listener());
        Side greedy = client("10.0.0.1", 1);
        Side modest = client("10.0.0.2", 2);
        server.answers = List.of(packet(1, 0));
        modest.send(proxy.address(), packet(1, 2));
        for (int i = 1; i <= 5 && proxy.counters().get("memory.ended") == 0; i++) {
            greedy.send(proxy.address(), packet(i, 1));
            network.run(SECOND / 10);
        }
        assertThat(proxy.clients()).isOne();
        assertThat(notices).contains("closed 1 the server is short of memory");
        assertThat(proxy.counters().get("memory.ended")).isOne();
        assertThat(greedy.received).contains(ANSWER);
        assertThat(modest.received).doesNotContain(ANSWER);
    }

    @Test
    void refusesAsTheServerOfEachGameWould() {
        assertThat(new Quake2Game().proxyRules().refusal(text("getchallenge\n"), "Full."))
                .hasValueSatisfying(it -> assertThat(it).isEqualTo(text("print\nFull.\n")));
        assertThat(new Quake2Game().proxyRules().refusal(text("status"), "Full.")).isEmpty();
        assertThat(new Quake3Game().proxyRules().refusal(packet(1, 2), "Full.")).isEmpty();
        assertThat(new SauerbratenGame().proxyRules().refusal(packet(1, 2), "Full.")).isEmpty();
    }

    @Test
    @DisplayName("P6: empty datagrams, port 0, the server's own address, noise of any length")
    void dropsWhatCannotBePassedOn() {
        network.inject(address("10.0.0.1", 0), LISTEN, QUESTION);
        network.inject(address("10.0.0.1", 1), LISTEN, new byte[0]);
        network.inject(SERVER, LISTEN, QUESTION);
        network.run(SECOND);
        assertThat(dropped("malformed")).isEqualTo(3);
        assertThat(server.received).isEmpty();
        Random random = new Random(2);
        Side player = joined("10.0.0.1", 1);
        server.received.clear();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            byte[] noise = new byte[1 + random.nextInt(i < 1990 ? 1500 : 65_507)];
            random.nextBytes(noise);
            sent.add(noise);
            player.ask(noise);
        }
        assertThat(server.received).containsExactlyElementsOf(sent);
    }

    @Test
    @DisplayName("P6: only the server's datagrams reach a client")
    void dropsDatagramsOfStrangersAtTheServersSide() {
        Side player = joined("10.0.0.1", 1);
        InetSocketAddress session = server.senders.getLast();
        network.inject(address("10.0.0.9", 9), session, packet(5, 0));
        network.inject(SERVER, session, packet(6, 0));
        network.run(SECOND);
        assertThat(player.received).hasSize(2);
        assertThat(dropped("stranger")).isOne();
    }

    @Test
    void losesDatagramsByFaultsAndCountsThem() {
        Side player = joined("10.0.0.1", 1);
        server.answers = List.of(packet(2, 0));
        links.conditions(
                new LinkConditions(0.05, 0, 0, 0, 0, 0), new LinkConditions(0.1, 0, 0, 0, 0, 0));
        for (int i = 2; i < 2002; i++) {
            player.ask(packet(i, 77));
        }
        long lostUp = links.upCounters().lost();
        assertThat(lostUp).isBetween(60L, 140L);
        assertThat(server.received).hasSize(2001 - (int) lostUp);
        assertThat(player.received)
                .hasSize(server.received.size() - (int) links.downCounters().lost());
        // What is shown is what the client sent and received.
        assertThat(observed).hasSize(2001 + player.received.size());
    }
}
