package dev.wishdir.quake2.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxiedLinks;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.FrameHistory.Snapshot;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Both ends of a connection with a proxy between them, over links that lose packets. */
class Quake2ProxySessionTest {
    private static final int QPORT = 4711;

    /** 60 s at 30 packets per second. */
    private static final int MINUTE = 1_800;

    private static final Interceptor<Quake2Message> PASS = (_, message) -> List.of(message);

    private final ProxiedLinks links = new ProxiedLinks(this::onServer, this::onClient);
    private final Netchan client = Netchan.client(QPORT);
    private final Netchan server = Netchan.server();
    private final FrameHistory clientFrames = new FrameHistory();
    private final FrameHistory serverFrames = new FrameHistory(8_192);
    private boolean mayCommand = true;
    private int lastFrame = -1;
    private int acknowledgedFrame = -1;
    private int movesReceived;
    private int wrongChecksums;

    private final Deque<String> queuedByServer = new ArrayDeque<>();
    private final Deque<String> queuedByClient = new ArrayDeque<>();
    private final List<String> sentByServer = new ArrayList<>();
    private final List<String> sentByClient = new ArrayList<>();
    private final List<String> atClient = new ArrayList<>();
    private final List<String> atServer = new ArrayList<>();
    private final Map<Integer, FullFrame> sentFrames = new HashMap<>();
    private final List<FullFrame> framesAtClient = new ArrayList<>();
    private final List<Move> movesAtServer = new ArrayList<>();

    private void open(Interceptor<Quake2Message> interceptor) {
        links.open(new Quake2ProxyCodec().sessions(() -> interceptor));
        links.receiveOutOfBand(
                Direction.C2S, new OutOfBand("connect 34 4711 1 \"\\name\\x\"").packet());
        links.receiveOutOfBand(Direction.S2C, new OutOfBand("client_connect").packet());
        ServerMessage.SpawnBaseline baseline =
                new ServerMessage.SpawnBaseline(
                        EntityDelta.between(1, EntityState.ZERO, entity(1, 0), false));
        serverFrames.baseline(baseline.entity());
        queue(server, baseline);
        links.withoutFaults(() -> {
            links.sendFromServer(bytes(server.send()));
            links.deliver();
        });
    }

    private static byte[] bytes(Writer packet) {
        return Arrays.copyOf(packet.array(), packet.position());
    }

    private static boolean queue(Netchan netchan, Quake2Message message) {
        Writer w = new Writer(1_384);
        switch (message) {
            case ClientMessage m -> Quake2Codec.write(w, m);
            case ServerMessage m -> Quake2Codec.write(w, m);
            case FullFrame _ -> throw new AssertionError();
        }
        return w.position() <= netchan.room() && netchan.queue(w.array(), w.position());
    }

    private static FullFrame full(Frame frame, Snapshot snapshot) {
        SortedMap<Integer, EntityState> entities = new TreeMap<>();
        snapshot.entities().forEach(each -> entities.put(each.number(), each.state()));
        return new FullFrame(
                frame.number(), frame.suppressed(), frame.areaBits(), snapshot.player(), entities);
    }

    private void onClient(byte[] packet) {
        Reader reader = new Reader(packet);
        if (!client.receive(reader)) {
            return;
        }
        while (reader.remaining() > 0) {
            switch (Quake2Codec.readServer(reader)) {
                case Frame frame -> {
                    Snapshot snapshot = clientFrames.apply(frame);
                    if (snapshot.usable()) {
                        lastFrame = frame.number();
                        framesAtClient.add(full(frame, snapshot));
                    } else {
                        lastFrame = -1;
                    }
                }
                case ServerMessage.Print print -> atClient.add(print.text());
                case ServerMessage.SpawnBaseline b -> clientFrames.baseline(b.entity());
                default -> throw new AssertionError();
            }
        }
    }

