package dev.wishdir.sauerbraten.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.AuthChallenge;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** An ENet client and server with a proxy between them, over links that lose datagrams. */
@SuppressWarnings("NullAway.Init") // by open, which each test calls
class SauerbratenProxySessionTest {
    private static final long STEP_NANOS = 5_000_000;

    /** 60 s. */
    private static final int MINUTE = 12_000;

    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4_711);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 28_785);
    private static final Interceptor<SauerbratenMessage> PASS = (_, message) -> List.of(message);

    /** A received packet. */
    private record Received(int channel, Bytes payload, boolean reliable) {}

    private final class Link {
        private Consumer<byte[]> to;
        private final List<byte[]> waiting = new ArrayList<>();

        Link(Consumer<byte[]> to) {
            this.to = to;
        }

        void send(byte[] datagram) {
            if (random.nextDouble() < faults) {
                return;
            }
            waiting.add(
                    random.nextDouble() < faults
                            ? random.nextInt(waiting.size() + 1)
                            : waiting.size(),
                    datagram);
            if (random.nextDouble() < faults) {
                waiting.add(datagram);
            }
        }

        void deliver() {
            List<byte[]> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(to);
        }
    }

    private static final class Side implements EnetListener {
        final List<Received> received = new ArrayList<>();
        @Nullable EnetPeer peer;
        String ending = "";

        @Override
        public void onConnected(long now, EnetPeer connected) {
            peer = connected;
        }

        @Override
        public void onReceived(
                long now, EnetPeer from, int channel, Bytes payload, boolean reliable) {
            received.add(new Received(channel, payload, reliable));
        }

        @Override
        public void onDisconnected(
                long now, EnetPeer from, long data, EnetDisconnectReason reason) {
            ending = reason + " " + data;
        }
    }

    private final Random random = new Random(3);
    private final List<String> problems = new ArrayList<>();
    private final Side client = new Side();
    private final Side server = new Side();
    private double faults;
    private long now = STEP_NANOS;
    private ProxySession session;
    private Link toProxyFromClient;
    private Link toProxyFromServer;
    private Link toServer;
    private Link toClient;
    private EnetHost clientHost;
    private EnetHost serverHost;

    private void open(Interceptor<SauerbratenMessage> interceptor) {
        open(new SauerbratenProxyCodec(), interceptor);
    }

    private void open(SauerbratenProxyCodec codec, Interceptor<SauerbratenMessage> interceptor) {
        toProxyFromClient = new Link(data -> session.receive(now, Direction.C2S, data));
        toProxyFromServer = new Link(data -> session.receive(now, Direction.S2C, data));
        toServer = new Link(data -> serverHost.receive(now, CLIENT, data));
        toClient = new Link(data -> clientHost.receive(now, SERVER, data));
        session =
                codec.sessions(() -> interceptor)
                        .open(
                                new ProxySession.Output() {
                                    @Override
                                    public InetSocketAddress client() {
                                        return CLIENT;
                                    }

                                    @Override
                                    public void send(Direction direction, byte[] datagram) {
                                        (direction == Direction.C2S ? toServer : toClient)
                                                .send(datagram);
                                    }

                                    @Override
                                    public void report(String problem) {
                                        problems.add(problem);
                                    }
                                });
        clientHost =
                new EnetHost(
                        SauerbratenTransport.client(),
                        client,
                        (_, data, offset, length) ->
                                toProxyFromClient.send(copy(data, offset, length)),
                        random);
        serverHost =
                new EnetHost(
                        SauerbratenTransport.server(4, 4),
                        server,
                        (_, data, offset, length) ->
                                toProxyFromServer.send(copy(data, offset, length)),
                        AddressLimits.standard(1),
                        new Counters(),
                        random);
        clientHost.connect(SERVER, 0);
        for (int i = 0; i < 2_000 && (client.peer == null || server.peer == null); i++) {
            step();
        }
        peer(server);
        peer(client);
        run(100);
    }

    private static EnetPeer peer(Side side) {
        return requireNonNull(side.peer, "not connected");
    }

    private static byte[] copy(byte[] data, int offset, int length) {
        return java.util.Arrays.copyOfRange(data, offset, offset + length);
    }

    private void step() {
        now += STEP_NANOS;
        clientHost.advance(now);
        serverHost.advance(now);
        session.advance(now);
        toProxyFromClient.deliver();
        toServer.deliver();
        toProxyFromServer.deliver();
        toClient.deliver();
    }

    private void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    private static Bytes text(String text) {
        return CODEC.packet(new ChatMessage.Text(text));
    }

    private static Bytes relayed(int cn, SauerbratenMessage... messages) {
        Writer inner = new Writer(10_000);
        for (SauerbratenMessage message : messages) {
            CODEC.write(inner, message);
        }
        return CODEC.packet(new RelayMessage.Client(cn, inner.toBytes()));
    }

    private static Bytes position(int cn, int x) {
        return CODEC.packet(Pos.of(cn, 0, x, 5, 5, Pos.LEVEL, 90, 0, Pos.LEVEL, 0, 0, false));
    }

    private static List<Bytes> reliable(Side side) {
        return side.received.stream().filter(Received::reliable).map(Received::payload).toList();
    }

    /** A minute of chat and positions in both directions; returns the chat that was sent. */
    private List<Bytes> talk() {
        List<Bytes> sent = new ArrayList<>();
        for (int i = 0; i < MINUTE; i++) {
            if (i % 100 == 0) {
                sent.add(text("line " + i / 100));
                peer(client).send(1, sent.getLast(), true);
                peer(server).send(1, relayed(3, new ChatMessage.Text("line " + i / 100)), true);
            }
            if (i % 7 == 0) {
                peer(client).send(0, position(1, i), false);
                peer(server).send(0, position(3, i), false);
            }
            step();
        }
        faults = 0;
        run(2_000);
        assertThat(client.ending + server.ending).isEmpty();
        return sent;
    }

    private static <M extends SauerbratenMessage> List<M> read(
            Side side, Direction direction, Class<M> type) {
        return side.received.stream()
                .flatMap(packet ->
                        CODEC
                                .readPacket(direction, packet.channel, new Reader(packet.payload))
                                .stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Test
    void provesKeysOfProxyInPlaceOfClient(@TempDir Path folder) throws IOException {
        AuthPrivateKey key = AuthPrivateKey.generate(random);
        Path file = folder.resolve("auth.cfg");
        Files.writeString(file, "authkey ada " + key.text() + " \"dom\"\n");
        open(new SauerbratenProxyCodec(PlayerKeys.read(file.toString())), PASS);
        SessionMessage.Connect connect = new SessionMessage.Connect("ann", 0, "", "", "");

        peer(server)
                .send(
                        1,
                        CODEC.packet(new SessionMessage.ServInfo(0, 260, 1, true, "s", "dom")),
                        true);
        run(20);
        peer(client).send(1, CODEC.packet(connect), true);
        run(20);
        assertThat(read(server, Direction.C2S, SessionMessage.Connect.class))
                .containsExactly(new SessionMessage.Connect("ann", 0, "", "dom", "ada"));

        AuthChallenge challenge = AuthPrivateKey.generate(random).challenge(key.publicKey());
        peer(server)
                .send(1, CODEC.packet(new AuthMessage.AuthChal("dom", 7, challenge.text())), true);
        run(20);
        AuthMessage.AuthAns answer =
                read(server, Direction.C2S, AuthMessage.AuthAns.class).getFirst();
        assertThat(answer.id()).isEqualTo(7);
        assertThat(challenge.isAnswer(answer.answer())).isTrue();
        assertThat(read(client, Direction.S2C, AuthMessage.class)).isEmpty();
    }

    @Test
    void leavesProofToClientWithKey(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("auth.cfg");
        Files.writeString(file, "authkey ada 0403 dom\n");
        open(new SauerbratenProxyCodec(PlayerKeys.read(file.toString())), PASS);
        SessionMessage.Connect connect = new SessionMessage.Connect("ann", 0, "", "dom", "gina");
        AuthMessage.AuthChal challenge = new AuthMessage.AuthChal("dom", 7, "+0001");
        peer(client).send(1, CODEC.packet(connect), true);
        run(20);
        peer(server).send(1, CODEC.packet(challenge), true);
        run(20);
        assertThat(read(server, Direction.C2S, SessionMessage.Connect.class))
                .containsExactly(connect);
        assertThat(read(client, Direction.S2C, AuthMessage.class)).containsExactly(challenge);
        assertThat(read(server, Direction.C2S, AuthMessage.class)).isEmpty();
    }

    @Test
    void passesPacketsOnByteForByteIfNothingIsChanged() {
        faults = 0.05;
        open(PASS);
        // No message of the game, and one in a form that it does not have.
        Bytes unknown = Bytes.of(new byte[] {0x7E, 1, 2, 3});
        peer(client).send(1, unknown, true);
        peer(server).send(1, unknown, true);
        List<Bytes> sent = new ArrayList<>(List.of(unknown));
        sent.addAll(talk());
        assertThat(reliable(server)).isEqualTo(sent);
        assertThat(reliable(client)).hasSameSizeAs(sent);
        assertThat(reliable(client).getFirst()).isEqualTo(unknown);
        assertThat(server.received.stream().filter(packet -> packet.channel == 0).count())
                .isGreaterThan(MINUTE / 7 / 2);
        assertThat(problems).isEmpty();
    }

    @Test
    void dropsReplacesAndInjectsMessagesOfBothDirectionsOnceAndInOrder() {
        faults = 0.05;
        open((direction, message) ->
                switch (message) {
                    case ChatMessage.Text t ->
                            changed(t.text()).stream()
                                    .<SauerbratenMessage>map(ChatMessage.Text::new)
                                    .toList();
                    case RelayMessage.Relayed(int cn, ChatMessage.Text t) ->
                            changed(t.text()).stream()
                                    .<SauerbratenMessage>map(text ->
                                            new RelayMessage.Relayed(
                                                    cn, new ChatMessage.Text(text)))
                                    .toList();
                    case Pos p ->
                            List.of(p.with(dev.wishdir.game.proxy.FieldPath.of("rawpos.0", "100")));
                    default -> List.of(message);
                });
        int lines = talk().size();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            expected.addAll(changed("line " + i));
        }
        assertThat(texts(server)).isEqualTo(expected);
        assertThat(texts(client)).isEqualTo(expected);
        assertThat(positions(server)).isNotEmpty().containsOnly(100);
        assertThat(positions(client)).isNotEmpty().containsOnly(100);
        assertThat(problems).isEmpty();
    }

    private static List<String> changed(String text) {
        int number = Integer.parseInt(text.replaceAll("\\D", ""));
        return switch (number % 4) {
            case 0 -> List.of();
            case 1 -> List.of(text, "injected after " + number);
            case 2 -> List.of("in place of " + number);
            default -> List.of(text);
        };
    }

    private static List<SauerbratenMessage> messages(Side side, Direction direction) {
        List<SauerbratenMessage> all = new ArrayList<>();
        for (Received packet : side.received) {
            for (SauerbratenMessage message :
                    CODEC.readPacket(
                            direction,
                            packet.channel,
                            new dev.wishdir.wire.Reader(packet.payload))) {
                if (message instanceof RelayMessage.Client relayed) {
                    all.addAll(CODEC.messages(relayed));
                } else {
                    all.add(message);
                }
            }
        }
        return all;
    }

    private List<SauerbratenMessage> messages(Side side) {
        return messages(side, side == server ? Direction.C2S : Direction.S2C);
    }

    private List<String> texts(Side side) {
        return messages(side).stream()
                .filter(ChatMessage.Text.class::isInstance)
                .map(message -> ((ChatMessage.Text) message).text())
                .toList();
    }

    private List<Integer> positions(Side side) {
        return messages(side).stream()
                .filter(Pos.class::isInstance)
                .map(message -> ((Pos) message).x())
                .toList();
    }

    @Test
    void injectsMessageOfAnotherChannelReliably() {
        faults = 0.1;
        boolean[] done = new boolean[2];
        open((direction, message) -> {
            if (message instanceof Pos && !done[direction.ordinal()]) {
                done[direction.ordinal()] = true;
                SauerbratenMessage text = new ChatMessage.Text("injected");
                return List.of(
                        message,
                        direction == Direction.S2C ? new RelayMessage.Relayed(3, text) : text);
            }
            return List.of(message);
        });
        talk();
        assertThat(texts(server)).containsOnlyOnce("injected");
        assertThat(texts(client)).containsOnlyOnce("injected");
    }

    @Test
    void endsEachSideWithTheReasonOfTheOther() {
        open(PASS);
        peer(server).send(1, text("last words"), true);
        peer(server).disconnectLater(3);
        run(400);
        assertThat(client.ending).isEqualTo("REMOTE 3");
        assertThat(client.received).hasSize(1);
        client.peer = null;
        server.peer = null;
        clientHost.connect(SERVER, 0);
        run(400);
        peer(client).disconnectLater(7);
        run(400);
        assertThat(server.ending).isEqualTo("REMOTE 7");
    }

    @Test
    @DisplayName("P11: an interceptor that throws, or returns what can't be sent")
    void passesMessagesOnIfInterceptorFails() {
        open((direction, message) -> {
            if (message instanceof Pos) {
                throw new IllegalStateException("defect");
            }
            // A message of the other direction.
            return List.of(
                    direction == Direction.C2S
                            ? new ChatMessage.ServMsg("wrong way")
                            : new ChatMessage.ClientSayTeam("wrong way"));
        });
        List<Bytes> sent = talk();
        assertThat(reliable(server)).isEqualTo(sent);
        assertThat(reliable(client)).hasSameSizeAs(sent);
        assertThat(problems).hasSize(1);
    }

    @Test
    @DisplayName("P13: noise and bombs in sessions that are intercepted")
    void keepsSessionUnderNoise() {
        open(PASS);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(1_400)];
            random.nextBytes(noise);
            session.receive(now, Direction.values()[i % 2], noise);
        }
        List<Bytes> sent = talk();
        assertThat(reliable(server)).isEqualTo(sent);
    }

    @Test
    @DisplayName("P14: a side that takes nothing while messages are changed")
    void boundsWhatWaitsForASideThatTakesNothing() {
        open(PASS);
        Bytes map = Bytes.wrap(new byte[1 << 20]);
        Bytes chat = text("x".repeat(200));
        // The client acknowledges nothing any more.
        toClient.to = _ -> {};
        long most = 0;
        for (int i = 0; i < 4_000 && server.ending.isEmpty(); i++) {
            EnetPeer sender = peer(server);
            if (sender.queuedBytes() < map.length() / 2) {
                sender.send(2, map, true);
                sender.send(1, chat, true);
            }
            step();
            most = Math.max(most, session.retainedBytes());
        }
        assertThat(most).isBetween(16L << 20, 23L << 20);
        assertThat(server.ending).startsWith("REMOTE");
    }

    @Test
    void endsBothSidesIfAborted() {
        open(PASS);
        toClient.to = _ -> {};
        peer(server).send(2, Bytes.wrap(new byte[1 << 20]), true);
        run(100);
        assertThat(session.retainedBytes()).isGreaterThan(1 << 20);
        toClient.to = data -> clientHost.receive(now, SERVER, data);
        session.abort();
        assertThat(session.retainedBytes()).isZero();
        run(10);
        int overflow = DisconnectReason.OVERFLOW.code();
        assertThat(List.of(client.ending, server.ending)).containsOnly("REMOTE " + overflow);
    }

    @Test
    void setsFieldsByName() {
        MessageFields<SauerbratenMessage> fields = new SauerbratenProxyCodec().fields();
        SauerbratenMessage text = new ChatMessage.Text("a");
        assertThat(fields.with(text, "text", "b")).isEqualTo(new ChatMessage.Text("b"));
        assertThatThrownBy(() -> fields.with(text, "cn", "1")).hasMessageContaining("text");
        SauerbratenMessage relayed = new RelayMessage.Relayed(3, text);
        assertThat(fields.name(relayed)).isEqualTo("N_TEXT");
        assertThat(fields.values(relayed)).containsEntry("cn", 3).containsEntry("text", "a");
        Pos pos = Pos.of(1, 0, 5, 5, 5, 0, 90, 0, 0, 0, 0, false);
        assertThat(((Pos) fields.with(pos, "rawpos.2", "70000")).z()).isEqualTo(70_000);
        assertThatThrownBy(() -> fields.with(pos, "rawpos.2", "9000000"))
                .hasMessageContaining("8388607");
        assertThat(fields.examples()).hasSizeGreaterThan(100);
    }
}
