package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.cluster.ServerNode;
import dev.wishdir.app.cluster.SimulatedNode;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What a client receives of a player of its game at another node is what that player's own server
 * has of it, and what a client at that server receives: byte for byte, but for the player's number
 * and, in Sauerbraten, its life. In virtual time, as it is on the network.
 */
@Tag("slow")
class NativeBytesOfNodesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long STEP = 5 * MILLI;
    private static final long JOIN_NANOS = 6 * SECOND;
    private static final int RESTS = 6;
    private static final int TURNS = 10;
    private static final String MOVER = "mover";
    private static final String MOVER_ADDRESS = "127.0.0.2";
    private static final String WATCHER_ADDRESS = "127.0.0.3";
    private static final int SAUERBRATEN_LIFE = 8;
    private static final int QUAKE2_SLOT = 0xFF;

    private final Random random = new Random(11);
    private final MemoryBroker broker = new MemoryBroker(11);
    private final List<TestNode> nodes = new ArrayList<>();
    private PlayerInput input = PlayerInput.look(0, 0);

    /** A server of all four games. */
    private final class TestNode {
        final SimulatedNetwork network = new SimulatedNetwork(11);
        final FourGames server;
        final ServerNode node;
        final List<TestClient> clients = new ArrayList<>();

        TestNode() throws IOException {
            server = new FourGames(network, random, 8);
            node =
                    SimulatedNode.join(
                            server,
                            broker.connect(),
                            new NodeSettings("arena", "", ""),
                            new Random(nodes.size()));
            nodes.add(this);
        }

        /** A client joins, whose datagrams are looked at. */
        Sight join(Game game, String address, String name) throws IOException {
            Sight sight =
                    game.name().equals("quake2") && !name.equals(MOVER)
                            ? new Quake2Sight()
                            : new Sight(game, server.keys());
            network.tap((now, from, to, data) -> {
                boolean isSent = from.getAddress().getHostAddress().equals(address);
                if (isSent || to.getAddress().getHostAddress().equals(address)) {
                    sight.add(now, isSent ? Direction.C2S : Direction.S2C, from, to, data);
                }
            });
            PlayerInput still = PlayerInput.look(0, 0);
            clients.add(
                    server.guest(
                            game, address, name, "", (_, _) -> name.equals(MOVER) ? input : still));
            return sight;
        }

        void step() {
            network.run(STEP);
            node.advance(network.now());
        }
    }

    /** What the datagrams of one client say of the body of the player that moves. */
    private static class Sight {
        private final Dissector dissector;
        private long frame;

        /** All that it was, in the form of {@link #withoutNumbers}. */
        final List<Object> seen = new ArrayList<>();

        Sight(Game game, List<String> keys) {
            CapturedPlayers players =
                    new CapturedPlayers(event -> {
                        if (event instanceof ArenaEvent.OfPlayer of
                                && of.player().name().equals(MOVER)
                                && of.player().spawned()
                                && !of.player().nativeMovement().form().isEmpty()) {
                            seen.add(withoutNumbers(of.player().nativeMovement()));
                        }
                    });
            players.start(0);
            dissector = game.movementDissector(players, keys);
        }

        void add(
                long now,
                Direction direction,
                InetSocketAddress from,
                InetSocketAddress to,
                byte[] data) {
            Datagram datagram = new Datagram(++frame, now / 1e9, from, to, Bytes.of(data));
            dissector.recognise(datagram);
            dissector.datagram(
                    datagram,
                    direction,
                    line -> {
                        throw new AssertionError(line.toString());
                    });
        }

        /** Of what it was while the body moved, what a movement of its own server gives. */
        List<Object> places() {
            return seen;
        }
    }

    /** The whole entity, in frames that are deltas of one another. */
    private static final class Quake2Sight extends Sight {
        private final FrameHistory history = new FrameHistory();
        private int slot = -1;

        Quake2Sight() {
            super(FourGames.game("quake2"), List.of());
        }

        @Override
        void add(
                long now,
                Direction direction,
                InetSocketAddress from,
                InetSocketAddress to,
                byte[] data) {
            Reader r = new Reader(data);
            if (direction == Direction.C2S || OutOfBand.of(data).isPresent()) {
                return;
            }
            NetchanHeader.wire(r, NetchanHeader.FROM_SERVER);
            while (r.remaining() > 0) {
                switch (Quake2Codec.readServer(r)) {
                    case ServerMessage.ServerData _ -> history.reset();
                    case ServerMessage.SpawnBaseline baseline ->
                            history.baseline(baseline.entity());
                    case ServerMessage.ConfigString string
                            when string.text().startsWith(MOVER + "\\") ->
                            slot = string.index() - ServerMessage.ConfigString.SKINS;
                    case Frame frame -> history.apply(frame).entity(slot + 1).ifPresent(this::see);
                    default -> {}
                }
            }
        }

        private void see(EntityState state) {
            assertThat(state.skin() & QUAKE2_SLOT).isEqualTo(slot);
            seen.add(
                    new EntityState(
                            state.model(),
                            state.model2(),
                            state.model3(),
                            state.model4(),
                            state.frame(),
                            state.skin() & ~QUAKE2_SLOT,
                            state.effects(),
                            state.renderfx(),
                            state.origin(),
                            state.angles(),
                            state.oldOrigin(),
                            state.sound(),
                            state.event(),
                            state.solid()));
        }

        @Override
        List<Object> places() {
            return seen.stream()
                    .map(EntityState.class::cast)
                    .<Object>map(state -> new Quake2Place(state.origin(), state.angles()))
                    .toList();
        }
    }

    /** What others see of a movement in Quake II, besides animations. */
    private record Quake2Place(Triple origin, Triple angles) {
        static Quake2Place of(PlayerState state) {
            Movement movement = Quake2Motion.toCanonical(state);
            return new Quake2Place(
                    state.origin(),
                    new Triple(
                            Quake2Motion.angle8(-movement.pitch() / 3),
                            Quake2Motion.angle8(movement.yaw()),
                            0));
        }
    }

    /** A movement without what each server and client numbers by itself. */
    private static Object withoutNumbers(NativeMovement movement) {
        return switch (movement.form().substring(0, movement.form().indexOf('/'))) {
            case "sauerbraten" -> {
                byte[] bytes = movement.bytes().toArray();
                bytes[1] = 0;
                bytes[2] &= ~SAUERBRATEN_LIFE;
                yield Bytes.wrap(bytes);
            }
            case "quake2" -> Quake2Place.of(Quake2Movement.in(movement).orElseThrow());
            case "quake3" ->
                    Quake3Movement.state(movement).orElseThrow().with(EntityField.CLIENT_NUM, 0);
            default -> ((MovePlayer) BedrockCodec.V748.read(new Reader(movement.bytes()))).of(0);
        };
    }

    static List<Game> games() {
        return FourGames.ALL;
    }

    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += STEP) {
            broker.advance(STEP);
            nodes.forEach(TestNode::step);
        }
    }

    @AfterEach
    void close() {
        for (TestNode each : nodes) {
            assertThat(each.server.laws().broken()).isEmpty();
            each.server.close();
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void passesOnNativeBytesToOtherNode(Game game) throws IOException {
        TestNode near = new TestNode();
        TestNode far = new TestNode();
        Set<Object> made = new HashSet<>();
        near.server
                .arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.OfPlayer of
                            && of.player().name().equals(MOVER)
                            && !of.player().nativeMovement().form().isEmpty()) {
                        made.add(withoutNumbers(of.player().nativeMovement()));
                    }
                });
        Sight besides = near.join(game, WATCHER_ADDRESS, "near");
        Sight beyond = far.join(game, WATCHER_ADDRESS, "far");
        run(JOIN_NANOS);
        // After the others, as it must not be within the body of one, which would not be solid.
        Sight own = near.join(game, MOVER_ADDRESS, MOVER);
        run(JOIN_NANOS);
        assertThat(near.clients).hasSize(2).allMatch(TestClient::in);
        assertThat(far.clients).hasSize(1).allMatch(TestClient::in);
        Set<Object> rests = new HashSet<>();
        int began = beyond.seen.size();
        int beganBesides = besides.seen.size();
        for (int i = 0; i < RESTS; i++) {
            for (int turn = 0; turn < TURNS; turn++) {
                input =
                        PlayerInput.walk(
                                random.nextInt(360), random.nextInt(360), random.nextInt(-80, 80));
                run(50 * MILLI);
            }
            input = PlayerInput.look(random.nextInt(360), random.nextInt(-80, 80));
            run(SECOND);
            assertThat(beyond.seen.getLast()).as("at rest").isEqualTo(besides.seen.getLast());
            rests.add(beyond.seen.getLast());
        }
        assertThat(rests).hasSize(RESTS);
        List<Object> moves = beyond.places().subList(began, beyond.seen.size());
        assertThat(new HashSet<>(moves)).hasSizeGreaterThan(5 * RESTS);
        assertThat(made).containsAll(moves);
        switch (game.name()) {
            // Its frames are ten samples a second of what moves.
            case "quake2" -> {}
            case "quake3" -> assertThat(moves).isEqualTo(since(besides, beganBesides));
            default -> {
                assertThat(moves).isEqualTo(since(besides, beganBesides));
                assertThat(own.seen).as("what its client sent").containsAll(moves);
            }
        }
    }

    private static List<Object> since(Sight sight, int began) {
        return sight.seen.subList(began, sight.seen.size());
    }
}
