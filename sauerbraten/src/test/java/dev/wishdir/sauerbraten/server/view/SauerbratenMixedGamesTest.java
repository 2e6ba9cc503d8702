package dev.wishdir.sauerbraten.server.view;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.InfoMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenEndpoint;
import dev.wishdir.sauerbraten.server.ScriptedPlayer;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Clients among players who are none: of other games, of recordings, of other servers. */
class SauerbratenMixedGamesTest {
    private static final InetSocketAddress GAME = EnetNode.address("10.0.0.1:28785");
    private static final InetSocketAddress INFO = EnetNode.address("10.0.0.1:28786");
    private static final NativeMovement NONE = NativeMovement.Stored.NONE;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final DutyCycle cycle = network.cycle();
    private Arena arena = new Arena(Level.BOX, 400);
    private int players;

    private void serve(Map<String, String> options) throws IOException {
        serve(options, new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of()));
    }

    private void serve(Map<String, String> options, SharedArena sharedArena) throws IOException {
        cycle.add(now -> arena.advance(now));
        SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, GAME, arena)
                        .sharedArena(sharedArena)
                        .adminPassword("boss")
                        .name("company")
                        .options(options)
                        .random(new Random(9))
                        .build());
    }

    private ScriptedPlayer player(String name) {
        return new ScriptedPlayer(network, ++players, GAME).join(name);
    }

    private ArenaPlayer stranger(String game, String name, double x) {
        return stranger(game, name, x, new NoOpViewer());
    }

    private ArenaPlayer stranger(String game, String name, double x, Viewer viewer) {
        ArenaPlayer id = arena.join(network.now(), game, name, viewer);
        cycle.execute(() -> id.spawn(network.now(), at(x)));
        return id;
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 1, 0), 90);
    }

    private void move(ArenaPlayer who, double x) {
        cycle.execute(() -> who.move(network.now(), at(x), NONE));
    }

    /** All players in the arena show activity, so that no body goes. */
    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += SECOND) {
            cycle.execute(() ->
                    arena.players()
                            .forEach(each ->
                                    arena.player(each.id())
                                            .orElseThrow()
                                            .recordActivity(network.now())));
            network.run(Math.min(SECOND, nanos - passed));
        }
    }

    /** By number, the name of who the client believes to have it. */
    private static Map<Integer, String> known(ScriptedPlayer player) {
        Map<Integer, String> known = new TreeMap<>();
        player.heard.forEach(message -> {
            if (message instanceof RosterMessage.InitClient init) {
                assertThat(known.put(init.cn(), init.name())).as("%s", init).isNull();
            } else if (message instanceof RosterMessage.CDis gone) {
                assertThat(known.remove(gone.cn())).as("%s", gone).isNotNull();
            }
        });
        return known;
    }

    @Test
    void showsNearestWhenNumbersRunOut() throws IOException {
        serve(Map.of());
        List<ArenaPlayer> strangers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            strangers.add(stranger(i % 2 == 0 ? "bedrock" : "quake3", "s" + i, i % 60 - 30));
        }
        ScriptedPlayer alice = player("alice");
        alice.move(8192);
        run(2 * SECOND);
        assertThat(known(alice))
                .hasSize(ClientConnection.MAX_CLIENT_NUMBERS - 1)
                .doesNotContainKey(alice.cn);
        Set<Integer> seen = new HashSet<>();
        alice.heard(Pos.class).forEach(pos -> seen.add(pos.cn()));
        assertThat(seen).hasSize(Arena.DEFAULT_MAX_VISIBLE_PLAYERS);
        assertThat(known(alice).values())
                .containsAll(
                        handle("alice").visiblePlayers().stream()
                                .map(ForeignPlayers::name)
                                .toList());
        ScriptedPlayer bob = player("bob");
        bob.move(8192);
        run(SECOND);
        assertThat(known(alice))
                .hasSize(ClientConnection.MAX_CLIENT_NUMBERS - 1)
                .containsEntry(bob.cn, "bob");
        assertThat(known(bob))
                .hasSize(ClientConnection.MAX_CLIENT_NUMBERS - 1)
                .doesNotContainKey(bob.cn);
        for (ArenaPlayer one : strangers.subList(0, 150)) {
            cycle.execute(() -> one.leave(network.now(), LeaveReason.LEFT));
        }
        run(2 * SECOND);
        assertThat(known(alice).values())
                .containsExactlyInAnyOrderElementsOf(
                        arena.players().stream()
                                .map(ForeignPlayers::name)
                                .filter(name -> !name.equals("alice"))
                                .toList());
        alice.positions.clear();
        alice.heard.clear();
        ArenaPlayer last = strangers.getLast();
        move(last, 5);
        network.run(50 * MILLI);
        assertThat(alice.heard(Pos.class)).hasSize(1);
    }

    private ArenaPlayer handle(String name) {
        return arena.player(arenaId(name)).orElseThrow();
    }

    private PlayerId arenaId(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    /** Positions are lost, and clients show a body as lagged that has none for a second. */
    @Test
    void repeatsPositionsOfBodiesThatStandStill() throws IOException {
        serve(Map.of());
        ArenaPlayer still = stranger("bedrock", "still", 3);
        ScriptedPlayer alice = player("alice");
        run(SECOND);
        for (int i = 0; i < 6; i++) {
            alice.heard.clear();
            run(500 * MILLI);
            assertThat(alice.heard(Pos.class))
                    .hasSizeBetween(1, 2)
                    .allSatisfy(pos ->
                            assertThat(pos.cn())
                                    .isEqualTo(ClientConnection.MAX_CLIENT_NUMBERS - 1));
        }
        cycle.execute(() -> still.despawn(network.now()));
        run(100 * MILLI);
        alice.heard.clear();
        run(SECOND);
        assertThat(alice.heard(Pos.class)).isEmpty();
    }

    @Test
    void takesNumberOfForeignPlayerForClient() throws IOException {
        serve(Map.of());
        for (int i = 0; i < 126; i++) {
            stranger("quake2", "s" + i, 0);
        }
        ScriptedPlayer alice = player("alice");
        run(SECOND);
        assertThat(known(alice)).hasSize(126).doesNotContainKey(1);
        ScriptedPlayer bob = player("bob");
        ScriptedPlayer carol = player("carol");
        run(SECOND);
        assertThat(bob.cn).isEqualTo(1);
        assertThat(known(alice))
                .hasSize(127)
                .containsEntry(bob.cn, "bob")
                .containsEntry(carol.cn, "carol");
        carol.peer.disconnect(0);
        run(SECOND);
        assertThat(known(alice)).hasSize(127).doesNotContainValue("carol");
        assertThat(known(bob)).hasSize(127).doesNotContainValue("carol");
    }

    @Test
    void showsStoredMovementUnchangedUnderAnotherNumber() throws IOException {
        serve(Map.of());
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.move(8192);
        Bytes live = bob.move(bob.cn, bob.lifeseq, 8000);
        network.run(50 * MILLI);
        assertThat(alice.positions).containsExactly(live);
        Player moved = arena.find(arenaId("bob")).orElseThrow();
        assertThat(moved.nativeMovement())
                .isEqualTo(new NativeMovement.Stored("sauerbraten/260", live));
        ArenaPlayer recorded =
                arena.mirror(
                        network.now(),
                        new PlayerId(PlayerId.MAX_NODE, moved.id().number()),
                        "sauerbraten",
                        "bob of yesterday");
        recorded.spawn(network.now(), at(0));
        network.run(50 * MILLI);
        alice.positions.clear();
        cycle.execute(() -> recorded.move(network.now(), moved.movement(), moved.nativeMovement()));
        network.run(50 * MILLI);
        int cn = ClientConnection.MAX_CLIENT_NUMBERS - 1;
        assertThat(alice.positions).containsExactly(stamped(live, cn));
        alice.positions.clear();
        Bytes broken = Bytes.wrap(new byte[] {4, 1, 0, 0, 1});
        cycle.execute(() ->
                recorded.move(
                        network.now(),
                        at(3),
                        new NativeMovement.Stored("sauerbraten/260", broken)));
        network.run(50 * MILLI);
        assertThat(alice.positions)
                .containsExactly(
                        SauerbratenCodec.V260.packet(
                                SauerbratenMotion.CENTERED.toNative(at(3), cn, 0)));
    }

    /** The same with another number, in a life with an even one. */
    private static Bytes stamped(Bytes position, int cn) {
        byte[] bytes = position.toArray();
        bytes[1] = (byte) cn;
        bytes[2] &= ~8;
        return Bytes.wrap(bytes);
    }

    @Test
    void showsPingsOfAll() throws IOException {
        serve(Map.of());
        ArenaPlayer ranger = stranger("quake3", "ranger", 0);
        ScriptedPlayer alice = player("alice");
        alice.say(new SessionMessage.ClientPing(37));
        ranger.setPing(55);
        run(2 * SECOND);
        assertThat(alice.relayed).contains("127 ClientPing[ping=55]");
        assertThat(arena.find(arenaId("alice")).orElseThrow().ping()).isEqualTo(37);
        ScriptedPlayer bob = player("bob");
        assertThat(bob.relayed).contains("127 ClientPing[ping=55]", "0 ClientPing[ping=37]");
    }

    @Test
    void reportsAllToServerBrowser() throws IOException {
        serve(Map.of());
        ArenaPlayer ranger = stranger("quake3", "ranger", 0);
        stranger("bedrock", "steve", 0);
        player("alice");
        ranger.setPing(55);
        List<Bytes> answers = new ArrayList<>();
        InetSocketAddress browser = EnetNode.address("10.7.0.1:5000");
        network.tap((_, from, _, data) -> {
            if (from.equals(INFO)) {
                answers.add(Bytes.wrap(data.clone()));
            }
        });
        network.inject(browser, INFO, new byte[] {1});
        network.inject(browser, INFO, new byte[] {0, 1, -1});
        network.run(50 * MILLI);
        InfoMessage.Request status = new InfoMessage.Request(1, 0, 0, Bytes.EMPTY);
        InfoMessage.Request all = new InfoMessage.Request(0, 1, -1, Bytes.EMPTY);
        assertThat(read(answers.get(0), status))
                .isInstanceOfSatisfying(
                        InfoMessage.Status.class,
                        told -> {
                            assertThat(told.clients()).isEqualTo(3);
                            assertThat(told.attrs().get(3)).isEqualTo(400);
                        });
        assertThat(read(answers.get(1), all))
                .isEqualTo(new InfoMessage.Players(List.of(128, 129, 0)));
        List<String> told = new ArrayList<>();
        for (Bytes answer : answers.subList(2, answers.size())) {
            InfoMessage.Player player = (InfoMessage.Player) read(answer, all);
            told.add(
                    player.pcn() + " " + player.name() + " " + player.team() + " " + player.ping());
        }
        assertThat(told)
                .containsExactly("128 [Q3]ranger qua3 55", "129 [B]steve bedk 0", "0 alice good 0");
        arena.mirror(network.now(), new PlayerId(PlayerId.MAX_NODE, 1), "quake2", "far");
        answers.clear();
        network.inject(browser, INFO, new byte[] {1});
        network.run(50 * MILLI);
        assertThat(read(answers.getFirst(), status))
                .isInstanceOfSatisfying(
                        InfoMessage.Status.class,
                        ofAllServers -> {
                            assertThat(ofAllServers.clients()).isEqualTo(4);
                            assertThat(ofAllServers.attrs().get(3)).isEqualTo(401);
                        });
    }

    private static InfoMessage read(Bytes answer, InfoMessage.Request asked) {
        Writer repeated = new Writer(16);
        InfoMessage.write(repeated, asked);
        Reader reader = new Reader(answer);
        reader.reset(answer.toArray(), repeated.position(), answer.length() - repeated.position());
        return InfoMessage.answer(reader, asked);
    }

    @Test
    @DisplayName("R5: a master reaches no player of another game, and an admin does")
    void kicksForeignPlayersOnlyAsAdmin() throws IOException {
        serve(Map.of());
        RecordingViewer viewer = new RecordingViewer();
        stranger("quake3", "ranger", 0, viewer);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(
                new AdminMessage.SetMaster(alice.cn, true, ""),
                new AdminMessage.Kick(127, "language"));
        network.run(100 * MILLI);
        assertThat(bob.heard(ChatMessage.ServMsg.class))
                .containsExactly(new ChatMessage.ServMsg("alice claimed master"));
        assertThat(viewer.told(ArenaEvent.KickRequested.class)).isEmpty();
        String hash = PasswordHash.of(alice.cn, alice.sessionid, "boss");
        alice.say(
                new AdminMessage.SetMaster(alice.cn, true, hash),
                new AdminMessage.Kick(127, "language"));
        network.run(100 * MILLI);
        assertThat(viewer.told(ArenaEvent.KickRequested.class))
                .singleElement()
                .satisfies(away -> {
                    assertThat(away.player().name()).isEqualTo("ranger");
                    assertThat(away.reason().text()).isEqualTo("You were kicked: language");
                });
        handle("bob")
                .kick(
                        network.now(),
                        new LeaveReason(LeaveReason.Code.KICKED, "kicked by the \f3operator"));
        assertThat(bob.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(bob.heard(ChatMessage.ServMsg.class))
                .contains(new ChatMessage.ServMsg("kicked by the operator"));
    }

    @Test
    @DisplayName("R5: no player becomes master of a shared arena without the password")
    void refusesMasterOfSharedArena() throws IOException {
        SharedArena sharedArena = new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of());
        sharedArena.enter(_ -> _ -> {}, _ -> {});
        serve(Map.of(), sharedArena);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(
                new AdminMessage.SetMaster(alice.cn, true, ""),
                new AdminMessage.MasterMode(3),
                new AdminMessage.ClientPauseGame(true),
                new AdminMessage.Kick(bob.cn, "spite"));
        network.run(SECOND);
        assertThat(bob.isGone()).isFalse();
        assertThat(bob.heard(AdminMessage.PauseGame.class)).isEmpty();
        assertThat(alice.heard(ChatMessage.ServMsg.class))
                .extracting(ChatMessage.ServMsg::text)
                .first()
                .asString()
                .contains("/setmaster PASSWORD");
        assertThat(alice.heard(AdminMessage.CurrentMaster.class)).isEmpty();
        String hash = PasswordHash.of(alice.cn, alice.sessionid, "boss");
        alice.say(
                new AdminMessage.SetMaster(alice.cn, true, hash),
                new AdminMessage.Kick(bob.cn, "spite"));
        assertThat(bob.farewell()).isEqualTo(DisconnectReason.KICKED.code());
    }

    @Test
    void deliversWhisperOnlyToRecipient() throws IOException {
        serve(Map.of());
        ArenaPlayer ranger = stranger("quake3", "ranger", 0);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        cycle.execute(() -> ranger.whisper(network.now(), arenaId("alice"), "psst, \f3behind you"));
        network.run(100 * MILLI);
        assertThat(alice.heard(ChatMessage.ServMsg.class))
                .containsExactly(
                        new ChatMessage.ServMsg("[Q3]ranger (whisper): psst, 3behind you"));
        assertThat(bob.heard(ChatMessage.ServMsg.class)).isEmpty();
    }

    @Test
    void limitsMovementRateAndRepeatsUnchangedFiveTimes() throws IOException {
        serve(Map.of());
        List<ArenaPlayer> strangers = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            strangers.add(stranger("quake2", "s" + i, i / 2.0));
        }
        ScriptedPlayer alice = player("alice");
        alice.move(8192);
        run(SECOND);
        alice.positions.clear();
        int[] step = {0};
        for (int milli = 0; milli < 1000; milli++) {
            // Thirty times a second each, all at times of their own.
            for (int i = milli % 33; i < strangers.size(); i += 33) {
                move(strangers.get(i), i / 2.0 + ++step[0] / 1e4);
            }
            network.run(MILLI);
        }
        assertThat(alice.positions.size())
                .isBetween(100, Integer.parseInt(SauerbratenEndpoint.DEFAULT_RELAYS) + 1);
        int bytes = alice.positions.stream().mapToInt(Bytes::length).sum();
        assertThat(bytes).isBetween(48 * 29 * 16, 48 * 31 * 17);
        alice.heard.clear();
        for (int milli = 0; milli < 1000; milli += 33) {
            strangers.forEach(who -> move(who, 3));
            network.run(33 * MILLI);
        }
        for (int cn = 127; cn > 127 - strangers.size(); cn--) {
            int number = cn;
            assertThat(alice.heard(Pos.class).stream().filter(pos -> pos.cn() == number).count())
                    .isBetween(4L, 7L);
        }
    }

    @Test
    void usesConfiguredMovementRate() throws IOException {
        assertThatThrownBy(() -> serve(Map.of(SauerbratenEndpoint.RELAYS, "5")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option max-position-rate must be a number from 30 to 1000, is '5'");
        arena = new Arena(Level.BOX, 400);
        serve(Map.of(SauerbratenEndpoint.RELAYS, "40"));
        List<ArenaPlayer> strangers = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            strangers.add(stranger("quake2", "s" + i, i / 2.0));
        }
        ScriptedPlayer alice = player("alice");
        run(SECOND);
        alice.positions.clear();
        for (int milli = 0; milli < 1000; milli++) {
            move(strangers.get(milli % 48), milli / 1e3);
            network.run(MILLI);
        }
        assertThat(alice.positions.size()).isBetween(36, 41);
    }

    @Test
    void hidesBodyAndShotsOutOfSight() throws IOException {
        arena = new Arena(Level.BOX, 400, 1);
        serve(Map.of());
        ScriptedPlayer alice = player("alice");
        alice.move(8192);
        ScriptedPlayer near = player("near");
        near.move(8200);
        network.run(50 * MILLI);
        ScriptedPlayer far = player("far");
        far.move(9000);
        network.run(100 * MILLI);
        assertThat(known(alice)).containsEntry(far.cn, "far").containsEntry(near.cn, "near");
        assertThat(alice.heard(Pos.class)).extracting(Pos::cn).containsOnly(near.cn);
        alice.heard.clear();
        far.say(new ActionMessage.Shoot(1, 6, Point.BLANK, Point.BLANK, List.of()));
        near.say(new ActionMessage.Shoot(2, 6, Point.BLANK, Point.BLANK, List.of()));
        network.run(50 * MILLI);
        assertThat(alice.heard(ActionMessage.ShotFx.class))
                .extracting(ActionMessage.ShotFx::cn)
                .containsExactly(near.cn);
        near.peer.disconnect(0);
        for (int i = 0; i < 100; i++) {
            far.move(9000 + i);
            alice.move(8192 + i);
            network.run(33 * MILLI);
        }
        assertThat(alice.heard(Pos.class)).extracting(Pos::cn).contains(far.cn);
    }

    /** As those who follow it see. */
    @Test
    void showsWhatIsKnownOfForeignPlayer() throws IOException {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        serve(Map.of());
        ScriptedPlayer alice = player("alice");
        alice.move(8192);
        ArenaPlayer ranger = arena.join(network.now(), "quake3", "ranger", new NoOpViewer());
        ArenaPlayer major = arena.join(network.now(), "quake2", "major", new NoOpViewer());
        cycle.execute(() -> {
            for (ArenaPlayer each : List.of(ranger, major)) {
                each.combatant().beginLife(network.now(), new Vitals(125, 10, 0), ArmourRule.EXACT);
                each.spawn(network.now(), at(each.id().number()));
            }
        });
        network.run(SECOND);
        assertThat(alice.relayed)
                .filteredOn(line -> line.contains("Spawn["))
                .hasSize(2)
                .allMatch(line -> line.contains("health=125, maxhealth=100, armour=10,"))
                .as("neither its gun nor its rounds")
                .allMatch(line -> line.contains("gun=0, ammo=[999, 999, 999, 999, 999, 999]"));
    }

    @Test
    void showsGunOfForeignPlayerFromItsFirstHit() throws IOException {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        serve(Map.of());
        ScriptedPlayer alice = player("alice");
        alice.move(8192);
        ArenaPlayer ranger = stranger("quake3", "ranger", 0);
        ArenaPlayer major = stranger("quake2", "major", 2);
        cycle.execute(() -> {
            for (ArenaPlayer each : List.of(ranger, major)) {
                each.combatant().beginLife(network.now(), new Vitals(1e6, 0, 0), ArmourRule.EXACT);
            }
        });
        network.run(SECOND);
        List<Integer> guns = new ArrayList<>();
        for (DamageMeans means :
                List.of(
                        DamageMeans.RIFLE,
                        DamageMeans.SHOTGUN,
                        DamageMeans.ROCKET,
                        DamageMeans.PISTOL,
                        DamageMeans.BFG,
                        DamageMeans.PISTOL)) {
            cycle.execute(() -> {
                ranger.performAction(network.now(), PlayerAction.ATTACK);
                assertThat(
                                ranger.combatant()
                                        .hit(
                                                network.now(),
                                                major.id(),
                                                means,
                                                10,
                                                Vec3.ZERO,
                                                Vec3.ZERO))
                        .isTrue();
            });
            // Players that do nothing for some seconds vanish.
            network.run(SECOND / 2);
            guns.addAll(
                    alice.heard(ActionMessage.ShotFx.class).stream()
                            .map(ActionMessage.ShotFx::gun)
                            .toList());
            alice.heard.clear();
        }
        assertThat(guns)
                .containsExactly(
                        Weapon.FIST.number(),
                        Weapon.RIFLE.number(),
                        Weapon.SHOTGUN.number(),
                        Weapon.FIST.number(),
                        Weapon.PISTOL.number(),
                        Weapon.FIST.number());
    }

    @Test
    void sizesArenaAsMap(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("big.ogz");
        Ogz box = OgzCompiler.build(ArenaCatalog.FLAT);
        Files.write(file, box.file().toArray());
        serve(Map.of(MapFile.OPTION, file.toString()));
        assertThat(arena.bounds()).isEqualTo(SauerbratenMotion.CENTERED.bounds(box.worldsize()));
        Vec3 corner = SauerbratenMotion.CENTERED.toCanonical(new Vec3(1, 1023, 3));
        assertThat(arena.bounds().contains(corner)).isTrue();
        assertThat(arena.bounds().contains(new Vec3(0, 0, -63))).isTrue();
        ScriptedPlayer alice = player("alice");
        alice.raw(
                0,
                SauerbratenCodec.V260.packet(
                        SauerbratenMotion.CENTERED.toNative(
                                Movement.at(new Vec3(50, -50, -20), 0), alice.cn, alice.lifeseq)),
                false);
        network.run(50 * MILLI);
        assertThat(arena.find(arenaId("alice")).orElseThrow().movement().position())
                .isEqualTo(new Vec3(50, -50, -20));
    }
}