    private void onServer(byte[] packet) {
        Reader reader = new Reader(packet);
        if (!server.receive(reader)) {
            return;
        }
        while (reader.remaining() > 0) {
            int from = reader.position();
            switch (Quake2Codec.readClient(reader)) {
                case Move move -> {
                    movesReceived++;
                    int length = reader.position() - from - 2;
                    if (move.checksum()
                            != MoveChecksum.of(packet, from + 2, length, server.incoming())) {
                        wrongChecksums++;
                    }
                    acknowledgedFrame = move.lastFrame();
                    movesAtServer.add(move);
                }
                case ClientMessage.StringCmd c -> atServer.add(c.text().value());
                default -> throw new AssertionError();
            }
        }
    }

    private static EntityState entity(int number, int at) {
        return new EntityState(
                255,
                0,
                0,
                0,
                at & 0xFF,
                number,
                0,
                0,
                new Triple(at * 3 + number, 10, 20),
                Triple.ZERO,
                new Triple(at * 3 + number, 10, 20),
                0,
                at % 17 == 0 ? 2 : 0,
                31);
    }

    private Frame frame(int i) {
        PlayerState player =
                PlayerState.ZERO
                        .teleported(new Triple(i, 2, 3), 0, Triple.ZERO, Triple.ZERO)
                        .pushed(new Triple(i % 7, 0, 0));
        SortedMap<Integer, EntityState> states = new TreeMap<>();
        for (int number = 1; number < 9; number++) {
            // They come and go, and stand still at times.
            if ((i / 50 + number) % 3 != 0) {
                states.put(number, entity(number, i / (number * 3)));
            }
        }
        int number = i + 1;
        boolean hasBase = acknowledgedFrame > 0 && number - acknowledgedFrame < 15;
        Frame base =
                new Frame(
                        number,
                        hasBase ? acknowledgedFrame : -1,
                        0,
                        Bytes.EMPTY,
                        Frame.BLANK.player(),
                        List.of());
        Snapshot from = serverFrames.base(base);
        Map<Integer, EntityState> before = new TreeMap<>();
        from.entities().forEach(each -> before.put(each.number(), each.state()));
        SortedMap<Integer, EntityDelta> deltas = new TreeMap<>();
        states.forEach((n, state) -> {
            EntityState old = before.remove(n);
            EntityDelta delta =
                    EntityDelta.between(
                            n, old == null ? serverFrames.baseline(n) : old, state, old == null);
            if (old == null || !delta.isEmpty()) {
                deltas.put(n, delta);
            }
        });
        before.keySet().forEach(n -> deltas.put(n, EntityDelta.removal(n)));
        return new Frame(
                number,
                base.delta(),
                0,
                Bytes.EMPTY,
                PlayerDelta.between(from.player(), player),
                List.copyOf(deltas.values()));
    }

    private void step(int i) {
        Frame frame = frame(i);
        sentFrames.put(frame.number(), full(frame, serverFrames.apply(frame)));
        if (mayCommand && links.random.nextInt(5) == 0) {
            queuedByServer.add("server " + sentByServer.size());
            sentByServer.add("server " + sentByServer.size());
        }
        while (!queuedByServer.isEmpty()
                && queue(server, new ServerMessage.Print(2, queuedByServer.element()))) {
            queuedByServer.remove();
        }
        Writer unreliable = new Writer(1_400);
        Quake2Codec.write(unreliable, frame);
        links.sendFromServer(bytes(server.send(unreliable.array(), unreliable.position())));
        if (mayCommand && links.random.nextInt(5) == 0) {
            queuedByClient.add("say " + sentByClient.size());
            sentByClient.add("say " + sentByClient.size());
        }
        while (!queuedByClient.isEmpty()
                && queue(client, new ClientMessage.StringCmd(queuedByClient.element()))) {
            queuedByClient.remove();
        }
        unreliable = new Writer(1_400);
        Quake2Codec.write(unreliable, Move.of(lastFrame, cmd(i - 2), cmd(i - 1), cmd(i)));
        unreliable.array()[1] =
                (byte)
                        MoveChecksum.of(
                                unreliable.array(),
                                2,
                                unreliable.position() - 2,
                                client.nextSequence());
        links.sendFromClient(bytes(client.send(unreliable.array(), unreliable.position())));
        links.deliver();
    }

