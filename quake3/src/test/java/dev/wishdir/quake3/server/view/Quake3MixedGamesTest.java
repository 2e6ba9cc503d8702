package dev.wishdir.quake3.server.view;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.map.TestMap;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.quake3.server.session.TestServer;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What a client learns of everyone in the arena, and asks of the server. */
class Quake3MixedGamesTest {
    private static final int ATTACK = 1;
    private static final int EV_FIRE_WEAPON = 23;
    private static final long MILLI = 1_000_000;

    private final TestServer server = new TestServer();

    @BeforeEach
    void serve() throws IOException {
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
    }

    private void run(double seconds, ScriptedClient... clients) {
        for (int i = 0; i < seconds * 50; i++) {
            for (ScriptedClient client : clients) {
                client.walk(0);
            }
            server.network.run(SECOND / 50);
        }
    }

    private ArenaPlayer guest(String game, String name, double x) {
        return guest(game, name, x, new NoOpViewer());
    }

    private ArenaPlayer guest(String game, String name, double x, Viewer viewer) {
        long now = server.network.now();
        ArenaPlayer guest = server.arena.join(now, game, name, viewer);
        guest.spawn(now, Movement.at(new Vec3(x, 4, 0), 90));
        return guest;
    }

    private String answer(ScriptedClient client, String command) {
        client.commands.clear();
        client.say(command);
        run(0.1, client);
        return client.commands.isEmpty() ? "" : client.commands.getLast();
    }

