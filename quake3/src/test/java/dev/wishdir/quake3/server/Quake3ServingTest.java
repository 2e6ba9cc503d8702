package dev.wishdir.quake3.server;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ResolvedHost;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.PakSearchPath;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.server.session.ScriptedClient;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** What the endpoint does for a client, one thing after the other. */
class Quake3ServingTest {
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
    private static final int FOLLOW = 4096;
    private static final int ATTACK = 1;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final Counters counters = new Counters();
    private final List<String> toMaster = new ArrayList<>();
    private final InetSocketAddress master =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.250"), 27_950);
    private final Map<String, InetAddress> names = new HashMap<>();
    private List<MasterServer> masters = MasterServer.parse("127.0.0.250:27950", 0);
    private Quake3Endpoint endpoint;
    private int nextPort = 40_000;

    @BeforeEach
    void serve() throws IOException {
        serve(SERVER, List.of());
    }

    private void serve(InetSocketAddress address, List<Pak> paks) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        network.tap((_, _, to, data) -> {
            if (to.equals(master)) {
                toMaster.add(OutOfBand.read(dev.wishdir.wire.Bytes.wrap(data)).text());
            }
        });
        endpoint =
                Quake3Endpoint.open(
                        EndpointContext.builder(cycle, address, arena)
                                .name("test")
                                .maxPlayers(64)
                                .adminPassword("secret")
                                .addressLimits(
                                        AddressLimits.trusting(
                                                List.of(AddressRange.parse("127.0.0.1")), 1))
                                .counters(counters)
                                .random(new Random(5))
                                .build(),
                        new Quake3MapCatalog(Optional.empty()),
                        "baseoa",
                        paks,
                        masters);
    }

    private static InetSocketAddress far(int host, int port) {
        try {
            byte[] address = {20, 0, 0, (byte) host};
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private ScriptedClient client() {
        return new ScriptedClient(network, SERVER, nextPort++, nextPort % 2 == 0 ? 68 : 71);
    }

    private void run(double seconds, ScriptedClient... clients) {
        for (int i = 0; i < seconds * 20; i++) {
            for (ScriptedClient client : clients) {
                client.walk(0);
            }
            network.run(SECOND / 20);
        }
    }

    private Player player(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** As all of a client's are after it, or its line, was held up. */
    @Test
    void doesNotJudgeLateCommands() {
        ScriptedClient client = client().join("late");
        int left = client.serverTime();
        network.run(3 * SECOND / 2);
        for (int i = 1; i <= 20; i++) {
            client.move(ScriptedClient.command(left + i, 0, 127));
        }
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.implausible")).isZero();
        client.move(ScriptedClient.command(client.serverTime() + 1_000, 0, 127));
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.implausible")).isOne();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5, 5", "20, 20", "40, 40", "125, 125", "1000, 125", "0, 1"})
    void sendsSnapshotsAtWishedRate(int snaps, int expected) {
        ScriptedClient client = client().joinWith("\\name\\a\\snaps\\" + snaps);
        run(2, client);
        int before = client.snapshots.size();
        run(10, client);
        assertThat(client.snapshots.size() - before)
                .isBetween(10 * expected - expected / 10 - 1, 10 * expected + 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 1000", "1000, 1000", "3000, 3000", "1000000, 90000"})
    void limitsBytesToClientRate(int rate, int bytesASecond) {
        ScriptedClient client =
                new ScriptedClient(network, SERVER, far(1, 4000), 71)
                        .joinWith("\\name\\far\\snaps\\40\\rate\\" + rate);
        run(2, client);
        int before = client.datagramBytes;
        int snapshots = client.snapshots.size();
        run(20, client);
        int sent = client.snapshots.size() - snapshots;
        assertThat(client.datagramBytes - before + 28 * sent)
                .isLessThanOrEqualTo(20 * bytesASecond + 1_328);
        assertThat(sent).isGreaterThan(100);
        boolean delayed =
                client.snapshots.subList(snapshots, client.snapshots.size()).stream()
                        .anyMatch(s -> (s.flags() & Snapshot.RATE_DELAYED) != 0);
        assertThat(delayed).isEqualTo(rate <= 1_000);
    }

    @Test
    void changesNamesAndModels() {
        ScriptedClient viewer = client().join("viewer");
        ScriptedClient other = client().joinWith("\\name\\before\\model\\sarge");
        run(1, viewer, other);
        assertThat(viewer.configstrings.player(other.clientNum).get("model")).isEqualTo("sarge");
        other.say("userinfo \"\\name\\after\\model\\grism\\headmodel\\grism/red\\color1\\3\"");
        run(1, viewer, other);
        for (ScriptedClient each : List.of(viewer, other)) {
            InfoString told = each.configstrings.player(other.clientNum);
            assertThat(told.get("n")).isEqualTo("after");
            assertThat(told.get("model")).isEqualTo("grism");
            assertThat(told.get("hmodel")).isEqualTo("grism/red");
            assertThat(told.get("c1")).isEqualTo("3");
        }
        assertThat(viewer.commands).anyMatch(c -> c.contains("before^7 renamed to after"));
        assertThat(player("after").game()).isEqualTo("quake3");
    }

    /** A client of the game names its protocol only as it connects. */
    @Test
    void keepsVersionOfClientThatSendsItsSettingsAgain() {
        ScriptedClient client = client().join("anna");
        client.say("userinfo \"\\name\\anna\\rate\\25000\"");
        run(0.5, client);
        assertThat(arena.connectionInfo(player("anna").id()).version()).isEqualTo("protocol 71");
    }

    @Test
    void letsSpectatorsFlyFollowTalkAndReturn() {
        ScriptedClient player = client().join("player");
        ScriptedClient first = client().join("first");
        ScriptedClient second = client().join("second");
        run(1, player, first, second);
        first.say("team spectator");
        second.say("team s");
        run(1.2, player, first, second);
        assertThat(player("first").spawned()).isFalse();
        assertThat(player.frame.entity(first.clientNum)).isNull();
        assertThat(player.configstrings.player(first.clientNum).get("t")).isEqualTo("3");
        assertThat(first.frame.player().get(PlayerField.PM_TYPE)).isEqualTo(2);

        first.say("say_team among us");
        run(1.2, player, first, second);
        assertThat(second.commands).anyMatch(c -> c.startsWith("tchat") && c.contains("among us"));
        assertThat(first.commands).anyMatch(c -> c.startsWith("tchat") && c.contains("among us"));
        assertThat(player.commands).noneMatch(c -> c.contains("among us"));
        player.say("say_team for all");
        run(1.2, player, first, second);
        assertThat(second.commands).anyMatch(c -> c.startsWith("chat") && c.contains("for all"));

        first.say("follow player");
        second.move(pressing(second, ATTACK, 0));
        run(1.2, player, first, second);
        for (ScriptedClient follower : List.of(first, second)) {
            assertThat(follower.frame.player().get(PlayerField.CLIENT_NUM))
                    .isEqualTo(player.clientNum);
            assertThat(follower.frame.player().get(PlayerField.PM_FLAGS) & FOLLOW).isNotZero();
            assertThat(follower.frame.entity(player.clientNum)).isNull();
            assertThat(follower.frame.player().real(PlayerField.ORIGIN_0))
                    .isEqualTo(player.frame.player().real(PlayerField.ORIGIN_0));
        }
        second.move(pressing(second, 0, 127));
        run(1.2, player, first, second);
        assertThat(second.frame.player().get(PlayerField.CLIENT_NUM)).isEqualTo(second.clientNum);
        assertThat(second.frame.player().real(PlayerField.ORIGIN_0))
                .as("where the followed one was")
                .isEqualTo(player.frame.player().real(PlayerField.ORIGIN_0));
        player.say("disconnect");
        run(1.2, first, second);
        assertThat(first.frame.player().get(PlayerField.CLIENT_NUM)).isEqualTo(first.clientNum);

        first.say("team free");
        run(1.2, first, second);
        assertThat(player("first").spawned()).isTrue();
        assertThat(second.frame.entity(first.clientNum)).isNotNull();
        first.say("follow second");
        run(1.2, first, second);
        assertThat(first.frame.player().get(PlayerField.CLIENT_NUM)).isEqualTo(first.clientNum);
    }

    @Test
    void letsSpectatorsFollowForeignPlayers() {
        ScriptedClient viewer = client().join("viewer");
        ArenaPlayer guest = arena.join(network.now(), "sauerbraten", "guest", new NoOpViewer());
        ArenaPlayer other = arena.join(network.now(), "quake2", "other", new NoOpViewer());
        other.spawn(network.now(), Movement.at(new Vec3(-5, 6, 0), 180));
        Vec3 place = new Vec3(3.03, 4, 0);
        guest.spawn(network.now(), new Movement(place, 90.5, -20.5, Vec3.ZERO, Stance.NONE));
        viewer.say("team spectator");
        run(1.2, viewer);
        viewer.say("follow GUEST");
        run(1.2, viewer);
        int slot = viewer.frame.player().get(PlayerField.CLIENT_NUM);
        assertThat(viewer.configstrings.player(slot).get("n")).isEqualTo("[S] guest");
        assertThat(viewer.frame.player().get(PlayerField.PM_FLAGS) & FOLLOW).isNotZero();
        assertThat(viewer.frame.entity(slot)).isNull();
        assertThat(Quake3Motion.movement(viewer.frame.player()).position().distance(place))
                .isLessThan(1e-4);
        assertThat(viewer.frame.player().real(PlayerField.VIEWANGLES_0)).isEqualTo(20.5f);
        assertThat(viewer.frame.player().real(PlayerField.VIEWANGLES_1)).isEqualTo(90.5f);

        guest.move(
                network.now(),
                new Movement(new Vec3(4, 5, 1), 0, 0, new Vec3(1, 2, 3), Stance.NONE),
                NativeMovement.Stored.NONE);
        run(0.2, viewer);
        assertThat(viewer.frame.player().real(PlayerField.ORIGIN_0)).isEqualTo(4 * 32);
        assertThat(viewer.frame.player().real(PlayerField.ORIGIN_2)).isEqualTo(32 + 24);
        assertThat(viewer.frame.player().real(PlayerField.VELOCITY_1)).isEqualTo(2 * 32);

        viewer.say("follownext");
        run(1.2, viewer);
        int next = viewer.frame.player().get(PlayerField.CLIENT_NUM);
        assertThat(viewer.configstrings.player(next).get("n")).isEqualTo("[Q2] other");
        viewer.say("followprev");
        run(1.2, viewer);
        assertThat(viewer.frame.player().get(PlayerField.CLIENT_NUM)).isEqualTo(slot);
        guest.leave(network.now(), LeaveReason.LEFT);
        run(1.2, viewer);
        assertThat(viewer.frame.player().get(PlayerField.CLIENT_NUM)).isEqualTo(viewer.clientNum);
        assertThat(viewer.frame.player().real(PlayerField.ORIGIN_0))
                .as("where the followed one was")
                .isEqualTo(4 * 32);
    }

    private static Usercmd pressing(ScriptedClient client, int buttons, int up) {
        return new Usercmd(client.serverTime() + 1, 0, 0, 0, 0, 0, up, buttons, 1);
    }

    @Test
    void showsSilentPlayerAsLagging() {
        ScriptedClient player = client().join("player");
        ScriptedClient viewer = client().join("viewer");
        run(1, player, viewer);
        assertThat(lags(player, viewer)).containsExactly(false, false);
        run(0.3, viewer);
        assertThat(lags(player, viewer)).containsExactly(true, true);
        run(0.3, player, viewer);
        assertThat(lags(player, viewer)).containsExactly(false, false);
    }

    private static List<Boolean> lags(ScriptedClient player, ScriptedClient viewer) {
        EntityState seen = viewer.frame.entity(player.clientNum);
        return List.of(
                (player.frame.player().get(PlayerField.E_FLAGS) & PlayerBody.EF_CONNECTION) != 0,
                seen != null && (seen.get(EntityField.E_FLAGS) & PlayerBody.EF_CONNECTION) != 0);
    }

    @Test
    void restartsMapWithoutGamestate() {
        ScriptedClient player = client().join("player");
        ScriptedClient viewer = client().join("viewer");
        run(1, player, viewer);
        int before = player.serverId;
        int flag = player.snapshots.getLast().flags() & Snapshot.SERVER_COUNT;
        int spawns = spawnCount(player);
        assertThat(viewer.ask("rcon secret map_restart")).contains("playing ");
        player.send(before, player.netchan.incoming(), player.codec.serverCommands().last());
        run(1, player, viewer);
        assertThat(player.commands).contains("map_restart");
        assertThat(player.gamestates).isEqualTo(1);
        assertThat(player.serverId).isGreaterThan(before);
        assertThat(player.snapshots.getLast().flags() & Snapshot.SERVER_COUNT).isNotEqualTo(flag);
        assertThat(spawnCount(player)).isEqualTo(spawns + 1);
        EntityState seen = viewer.frame.entity(player.clientNum);
        assertThat(seen).isNotNull();
        int time = player.frame.player().get(PlayerField.COMMAND_TIME);
        run(1, player, viewer);
        assertThat(player.frame.player().get(PlayerField.COMMAND_TIME)).isGreaterThan(time + 500);
    }

    private static int spawnCount(ScriptedClient client) {
        return client.frame.player().get(dev.wishdir.quake3.message.PlayerArray.PERSISTANT, 4);
    }

    @Test
    void sendsGamestateOnMapChange() {
        ScriptedClient player = client().join("player");
        assertThat(player.ask("rcon secret map wishdir_flat")).contains("All play flat.");
        assertThat(player.ask("rcon secret map nowhere")).contains("there is no map 'nowhere'");
        player.send();
        run(1);
        assertThat(player.gamestates).isEqualTo(2);
        run(1, player);
        assertThat(player.playing()).isTrue();
        assertThat(player("player").spawned()).isTrue();
    }

    @Test
    void kicksByNumberAndLimitsRconPassword() {
        ScriptedClient player = client().join("player");
        ScriptedClient operator = client();
        assertThat(operator.ask("rcon secret kick #1")).contains("was kicked");
        run(1);
        assertThat(player.commands).contains("disconnect \"You were kicked.\"");
        assertThat(arena.players()).isEmpty();
        for (int i = 0; i < 200; i++) {
            operator.ask("rcon guess" + i + " status");
        }
        assertThat(counters.get("quake3.drop.rcon")).isGreaterThan(180);
        run(11);
        assertThat(operator.ask("rcon secret status")).contains("map: ");
    }

    @Test
    @DisplayName("a ban by rcon leaves the player in that ordered it from the same address")
    void keepsPlayerThatBansItsNeighbour() {
        ScriptedClient boss = client().join("boss");
        ScriptedClient other = client().join("other");
        assertThat(boss.ask("rcon secret ban other 1h noise"))
                .contains(
                        "with admin-password: noise", "Not kicked, as they have rights here: boss");
        run(1, boss);
        assertThat(other.commands).anyMatch(line -> line.contains("You are banned until"));
        assertThat(arena.players()).extracting(Player::name).containsExactly("boss");
        assertThat(player("boss").proof()).isEqualTo(Proof.ADMIN_PASSWORD);
    }

    @Test
    void notifiesConfiguredMasters() {
        network.run(SECOND);
        assertThat(toMaster).containsExactly("heartbeat QuakeArena-1\n");
        network.run(601 * SECOND);
        assertThat(toMaster).hasSize(3);
        assertThat(client().ask("rcon secret map wishdir_flat")).contains("All play flat.");
        network.run(SECOND);
        assertThat(toMaster).hasSize(4);
        endpoint.close("closing");
        network.run(SECOND);
        assertThat(toMaster).hasSize(6);
    }

    @Test
    void notifiesMasterOnceResolved() throws IOException {
        masters =
                List.of(
                        new MasterServer(
                                ResolvedHost.parse(
                                        "--quake3-master",
                                        "master.invalid:27950",
                                        0,
                                        host -> {
                                            InetAddress known = names.get(host);
                                            if (known == null) {
                                                throw new UnknownHostException(host);
                                            }
                                            return known;
                                        })));
        serve(new InetSocketAddress(SERVER.getAddress(), 27_980), List.of());
        network.run(SECOND);
        toMaster.clear();
        network.run(100 * SECOND);
        assertThat(toMaster).isEmpty();
        names.put("master.invalid", master.getAddress());
        network.run(ResolvedHost.RETRY_NANOS + SECOND);
        assertThat(toMaster).isNotEmpty().containsOnly("heartbeat QuakeArena-1\n");
    }

    @Test
    void skipsBrokenPaks(@TempDir Path folder) throws IOException {
        pak(folder.resolve("pak0.pk3"), "vm/ui.qvm", "maps/a.bsp");
        Files.writeString(folder.resolve("broken.pk3"), "no archive");
        Files.createFile(folder.resolve("empty.pk3"));
        Files.createDirectory(folder.resolve("folder.pk3"));
        Files.createSymbolicLink(folder.resolve("dangling.pk3"), Path.of("gone"));
        PakSearchPath paks = PakSearchPath.read(folder);
        assertThat(paks.paks()).extracting(Pak::name).containsExactly("pak0");
        assertThat(paks.file("maps/a.bsp", 100)).isPresent();
        Files.delete(folder.resolve("pak0.pk3"));
        assertThat(PakSearchPath.read(folder).paks()).isEmpty();
        assertThatThrownBy(() -> new Quake3MapCatalog(Optional.of(folder)).load("a"))
                .hasMessageContaining("a");
    }

    @Test
    void requiresItsOwnPaks(@TempDir Path folder) throws IOException {
        pak(folder.resolve("pak0.pk3"), "vm/ui.qvm", "maps/a.bsp", "vm/cgame.qvm");
        pak(folder.resolve("pak1.pk3"), "vm/cgame.qvm", "scripts/b");
        PakSearchPath paks = PakSearchPath.read(folder);
        InetSocketAddress pure = new InetSocketAddress(SERVER.getAddress(), 27_970);
        serve(pure, paks.paks());
        ScriptedClient honest = loaded(pure);
        assertThat(honest.ask("getinfo x")).contains("\\pure\\1");
        InfoString system = honest.configstrings.system();
        assertThat(system.get("sv_pure")).isEqualTo("1");
        assertThat(system.get("sv_pakNames")).isEqualTo("zz-wishdir_flat pak1 pak0");
        List<Integer> known =
                Arrays.stream(system.get("sv_paks").strip().split(" "))
                        .map(Integer::parseInt)
                        .toList();
        assertThat(known).hasSize(3);
        assertThat(system.get("sv_referencedPakNames"))
                .isEqualTo("baseoa/zz-wishdir_flat baseoa/pak1 baseoa/pak0");
        assertThat(system.get("sv_referencedPaks").strip().split(" "))
                .containsExactly(system.get("sv_paks").strip().split(" "));
        String command = paks.pureCommand(honest.serverId, honest.codec.checksumFeed(), known);
        run(0.5, honest);
        assertThat(honest.playing()).as("before it has proved anything").isFalse();
        honest.say(command);
        run(0.5, honest);
        assertThat(honest.playing()).isTrue();

        // A client that has played for long has as much time to load again as a new one.
        run(310, honest);
        honest.say("vdr");
        run(0.5, honest);
        assertThat(honest.gamestates).as("must prove again").isEqualTo(2);
        honest.say(command);
        run(0.5, honest);
        assertThat(honest.playing()).isTrue();

        String[] words = command.split(" ");
        for (int i = 2; i < words.length; i++) {
            ScriptedClient other = loaded(pure);
            String[] forged = words.clone();
            forged[i] = forged[i].equals("@") ? "1" : Long.toString(Long.parseLong(words[i]) ^ 1);
            other.say(String.join(" ", forged));
            run(0.5, other);
            assertThat(other.playing()).as("%d", i).isFalse();
            assertThat(other.commands)
                    .contains(
                            "disconnect \"Unpure client detected. Invalid .PK3 files"
                                    + " referenced!\"");
        }
        ScriptedClient outdated = loaded(pure);
        outdated.say(
                new PakSearchPath(folder, paks.paks().subList(0, 1))
                        .pureCommand(honest.serverId, honest.codec.checksumFeed(), known));
        run(0.5, outdated);
        assertThat(outdated.playing()).as("with game code of an older pak").isFalse();

        ScriptedClient twice = loaded(pure);
        twice.say(command.replace("@ ", "@ " + words[5] + " "));
        run(0.5, twice);
        assertThat(twice.playing()).isFalse();
    }

    private ScriptedClient loaded(InetSocketAddress server) {
        ScriptedClient client =
                new ScriptedClient(network, server, nextPort++, 71).connect("\\name\\a");
        client.send();
        network.run(SECOND / 2);
        assertThat(client.gamestates).isEqualTo(1);
        return client;
    }

    private static void pak(Path file, String... names) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void refusesVotes() {
        ScriptedClient player = client().join("player");
        player.say("callvote map oa_dm1");
        run(1, player);
        assertThat(player.commands).contains("print \"Voting is not allowed here.\n\"".strip());
    }
}
