package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.PlayerModel;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The endpoint as clients see it, in virtual time. */
class SauerbratenEndpointTest {
    private static final String ADMIN = "sekrit";

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 40);
    private final Counters counters = new Counters();
    private final List<String> events = new ArrayList<>();
    private final DutyCycle cycle = network.cycle();
    private SauerbratenEndpoint endpoint;
    private int players;
    private String name = "test";

    @BeforeEach
    void serve() throws IOException {
        endpoint = serve("", 4);
    }

    private SauerbratenEndpoint serve(String password, int maxPlayers) throws IOException {
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Joined(_, Player player) -> events.add("join " + player.name());
                case ArenaEvent.Left(_, Player player, LeaveReason why) ->
                        events.add("leave " + player.name() + ", " + why);
                case ArenaEvent.Chat(_, Player player, String text) ->
                        events.add(player.name() + ": " + text);
                default -> {}
            }
        });
        return SauerbratenEndpoint.open(
                EndpointContext.builder(
                                cycle,
                                EnetNode.address("10.0.0.1:" + (28785 + 10 * players)),
                                arena)
                        .name(name)
                        .maxPlayers(maxPlayers)
                        .password(password)
                        .adminPassword(ADMIN)
                        .counters(counters)
                        .random(new Random(9))
                        .build());
    }

    private ScriptedPlayer player() {
        return new ScriptedPlayer(network, ++players, endpoint.address());
    }

    private ScriptedPlayer player(String name) {
        return player().join(name);
    }

    @Test
    void sendsWelcomeInOriginalOrder() {
        ScriptedPlayer alice = player("alice");
        alice.move(8000);
        ScriptedPlayer bob = player("bob");
        assertThat(alice.heard.getFirst())
                .isEqualTo(new SessionMessage.ServInfo(0, 260, alice.sessionid, false, "test", ""));
        assertThat(bob.heard)
                .extracting(message -> SauerbratenCodec.V260.name(message))
                .startsWith(
                        "N_SERVINFO",
                        "N_WELCOME",
                        "N_MAPCHANGE",
                        "N_SETTEAM",
                        "N_SPAWNSTATE",
                        "N_RESUME",
                        "N_INITCLIENT");
        assertThat(bob.heard(LifeMessage.Resume.class).getFirst().players().getFirst().state())
                .isZero();
        assertThat(alice.heard(RosterMessage.InitClient.class))
                .containsExactly(new RosterMessage.InitClient(1, "bob", "good", 0));
        assertThat(events).containsExactly("join alice", "join bob");
    }

    @Test
    @DisplayName("A12 a server's name that is too long for the game is cut, and players join")
    void cutsLongServerName() throws IOException {
        endpoint.close("");
        name = "\u2122".repeat(3_000);
        players = 1;
        endpoint = serve("", 4);
        ScriptedPlayer alice = player("alice");
        assertThat(alice.heard(SessionMessage.ServInfo.class).getFirst().desc()).hasSize(259);
        assertThat(arena.players()).hasSize(1);
    }

    @Test
    void relaysPositionsUnchangedButNotToOwner() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        Bytes position = alice.move(8000);
        network.run(20 * EnetNode.MILLI);
        assertThat(bob.positions).containsExactly(position);
        assertThat(alice.positions).isEmpty();
        Player inArena = arena.players().iterator().next();
        assertThat(inArena.movement().position().distance(new Vec3(-1.5, 0, 0))).isZero();
    }

    @Test
    void relaysWithinMilliseconds() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        for (int i = 0; i < 30; i++) {
            bob.positions.clear();
            alice.move(8000 + i);
            network.run(5 * EnetNode.MILLI);
            assertThat(bob.positions).hasSize(1);
            network.run(28 * EnetNode.MILLI);
        }
    }

    @Test
    void hidesPlayersBeforeSpawnAndInOtherLife() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player().greeted();
        bob.move(bob.cn, 1, 8000);
        bob.say(new SessionMessage.Connect("bob", 0, "", "", ""));
        network.run(100 * EnetNode.MILLI);
        bob.move(8000);
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.positions).isEmpty();
        bob.spawn();
        bob.move(bob.cn, bob.lifeseq + 1, 8000);
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.positions).isEmpty();
        bob.move(8000);
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.positions).hasSize(1);
    }

    @Test
    @DisplayName("B11 a position with another's number is ignored and counted")
    void enforcesOwnership() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        for (int whose : new int[] {alice.cn, 5, 127, 128, 200, 1 << 27}) {
            bob.move(whose, 1, 8000);
        }
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.positions).isEmpty();
        assertThat(bob.isGone()).isFalse();
        assertThat(counters.get("sauerbraten.drop.foreign-position")).isEqualTo(6);
    }

    @Test
    void deliversChatToAllAndTeamChatToTeam() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new ChatMessage.Text("hello \f3red"));
        alice.say(new ChatMessage.ClientSayTeam("to us"));
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.relayed).contains("0 Text[text=hello red]");
        assertThat(bob.heard(ChatMessage.SayTeam.class))
                .containsExactly(new ChatMessage.SayTeam(0, "to us"));
        assertThat(alice.relayed).noneMatch(line -> line.contains("hello"));
        assertThat(events).contains("alice: hello red");
    }

    @Test
    void endsLifeBySuicideAndRespawns() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        int first = alice.lifeseq;
        alice.move(8000);
        alice.say(new LifeMessage.Suicide());
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.heard(LifeMessage.Died.class))
                .containsExactly(new LifeMessage.Died(0, 0, 0, 0));
        assertThat(arena.players().iterator().next().spawned()).isFalse();
        alice.say(new LifeMessage.TrySpawn());
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.lifeseq).isEqualTo(first + 1);
        alice.spawn();
        alice.move(8000);
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.relayed.getLast()).startsWith("0 Spawn[state=State[lifeseq=" + (first + 1));
    }

    @Test
    void showsHarmlessShots() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.move(8000);
        ActionMessage.Hit hit =
                new ActionMessage.Hit(bob.cn, bob.lifeseq, 0, 1, ActionMessage.Hit.BLANK.dir());
        alice.say(
                new ActionMessage.Shoot(1, 6, Point.BLANK, Point.BLANK, List.of(hit)),
                new ActionMessage.Taunt());
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.heard(ActionMessage.ShotFx.class)).hasSize(1);
        assertThat(bob.heard(LifeMessage.Damage.class)).isEmpty();
        assertThat(bob.relayed).contains("0 Taunt[]");
        assertThat(alice.isGone()).isFalse();
    }

    @Test
    void refusesWithReasons() throws IOException {
        ScriptedPlayer stranger = player().greeted();
        stranger.say(new ChatMessage.Text("hi"));
        assertThat(stranger.farewell()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            player("p" + i);
        }
        ScriptedPlayer fifth = player().greeted();
        fifth.say(new SessionMessage.Connect("fifth", 0, "", "", ""));
        assertThat(fifth.farewell()).isEqualTo(7);
        endpoint.close();
        players = 20;
        endpoint = serve("open sesame", 4);
        ScriptedPlayer wrong = player().greeted();
        wrong.say(
                new SessionMessage.Connect(
                        "w", 0, PasswordHash.of(wrong.cn, wrong.sessionid, "wrong"), "", ""));
        assertThat(wrong.farewell()).isEqualTo(10);
        ScriptedPlayer right = player().greeted();
        right.say(
                new SessionMessage.Connect(
                        "r", 0, PasswordHash.of(right.cn, right.sessionid, "open sesame"), "", ""));
        network.run(100 * EnetNode.MILLI);
        assertThat(right.heard(SessionMessage.Welcome.class)).hasSize(1);
    }

    @Test
    @DisplayName("B10 who connects and never joins is sent away after 15 s, unseen by others")
    void limitsTimeToJoin() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer silent = player().greeted();
        int heardBefore = alice.heard.size();
        network.run(14 * EnetNode.SECOND);
        assertThat(silent.isGone()).isFalse();
        network.run(2 * EnetNode.SECOND);
        assertThat(silent.farewell()).isEqualTo(8);
        assertThat(alice.heard(RosterMessage.InitClient.class)).isEmpty();
        assertThat(alice.heard(RosterMessage.CDis.class)).isEmpty();
        assertThat(alice.heard.size()).isEqualTo(heardBefore);
    }

    @Test
    @DisplayName("B10 who vanishes before its welcome is acknowledged is removed")
    void removesVanishedPlayer() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer ghost = player().greeted();
        ghost.say(new SessionMessage.Connect("ghost", 0, "", "", ""));
        network.run(2 * EnetNode.MILLI);
        ghost.node.cycle.close();
        network.run(60 * EnetNode.SECOND);
        assertThat(alice.heard(RosterMessage.CDis.class))
                .containsExactly(new RosterMessage.CDis(ghost.cn));
        assertThat(arena.players()).hasSize(1);
        assertThat(endpoint.sessions()).isEqualTo(1);
    }

    @Test
    @DisplayName("B14 unknown and server-only messages end only their sender")
    void endsSenderOfBadMessages() {
        ScriptedPlayer alice = player("alice");
        List<Bytes> bad =
                List.of(
                        Bytes.of((byte) 120),
                        Bytes.of((byte) -3),
                        SauerbratenCodec.V260.packet(new SessionMessage.Welcome()),
                        SauerbratenCodec.V260.packet(new ChatMessage.ServMsg("I am the server")),
                        SauerbratenCodec.V260.packet(new MatchMessage.MapChange("x", 1, false)),
                        SauerbratenCodec.V260.packet(
                                new SessionMessage.Connect("again", 0, "", "", "")),
                        SauerbratenCodec.V260.packet(Pos.BLANK));
        for (Bytes payload : bad) {
            ScriptedPlayer bob = player("bob");
            bob.raw(1, payload, true);
            assertThat(bob.farewell()).as("%s", payload).isEqualTo(4);
        }
        ScriptedPlayer cut = player("cut");
        cut.raw(1, Bytes.of((byte) 23, (byte) 'a'), true);
        assertThat(cut.farewell()).isEqualTo(1);
        ScriptedPlayer wrongChannel = player("wrong");
        wrongChannel.raw(0, SauerbratenCodec.V260.packet(new ChatMessage.Text("hi")), true);
        assertThat(wrongChannel.farewell()).isEqualTo(4);
        assertThat(alice.isGone()).isFalse();
        assertThat(endpoint.sessions()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "B16 more than 200 messages at once end the sender, floods of chat are limited first")
    void limitsFloods() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        SauerbratenMessage[] pings = new SauerbratenMessage[150];
        Arrays.fill(pings, new SessionMessage.ClientPing(5));
        bob.say(pings);
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.isGone()).isFalse();
        for (int i = 0; i < 30; i++) {
            bob.say(new ChatMessage.Text("spam " + i));
            network.run(10 * EnetNode.MILLI);
        }
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.relayed.stream().filter(line -> line.contains("spam")).count())
                .isBetween(10L, 16L);
        assertThat(bob.heard(ChatMessage.ServMsg.class)).hasSizeBetween(1, 2);
        SauerbratenMessage[] flood = new SauerbratenMessage[250];
        Arrays.fill(flood, new SessionMessage.ClientPing(5));
        bob.say(flood);
        assertThat(bob.farewell()).isEqualTo(9);
        assertThat(alice.isGone()).isFalse();
    }

    @Test
    @DisplayName("B18 names of maps that lead elsewhere and maps out of coop edit are refused")
    void checksMaps() {
        ScriptedPlayer alice = player("alice");
        alice.say(
                new MatchMessage.MapVote("../../x", 1), new MatchMessage.MapVote("/etc/passwd", 0));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.heard(MatchMessage.MapChange.class)).hasSize(1);
        assertThat(alice.heard(ChatMessage.ServMsg.class)).hasSize(2);
        alice.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.heard(MatchMessage.MapChange.class).getLast())
                .isEqualTo(new MatchMessage.MapChange("boxarena", 0, true));
        alice.raw(2, Bytes.wrap(new byte[5000]), true);
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice))
                .last()
                .isEqualTo("Maps can be sent and downloaded only in coop edit.");
        assertThat(alice.isGone()).isFalse();
        alice.say(new EditMessage.Remip());
        assertThat(alice.farewell()).isEqualTo(4);
    }

    @Test
    void sharesMapInCoopEdit() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        int arenaCrc = OgzCompiler.build(ArenaCatalog.FLAT).crc();
        alice.say(new MatchMessage.MapCrc("wishdir_flat", arenaCrc));
        bob.say(new MatchMessage.MapCrc("wishdir_flat", 0));
        bob.say(new MatchMessage.MapCrc("wishdir_flat", 0));
        network.run(500 * EnetNode.MILLI);
        assertThat(alice.heard(EditMessage.SendMap.class)).isEmpty();
        assertThat(bob.heard(EditMessage.SendMap.class)).hasSize(1);
        assertThat(Ogz.read(bob.heard(EditMessage.SendMap.class).getFirst().file()).crc())
                .isEqualTo(arenaCrc);
        byte[] noMap = new byte[20_000];
        alice.raw(2, Bytes.wrap(noMap), true);
        network.run(60 * EnetNode.SECOND);
        assertThat(alice.heard(ChatMessage.ServMsg.class))
                .contains(new ChatMessage.ServMsg("The file is not a map (.ogz)."));
        Bytes file = OgzCompiler.build(ArenaCatalog.shipped("hall")).file();
        alice.raw(2, file, true);
        network.run(500 * EnetNode.MILLI);
        bob.say(new EditMessage.GetMap());
        network.run(500 * EnetNode.MILLI);
        assertThat(bob.heard(EditMessage.SendMap.class).getLast())
                .isEqualTo(new EditMessage.SendMap(file));
    }

    @Test
    void requiresMajorityOrMasterForVote() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        ScriptedPlayer carol = player("carol");
        alice.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        assertThat(carol.heard(MatchMessage.MapChange.class)).hasSize(1);
        bob.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        assertThat(carol.heard(MatchMessage.MapChange.class)).hasSize(2);
        assertThat(carol.heard(MatchMessage.TimeUp.class))
                .containsExactly(new MatchMessage.TimeUp(600));
        assertThat(carol.heard(LifeMessage.SpawnState.class)).hasSize(2);
        claim(carol);
        carol.say(new AdminMessage.MasterMode(1), new MatchMessage.MapVote("other", 2));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.heard(AdminMessage.CurrentMaster.class).getLast().masters())
                .containsExactly(new AdminMessage.Privileged(carol.cn, 3));
        assertThat(alice.heard(MatchMessage.MapChange.class).getLast())
                .isEqualTo(new MatchMessage.MapChange("other", 2, true));
        alice.say(new RosterMessage.SwitchTeam("evil"));
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.heard(RosterMessage.SetTeam.class).getLast())
                .isEqualTo(new RosterMessage.SetTeam(alice.cn, "evil", 0));
    }

    private void claim(ScriptedPlayer player) {
        player.say(
                new AdminMessage.SetMaster(
                        player.cn, true, PasswordHash.of(player.cn, player.sessionid, ADMIN)));
        network.run(100 * EnetNode.MILLI);
    }

    private static List<String> told(ScriptedPlayer player) {
        return player.heard(ChatMessage.ServMsg.class).stream()
                .map(ChatMessage.ServMsg::text)
                .toList();
    }

    @Test
    void countsAndAnnouncesVotesLikeOriginal() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        ScriptedPlayer carol = player("carol");
        alice.say(new MatchMessage.MapVote("boxarena", 2));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(carol))
                .containsExactly("alice suggests teamplay on map boxarena (select map to vote)");
        bob.say(new MatchMessage.MapVote("boxarena", 2));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(carol))
                .containsExactly(
                        "alice suggests teamplay on map boxarena (select map to vote)",
                        "bob suggests teamplay on map boxarena (select map to vote)",
                        "vote passed by majority");
        int passed = carol.heard.indexOf(new ChatMessage.ServMsg("vote passed by majority"));
        assertThat(carol.heard.subList(passed, carol.heard.size()))
                .anyMatch(new MatchMessage.MapChange("boxarena", 2, true)::equals);
        claim(alice);
        alice.say(new MatchMessage.MapVote("boxarena", 5));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(carol)).last().asString().startsWith("alice suggests efficiency");
        alice.say(new AdminMessage.MasterMode(1), new MatchMessage.MapVote("boxarena", 5));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(carol)).last().isEqualTo("alice forced efficiency on map boxarena");
        assertThat(carol.heard(MatchMessage.MapChange.class).getLast())
                .isEqualTo(new MatchMessage.MapChange("boxarena", 5, true));
    }

    @Test
    void announcesMasterAndAdmin() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new AdminMessage.SetMaster(alice.cn, true, ""));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(bob)).containsExactly("alice claimed master");
        alice.say(new AdminMessage.SetMaster(alice.cn, false, ""));
        claim(bob);
        bob.say(new AdminMessage.SetMaster(bob.cn, false, ""));
        network.run(100 * EnetNode.MILLI);
        List<String> all =
                List.of(
                        "alice claimed master",
                        "alice relinquished master",
                        "bob claimed admin",
                        "bob relinquished admin");
        assertThat(told(bob)).isEqualTo(all);
        assertThat(told(alice)).isEqualTo(all);
        ScriptedPlayer carol = player().greeted();
        carol.say(
                new SessionMessage.Connect(
                        "carol", 0, PasswordHash.of(carol.cn, carol.sessionid, ADMIN), "", ""));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice)).last().isEqualTo("carol claimed admin");
        assertThat(alice.heard(AdminMessage.CurrentMaster.class).getLast().masters())
                .containsExactly(new AdminMessage.Privileged(carol.cn, 3));
    }

    @Test
    void scalesMatchClockWithGameSpeed() {
        ScriptedPlayer alice = player("alice");
        claim(alice);
        alice.say(new AdminMessage.MasterMode(1), new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        alice.say(new ItemMessage.ItemList(List.of(new ItemMessage.Placed(2, 14))));
        alice.spawn();
        alice.say(new AdminMessage.ClientGameSpeed(200), new ItemMessage.ItemPickup(2));
        network.run(9 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).isEmpty();
        network.run(2 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).as("20 s at double speed").hasSize(1);
        network.run(49 * EnetNode.SECOND);
        assertThat(secondsLeft()).as("after a minute").isBetween(478, 481);
        alice.say(new AdminMessage.ClientGameSpeed(50));
        network.run(60 * EnetNode.SECOND);
        assertThat(secondsLeft()).as("after another at half").isBetween(448, 451);
        alice.say(new AdminMessage.ClientPauseGame(true));
        network.run(60 * EnetNode.SECOND);
        assertThat(secondsLeft()).as("and none paused").isBetween(448, 451);
        alice.say(new AdminMessage.ClientPauseGame(false), new AdminMessage.ClientGameSpeed(1000));
        network.run(44 * EnetNode.SECOND);
        assertThat(alice.heard(MatchMessage.TimeUp.class)).hasSize(1);
        network.run(2 * EnetNode.SECOND);
        assertThat(alice.heard(MatchMessage.TimeUp.class))
                .as("its end, and a second later the next")
                .containsExactly(
                        new MatchMessage.TimeUp(600),
                        new MatchMessage.TimeUp(0),
                        new MatchMessage.TimeUp(600));
    }

    /** The time left in the match that a newcomer is sent. */
    private int secondsLeft() {
        ScriptedPlayer late = player("late");
        late.peer.disconnect(0);
        return late.heard(MatchMessage.TimeUp.class).getFirst().secs();
    }

    @Test
    void comparesMapsOnlyOfPlayersWithMap() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        claim(alice);
        alice.say(new AdminMessage.MasterMode(1), new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        bob.say(new MatchMessage.MapCrc("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        alice.say(new MatchMessage.MapCrc("boxarena", 77));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(bob)).noneMatch(line -> line.contains("modified"));
        bob.say(new MatchMessage.MapCrc("boxarena", 78));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice)).last().isEqualTo("bob has modified map \"boxarena\"");
    }

    @Test
    void fillsTeamsEvenly() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new MatchMessage.MapVote("boxarena", 2));
        bob.say(new MatchMessage.MapVote("boxarena", 2));
        network.run(100 * EnetNode.MILLI);
        List<SauerbratenMessage> heard = alice.heard;
        int change = heard.indexOf(new MatchMessage.MapChange("boxarena", 2, true));
        assertThat(heard.subList(change + 1, change + 3))
                .containsExactly(
                        new RosterMessage.SetTeam(bob.cn, "evil", -1),
                        new MatchMessage.TimeUp(600));
        ScriptedPlayer carol = player("carol");
        ScriptedPlayer dave = player("dave");
        assertThat(carol.heard)
                .containsSubsequence(
                        new MatchMessage.TeamInfo(List.of()),
                        new RosterMessage.SetTeam(carol.cn, "good", -1));
        assertThat(carol.heard(RosterMessage.InitClient.class))
                .containsExactly(
                        new RosterMessage.InitClient(alice.cn, "alice", "good", 0),
                        new RosterMessage.InitClient(bob.cn, "bob", "evil", 0),
                        new RosterMessage.InitClient(dave.cn, "dave", "evil", 0));
    }

    @Test
    void restartsTimedMatch() {
        ScriptedPlayer alice = player("alice");
        alice.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(601 * EnetNode.SECOND);
        assertThat(alice.heard(MatchMessage.TimeUp.class))
                .containsExactly(new MatchMessage.TimeUp(600), new MatchMessage.TimeUp(0));
        network.run(10 * EnetNode.SECOND);
        assertThat(alice.heard(MatchMessage.MapChange.class)).hasSize(3);
    }

    @Test
    void returnsItemsAfterPickup() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new MatchMessage.MapVote("boxarena", 0));
        bob.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        alice.say(
                new ItemMessage.ItemList(
                        List.of(new ItemMessage.Placed(2, 14), new ItemMessage.Placed(3, 3))));
        alice.spawn();
        bob.spawn();
        alice.say(new ItemMessage.ItemPickup(2), new ItemMessage.ItemPickup(3));
        bob.say(new ItemMessage.ItemPickup(2));
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.heard(ItemMessage.ItemAcc.class))
                .containsExactly(
                        new ItemMessage.ItemAcc(2, alice.cn), new ItemMessage.ItemAcc(2, -1));
        assertThat(alice.heard(ItemMessage.ItemAcc.class)).contains(new ItemMessage.ItemAcc(3, -1));
        network.run(20 * EnetNode.SECOND);
        assertThat(bob.heard(ItemMessage.ItemSpawn.class))
                .containsExactly(new ItemMessage.ItemSpawn(2));
    }

    @Test
    void quadDamageOfAMapIsThereAfter70Seconds() {
        ScriptedPlayer alice = player("alice");
        alice.say(new MatchMessage.MapVote("boxarena", 0));
        network.run(100 * EnetNode.MILLI);
        alice.say(new ItemMessage.ItemList(List.of(new ItemMessage.Placed(2, 18))));
        alice.spawn();
        alice.say(new ItemMessage.ItemPickup(2));
        network.run(59 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.Announce.class)).isEmpty();
        network.run(10 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.Announce.class))
                .containsExactly(new ItemMessage.Announce(18));
        assertThat(alice.heard(ItemMessage.ItemAcc.class))
                .containsExactly(new ItemMessage.ItemAcc(2, -1));
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).isEmpty();
        network.run(2 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).hasSize(1);
        alice.say(new ItemMessage.ItemPickup(2));
        network.run(69 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.ItemAcc.class)).hasSize(2);
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).hasSize(1);
        network.run(2 * EnetNode.SECOND);
        assertThat(alice.heard(ItemMessage.ItemSpawn.class)).hasSize(2);
    }

    @Test
    void runsAdminCommandsByServcmdAndKick() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new SessionMessage.ServCmd("kick bob"), new ChatMessage.Text("#kick bob"));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice))
                .containsOnly("Only an admin can do that: /setmaster PASSWORD")
                .hasSize(2);
        assertThat(events).noneMatch(event -> event.startsWith("alice:"));
        claim(alice);
        alice.say(new SessionMessage.ServCmd("say hello"));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice)).contains("hello", "Sent to all: hello");
        alice.say(new AdminMessage.Kick(bob.cn, "insults"));
        assertThat(bob.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(told(bob)).last().asString().matches("You are banned until .* UTC: insults");
        alice.heard.clear();
        alice.say(new SessionMessage.ServCmd("bans"));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice))
                .singleElement()
                .asString()
                .matches(
                        " *1 10\\.1\\.2\\.1 \\(bob\\) until .* by alice \\(sauerbraten .*\\) with"
                                + " admin-password: insults");
    }

    @Test
    void keepsKickedPlayerOut() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        bob.say(new AdminMessage.Kick(alice.cn, "because"));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.isGone()).isFalse();
        alice.say(new AdminMessage.SetMaster(alice.cn, true, ""));
        alice.say(new AdminMessage.Kick(bob.cn, "because"));
        assertThat(bob.farewell()).isEqualTo(3);
        assertThat(told(alice))
                .containsExactly("alice claimed master", "alice kicked bob because: because");
        assertThat(alice.heard(RosterMessage.CDis.class))
                .containsExactly(new RosterMessage.CDis(bob.cn));
        bob.node.host.connect(endpoint.address(), 0);
        bob.cn = -1;
        bob.node.ended.clear();
        bob.greeted();
        bob.node
                .connected
                .getLast()
                .send(
                        1,
                        SauerbratenCodec.V260.packet(
                                new SessionMessage.Connect("bob", 0, "", "", "")),
                        true);
        bob.node.wake();
        assertThat(bob.farewell()).isEqualTo(5);
        claim(alice);
        alice.heard.clear();
        alice.say(
                new SessionMessage.ServCmd("bans"),
                new AdminMessage.ClearBans(),
                new SessionMessage.ServCmd("bans"));
        network.run(100 * EnetNode.MILLI);
        assertThat(told(alice)).as("R5: there is one list of bans").hasSize(3);
        assertThat(told(alice).getFirst())
                .matches(
                        " *1 10\\.1\\.2\\.1 \\(bob\\) in sauerbraten until .* by alice"
                                + " \\(sauerbraten .*\\) with /setmaster 1: because");
        assertThat(told(alice).getLast()).isEqualTo("There are no bans.");
    }

    @Test
    void letsSpectatorsReturn() {
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.move(8000);
        network.run(100 * EnetNode.MILLI);
        bob.positions.clear();
        alice.say(new RosterMessage.Spectator(alice.cn, true));
        network.run(100 * EnetNode.MILLI);
        assertThat(bob.heard(LifeMessage.Died.class)).hasSize(1);
        assertThat(bob.heard(RosterMessage.Spectator.class))
                .containsExactly(new RosterMessage.Spectator(alice.cn, true));
        bob.move(8000);
        network.run(50 * EnetNode.MILLI);
        assertThat(alice.positions).hasSize(1);
        alice.say(new RosterMessage.Spectator(alice.cn, false), new LifeMessage.TrySpawn());
        network.run(100 * EnetNode.MILLI);
        alice.spawn();
        alice.move(8100);
        network.run(50 * EnetNode.MILLI);
        assertThat(bob.positions).hasSize(1);
    }

    @Test
    void showsMovementAndChatOfForeignPlayer() {
        ScriptedPlayer alice = player("alice");
        ArenaPlayer ranger = arena.join(network.now(), "quake3", "Ränger ☃", new NoOpViewer());
        cycle.execute(() -> ranger.spawn(network.now(), Movement.at(new Vec3(1, 2, 0), 90)));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.heard(RosterMessage.InitClient.class))
                .containsExactly(
                        new RosterMessage.InitClient(
                                127, "[Q3]Ränger", "qua3", PlayerModel.of("Ränger ☃")));
        alice.positions.clear();
        for (int i = 0; i < 100; i++) {
            Movement step = Movement.at(new Vec3(1 + i * 0.01, 2, 0), 90);
            cycle.execute(() -> ranger.move(network.now(), step, NativeMovement.Stored.NONE));
            network.run(10 * EnetNode.MILLI);
        }
        network.run(50 * EnetNode.MILLI);
        assertThat(alice.positions.size()).isBetween(25, 40);
        Pos last = alice.heard(Pos.class).getLast();
        assertThat(last.cn()).isEqualTo(127);
        assertThat(last.pos().x()).isBetween(512 + 8 * 1.98, 512 + 8 * 2.0);
        cycle.execute(() -> ranger.say(network.now(), "^1hi \"all\" 100%"));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.relayed).contains("127 Text[text=^1hi \"all\" 100%]");
        ScriptedPlayer bob = player("bob");
        assertThat(bob.heard(RosterMessage.InitClient.class)).hasSize(2);
        cycle.execute(() -> ranger.leave(network.now(), LeaveReason.LEFT));
        network.run(100 * EnetNode.MILLI);
        assertThat(alice.heard(RosterMessage.CDis.class))
                .containsExactly(new RosterMessage.CDis(127));
        assertThat(alice.heard(RosterMessage.InitClient.class)).as("is not shown again").hasSize(2);
    }

    @Test
    void announcesLeave() {
        ScriptedPlayer alice = player("alice");
        alice.peer.disconnect(0);
        network.run(EnetNode.SECOND);
        assertThat(events).last().isEqualTo("leave alice, left");
    }

    @Test
    void disconnectsOnClose() {
        ScriptedPlayer alice = player("alice");
        cycle.execute(() -> endpoint.close("maintenance"));
        network.run(EnetNode.SECOND);
        assertThat(alice.heard(ChatMessage.ServMsg.class))
                .containsExactly(new ChatMessage.ServMsg("maintenance"));
        assertThat(alice.farewell()).isZero();
        assertThat(arena.players()).isEmpty();
    }
}