    @Test
    void listsEveryoneWithPingAndTime() throws IOException {
        server.network.conditions(new Conditions(0, 0, 40 * MILLI, 0));
        ScriptedClient viewer = server.client().join("viewer");
        Quake3Client slow = server.bot("slow");
        ArenaPlayer guest = guest("bedrock", "guest", 3);
        for (int i = 0; i < 130; i++) {
            guest.recordActivity(server.network.now());
            run(1, viewer);
        }
        viewer.say("score");
        run(1, viewer);
        String scores =
                viewer.commands.stream()
                        .filter(c -> c.startsWith("scores "))
                        .findFirst()
                        .orElseThrow();
        List<Integer> numbers =
                Arrays.stream(scores.substring("scores ".length()).split(" "))
                        .map(Integer::parseInt)
                        .toList();
        assertThat(numbers.subList(0, 3)).containsExactly(3, 0, 0);
        assertThat(numbers).hasSize(4 + 3 * 15);
        List<Integer> own = numbers.subList(4, 19);
        List<Integer> far = numbers.subList(19, 34);
        List<Integer> other = numbers.subList(34, 49);
        assertThat(own.getFirst()).isEqualTo(viewer.clientNum);
        assertThat(own.get(2)).as("until it sends again").isBetween(0, 20);
        assertThat(own.get(3)).as("minutes").isEqualTo(2);
        assertThat(far.getFirst()).isEqualTo(slow.id());
        assertThat(far.get(2)).as("both ways, and until it sends again").isBetween(80, 101);
        assertThat(viewer.configstrings.player(other.getFirst()).get("n")).isEqualTo("[B] guest");
        assertThat(other.get(3)).isEqualTo(2);
        assertThat(viewer.ask("getstatus x")).containsPattern("\n0 (8|9|10)\\d \"slow\"\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void deliversGamestatePartsOutOfOrder(int seed) throws IOException {
        for (int i = 0; i < 60; i++) {
            guest("bedrock", "a guest with a long name " + i, i - 30);
        }
        server.network.conditions(new Conditions(0.05, 0, 20 * MILLI, 200 * MILLI));
        Quake3Client late = server.bot("late" + seed);
        long end = server.network.now() + 15 * SECOND;
        while (!late.joined() && server.network.now() < end) {
            server.network.run(SECOND / 10);
        }
        assertThat(late.joined()).isTrue();
    }

    /** Names on the board from above; their scores follow the slots. */
    private List<String> board(ScriptedClient viewer) {
        String[] words = answer(viewer, "score").split(" ");
        List<String> rows = new ArrayList<>();
        for (int i = 5; i < words.length; i += 15) {
            int slot = Integer.parseInt(words[i]);
            rows.add(viewer.configstrings.player(slot).get("n") + " " + words[i + 1]);
        }
        return rows;
    }

    @Test
    void listsPlayersWithMoreFragsFirst() {
        server.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        ScriptedClient viewer = server.client().join("viewer");
        ArenaPlayer victim = guest("sauerbraten", "victim", 5);
        ArenaPlayer best = guest("bedrock", "best", 3);
        for (ArenaPlayer each : List.of(victim, best)) {
            each.combatant()
                    .beginLife(server.network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        }
        run(1, viewer);
        assertThat(board(viewer))
                .containsExactlyInAnyOrder("viewer 0", "[S] victim 0", "[B] best 0")
                .startsWith("viewer 0");
        assertThat(
                        best.combatant()
                                .hit(
                                        server.network.now(),
                                        victim.id(),
                                        DamageMeans.MELEE,
                                        100,
                                        Vec3.ZERO,
                                        Vec3.ZERO))
                .isTrue();
        run(2, viewer);
        assertThat(board(viewer)).containsExactly("[B] best 1", "viewer 0", "[S] victim 0");
    }

    @Test
    void limitsScoreboardLength() {
        ScriptedClient viewer = server.client().join("viewer");
        for (int i = 0; i < 60; i++) {
            guest("bedrock", "guest" + i, i - 30);
        }
        run(2, viewer);
        String scores = answer(viewer, "score");
        assertThat(scores).startsWith("scores ").hasSizeLessThan(1_022);
        String[] words = scores.split(" ");
        assertThat(Integer.parseInt(words[1])).isGreaterThan(28);
        assertThat(words).hasSize(5 + 15 * Integer.parseInt(words[1]));
    }

    @Test
    void announcesHttpFiles() {
        server.httpDownloads.setUrlProvider(_ -> Optional.of("http://192.0.2.1:8260/files"));
        ScriptedClient viewer = server.client().join("viewer");
        InfoString told = viewer.serverinfo;
        assertThat(told.get("sv_dlURL")).isEqualTo("http://192.0.2.1:8260/files/quake3");
        assertThat(told.number("sv_allowDownload", 0) & 3).as("with redirection").isEqualTo(1);
        String pak = viewer.configstrings.system().get("sv_referencedPakNames") + ".pk3";
        assertThat(server.httpDownloads.file("quake3", pak, InetAddress.getLoopbackAddress()))
                .isPresent();
    }

    @Test
    void countsEveryoneForBrowsers() {
        ScriptedClient viewer = server.client().join("viewer");
        guest("bedrock", "steve", 3);
        guest("quake2", "grunt", 4);
        assertThat(viewer.ask("getinfo x"))
                .contains("\\clients\\3\\", "\\g_humanplayers\\3\\", "\\sv_maxclients\\66");
        server.arena.mirror(server.network.now(), new PlayerId(7, 1), "quake2", "far");
        assertThat(viewer.ask("getinfo x")).contains("\\clients\\4\\", "\\sv_maxclients\\67");
        assertThat(viewer.ask("getstatus x"))
                .contains("\"viewer\"", "\"[B] steve\"", "\"[Q2] grunt\"", "\\sv_maxclients\\67\\");
    }

    @Test
    void reconnectsAtOnceTenTimes() {
        ScriptedClient client = server.client().join("again");
        for (int i = 0; i < 10; i++) {
            client.say("disconnect");
            client.gone = true;
            client =
                    new ScriptedClient(server.network, TestServer.ADDRESS, client.address, 68)
                            .join("again");
            assertThat(server.arena.players()).extracting(Player::name).containsExactly("again");
        }
    }

    @Test
    void firesAsClientPredicts() {
        ScriptedClient client = server.client().join("client");
        ScriptedClient viewer = server.client().join("viewer");
        run(0.5, client, viewer);
        assertThat(client.frame.player().get(PlayerArray.STATS, 3)).isEqualTo(1 << 1 | 1 << 2);
        assertThat(client.frame.player().get(PlayerArray.AMMO, 1)).isEqualTo(-1);
        assertThat(client.frame.player().get(PlayerArray.AMMO, 2)).isEqualTo(100);
        assertThat(client.frame.player().get(PlayerField.WEAPON)).isEqualTo(1);
        int before = client.frame.player().get(PlayerField.EVENT_SEQUENCE);
        List<Integer> fired = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int buttons = i < 50 ? 0 : ATTACK;
            client.move(new Usercmd(client.serverTime() + 1, 0, 0, 0, 0, 0, 0, buttons, 2));
            server.network.run(SECOND / 50);
            fired.add(client.frame.player().get(PlayerField.EVENT_SEQUENCE));
        }
        assertThat(client.frame.player().get(PlayerField.WEAPON)).isEqualTo(2);
        assertThat(fired.get(49) - before).as("it has changed its weapon").isEqualTo(1);
        assertThat(fired.getLast() - fired.get(49)).as("ten a second").isBetween(9, 10);
        assertThat(client.frame.player().get(PlayerField.EVENTS_0)).isEqualTo(EV_FIRE_WEAPON);
        assertThat(client.frame.player().get(PlayerField.E_FLAGS) & PlayerBody.EF_FIRING)
                .isNotZero();
        run(0.1, viewer);
        EntityState seen = requireNonNull(viewer.frame.entity(client.clientNum));
        assertThat(seen.get(EntityField.WEAPON)).isEqualTo(2);
        assertThat(seen.get(EntityField.EVENT) & 0xFF).isEqualTo(EV_FIRE_WEAPON);
    }

    @Test
    void showsFollowedPlayerAlive() {
        ScriptedClient viewer = server.client().join("viewer");
        ArenaPlayer guest = guest("sauerbraten", "guest", 3);
        run(0.5, viewer);
        viewer.say("team spectator");
        run(1, viewer);
        viewer.say("follow guest");
        for (int i = 0; i < 5; i++) {
            guest.recordActivity(server.network.now());
            run(1, viewer);
            assertThat(viewer.frame.player().get(PlayerField.CLIENT_NUM))
                    .isNotEqualTo(viewer.clientNum);
            assertThat(viewer.frame.player().get(PlayerField.COMMAND_TIME))
                    .isEqualTo(viewer.serverTime());
            assertThat(viewer.frame.player().get(PlayerArray.AMMO, 2)).isEqualTo(100);
        }
    }

    @Test
    void answersUnknownCommands() {
        ScriptedClient client = server.client().join("client");
        run(1, client);
        assertThat(answer(client, "dance \"a b\"")).isEqualTo("print \"unknown cmd dance\n\"");
        assertThat(answer(client, "x^1%y")).isEqualTo("print \"unknown cmd x^^71.y\n\"");
        assertThat(answer(client, "noclip"))
                .isEqualTo("print \"Cheats are not enabled on this server.\n\"");
        assertThat(answer(client, "team")).isEqualTo("print \"Free team\n\"");
        assertThat(answer(client, "teamtask 2")).isEmpty();
        assertThat(answer(client, "tell nobody hi"))
                .isEqualTo("print \"User nobody is not on the server\n\"");
    }

    @Test
    void deliversTell() {
        ScriptedClient a = server.client().join("alice");
        ScriptedClient b = server.client().join("bob");
        ScriptedClient c = server.client().join("carol");
        run(1, a, b, c);
        a.say("tell " + b.clientNum + " only ^1you \"see\" it");
        run(1, a, b, c);
        a.say("tell BOB and this");
        run(1, a, b, c);
        for (ScriptedClient each : List.of(a, b)) {
            assertThat(each.commands)
                    .contains(
                            "chat \"\u0019[alice^7\u0019]\u0019: ^6only you see it\"",
                            "chat \"\u0019[alice^7\u0019]\u0019: ^6and this\"");
        }
        assertThat(c.commands).noneMatch(line -> line.contains("this") || line.contains("only"));
    }

    @Test
    void deliversTellToForeignPlayer() {
        ScriptedClient a = server.client().join("alice");
        RecordingViewer steve = new RecordingViewer();
        ArenaPlayer guest = guest("bedrock", "Steve", 3, steve);
        run(1, a);
        a.say("tell steve come ^1here");
        run(1, a);
        List<ArenaEvent.Whisper> told = steve.told(ArenaEvent.Whisper.class);
        assertThat(told).hasSize(1);
        assertThat(told.getFirst().text()).isEqualTo("come here");
        assertThat(told.getFirst().from().name()).isEqualTo("alice");
        assertThat(a.commands).contains("chat \"\u0019[alice^7\u0019]\u0019: ^6come here\"");
        guest.whisper(server.network.now(), id("alice"), "\"no\"");
        run(1, a);
        assertThat(a.commands).contains("chat \"\u0019[[B] Steve^7\u0019]\u0019: ^6'no'\"");
    }

    @Test
    void kicksForeignPlayersByRcon() {
        ScriptedClient operator = server.client();
        List<ArenaEvent.KickRequested> kick = new ArrayList<>();
        server.arena.addListener(event -> {
            if (event instanceof ArenaEvent.KickRequested e) {
                kick.add(e);
            }
        });
        ArenaPlayer steve = guest("bedrock", "Steve", 3);
        ArenaPlayer alex = guest("bedrock", "Alex", 3);
        assertThat(operator.ask("rcon secret kick steve")).contains("Steve was kicked");
        assertThat(operator.ask("rcon secret clientkick #" + alex.id().number()))
                .contains("Alex was kicked");
        assertThat(kick)
                .extracting(ArenaEvent.KickRequested::id)
                .containsExactly(steve.id(), alex.id());
    }

    @Test
    void showsStoredMovementLikeLive() {
        ScriptedClient live = server.client().join("live");
        ScriptedClient viewer = server.client().join("viewer");
        PlayerId far = new PlayerId(PlayerId.MAX_NODE, id("live").number());
        ArenaPlayer stored = server.arena.mirror(server.network.now(), far, "quake3", "stored");
        stored.spawn(server.network.now(), Movement.at(new Vec3(3, 4, 0), 90));
        int compared = 0;
        for (int i = 0; i < 50; i++) {
            live.move(
                    new Usercmd(
                            live.serverTime() + 1,
                            i * 40,
                            i * 900,
                            0,
                            90,
                            i - 25,
                            i % 9 == 0 ? 127 : 0,
                            0,
                            1));
            server.network.run(SECOND / 50);
            Player now = server.arena.find(id("live")).orElseThrow();
            NativeMovement movement = now.nativeMovement();
            stored.recordActivity(server.network.now());
            stored.move(
                    server.network.now(),
                    now.movement(),
                    new NativeMovement.Stored(movement.form(), movement.bytes()));
            run(0.1, viewer);
            int slot = slot(viewer, "stored");
            EntityState of = requireNonNull(viewer.frame.entity(live.clientNum));
            EntityState copy = viewer.frame.entity(slot);
            assertThat(slot).isNotEqualTo(live.clientNum);
            assertThat(copy).isEqualTo(of.with(EntityField.CLIENT_NUM, slot));
            compared += of.get(EntityField.LEGS_ANIM) != 0 ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(40);
    }

    private static int slot(ScriptedClient viewer, String name) {
        return IntStream.range(0, 64)
                .filter(slot -> viewer.configstrings.player(slot).get("n").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "direction", "weapon", "event", "bytes"})
    void hidesStatesThatEndClients(String what) {
        ScriptedClient viewer = server.client().join("viewer");
        ArenaPlayer stored = guest("quake3", "stored", 3);
        run(0.5, viewer);
        EntityState good = Quake3Motion.entity(stored.snapshot().movement());
        EntityState bad =
                switch (what) {
                    case "type" -> good.with(EntityField.E_TYPE, 3);
                    case "direction" -> good.with(EntityField.ANGLES2_1, Float.floatToIntBits(8));
                    case "weapon" -> good.with(EntityField.WEAPON, 200);
                    default -> good.with(EntityField.EVENT, 255);
                };
        Bytes bytes = new Quake3Movement(bad.with(EntityField.LEGS_ANIM, 99)).bytes();
        stored.move(
                server.network.now(),
                stored.snapshot().movement(),
                new NativeMovement.Stored(
                        Quake3Movement.FORM,
                        what.equals("bytes") ? bytes.slice(0, bytes.length() / 2) : bytes));
        run(0.5, viewer);
        int slot = slot(viewer, "stored");
        assertThat(viewer.frame.entity(slot))
                .as("what can be seen of any game's player")
                .isEqualTo(good.with(EntityField.CLIENT_NUM, slot));
    }

    @Test
    void assignsSlotsByInterestSet() {
        ScriptedClient viewer = server.client().join("viewer");
        List<ArenaPlayer> guests = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            guests.add(guest("bedrock", "guest" + i, -30 + i * 0.6));
        }
        Map<Integer, String> before = new HashMap<>();
        Map<Integer, Integer> absent = new HashMap<>();
        int changes = 0;
        run(1, viewer);
        for (int i = 0; i < 1_500; i++) {
            // They pass by slowly, so that others are near every few seconds.
            for (int each = 0; each < guests.size(); each++) {
                double x = each * 0.6 + i / 30.0;
                guests.get(each).recordActivity(server.network.now());
                guests.get(each)
                        .move(
                                server.network.now(),
                                Movement.at(new Vec3((x + 90) % 60 - 30, 4, 0), 0),
                                NativeMovement.Stored.NONE);
            }
            run(0.02, viewer);
            Set<String> shown = new HashSet<>();
            for (int slot = 0; slot < 64; slot++) {
                EntityState seen = viewer.frame.entity(slot);
                if (seen == null) {
                    absent.merge(slot, 1, Integer::sum);
                    continue;
                }
                String name = viewer.configstrings.player(slot).get("n");
                assertThat(shown.add(name)).as(name).isTrue();
                String old = before.put(slot, name);
                if (old != null && !old.equals(name)) {
                    changes++;
                    assertThat(absent.getOrDefault(slot, 0)).as("rested").isPositive();
                }
                absent.put(slot, 0);
            }
            // At most two change their places in a second.
            assertThat(shown.size()).isBetween(61, 63);
            assertThat(server.arena.player(id("viewer")).orElseThrow().visiblePlayers())
                    .hasSize(63);
        }
        assertThat(changes).as("others have come near").isBetween(5, 90);
    }

    private PlayerId id(String name) {
        return server.arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @Test
    void sendsPlainChatToAll() {
        ScriptedClient a = server.client().join("alice");
        ScriptedClient b = server.client().join("bob");
        run(1, a, b);
        assertThat(a.ask("rcon secret say ^3all hear")).contains("Sent to all: all hear");
        run(0.1, a, b);
        assertThat(b.commands).contains("print \"all hear\n\"".strip());
        a.say("say ^1red ^^2 \"quoted\"");
        run(1, a, b);
        assertThat(b.commands).contains("chat \"alice^7\u0019: ^2red ^^2 'quoted'\"");
    }

    @Test
    void sizesArenaAsMap(@TempDir Path folder) throws IOException {
        TestServer other = new TestServer();
        other.serve(new TestMap("0 0 64").levels(folder), TestMap.NAME);
        Bounds map = new Quake3MapCatalog(Optional.of(folder)).load(TestMap.NAME).bounds();
        assertThat(map).isNotEqualTo(ArenaCatalog.FLAT.bounds());
        assertThat(map.min().z()).isNegative();
        assertThat(other.arena.bounds()).isEqualTo(ArenaCatalog.FLAT.bounds().union(map));
        other.client().ask("rcon secret map wishdir_flat");
        assertThat(other.arena.bounds()).isEqualTo(ArenaCatalog.FLAT.bounds());
    }

    @Test
    void distinguishesForeignPlayersByLook() {
        ScriptedClient viewer = server.client().join("viewer");
        for (int i = 0; i < 8; i++) {
            guest(i % 2 == 0 ? "bedrock" : "quake2", "guest" + i, i);
        }
        run(1, viewer);
        List<String> models = new ArrayList<>();
        for (int slot = 56; slot < 64; slot++) {
            InfoString info = viewer.configstrings.player(slot);
            String[] signed = info.get("n").split(" ");
            PlayerModel model =
                    PlayerModel.of(signed[0].equals("[B]") ? "bedrock" : "quake2", signed[1], true);
            assertThat(info.get("model")).isEqualTo(model.model());
            assertThat(info.get("hmodel")).isEqualTo(model.model());
            assertThat(info.get("c1")).isEqualTo(Integer.toString(model.colour()));
            models.add(model.model());
        }
        assertThat(models).doesNotHaveDuplicates();
    }

    @Test
    void listsEveryoneByRcon() {
        ScriptedClient client = server.client().join("client");
        ArenaPlayer guest = guest("bedrock", "steve", 3);
        run(1, client);
        assertThat(client.ask("rcon secret status"))
                .contains("map: flat, 2 of ")
                .containsPattern("1 +\\d+ quake3 127.0.0.1:\\d+ client \\(protocol")
                .containsPattern(guest.id() + " +\\d+ bedrock - steve");
        for (int i = 0; i < 90; i++) {
            guest("bedrock", "a rather long name " + i, 3);
        }
        run(2, client);
        client.ask("rcon secret status");
        assertThat(client.answers)
                .hasSizeGreaterThan(1)
                .allMatch(packet -> packet.startsWith("print\n") && packet.length() < 1_024);
        assertThat(String.join("", client.answers))
                .contains("a rather long name 0\n", "a rather long name 89\n");
    }
}
