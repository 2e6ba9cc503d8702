package dev.wishdir.quake3.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxiedLinks;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ClientMessage.ClientCommand;
import dev.wishdir.quake3.message.ClientMessage.Move;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.ServerCommand;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.ClientConnection;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Both ends of a connection with a proxy between them, over links that lose packets. */
@SuppressWarnings("NullAway.Init") // by open, which each test calls
class Quake3ProxySessionTest {
    private static final int CHALLENGE = 0x1234_5679;
    private static final int QPORT = 4711;
    private static final int FEED = 0x5EED_5EED;
    private static final int SERVER_ID = 77;

    /** 60 s at 40 messages per second. */
    private static final int MINUTE = 2_400;

    private static final Interceptor<Quake3Message> PASS = (_, message) -> List.of(message);

    private final ProxiedLinks links = new ProxiedLinks(this::onServer, this::onClient);
    private Protocol protocol = Protocol.OPENARENA_71;
    private ClientConnection client;
    private ServerConnection server;
    private boolean mayCommand = true;

    private final List<String> sentByServer = new ArrayList<>();
    private final List<String> sentByClient = new ArrayList<>();
    private final List<String> atClient = new ArrayList<>();
    private final List<String> atServer = new ArrayList<>();
    private final Map<Integer, FullSnapshot> sentFrames = new HashMap<>();
    private final List<FullSnapshot> framesAtClient = new ArrayList<>();
    private final List<Move> movesAtServer = new ArrayList<>();
    private final Map<Integer, Usercmd> sentUsercmds = new HashMap<>();
    private int received;

    private void open(Interceptor<Quake3Message> interceptor) {
        client = new ClientConnection(protocol, CHALLENGE, QPORT);
        server = new ServerConnection(protocol, CHALLENGE, QPORT, 1, new EntityDeltaCache());
        links.open(new Quake3ProxyCodec().sessions(() -> interceptor));
        String userinfo =
                "\\challenge\\%d\\qport\\%d\\protocol\\%d"
                        .formatted(CHALLENGE, QPORT, protocol.number());
        outOfBand(Direction.C2S, "connect \"" + userinfo + "\"");
        outOfBand(Direction.S2C, "connectResponse " + CHALLENGE);
        links.withoutFaults(this::gamestate);
    }

    private void outOfBand(Direction direction, String text) {
        links.receiveOutOfBand(direction, new OutOfBand(text).datagram().toArray());
    }

    private void gamestate() {
        client.serverId(SERVER_ID);
        server.level(FEED, Map.of(1, entity(1, 0)));
        SortedMap<Integer, String> configstrings = new TreeMap<>(Map.of(0, "\\mapname\\x"));
        // More than one packet.
        configstrings.put(3, "a".repeat(2_000));
        server.send(
                List.of(
                        new Gamestate(
                                server.lastCommand(),
                                configstrings,
                                List.of(
                                        new dev.wishdir.quake3.message.EntityDelta(
                                                1, false, entity(1, 0).since(EntityState.ZERO))),
                                0,
                                FEED)),
                this::fromServer);
        while (server.hasPendingFragments()) {
            server.sendFragment(this::fromServer);
        }
        links.deliver();
    }

    private void fromServer(byte[] data, int offset, int length) {
        links.sendFromServer(Arrays.copyOfRange(data, offset, offset + length));
    }

    private void fromClient(byte[] data, int offset, int length) {
        links.sendFromClient(Arrays.copyOfRange(data, offset, offset + length));
    }

    private void onClient(byte[] packet) {
        ClientConnection.Received read = client.receive(packet);
        if (read != null) {
            atClient.addAll(read.commands());
            if (read.frame() != null) {
                framesAtClient.add(read.frame().full(0));
            }
        }
    }

    private void onServer(byte[] packet) {
        ClientMessage read = server.receive(packet);
        if (read == null) {
            return;
        }
        received++;
        atServer.addAll(server.commands(read));
        for (ClientMessage.Op op : read.ops()) {
            if (op instanceof Move move) {
                movesAtServer.add(move);
                server.moved(read, move.delta(), move.commands().getLast().serverTime());
            }
        }
    }

