package dev.wishdir.sauerbraten.client;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenNode;
import dev.wishdir.sauerbraten.server.SauerbratenEndpoint;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The headless client against a server that says just what a test wants, and against ours. */
class SauerbratenClientTest {
    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = SauerbratenNode.server(network);

    private final RecordingClientListener told = new RecordingClientListener();
    private Map<String, String> options = Map.of();

    private SauerbratenClient client(
            InetSocketAddress to,
            String name,
            String password,
            BotController controller,
            RecordingClientListener listener) {
        try {
            return SauerbratenClient.connect(
                    ClientConfig.builder(network.cycle(), to)
                            .name(name)
                            .password(password)
                            .options(options)
                            .controller(controller)
                            .listener(listener)
                            .random(new Random(name.hashCode()))
                            .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SauerbratenClient connected(String password) {
        SauerbratenClient client =
                client(
                        server.socket.local(),
                        "bot",
                        password,
                        (_, _) -> PlayerInput.walk(0, 0, 0),
                        told);
        network.runUntil(() -> !server.connected.isEmpty(), SECOND);
        return client;
    }

    private void say(int channel, SauerbratenMessage... messages) {
        server.connected.getLast().send(channel, CODEC.packet(messages), true);
        server.wake();
        network.run(50 * MILLI);
    }

    private <M> List<M> heard(Class<M> type) {
        return server.received.stream()
                .flatMap(m ->
                        CODEC
                                .readPacket(Direction.C2S, m.channel(), new Reader(m.payload()))
                                .stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static State state(int lifeseq) {
        return new State(lifeseq, 100, 100, 25, 0, 6, List.of(0, 0, 0, 0, 1, 40));
    }

    private SauerbratenClient joined() {
        SauerbratenClient client = connected("");
        say(1, new SessionMessage.ServInfo(3, 260, 77, false, "test", ""));
        say(
                1,
                new SessionMessage.Welcome(),
                new MatchMessage.MapChange("box", 0, true),
                new RosterMessage.SetTeam(3, "good", -1),
                new LifeMessage.SpawnState(3, state(5)));
        return client;
    }

    @Test
    void joinsAndSpawnsLikeOriginal() {
        SauerbratenClient client = connected("sekrit");
        assertThat(client.id()).isEqualTo(-1);
        say(1, new SessionMessage.ServInfo(0, 260, 9596616, true, "test", ""));
        SessionMessage.Connect connect = heard(SessionMessage.Connect.class).getFirst();
        assertThat(connect.name()).isEqualTo("bot");
        assertThat(connect.model()).isBetween(0, 5);
        assertThat(connect.pwdhash()).isEqualTo("db114c8ababd3cb6087642f96f11d0f79ab2a9289f159611");
        // A server that has not let a client in takes nothing but its N_PING besides.
        assertThat(server.received)
                .allMatch(m -> m.payload().get(0) == 0 || m.payload().get(0) == 30);
        assertThat(client.joined()).isFalse();

        say(
                1,
                new SessionMessage.Welcome(),
                new MatchMessage.MapChange("box", 0, true),
                new LifeMessage.SpawnState(0, state(5)));
        assertThat(told.events).containsExactly("joined");
        assertThat(client.joined()).isTrue();
        assertThat(heard(MatchMessage.MapCrc.class))
                .as("others would be compared with it")
                .isEmpty();
        assertThat(heard(ItemMessage.ItemList.class))
                .as("nothing would lie there for all")
                .isEmpty();
        assertThat(heard(LifeMessage.ClientSpawn.class))
                .containsExactly(new LifeMessage.ClientSpawn(5, 6));
    }

    @Test
    void sendsChecksumOfItsMap(@TempDir Path folder) throws IOException {
        Ogz box = OgzCompiler.build(ArenaCatalog.FLAT);
        Path file = folder.resolve("box.ogz");
        Files.write(file, box.file().toArray());
        options = Map.of(MapFile.OPTION, file.toString());
        joined();
        assertThat(heard(MatchMessage.MapCrc.class))
                .containsExactly(new MatchMessage.MapCrc("box", box.crc()));
        say(
                1,
                new MatchMessage.MapChange("other", 0, false),
                new MatchMessage.MapChange("", 1, false));
        assertThat(heard(MatchMessage.MapCrc.class).getLast())
                .isEqualTo(new MatchMessage.MapCrc("", 0));
        assertThat(heard(MatchMessage.MapCrc.class)).hasSize(2);
        Files.writeString(file, "no map");
        assertThatThrownBy(() -> connected(""))
                .hasMessageContaining("box.ogz can't be read as a Sauerbraten map");
    }

    @Test
    void sendsPositionsAtThirtyHertzUnderGameSpeed() {
        SauerbratenClient client = joined();
        server.received.clear();
        Vec3 start = client.movement().position();
        network.run(2 * SECOND);
        List<Pos> positions = heard(Pos.class);
        assertThat(positions).hasSizeBetween(59, 61);
        assertThat(positions).allMatch(p -> p.cn() == 3 && p.lifeseq() == 1 && p.rawvel() <= 130);
        assertThat(positions.getLast().move()).isEqualTo(1);
        assertThat(client.movement().position().x() - start.x()).isBetween(20.0, 33.0);
        assertThat(server.received).filteredOn(m -> m.channel() == 0).allMatch(m -> !m.reliable());
        assertThat(heard(SessionMessage.Ping.class)).hasSizeBetween(7, 9);
    }

    @ParameterizedTest
    @CsvSource({
        "0, REFUSED the server closed the connection",
        "2, REFUSED the server is in local mode and accepts no clients",
        "3, REFUSED kicked or banned by the server",
        "5, REFUSED the server has banned this address",
        "6, REFUSED the server is private",
        "7, REFUSED the server is full",
        "10, REFUSED the server asks for a password",
        "99, REFUSED the server disconnected with unknown reason 99",
    })
    void reportsOneReasonOfRefusal(int code, String expected) {
        connected("");
        server.connected.getLast().disconnect(code);
        server.wake();
        network.run(SECOND);
        assertThat(told.events).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "dom, 'the server did not accept the key ada of dom'",
        "other, 'the server asks for a password'"
    })
    void reportsRefusedKey(String domain, String expected, @TempDir Path folder)
            throws IOException {
        Path keys = folder.resolve("auth.cfg");
        Files.writeString(
                keys, "authkey ada 3f1b341a399e641b29a29694147df8fca399c1083008e847 dom\n");
        options = Map.of(PlayerKeys.OPTION, keys.toString());
        connected("");
        say(1, new SessionMessage.ServInfo(3, 260, 5, true, "", domain));
        server.connected.getLast().disconnect(10);
        server.wake();
        network.run(SECOND);
        assertThat(told.events).containsExactly("REFUSED " + expected);
    }

    @Test
    void distinguishesWrongFromMissingPassword() {
        connected("guess");
        server.connected.getLast().disconnect(DisconnectReason.PASSWORD.code());
        server.wake();
        network.run(SECOND);
        assertThat(told.events).containsExactly("REFUSED the server did not accept the password");
    }

    @Test
    void reportsServerTextOfFullServer() {
        connected("");
        say(1, new ChatMessage.ServMsg("too many players of your address are here"));
        server.connected.getLast().disconnect(7);
        server.wake();
        network.run(SECOND);
        assertThat(told.events.getLast())
                .isEqualTo("REFUSED too many players of your address are here");
    }

    @Test
    void refusesAnotherProtocol() {
        connected("");
        say(1, new SessionMessage.ServInfo(0, 261, 1, false, "test", ""));
        network.run(SECOND);
        assertThat(told.events)
                .containsExactly(
                        "REFUSED the server speaks protocol 261, this client supports 260 and 259");
        assertThat(server.ended).hasSize(1);
    }

    @Test
    void timesOutWithoutServer() {
        client(
                EnetNode.address("10.7.7.7:28785"),
                "bot",
                "",
                (_, _) -> PlayerInput.look(0, 0),
                told);
        network.run(60 * SECOND);
        assertThat(told.events)
                .containsExactly("TIMED_OUT 10.7.7.7:28785 did not let the client in within 30 s");
    }

    @Test
    void timesOutOnSilentServer() {
        joined();
        server.socket.close();
        network.run(60 * SECOND);
        assertThat(told.events.getLast()).isEqualTo("TIMED_OUT 10.0.0.1:28785 fell silent");
    }

    @Test
    void endsConnectionOnForeignBytes() {
        joined();
        server.connected.getLast().send(1, Bytes.ofHex("7f"), true);
        server.wake();
        network.run(SECOND);
        assertThat(told.events.getLast())
                .startsWith("PROTOCOL_ERROR the server sent a malformed message");
        assertThat(server.ended.getLast().data()).isEqualTo(DisconnectReason.MESSAGE_ERROR.code());
    }

    @Test
    void leavesWithoutReason() {
        SauerbratenClient client = joined();
        client.say("bye");
        client.close();
        network.run(SECOND);
        assertThat(told.events).containsExactly("joined", "LEFT left");
        assertThat(heard(ChatMessage.Text.class)).containsExactly(new ChatMessage.Text("bye"));
        assertThat(server.ended)
                .containsExactly(
                        new EnetNode.Ended(
                                server.connected.getLast(), 0, EnetDisconnectReason.REMOTE));
    }

    @Test
    void leavesEvenIfServerIsGone() {
        SauerbratenClient client = joined();
        server.socket.close();
        client.close();
        network.run(3 * SECOND);
        assertThat(told.events).containsExactly("joined", "LEFT left");
    }

    @Test
    void reportsKickReason() {
        joined();
        server.connected.getLast().disconnect(DisconnectReason.KICKED.code());
        server.wake();
        network.run(SECOND);
        assertThat(told.events.getLast()).isEqualTo("KICKED kicked or banned by the server");
    }

    @Test
    void respawnsAfterDeathAndMapChange() {
        joined();
        say(1, new LifeMessage.Died(3, 3, 0, 0));
        server.received.clear();
        network.run(900 * MILLI);
        assertThat(heard(Pos.class)).isEmpty();
        network.run(SECOND);
        assertThat(heard(LifeMessage.TrySpawn.class)).isNotEmpty();
        say(1, new LifeMessage.SpawnState(3, state(6)));
        assertThat(heard(LifeMessage.ClientSpawn.class))
                .containsExactly(new LifeMessage.ClientSpawn(6, 6));
        network.run(SECOND);
        assertThat(heard(Pos.class)).hasSizeGreaterThan(25).allMatch(p -> p.lifeseq() == 0);

        server.received.clear();
        say(
                1,
                new MatchMessage.MapChange("other", 1, false),
                new LifeMessage.SpawnState(3, state(7)));
        network.run(SECOND);
        assertThat(heard(MatchMessage.MapCrc.class)).isEmpty();
        assertThat(heard(Pos.class)).hasSizeGreaterThan(25).allMatch(p -> p.lifeseq() == 1);
        assertThat(told.events).containsExactly("joined");
    }

    private static Pos at(int cn, int lifeseq, int x) {
        Movement movement = Movement.at(new Vec3(x, 2, 0), 90);
        return SauerbratenMotion.CENTERED.toNative(movement, cn, lifeseq);
    }

    private static RelayMessage.Client from(int cn, SauerbratenMessage... messages) {
        return new RelayMessage.Client(cn, CODEC.packet(messages));
    }

    @Test
    void seesOthersOnlyInPresentLife() {
        SauerbratenClient client = joined();
        say(
                1,
                new LifeMessage.Resume(
                        List.of(
                                new LifeMessage.Score(0, 0, 0, 0, 0, 0, state(8)),
                                new LifeMessage.Score(1, 1, 0, 0, 0, 0, state(8)))),
                new RosterMessage.InitClient(0, "alive", "good", 0),
                new RosterMessage.InitClient(1, "dead", "good", 0));
        say(0, at(0, 8, 1), at(1, 8, 1), at(3, 5, 1), at(9, 0, 1));
        assertThat(told.events).containsExactly("joined", "appeared alive");
        say(0, at(0, 9, 5));
        assertThat(told.moves).isEmpty();
        say(0, at(0, 8, 2));
        assertThat(told.moves).hasSize(1);
        Client.RemotePlayer remote = client.others().iterator().next();
        assertThat(remote).isEqualTo(told.moves.getFirst());
        assertThat(remote.movement().position()).isEqualTo(new Vec3(2, 2, 0));
        assertThat(remote.movement().yaw()).isEqualTo(90);

        say(1, from(1, new LifeMessage.Spawn(state(9)), new ChatMessage.Text("hi \f3all")));
        say(0, at(1, 9, 1));
        say(1, from(0, new RosterMessage.SwitchName("new")), new LifeMessage.Died(0, 1, 1, 0));
        say(1, new RosterMessage.CDis(1), new ChatMessage.ServMsg("\f2welcome"));
        assertThat(told.events)
                .containsExactly(
                        "joined",
                        "appeared alive",
                        "dead: hi all",
                        "appeared dead",
                        "vanished new",
                        "vanished dead",
                        ": welcome");
        assertThat(client.others()).isEmpty();
    }

    @Test
    void forgetsBodiesOnMapChange() {
        joined();
        say(
                1,
                new RosterMessage.InitClient(0, "other", "good", 0),
                from(0, new LifeMessage.Spawn(state(1))));
        say(0, at(0, 1, 1));
        say(1, new MatchMessage.MapChange("next", 1, false));
        say(0, at(0, 1, 2));
        assertThat(told.events).containsExactly("joined", "appeared other", "vanished other");
    }

    @Test
    void meetsOnOurServerDespiteLoss() throws IOException {
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 40);
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.2:28785"), arena)
                                .name("test")
                                .random(new Random(9))
                                .build());
        network.conditions(new Conditions(0.1, 0.05, 20 * MILLI, 20 * MILLI));
        RecordingClientListener watcher = new RecordingClientListener();
        client(endpoint.address(), "watcher", "", (_, _) -> PlayerInput.look(0, 0), watcher);
        SauerbratenClient walker =
                client(
                        endpoint.address(),
                        "walker",
                        "",
                        (_, self) -> PlayerInput.walk(90, 90, 0),
                        told);
        network.run(10 * SECOND);
        assertThat(watcher.events)
                .filteredOn(event -> !event.startsWith(": "))
                .containsExactlyInAnyOrder("joined", "appeared walker");
        assertThat(watcher.moves).as("at a wall five a second").hasSizeGreaterThan(50);
        double before = 0;
        for (Client.RemotePlayer remote : watcher.moves) {
            double y = remote.movement().position().y();
            assertThat(y).isGreaterThanOrEqualTo(before == 0 ? y : before);
            before = y;
        }
        walker.say("hello");
        walker.close();
        network.run(5 * SECOND);
        assertThat(watcher.events).endsWith("walker: hello", "vanished walker");
        assertThat(told.events.getLast()).isEqualTo("LEFT left");
    }

    @Test
    void movesBodyAsTheGameDoes() {
        SauerbratenBody body = new SauerbratenBody(ArenaCatalog.FLAT.space());
        body.place(new Vec3(-20, 0, 0), 0);
        PlayerInput forward = PlayerInput.walk(0, 0, 0);
        // Captured, units a second: 47 after 66 ms, 96 after 165 ms, 127 after 430 ms; the original
        // takes a key into account with its next frame, 16 ms later.
        double[] millis = {50, 100, 265, 570};
        double[] speeds = {47, 96, 127, 130};
        for (int i = 0; i < millis.length; i++) {
            body.move(millis[i] / 1000, forward);
            assertThat(body.movement().velocity().x() * 8).isCloseTo(speeds[i], within(2.0));
        }
        body.move(0.005, new PlayerInput(0, 0, 1, 0, true, false));
        double apex = 0;
        int steps = 1;
        for (; !body.movement().stance().onGround(); steps++) {
            apex = Math.max(apex, body.movement().position().z() * 8);
            body.move(0.005, forward);
        }
        assertThat(apex).isBetween(18.5, 21.5);
        assertThat(steps * 5).isBetween(690, 750);
        for (int i = 0; i < 100; i++) {
            body.move(0.2, forward);
        }
        assertThat(ArenaCatalog.FLAT.bounds().max().x() - body.movement().position().x())
                .isBetween(0.4, 0.6);
    }
}