    private static UserCmd cmd(int i) {
        return new UserCmd(new Triple(i & 0x7FFF, 1, 2), 300, i % 5, 0, 0, 0, 30, i & 0xFF);
    }

    private void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(i);
        }
        mayCommand = false;
        links.faults(0);
        for (int i = steps; i < steps + 60; i++) {
            step(i);
        }
        assertThat(client.overflowed() || server.overflowed()).isFalse();
        assertThat(movesReceived).isGreaterThan(steps / 2);
        assertThat(framesAtClient).hasSizeGreaterThan(steps / 2);
        assertThat(wrongChecksums).isZero();
    }

    private void assertFrames(UnaryOperator<FullFrame> change) {
        assertThat(framesAtClient)
                .allSatisfy(frame ->
                        assertThat(frame)
                                .isEqualTo(
                                        change.apply(
                                                requireNonNull(sentFrames.get(frame.number())))));
    }

    @Test
    void passesEachPacketByteForByteIfNothingIsChanged() {
        open(PASS);
        run(200);
        assertThat(links.intoProxy).hasSizeGreaterThan(400);
        assertThat(links.outOfProxy).isEqualTo(links.intoProxy);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
    }

    @Test
    void passesEachPacketOfBadLinksByteForByteIfNothingIsChanged() {
        links.faults(0.05);
        open(PASS);
        run(MINUTE);
        assertThat(links.outOfProxy).isEqualTo(links.intoProxy);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
        assertThat(links.problems).isEmpty();
    }

    private static UserCmd slow(UserCmd c) {
        return new UserCmd(
                c.angles(),
                c.forward(),
                c.side(),
                c.up(),
                c.buttons(),
                c.impulse(),
                c.msec() / 2,
                c.light());
    }

    @Test
    void computesChecksumOfChangedMoves() {
        links.faults(0.05);
        open((_, message) ->
                List.of(
                        message instanceof Move move
                                ? move.with(Quake2ProxySessionTest::slow)
                                : message));
        run(MINUTE);
        assertThat(movesAtServer)
                .allSatisfy(move -> {
                    assertThat(move.newest().cmd().msec()).isEqualTo(15);
                    assertThat(move.newest().cmd().forward()).isEqualTo(300);
                });
        assertThat(atServer).isEqualTo(sentByClient);
        assertThat(atClient).isEqualTo(sentByServer);
    }

    private static FullFrame frozen(FullFrame frame) {
        FullFrame changed =
                frame.withPlayer(frame.player().pushed(new Triple(-5, 0, 0))).withoutEntity(5);
        EntityState two = frame.entities().get(2);
        return two == null
                ? changed
                : changed.withEntity(
                        2,
                        new EntityState(
                                two.model(),
                                two.model2(),
                                two.model3(),
                                two.model4(),
                                two.frame(),
                                two.skin(),
                                two.effects(),
                                two.renderfx(),
                                new Triple(77, 7, 7),
                                two.angles(),
                                two.oldOrigin(),
                                two.sound(),
                                two.event(),
                                two.solid()));
    }

    @Test
    void keepsChangeOfFramesOverLostOnes() {
        links.faults(0.1);
        open((_, message) -> List.of(message instanceof FullFrame frame ? frozen(frame) : message));
        run(MINUTE);
        assertFrames(Quake2ProxySessionTest::frozen);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertThat(links.problems).isEmpty();
    }

    @Test
    void keepsSessionIfFramesAreChangedAndDroppedAtTimes() {
        links.faults(0.05);
        open((_, message) -> {
            if (!(message instanceof FullFrame frame)) {
                return List.of(message);
            }
            int turn = frame.number() % 7;
            return turn == 0 ? List.of() : List.of(turn == 3 ? frozen(frame) : frame);
        });
        run(MINUTE);
        assertFrames(frame -> frame.number() % 7 == 3 ? frozen(frame) : frame);
    }

    @Test
    void passesChangedReliableMessagesOfBothDirectionsOnceAndInOrder() {
        links.faults(0.05);
        List<String> seen = new ArrayList<>();
        open((_, message) ->
                switch (message) {
                    case ServerMessage.Print print -> {
                        seen.add(print.text());
                        yield ProxiedLinks.changed(print.text()).stream()
                                .<Quake2Message>map(text -> new ServerMessage.Print(2, text))
                                .toList();
                    }
                    case ClientMessage.StringCmd c ->
                            ProxiedLinks.changed(c.text().value()).stream()
                                    .<Quake2Message>map(ClientMessage.StringCmd::new)
                                    .toList();
                    default -> List.of(message);
                });
        run(MINUTE);
        assertThat(seen).isEqualTo(sentByServer);
        assertThat(atClient).isEqualTo(ProxiedLinks.changed(sentByServer)).hasSizeGreaterThan(100);
        assertThat(atServer).isEqualTo(ProxiedLinks.changed(sentByClient)).hasSizeGreaterThan(100);
        assertFrames(UnaryOperator.identity());
        assertThat(links.problems).isEmpty();
    }

    @Test
    void injectsReliableMessagesAtUnreliableOnesOnceAndInOrder() {
        links.faults(0.05);
        List<String> toClients = new ArrayList<>();
        List<String> toServers = new ArrayList<>();
        int[] moves = new int[1];
        open((_, message) -> {
            if (message instanceof FullFrame f && f.number() % 40 == 0) {
                toClients.add("at " + f.number());
                return List.of(message, new ServerMessage.Print(2, "at " + f.number()));
            }
            if (message instanceof Move && ++moves[0] % 40 == 0) {
                toServers.add("say at " + moves[0]);
                return List.of(new ClientMessage.StringCmd("say at " + moves[0]), message);
            }
            return List.of(message);
        });
        run(MINUTE);
        assertThat(toClients).hasSizeGreaterThan(30);
        assertThat(toServers).hasSizeGreaterThan(30);
        assertThat(atClient.stream().filter(text -> text.startsWith("at")).toList())
                .isEqualTo(toClients);
        assertThat(atServer.stream().filter(text -> text.startsWith("say at")).toList())
                .isEqualTo(toServers);
        assertThat(atClient.stream().filter(text -> !text.startsWith("at")).toList())
                .isEqualTo(sentByServer);
        assertThat(atServer.stream().filter(text -> !text.startsWith("say at")).toList())
                .isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
        assertThat(links.problems).isEmpty();
    }

    @Test
    @DisplayName("P11: an interceptor that throws, or returns what can't be sent")
    void passesMessagesOnIfInterceptorFails() {
        open((direction, message) -> {
            if (message instanceof Move) {
                throw new IllegalStateException("defect");
            }
            return direction == Direction.S2C
                    ? List.of(new ClientMessage.StringCmd("wrong way"))
                    : List.of(new ClientMessage.StringCmd("x".repeat(2_000)));
        });
        run(100);
        assertThat(atClient).isEqualTo(sentByServer);
        assertThat(atServer).isEqualTo(sentByClient);
        assertFrames(UnaryOperator.identity());
        assertThat(links.problems).hasSize(1);
    }

    @Test
    @DisplayName("P12: an interceptor that injects without end")
    void dropsInjectedMessagesBeyondBlock() {
        open((_, message) ->
                message instanceof FullFrame
                        ? List.of(message, new ServerMessage.Print(2, "x".repeat(300)))
                        : List.of(message));
        run(200);
        assertThat(atClient.stream().filter(text -> !text.startsWith("x")).toList())
                .isEqualTo(sentByServer);
        assertFrames(UnaryOperator.identity());
    }

    @Test
    @DisplayName("P13: noise and bombs in sessions that are changed")
    void passesNoiseOnUntilFirstChange() {
        open(PASS);
        run(40);
        int before = links.outOfProxy.size();
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[1 + links.random.nextInt(1_399)];
            links.random.nextBytes(noise);
            links.receive(Direction.values()[i % 2], noise);
        }
        assertThat(links.outOfProxy.size() - before).isEqualTo(2_000);
        assertThat(links.problems).isEmpty();
    }
}