    private static EntityState entity(int number, int at) {
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.CLIENT_NUM, number)
                .real(EntityField.POS_TR_BASE_0, at * 0.5 + number)
                .build();
    }

    private void step(int i) {
        int time = 1_000 + i * 25;
        PlayerState player =
                PlayerState.builder()
                        .set(PlayerField.COMMAND_TIME, time)
                        .real(PlayerField.ORIGIN_0, i * 0.25)
                        .set(PlayerField.SPEED, 320)
                        .build();
        List<Integer> numbers = new ArrayList<>();
        for (int number = 1; number < 9; number++) {
            // They come and go, and stand still at times.
            if ((i / 50 + number) % 3 != 0) {
                numbers.add(number);
            }
        }
        Frame frame =
                new Frame(
                        time,
                        Bytes.EMPTY,
                        player,
                        numbers.stream().mapToInt(Integer::intValue).toArray(),
                        numbers.stream()
                                .map(number -> entity(number, i / (number * 3)))
                                .toArray(EntityState[]::new));
        sentFrames.put(time, frame.full(0));
        if (mayCommand && links.random.nextInt(5) == 0 && !server.isCongested()) {
            String text = "print \"server " + sentByServer.size() + "\"";
            sentByServer.add(text);
            server.command(text);
        }
        if (!server.hasPendingFragments()) {
            server.send(frame, 0, this::fromServer);
        }
        while (server.hasPendingFragments()) {
            server.sendFragment(this::fromServer);
        }
        if (mayCommand && links.random.nextInt(5) == 0) {
            String text = "say client " + sentByClient.size();
            if (client.command(text)) {
                sentByClient.add(text);
            }
        }
        Usercmd usercmd = new Usercmd(time, i & 0xFFFF, 7 * i & 0xFFFF, 0, 127, -3, 0, 0, 2);
        sentUsercmds.put(time, usercmd);
        client.send(List.of(new Move(client.delta(), List.of(usercmd))), this::fromClient);
        links.deliver();
    }

    private void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(i);
        }
        mayCommand = false;
        links.faults(0);
        for (int i = steps; i < steps + 40; i++) {
            step(i);
        }
    }

    private void assertAlive(int steps) {
        assertThat(received).isGreaterThan(steps / 2);
        assertThat(server.hasOverflowed()).isFalse();
        assertThat(server.hasLostCommands()).isFalse();
        assertThat(framesAtClient).hasSizeGreaterThan(steps / 2);
    }

    /** Each frame that the client had is the one that the server sent, changed. */
    private void assertFrames(UnaryOperator<FullSnapshot> change) {
        assertThat(framesAtClient)
                .allSatisfy(frame ->
                        assertThat(frame)
                                .isEqualTo(
                                        change.apply(
                                                requireNonNull(
                                                        sentFrames.get(frame.serverTime())))));
    }

    private void assertMoves(UnaryOperator<Usercmd> change) {
        assertThat(movesAtServer)
                .allSatisfy(move -> {
                    Usercmd usercmd = move.commands().getFirst();
                    assertThat(usercmd)
                            .isEqualTo(
                                    change.apply(
                                            requireNonNull(
                                                    sentUsercmds.get(usercmd.serverTime()))));
                });
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void passesEachPacketByteForByteIfNothingIsChanged(Protocol each) {
        protocol = each;
        open(PASS);
        run(200);
        assertThat(links.intoProxy).hasSizeGreaterThan(400);
        // The fragments of a message are sent when it is whole, in their order.
        assertThat(
                        links.outOfProxy.subList(
                                links.outOfProxy.size() - links.intoProxy.size(),
                                links.outOfProxy.size()))
                .isEqualTo(links.intoProxy);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void keepsSessionOnBadLinksIfNothingIsChanged(Protocol each) {
        protocol = each;
        links.faults(0.05);
        open(PASS);
        run(MINUTE);
        assertAlive(MINUTE);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
        assertMoves(UnaryOperator.identity());
        assertThat(links.problems).isEmpty();
    }

    private static Usercmd still(Usercmd c) {
        return new Usercmd(c.serverTime(), c.pitch(), c.yaw(), 0, 0, c.right(), 0, 0, c.weapon());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void encodesChangedUsercmdsWithServersKey(Protocol each) {
        protocol = each;
        links.faults(0.05);
        open((_, message) ->
                message instanceof Move move
                        ? List.of(
                                new Move(
                                        move.delta(),
                                        move.commands().stream()
                                                .map(Quake3ProxySessionTest::still)
                                                .toList()))
                        : List.of(message));
        run(MINUTE);
        assertAlive(MINUTE);
        assertMoves(Quake3ProxySessionTest::still);
        assertThat(atServer).isEqualTo(sentByClient);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(links.problems).isEmpty();
    }

    private static FullSnapshot frozen(FullSnapshot snapshot) {
        FullSnapshot changed =
                snapshot.withPlayer(snapshot.player().with(PlayerField.SPEED, 100))
                        .withoutEntity(5);
        EntityState two = snapshot.entities().get(2);
        return two == null
                ? changed
                : changed.withEntity(
                        2, two.with(EntityField.POS_TR_BASE_0, Float.floatToRawIntBits(12.5f)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void keepsChangeOfSnapshotsOverLostOnes(Protocol each) {
        protocol = each;
        links.faults(0.1);
        open((_, message) ->
                List.of(message instanceof FullSnapshot snapshot ? frozen(snapshot) : message));
        run(MINUTE);
        assertAlive(MINUTE);
        assertFrames(Quake3ProxySessionTest::frozen);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
    }

    @Test
    void keepsSessionIfSnapshotsAreChangedAndDroppedAtTimes() {
        links.faults(0.05);
        open((_, message) -> {
            if (!(message instanceof FullSnapshot snapshot)) {
                return List.of(message);
            }
            int turn = snapshot.serverTime() / 25 % 7;
            return turn == 0 ? List.of() : List.of(turn == 3 ? frozen(snapshot) : snapshot);
        });
        run(MINUTE);
        assertAlive(MINUTE);
        assertFrames(snapshot -> snapshot.serverTime() / 25 % 7 == 3 ? frozen(snapshot) : snapshot);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void numbersChangedCommandsOfBothDirectionsOnceAndInOrder(Protocol each) {
        protocol = each;
        links.faults(0.05);
        List<String> seen = new ArrayList<>();
        open((_, message) ->
                switch (message) {
                    case ServerCommand c -> {
                        seen.add(c.text());
                        yield ProxiedLinks.changed(c.text()).stream()
                                .<Quake3Message>map(text -> new ServerCommand(0, text))
                                .toList();
                    }
                    case ClientCommand c ->
                            ProxiedLinks.changed(c.text()).stream()
                                    .<Quake3Message>map(text -> new ClientCommand(0, text))
                                    .toList();
                    default -> List.of(message);
                });
        run(MINUTE);
        assertAlive(MINUTE);
        assertThat(seen).isEqualTo(sentByServer);
        assertThat(atClient).isEqualTo(ProxiedLinks.changed(sentByServer)).hasSizeGreaterThan(100);
        assertThat(atServer).isEqualTo(ProxiedLinks.changed(sentByClient)).hasSizeGreaterThan(100);
        assertFrames(UnaryOperator.identity());
        assertMoves(UnaryOperator.identity());
        assertThat(links.problems).isEmpty();
    }

    @Test
    void injectsCommandsAtAnyMessageOnceAndInOrder() {
        links.faults(0.05);
        List<String> toClients = new ArrayList<>();
        List<String> toServers = new ArrayList<>();
        open((_, message) -> {
            if (message instanceof FullSnapshot s && s.serverTime() % 1_000 == 0) {
                String text = "print \"at " + s.serverTime() + "\"";
                toClients.add(text);
                return List.of(message, new ServerCommand(0, text));
            }
            if (message instanceof Move m && m.commands().getLast().serverTime() % 1_000 == 0) {
                String text = "say at " + m.commands().getLast().serverTime();
                toServers.add(text);
                return List.of(new ClientCommand(0, text), message);
            }
            return List.of(message);
        });
        run(MINUTE);
        assertAlive(MINUTE);
        assertThat(atClient).containsAll(toClients).containsAll(sentByServer);
        assertThat(atClient).hasSize(toClients.size() + sentByServer.size());
        assertThat(atServer).containsAll(toServers).containsAll(sentByClient);
        assertThat(atServer).hasSize(toServers.size() + sentByClient.size());
        assertThat(atClient.stream().filter(sentByServer::contains).toList())
                .isEqualTo(sentByServer);
        assertThat(toServers).hasSizeGreaterThan(40);
        assertFrames(UnaryOperator.identity());
    }

    @Test
    void keepsCommandsOverSecondGamestate() {
        links.faults(0.05);
        open((_, message) ->
                message instanceof ServerCommand c
                        ? List.of(message, new ServerCommand(0, "extra " + c.text()))
                        : List.of(message));
        for (int i = 0; i < 400; i++) {
            step(i);
        }
        links.withoutFaults(() -> {
            for (int i = 400; i < 420; i++) {
                step(i);
            }
            gamestate();
        });
        framesAtClient.clear();
        run(400);
        assertThat(atClient)
                .isEqualTo(
                        sentByServer.stream()
                                .flatMap(text -> java.util.stream.Stream.of(text, "extra " + text))
                                .toList());
        assertThat(atServer).isEqualTo(sentByClient);
        assertMoves(UnaryOperator.identity());
        assertFrames(UnaryOperator.identity());
    }

    @Test
    @DisplayName("P11: an interceptor that throws, or returns what can't be sent")
    void passesMessagesOnIfInterceptorFails() {
        open((direction, message) -> {
            if (message instanceof Move) {
                throw new IllegalStateException("defect");
            }
            if (direction == Direction.S2C) {
                return List.of(new ClientCommand(0, "wrong way"));
            }
            return List.of(new ClientCommand(0, "x".repeat(2_000)));
        });
        run(100);
        assertAlive(100);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
        assertThat(links.problems).hasSize(1);
    }

    @Test
    @DisplayName("P12: an interceptor that injects without end")
    void injectsNoMoreThanReceiverAcknowledges() {
        open((direction, message) ->
                direction == Direction.S2C
                        ? List.of(message, new ServerCommand(0, "flood"))
                        : List.of(message));
        links.faults(0.5);
        run(400);
        assertThat(server.hasOverflowed()).isFalse();
        assertThat(atClient.stream().filter(text -> !text.equals("flood")).toList())
                .isEqualTo(sentByServer);
    }

    @Test
    @DisplayName("P13: noise, bombs and forged numbers in sessions that are intercepted")
    void passesNoiseOnUntilFirstChangeAndDropsItAfterwards() {
        // The others have no checksum: their clients take one of some thousand such packets.
        protocol = Protocol.IOQUAKE3_71;
        boolean[] changes = new boolean[1];
        open((_, message) ->
                changes[0] && message instanceof ServerCommand c
                        ? List.of(new ServerCommand(0, "changed " + c.text()))
                        : List.of(message));
        int before = links.outOfProxy.size();
        noise();
        assertThat(links.outOfProxy.size() - before).isEqualTo(2_000);
        changes[0] = true;
        run(100);
        assertThat(atClient).isNotEmpty().allMatch(text -> text.startsWith("changed "));
        before = links.outOfProxy.size();
        noise();
        assertThat(links.outOfProxy.size() - before).isZero();
        int commands = atServer.size();
        mayCommand = true;
        for (int i = 200; i < 300; i++) {
            step(i);
        }
        assertThat(atServer).hasSizeGreaterThan(commands);
        assertThat(server.hasLostCommands()).isFalse();
        assertFrames(UnaryOperator.identity());
    }

    /** Packets in band of random bytes, with numbers as those of the connection. */
    private void noise() {
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[6 + links.random.nextInt(1_394)];
            links.random.nextBytes(noise);
            int sequence = 1 + links.random.nextInt(400);
            noise[0] = (byte) sequence;
            noise[1] = (byte) (sequence >> 8);
            noise[2] = 0;
            noise[3] = 0;
            links.receive(Direction.values()[i % 2], noise);
        }
        links.dropSent();
    }
}
