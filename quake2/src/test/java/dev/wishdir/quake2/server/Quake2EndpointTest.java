package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ServerMessage.Inventory;
import dev.wishdir.quake2.message.ServerMessage.Layout;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.server.view.PlayerNumbers;
import dev.wishdir.quake2.server.view.Skins;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Our clients on our server, in virtual time. */
@Tag("slow")
class Quake2EndpointTest {
    static final long SECOND = 1_000_000_000L;

    final SimulatedNetwork network = new SimulatedNetwork(1);
    final Arena arena = new Arena(Level.BOX, 300);
    final Counters counters = new Counters();

    /** All clients here are of one address. */
    final AddressLimits addressLimits =
            new AddressLimits(
                    8,
                    List.of(AddressRange.parse("127.0.0.1")),
                    new AmplificationLimiter(1 << 20, 1 << 20, 1 << 20, 1),
                    1);

    final DutyCycle cycle = network.cycle();
    int longest;
    Quake2Endpoint endpoint;

    @BeforeEach
    void serve() throws IOException {
        cycle.add(arena::advance);
        endpoint = serve("", Optional.empty());
        network.tap((now, from, to, data) -> longest = Math.max(longest, data.length));
    }

    private final HttpDownloads httpDownloads = new HttpDownloads();

    Quake2Endpoint serve(String map, Optional<Path> folder) throws IOException {
        return serve(map, folder, Quake2Endpoint.MAX_FRAMES_PER_SECOND);
    }

    private Quake2Endpoint serve(String map, Optional<Path> folder, int maxFrames)
            throws IOException {
        return Quake2Endpoint.open(
                EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                        .name("A server of many")
                        .map(map)
                        .maxPlayers(16)
                        .adminPassword("secret")
                        .addressLimits(addressLimits)
                        .counters(counters)
                        .httpDownloads(httpDownloads)
                        .random(new Random(2))
                        .build(),
                new Quake2MapCatalog(folder),
                maxFrames);
    }

    ClientConfig joining(String name, BotController controller, ClientListener listener) {
        return ClientConfig.builder(network.cycle(), endpoint.address())
                .name(name)
                .controller(controller)
                .listener(listener)
                .random(new Random(name.hashCode()))
                .build();
    }

    Quake2Client join(String name, BotController controller, ClientListener listener)
            throws IOException {
        Quake2Client client = Quake2Client.connect(joining(name, controller, listener));
        assertThat(network.runUntil(client::joined, 10 * SECOND)).as("%s joins", name).isTrue();
        return client;
    }

    static BotController.PlayerInput still(long now, Movement self) {
        return BotController.PlayerInput.look(0, 0);
    }

    @Test
    void showsTwoClientsToEachOther() throws IOException {
        RecordingClientListener toA = new RecordingClientListener();
        RecordingClientListener toB = new RecordingClientListener();
        Quake2Client a = join("anna", Quake2EndpointTest::still, toA);
        Quake2Client b = join("bert", (_, _) -> BotController.PlayerInput.walk(90, 45, 10), toB);
        network.run(3 * SECOND);
        assertThat(toA.events).contains("joined", "appeared bert");
        assertThat(toB.events).contains("joined", "appeared anna");
        assertThat(a.others()).extracting(Client.RemotePlayer::name).containsExactly("bert");
        Client.RemotePlayer remote = toA.moves.getLast();
        assertThat(remote.movement().position().distance(b.movement().position())).isLessThan(0.05);
        assertThat(remote.movement().yaw()).isBetween(44.0, 46.0);
        assertThat(remote.movement().pitch()).isBetween(7.0, 13.0);
        double ran =
                toA.moves.getLast().movement().position().y()
                        - toA.moves.getFirst().movement().position().y();
        assertThat(ran).isGreaterThan(15);
        assertThat(a.movement().stance().onGround()).isTrue();
        a.say("hello there");
        network.run(SECOND);
        assertThat(toB.events).contains("anna: hello there");
        assertThat(toA.events).contains("anna: hello there");
        b.close();
        network.run(SECOND);
        assertThat(toB.events).last().isEqualTo("LEFT left the server");
        assertThat(toA.events).contains("vanished bert");
        assertThat(arena.players()).extracting(Player::name).containsExactly("anna");
        assertThat(longest).isLessThanOrEqualTo(1400);
    }

    @Test
    void showsPlayerOfAnotherGame() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        join("anna", Quake2EndpointTest::still, told);
        ArenaPlayer guest =
                arena.join(network.now(), "sauerbraten", "Gäst 東京 ]\\x\"", new NoOpViewer());
        guest.spawn(network.now(), Movement.at(new Vec3(3, 4, 0), 90));
        network.run(SECOND / 2);
        guest.move(network.now(), Movement.at(new Vec3(5, 4, 0), 90), NativeMovement.Stored.NONE);
        guest.say(network.now(), "héllo 東");
        network.run(SECOND);
        assertThat(told.events).contains("appeared [S] Gast ~ ]/x'", "[S] Gast ~ ]/x': hello ?");
        assertThat(told.moves.getLast().movement().position().distance(new Vec3(5, 4, 0)))
                .isLessThan(0.01);
        guest.leave(network.now(), LeaveReason.LEFT);
        network.run(SECOND);
        assertThat(told.events).contains("vanished [S] Gast ~ ]/x'");
    }

    /** Nothing of the body is needed for it: a player joins without one. */
    @Test
    void announcesJoinAndLeaveOfAllGames() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        join("anna", Quake2EndpointTest::still, told);
        Map<String, String> names =
                Map.of(
                        "sauerbraten", "[S] guest",
                        "quake2", "guest",
                        "quake3", "[Q3] guest",
                        "bedrock", "[B] guest");
        for (String game : names.keySet()) {
            told.events.clear();
            ArenaPlayer guest = arena.join(network.now(), game, "guest", new NoOpViewer());
            network.run(SECOND);
            guest.spawn(network.now(), Movement.at(new Vec3(3, 4, 0), 90));
            network.run(SECOND);
            guest.leave(network.now(), LeaveReason.LEFT);
            network.run(SECOND);
            String name = names.get(game);
            assertThat(told.events.stream().filter(event -> event.contains("guest")))
                    .containsExactly(
                            ": " + name + " entered the game",
                            "appeared " + name,
                            ": " + name + " left the game",
                            "vanished " + name);
        }
    }

    @Test
    void givesForeignPlayersTheirSkins() throws IOException {
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        for (String name : List.of("one", "two")) {
            arena.join(network.now(), "bedrock", name, new NoOpViewer());
        }
        network.run(SECOND);
        assertThat(endpoint.configString(1312)).isEqualTo("anna\\male/grunt");
        assertThat(endpoint.configString(1313))
                .isEqualTo("[B] one\\" + Skins.of("bedrock", "one"))
                .contains("cyborg/");
        assertThat(endpoint.configString(1314)).isEqualTo("[B] two\\" + Skins.of("bedrock", "two"));
    }

    @Test
    void kicksForeignPlayersByNameAndNumber() throws IOException {
        Asker asker = asker();
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        for (String whom : List.of("GUEST \"1\"", "guest '1'", "#4")) {
            RecordingViewer guest = new RecordingViewer();
            ArenaPlayer id = arena.join(network.now(), "bedrock", "guest \"1\"", guest);
            network.run(SECOND);
            String answer = asker.ask("rcon secret kick " + whom);
            assertThat(answer).isEqualTo("print\nguest \"1\" was kicked.\n");
            assertThat(guest.events)
                    .anySatisfy(event ->
                            assertThat(event)
                                    .isInstanceOfSatisfying(
                                            ArenaEvent.KickRequested.class,
                                            kick ->
                                                    assertThat(kick.reason().text())
                                                            .isEqualTo("You were kicked.")));
            id.leave(network.now(), new LeaveReason(LeaveReason.Code.KICKED, "You were kicked."));
            network.run(SECOND);
        }
    }

    @Test
    void showsPingsOfAllAndReportsThoseOfClients() throws IOException {
        network.conditions(new SimulatedNetwork.Conditions(0, 0, 40_000_000, 0));
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        ArenaPlayer guest = arena.join(network.now(), "bedrock", "guest", new NoOpViewer());
        guest.setPing(123);
        network.run(3 * SECOND);
        int anna = arena.players().getFirst().ping();
        assertThat(anna).isBetween(80, 110);
        String status = asker().ask("status", SECOND);
        assertThat(status).contains("\n0 " + anna + " \"anna\"\n0 123 \"[B] guest\"\n");
    }

    @Test
    void marksWhispers() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        join("anna", Quake2EndpointTest::still, told);
        join("bert", Quake2EndpointTest::still, new RecordingClientListener());
        ArenaPlayer guest = arena.join(network.now(), "quake3", "guest", new NoOpViewer());
        guest.whisper(network.now(), arena.players().getFirst().id(), "hi");
        network.run(SECOND);
        assertThat(told.events).contains("[Q3] guest: (whisper) hi");
    }

    @Test
    void showsBodiesOfInterestSetAndListsAll() throws IOException {
        List<ArenaPlayer> guests = new ArrayList<>();
        for (int i = 0; i < 260; i++) {
            ArenaPlayer guest = arena.join(network.now(), "bedrock", "g" + i, new NoOpViewer());
            guest.spawn(network.now(), Movement.at(new Vec3(i % 20, i / 20.0, 0), 0));
            guests.add(guest);
            network.run(SECOND / 40);
            arena.players()
                    .forEach(player ->
                            arena.player(player.id()).orElseThrow().recordActivity(network.now()));
        }
        guests.subList(0, 5).forEach(guest -> guest.leave(network.now(), LeaveReason.LEFT));
        RecordingClientListener told = new RecordingClientListener();
        Quake2Client client = join("anna", Quake2EndpointTest::still, told);
        ArenaPlayer anna = arena.player(arena.players().getLast().id()).orElseThrow();
        for (int i = 0; i < 100; i++) {
            network.run(SECOND / 10);
            guests.forEach(guest -> guest.recordActivity(network.now()));
            Set<String> seen = new HashSet<>();
            client.others().forEach(other -> seen.add(other.name()));
            Set<String> shown = new HashSet<>();
            anna.visiblePlayers().forEach(player -> shown.add(PlayerNumbers.name(player)));
            if (i > 10) {
                assertThat(seen).hasSize(Arena.DEFAULT_MAX_VISIBLE_PLAYERS).isEqualTo(shown);
            }
        }
        assertThat(endpoint.configString(1312 + 255)).startsWith("[B] g255\\cyborg/");
        client.command("players 240");
        network.run(SECOND);
        // Who is in sight still changes: the nearest are farther off than those it was shown first.
        assertThat(told.events)
                .anySatisfy(event -> assertThat(event).contains("255 ").contains("g255 (bedrock)"));
    }

    /** More than the 256 numbers of this game: those that no client sees give theirs up. */
    @Test
    void showsNearestOfManyPlayersOfOtherServers() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        Quake2Client client = join("anna", Quake2EndpointTest::still, told);
        mirror(7, 600, "far", new Vec3(-30, -30, 0));
        network.run(2 * SECOND);
        assertThat(client.others()).hasSize(Arena.DEFAULT_MAX_VISIBLE_PLAYERS);
        Vec3 here = client.movement().position();
        mirror(PlayerId.MAX_NODE, 20, "near", here.plus(new Vec3(3, 0, 0)));
        network.run(20 * SECOND);
        assertThat(client.others()).hasSize(Arena.DEFAULT_MAX_VISIBLE_PLAYERS);
        assertThat(client.others().stream().filter(other -> other.name().startsWith("near")))
                .hasSize(20)
                .allMatch(other -> other.movement().position().distance(here) < 4);
        assertThat(told.events.stream().filter(event -> event.startsWith("appeared near")))
                .as("each once")
                .hasSize(20)
                .doesNotHaveDuplicates();
    }

    private void mirror(int node, int count, String name, Vec3 place) {
        for (int i = 1; i <= count; i++) {
            arena.mirror(network.now(), new PlayerId(node, i), "quake2", name + i)
                    .spawn(network.now(), Movement.at(place.plus(new Vec3(0, i * 0.02, 0)), 0));
        }
    }

    /** On a map of the operator's, others see and the log has where a player really is. */
    @Test
    void holdsNoPlayerInGeneratedArena(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("maps"));
        Files.copy(Quake2Captures.FILES.path("q2box1.bsp"), folder.resolve("maps/q2box1.bsp"));
        endpoint.close("another map");
        endpoint = serve("q2box1", Optional.of(folder));
        Bounds bounds = new Bounds(new Vec3(-16.5, -16.5, -4.5), new Vec3(16.5, 16.5, 12.5));
        assertThat(arena.bounds()).isEqualTo(Level.BOX.bounds().union(bounds));
        ArenaPlayer guest = arena.join(network.now(), "bedrock", "swimmer", new NoOpViewer());
        guest.spawn(network.now(), Movement.at(new Vec3(1, 2, -3), 0));
        assertThat(arena.find(guest.id()).orElseThrow().movement().position().z()).isEqualTo(-3);
        Quake2Client client =
                join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        network.run(SECOND);
        assertThat(client.others())
                .singleElement()
                .satisfies(remote ->
                        assertThat(remote.movement().position().z()).isBetween(-3.01, -2.99));
        assertThat(asker().ask("rcon secret map wishdir_flat")).contains("playing wishdir_flat");
        assertThat(arena.bounds()).isEqualTo(Level.BOX.bounds());
    }

    private RawClient stock() throws IOException {
        return RawClient.open(
                network, new InetSocketAddress("172.16.0.7", 5000), endpoint.address(), 7);
    }

    @Test
    void showsAllOnBoardAndHidesIt() throws IOException {
        RawClient stock = stock().join("carl");
        arena.join(network.now(), "bedrock", "guest", new NoOpViewer());
        network.run(SECOND);
        stock.command("score");
        network.run(SECOND);
        assertThat(stock.heard(Layout.class).getLast().text())
                .startsWith("xv 32 yv 32 picn tag1 client 0 32 0 0 ")
                .contains(" client 0 64 1 0 ");
        assertThat(stock.snapshot.player().stats().get(Stats.LAYOUTS)).isEqualTo(1);
        assertThat(stock.configString(1313)).startsWith("[B] guest\\");
        int before = stock.heard(Layout.class).size();
        for (int i = 0; i < 7; i++) {
            stock.say();
            network.run(SECOND);
        }
        assertThat(stock.heard(Layout.class).size() - before).isBetween(2, 3);
        stock.command("inven");
        network.run(SECOND);
        assertThat(stock.heard(Inventory.class)).hasSize(1);
        assertThat(stock.snapshot.player().stats().get(Stats.LAYOUTS)).isEqualTo(2);
        stock.command("putaway");
        network.run(SECOND);
        assertThat(stock.snapshot.player().stats().get(Stats.LAYOUTS)).isZero();
        stock.command("help");
        network.run(SECOND);
        assertThat(stock.snapshot.player().stats().get(Stats.LAYOUTS)).isEqualTo(1);
        stock.command("score");
        network.run(SECOND);
        assertThat(stock.snapshot.player().stats().get(Stats.LAYOUTS)).isZero();
    }

    @Test
    void readsBoardAndInventory() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        Quake2Client client = join("anna", Quake2EndpointTest::still, told);
        for (String command : List.of("score", "inven", "help")) {
            client.command(command);
            network.run(SECOND);
            assertThat(client.state().stats().get(Stats.LAYOUTS)).isNotZero();
        }
        assertThat(client.joined()).isTrue();
    }

    /** The probe is answered, or a popular server sends the client away. */
    @Test
    void probesVersion() throws IOException {
        List<String> asked = new ArrayList<>();
        List<String> answered = new ArrayList<>();
        network.tap((now, from, to, data) -> {
            String text = new String(data, StandardCharsets.ISO_8859_1);
            if (text.contains("\u007fc version")) {
                (from.equals(endpoint.address()) ? asked : answered).add(text);
            }
        });
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        assertThat(asked).singleElement().asString().contains("cmd \u007fc version $version\n");
        assertThat(answered).singleElement().asString().contains("\u007fc version wishdir");
    }

    @Test
    void sendsFramesTwelveTimesAsOftenOnRequest() throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        Quake2Client fast = join("anna", Quake2EndpointTest::still, told);
        join(
                "bert",
                (_, _) -> BotController.PlayerInput.walk(90, 45, 10),
                new RecordingClientListener());
        RawClient stock = stock().join("carl");
        int first = stock.lastFrame;
        int before = told.moves.size();
        network.run(2 * SECOND);
        assertThat(stock.lastFrame - first).isBetween(19, 21);
        assertThat(told.moves.size() - before).isBetween(76, 84);
        Vec3 velocity = told.moves.getLast().movement().velocity();
        assertThat(velocity.horizontal()).isBetween(9.0, 10.5);
        assertThat(fast.others()).hasSize(2);
        assertThat(stock.heard.toString()).doesNotContain("frames 120");
    }

    /** When clients are sent something, by their addresses. */
    private Map<InetSocketAddress, List<Long>> sent() {
        Map<InetSocketAddress, List<Long>> sent = new HashMap<>();
        network.tap((now, from, to, data) -> {
            if (from.equals(endpoint.address())) {
                sent.computeIfAbsent(to, _ -> new ArrayList<>()).add(now);
            }
        });
        return sent;
    }

    @Test
    void skipsMissedFramesAfterStall() throws IOException {
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        RawClient stock = stock().join("carl");
        Map<InetSocketAddress, List<Long>> sent = sent();
        int first = stock.lastFrame;
        for (int i = 0; i < 10; i++) {
            network.stepClock(SECOND / 20);
            network.run(SECOND / 20);
        }
        assertThat(stock.lastFrame - first).isBetween(9, 11);
        int most = sent.values().stream().mapToInt(List::size).max().orElse(0);
        assertThat(most).as("of 120 frames, while it was there").isBetween(60, 82);
    }

    /** A second is always a whole number of frames. */
    @ParameterizedTest
    @CsvSource({"10, 10", "14, 12", "18, 15", "23, 20", "29, 24", "59, 40", "119, 60", "120, 120"})
    void sendsRequestedFrameRate(int most, int expected) throws IOException {
        endpoint.close("");
        endpoint = serve("", Optional.empty(), most);
        Quake2Client client =
                join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        Map<InetSocketAddress, List<Long>> sent = sent();
        network.run(4 * SECOND);
        assertThat(client.joined()).isTrue();
        assertThat(sent.values())
                .singleElement()
                .satisfies(times ->
                        assertThat(times).hasSizeBetween(4 * expected - 1, 4 * expected + 1));
    }

    @Test
    void staggersFrames() throws IOException {
        endpoint.close("");
        endpoint = serve("", Optional.empty(), 60);
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        join("bert", Quake2EndpointTest::still, new RecordingClientListener());
        Map<InetSocketAddress, List<Long>> sent = sent();
        network.run(SECOND);
        assertThat(sent).hasSize(2);
        assertThat(sent.values()).allSatisfy(times -> assertThat(times).hasSizeBetween(59, 61));
        List<List<Long>> each = List.copyOf(sent.values());
        assertThat(each.getFirst()).doesNotContainAnyElementsOf(each.getLast());
    }

    /** Milliseconds of a command: 40, 30 and 20 a second. */
    @ParameterizedTest
    @ValueSource(doubles = {25, 100 / 3.0, 50})
    void showsSteadyWalkSteadily(double millis) throws IOException {
        RecordingClientListener told = new RecordingClientListener();
        join("anna", Quake2EndpointTest::still, told);
        ArenaPlayer walker = arena.join(network.now(), "test", "walker", new NoOpViewer());
        Vec3 velocity = new Vec3(6, -2, 0);
        long began = network.now();
        for (int i = 0; i * millis < 2000; i++) {
            long at = began + (long) (i * millis * 1e6);
            network.run(at - network.now());
            Vec3 position = velocity.times((at - began) / 1e9);
            walker.move(
                    at,
                    new Movement(position, 0, 0, velocity, Movement.ORIGIN.stance()),
                    NativeMovement.Stored.NONE);
            if (i == 0) {
                walker.spawn(at, Movement.ORIGIN);
            }
        }
        List<Vec3> seen =
                told.moves.stream().map(move -> move.movement().velocity()).skip(12).toList();
        assertThat(seen)
                .hasSizeGreaterThan(20)
                .allSatisfy(v -> assertThat(v.distance(velocity)).isLessThan(0.2));
        network.run(SECOND / 5);
        assertThat(told.moves.getLast().movement().velocity()).isEqualTo(Vec3.ZERO);
    }

    @Test
    void sendsManyDeltasOnLongRoundTrip() throws IOException {
        network.conditions(new SimulatedNetwork.Conditions(0, 0, 200_000_000, 0));
        for (int i = 0; i < 40; i++) {
            ArenaPlayer guest = arena.join(network.now(), "bedrock", "g" + i, new NoOpViewer());
            guest.spawn(network.now(), Movement.at(new Vec3(i % 20, i / 20.0, 0), 0));
        }
        Quake2Client client =
                join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        network.run(2 * SECOND);
        arena.players()
                .forEach(player ->
                        arena.player(player.id()).orElseThrow().recordActivity(network.now()));
        assertThat(client.others()).hasSize(40);
        int[] bytes = {0};
        network.tap((now, from, to, data) ->
                bytes[0] += from.equals(endpoint.address()) ? data.length : 0);
        network.run(SECOND);
        assertThat(bytes[0]).isLessThan(Quake2Endpoint.MAX_FRAMES_PER_SECOND * 200);
        assertThat(arena.players().getLast().ping()).isBetween(400, 450);
    }

    @Test
    void downloadsMissingMap() throws IOException {
        Quake2Client client =
                Quake2Client.connect(
                        joining("anna", Quake2EndpointTest::still, new RecordingClientListener()),
                        true);
        assertThat(network.runUntil(client::joined, 10 * SECOND)).isTrue();
        assertThat(client.map()).contains(new Quake2MapCatalog(Optional.empty()).load("").file());
    }

    @Test
    void servesAndChangesOperatorMaps(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("maps"));
        for (String name : List.of("q2box1.bsp", "q2box2.bsp")) {
            Files.copy(Quake2Captures.FILES.path(name), folder.resolve("maps").resolve(name));
        }
        endpoint.close("another map");
        endpoint = serve("q2box1", Optional.of(folder));
        Quake2Client client =
                Quake2Client.connect(
                        joining("anna", Quake2EndpointTest::still, new RecordingClientListener()),
                        true);
        assertThat(network.runUntil(client::joined, 20 * SECOND)).isTrue();
        assertThat(client.map()).contains(Quake2Captures.FILES.file("q2box1.bsp"));
        RecordingClientListener told = new RecordingClientListener();
        assertThat(endpoint.level().map().bounds())
                .isEqualTo(new Bounds(new Vec3(-16.5, -16.5, -4.5), new Vec3(16.5, 16.5, 12.5)));
        Quake2Client walker = join("bert", (_, _) -> BotController.PlayerInput.walk(0, 0, 0), told);
        network.run(3 * SECOND);
        // Twice as wide as the arena: no player may be seen at its rim instead of where it is.
        assertThat(client.others())
                .singleElement()
                .satisfies(remote ->
                        assertThat(
                                        remote.movement()
                                                .position()
                                                .distance(walker.movement().position()))
                                .isLessThan(0.05));
        assertThat(asker().ask("rcon secret map q2box2")).contains("playing q2box2");
        network.run(4 * SECOND);
        assertThat(walker.joined()).isTrue();
        assertThat(walker.others()).hasSize(1);
        assertThat(endpoint.configString(33)).isEqualTo("maps/q2box2.bsp");
    }

    @Test
    void notifiesOfKickMapChangeAndShutdown() throws IOException {
        RecordingClientListener toA = new RecordingClientListener();
        RecordingClientListener toB = new RecordingClientListener();
        Quake2Client a = join("anna", (_, _) -> BotController.PlayerInput.walk(0, 0, 0), toA);
        join("bert", Quake2EndpointTest::still, toB);
        Asker asker = asker();
        assertThat(asker.ask("rcon wrong status")).isEqualTo("print\nBad rcon_password.\n");
        assertThat(asker.ask("rcon secret status"))
                .contains("map: flat, 2 of ")
                .containsPattern("1 +\\d+ quake2 127.0.0.1:\\d+ anna")
                .containsPattern("2 +\\d+ quake2 127.0.0.1:\\d+ bert \\(wishdir.*\\)");
        assertThat(asker.ask("rcon secret map wishdir_flat")).isEqualTo("print\nAll play flat.\n");
        network.run(3 * SECOND);
        assertThat(toA.events)
                .containsSubsequence("appeared bert", "vanished bert", "appeared bert");
        assertThat(a.joined()).isTrue();
        assertThat(a.others()).hasSize(1);
        assertThat(asker.ask("rcon secret map nowhere")).contains("option data");
        assertThat(asker.ask("rcon secret say listen")).isEqualTo("print\nSent to all: listen\n");
        network.run(SECOND);
        assertThat(toA.events).contains(": listen");
        assertThat(asker.ask("rcon secret kick bert")).isEqualTo("print\nbert was kicked.\n");
        network.run(SECOND);
        assertThat(toB.events).last().isEqualTo("KICKED You were kicked.");
        assertThat(arena.players()).hasSize(1);
        endpoint.close("closing time");
        network.run(SECOND);
        assertThat(toA.events).last().isEqualTo("SERVER_CLOSED closing time");
        assertThat(arena.players()).isEmpty();
    }

    private Asker asker() throws IOException {
        return network.cycle().open(new InetSocketAddress(0), Asker::new);
    }

    /** Sends packets out of band and keeps the answers. */
    final class Asker implements DatagramHandler {
        final List<String> answers = new ArrayList<>();
        final UdpSocket socket;

        Asker(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            answers.add(new String(data, 4, data.length - 4, StandardCharsets.ISO_8859_1));
        }

        @Override
        public long advance(long now) {
            return Duty.NEVER;
        }

        String ask(String text) {
            return ask(text, SECOND / 10);
        }

        String ask(String text, long time) {
            int before = answers.size();
            byte[] packet = new OutOfBand(text).packet();
            socket.send(endpoint.address(), packet, 0, packet.length);
            network.run(time);
            return answers.size() == before ? "" : answers.getLast();
        }
    }

    @Test
    void answersQueriesOutOfBand() throws IOException {
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        Asker asker = asker();
        assertThat(asker.ask("ping")).isEqualTo("ack");
        assertThat(asker.ask("ack")).isEmpty();
        assertThat(asker.ask("bogus")).isEmpty();
        assertThat(asker.ask("info 34\n")).isEqualTo("info\nA server of many wishdir_flat  1/16\n");
        assertThat(asker.ask("info 33")).isEqualTo("info\nA server of many: wrong version\n");
        assertThat(asker.ask("status"))
                .startsWith("print\n\\hostname\\A server of many\\mapname\\wishdir_flat\\")
                .matches("(?s).*\n0 \\d+ \"anna\"\n");
        arena.join(network.now(), "bedrock", "a \"guest\"", new NoOpViewer());
        network.run(SECOND);
        assertThat(asker.ask("info 34\n")).isEqualTo("info\nA server of many wishdir_flat  2/17\n");
        assertThat(asker.ask("status"))
                .matches("(?s).*\n0 \\d+ \"anna\"\n0 \\d+ \"\\[B] a 'guest'\"\n");
        assertThat(asker.ask("getchallenge\n")).matches("challenge -?\\d+ p=34");
        for (int protocol : new int[] {0, 26, 33, 35, 36, -1, Integer.MAX_VALUE}) {
            assertThat(asker.ask("connect " + protocol + " 7 9 \"\\name\\x\" 1390 1 1"))
                    .isEqualTo("print\nServer is protocol version 34.\n");
        }
    }

    @Test
    void announcesHttpFiles() throws IOException {
        httpDownloads.setUrlProvider(_ -> Optional.of("http://192.0.2.1:8260/files"));
        Asker asker = asker();
        String challenge = asker.ask("getchallenge\n").split(" ")[1];
        assertThat(asker.ask("connect 34 7 " + challenge + " \"\\name\\x\""))
                .isEqualTo("client_connect dlserver=http://192.0.2.1:8260/files/quake2");
        assertThat(
                        httpDownloads.file(
                                "quake2",
                                "baseq2/maps/wishdir_flat.bsp",
                                InetAddress.ofLiteral("192.0.2.9")))
                .isEqualTo(endpoint.level().download("maps/wishdir_flat.bsp"))
                .isPresent();
    }

    @Test
    void showsPlayersOfAllGamesToOperator() throws IOException {
        join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        for (int i = 0; i < 90; i++) {
            arena.join(network.now(), "sauerbraten", "guest " + i, new NoOpViewer());
        }
        network.run(SECOND);
        Asker asker = asker();
        asker.ask("rcon secret status");
        assertThat(asker.answers)
                .hasSizeGreaterThan(1)
                .allMatch(packet -> packet.startsWith("print\n") && packet.length() < 1400);
        List<String> lines = asker.answers.stream().flatMap(String::lines).toList();
        assertThat(lines).anyMatch(line -> line.matches(" +1 +\\d+ quake2 \\S+ anna .*"));
        assertThat(lines.stream().filter(line -> line.contains(" sauerbraten "))).hasSize(90);
        assertThat(asker.ask("rcon secret kick nobody")).contains("No player is called nobody");
        assertThat(asker.ask("rcon secret kick guest")).contains("90 players match guest");
        assertThat(asker.ask("rcon secret kick 1")).contains("anna was kicked");
        network.run(SECOND);
        assertThat(arena.players()).noneMatch(player -> player.name().equals("anna"));
    }

    @Test
    void changesNameSkinAndSpectator() throws IOException {
        RecordingClientListener toB = new RecordingClientListener();
        Quake2Client a = join("anna", Quake2EndpointTest::still, new RecordingClientListener());
        join("bert", Quake2EndpointTest::still, toB);
        a.userInfo("\\name\\carla\\skin\\female/athena");
        network.run(SECOND);
        assertThat(arena.players()).extracting(Player::name).contains("carla");
        assertThat(endpoint.configString(1312)).isEqualTo("carla\\female/athena");
        a.userInfo("\\name\\carla\\spectator\\1");
        network.run(SECOND);
        assertThat(toB.events).contains("vanished carla");
        assertThat(a.state().pmType()).isEqualTo(1);
        a.userInfo("\\name\\carla");
        network.run(SECOND);
        assertThat(a.state().pmType()).isZero();
        assertThat(toB.events).last().isEqualTo("appeared carla");
    }
}
