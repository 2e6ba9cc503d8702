package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CompressedEdit;
import dev.wishdir.sauerbraten.message.DemoMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Selection;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * What one client does costs himself alone. Two honest ones walk and see each other all the time,
 * and a newcomer is in within two seconds.
 */
@Tag("slow")
class SauerbratenAbuseTest {
    /** As many messages as a packet may hold without being an offence of its own. */
    private static final int MANY = 190;

    private static final SauerbratenMessage[] NOTHING = {};

    private final SauerbratenAbuseHarness harness = new SauerbratenAbuseHarness();

    SauerbratenAbuseTest() throws IOException {}

    @AfterEach
    void othersAreUnharmed() {
        harness.othersAreUnharmed();
    }

    private static SauerbratenMessage[] times(int count, SauerbratenMessage message) {
        SauerbratenMessage[] many = new SauerbratenMessage[count];
        Arrays.fill(many, message);
        return many;
    }

    @Test
    @DisplayName("G1 a thousand changes a second cost their sender alone, and the last one arrives")
    void limitsChanges() {
        ScriptedPlayer mallory = harness.player("mallory");
        for (int i = 0; i < 150; i++) {
            mallory.say(
                    new RosterMessage.SwitchName("n" + i),
                    new RosterMessage.SwitchModel(i % 6),
                    new MatchMessage.MapVote("m" + i, 0),
                    new ActionMessage.Taunt(),
                    new ActionMessage.GunSelect(i % 7),
                    new LifeMessage.Suicide(),
                    new LifeMessage.TrySpawn(),
                    new LifeMessage.ClientSpawn(mallory.lifeseq, 6));
            harness.walk(20 * MILLI);
            assertThat(harness.waitingFor(harness.alice)).isLessThan(64 << 10);
        }
        harness.walk(60 * SECOND);
        assertThat(mallory.isGone()).isFalse();
        List<String> seen = harness.alice.relayed;
        assertThat(seen.stream().filter(line -> line.contains("SwitchName")).count())
                .isBetween(2L, 20L);
        assertThat(seen.stream().filter(line -> line.contains("SwitchName")).toList().getLast())
                .isEqualTo(mallory.cn + " SwitchName[name=n149]");
        assertThat(seen.stream().filter(line -> line.contains("Taunt")).count()).isLessThan(150);
        assertThat(harness.alice.heard(LifeMessage.Died.class)).hasSizeLessThan(12);
    }

    @Test
    @DisplayName("G1 five players who say twenty lines each at once remove nobody")
    void keepsPlayersWhoTalkAtOnce() {
        List<ScriptedPlayer> choir = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            choir.add(harness.player("singer" + i));
        }
        for (ScriptedPlayer singer : choir) {
            for (int i = 0; i < 20; i++) {
                singer.say(new ChatMessage.Text("line " + i + " " + "x".repeat(200)));
            }
        }
        harness.walk(10 * SECOND);
        assertThat(choir).noneMatch(ScriptedPlayer::isGone);
        assertThat(harness.alice.relayed.stream().filter(line -> line.contains("Text")).count())
                .isBetween(60L, 100L);
        for (ScriptedPlayer singer : choir) {
            assertThat(singer.heard(ChatMessage.ServMsg.class))
                    .containsExactly(
                            new ChatMessage.ServMsg(
                                    "Rate limit exceeded: chat. Others do not receive all of it."));
        }
    }

    @Test
    @DisplayName("G1 who talks on and on is sent away with a reason")
    void kicksPersistentTalker() {
        ScriptedPlayer mallory = harness.player("mallory");
        for (int i = 0; i < 1500 && !mallory.isGone(); i++) {
            mallory.say(new ChatMessage.Text("line " + i));
            harness.walk(33 * MILLI);
        }
        assertThat(mallory.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(mallory.heard(ChatMessage.ServMsg.class))
                .last()
                .isEqualTo(new ChatMessage.ServMsg("Kicked: rate limit exceeded (chat)."));
        assertThat(harness.events)
                .contains("mallory left, disconnected: Kicked: rate limit exceeded (chat).");
    }

    @Test
    @DisplayName("G2 who acknowledges nothing is dropped alone, the others hear of all once")
    void endsUnacknowledgingClient() {
        ScriptedPlayer mallory = harness.player("mallory");
        ScriptedPlayer talker = harness.player("talker");
        mallory.node.deaf = true;
        int said = 0;
        for (int i = 0; i < 180; i++) {
            mallory.move(8000 + i);
            if (i % 2 == 0) {
                talker.say(new ChatMessage.Text("line " + said++));
            }
            if (i % 10 == 0) {
                talker.say(new RosterMessage.SwitchName("talker" + i));
                harness.player("guest" + i).peer.disconnect(0);
            }
            harness.walk(SECOND);
        }
        for (ScriptedPlayer canary : List.of(harness.alice, harness.bob)) {
            List<String> heard =
                    canary.relayed.stream().filter(line -> line.contains("Text")).toList();
            assertThat(heard).hasSize(said).doesNotHaveDuplicates();
            assertThat(canary.heard(RosterMessage.CDis.class)).hasSize(19);
            assertThat(canary.heard(RosterMessage.InitClient.class))
                    .filteredOn(one -> one.name().startsWith("guest"))
                    .hasSize(18)
                    .doesNotHaveDuplicates();
        }
        assertThat(harness.events)
                .filteredOn(line -> line.contains("left") && !line.startsWith("guest"))
                .containsExactly(
                        "mallory left, timed out: You do not acknowledge what the server sends.");
        assertThat(harness.player("next").cn).isEqualTo(mallory.cn);
    }

    @Test
    @DisplayName("G2 a line that was busy tells what is so and how much was missed")
    void updatesLateListener() {
        ScriptedPlayer carol = harness.player("carol");
        ScriptedPlayer builder = harness.player("builder");
        ScriptedPlayer talker = harness.player("talker");
        carol.node.deaf = true;
        Bytes extra = Bytes.wrap(new byte[60_000]);
        for (int i = 0; i < 4; i++) {
            ScriptedPlayer one = i % 2 == 0 ? builder : talker;
            one.say(new EditMessage.EditVSlot(Selection.BLANK, 1, 0, extra));
            harness.walk(100 * MILLI);
        }
        for (int i = 0; i < 5; i++) {
            talker.say(
                    new ChatMessage.Text("line " + i), new RosterMessage.SwitchName("talker" + i));
            harness.walk(100 * MILLI);
        }
        builder.peer.disconnect(0);
        builder.node.wake();
        harness.walk(100 * MILLI);
        ScriptedPlayer newcomer = harness.player("newcomer");
        newcomer.move(8100);
        harness.walk(SECOND);
        assertThat(newcomer.cn).isEqualTo(builder.cn);
        assertThat(carol.relayed).noneMatch(line -> line.contains("Text"));
        carol.node.deaf = false;
        harness.walk(20 * SECOND);
        assertThat(carol.isGone()).isFalse();
        assertThat(carol.relayed)
                .contains(talker.cn + " SwitchName[name=talker4]")
                .noneMatch(line -> line.contains("talker2") || line.contains("Text"));
        List<SauerbratenMessage> ofNumber =
                carol.heard.stream()
                        .filter(message ->
                                message.equals(new RosterMessage.CDis(newcomer.cn))
                                        || message
                                                        instanceof
                                                        RosterMessage.InitClient(
                                                                int cn,
                                                                var _,
                                                                var _,
                                                                var _)
                                                && cn == newcomer.cn)
                        .toList();
        assertThat(ofNumber)
                .endsWith(
                        new RosterMessage.CDis(newcomer.cn),
                        new RosterMessage.InitClient(newcomer.cn, "newcomer", "good", 0));
        assertThat(carol.heard(ChatMessage.ServMsg.class))
                .last()
                .asString()
                .matches(".*you missed \\d+ events of other players.*");
    }

    @Test
    @DisplayName("G6 a hundred thousand teleports a second are few for a witness")
    void teleports() {
        ScriptedPlayer mallory = harness.player("mallory");
        mallory.move(8000);
        long quiet = harness.witnessed(() -> harness.walk(10 * SECOND));
        SauerbratenMessage[] many = times(330, new MovementMessage.Teleport(mallory.cn, 1, 2));
        many[7] = new MovementMessage.JumpPad(mallory.cn, 3);
        Bytes packet = SauerbratenCodec.V260.packet(many);
        long attacked =
                harness.witnessed(() -> {
                    for (int i = 0; i < 1000; i++) {
                        for (int k = 0; k < 4; k++) {
                            mallory.raw(0, packet, true);
                        }
                        mallory.move(8000 + i % 100);
                        harness.walk(10 * MILLI);
                    }
                });
        assertThat(attacked).isLessThan(4 * quiet);
        assertThat(mallory.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(harness.events)
                .contains("mallory left, disconnected: Kicked: rate limit exceeded (actions).");
    }

    /** What somebody may do on and on. */
    enum Nuisance {
        DIE_AND_SPAWN((p, i) ->
                new SauerbratenMessage[] {
                    new LifeMessage.Suicide(),
                    new LifeMessage.TrySpawn(),
                    new LifeMessage.ClientSpawn(i % 128, 6)
                }),
        EXPLOSIONS((p, i) -> times(MANY, new ActionMessage.Explode(i, 3, i, List.of()))),
        SHOTS((p, i) ->
                times(MANY, new ActionMessage.Shoot(i, 6, Point.BLANK, Point.BLANK, List.of()))),
        SOUNDS((p, i) -> times(MANY, new ActionMessage.Sound(i % 2))),
        CLIPBOARDS(
                3600,
                (p, i) ->
                        times(
                                20,
                                new EditMessage.ClientClipboard(
                                        new CompressedEdit(9, Bytes.wrap(new byte[1000]))))),
        EDITS(3600, (p, i) -> times(MANY, new EditMessage.Remip())),
        EDITING((p, i) ->
                new SauerbratenMessage[] {
                    new EditMessage.EditMode(true), new EditMessage.EditMode(false)
                }),
        MASTER((p, i) ->
                new SauerbratenMessage[] {
                    new AdminMessage.SetMaster(p.cn, true, ""),
                    new AdminMessage.SetMaster(p.cn, false, "")
                }),
        SPEED((p, i) ->
                new SauerbratenMessage[] {
                    new AdminMessage.SetMaster(p.cn, true, ""),
                    new AdminMessage.ClientGameSpeed(10 + i % 900),
                    new AdminMessage.ClientPauseGame(i % 2 == 0),
                    new AdminMessage.MasterMode(i % 4)
                }),
        SPECTATING((p, i) ->
                new SauerbratenMessage[] {
                    new RosterMessage.Spectator(p.cn, true),
                    new RosterMessage.Spectator(p.cn, false)
                }),
        VOTES((p, i) -> times(20, new MatchMessage.MapVote("map" + i % 2, 0))),
        CHECKSUMS((p, i) -> times(MANY, new MatchMessage.MapCrc("wishdir_flat", i))),
        TEAM_CHAT((p, i) -> times(MANY, new ChatMessage.ClientSayTeam("hey " + i)));

        private final BiFunction<ScriptedPlayer, Integer, SauerbratenMessage[]> messages;

        /** How long, in steps of 33 ms: what builders may do at once is much, and not often. */
        private final int steps;

        Nuisance(BiFunction<ScriptedPlayer, Integer, SauerbratenMessage[]> messages) {
            this(600, messages);
        }

        Nuisance(int steps, BiFunction<ScriptedPlayer, Integer, SauerbratenMessage[]> messages) {
            this.steps = steps;
            this.messages = messages;
        }
    }

    @ParameterizedTest(name = "G18 {0}")
    @EnumSource
    void boundsBytesToWitness(Nuisance nuisance) {
        ScriptedPlayer mallory = harness.player("mallory");
        long quiet = harness.witnessed(() -> annoy(mallory, nuisance.steps, (_, _) -> NOTHING));
        long attacked = harness.witnessed(() -> annoy(mallory, nuisance.steps, nuisance.messages));
        assertThat(attacked).as("quiet %d", quiet).isLessThan(4 * quiet);
    }

    private void annoy(
            ScriptedPlayer mallory,
            int steps,
            BiFunction<ScriptedPlayer, Integer, SauerbratenMessage[]> messages) {
        for (int i = 0; i < steps; i++) {
            SauerbratenMessage[] wanted = messages.apply(mallory, i);
            if (wanted.length > 0) {
                mallory.say(wanted);
            }
            mallory.move(8000 + i % 100);
            harness.walk(33 * MILLI);
        }
    }

    @Test
    @DisplayName("G14 two thousand datagrams of pings a second leave few answers waiting")
    void boundsAnswersToPings() {
        ScriptedPlayer mallory = harness.player("mallory");
        mallory.node.deaf = true;
        SauerbratenMessage[] questions = {
            new SessionMessage.Ping(1),
            new SessionMessage.Ping(2),
            new EditMessage.GetMap(),
            new MatchMessage.CheckMaps(),
            new DemoMessage.ListDemos(),
            new ItemMessage.ItemPickup(1)
        };
        for (int i = 0; i < 2000; i++) {
            mallory.peer.send(1, SauerbratenCodec.V260.packet(questions), false);
            mallory.node.wake();
            harness.walk(5 * MILLI);
            assertThat(harness.waitingFor(mallory)).isLessThan(256 << 10);
        }
    }

    @Test
    @DisplayName("G11 who is further than a body moves is judged, once a second")
    void tooFar() {
        ScriptedPlayer mallory = harness.player("mallory");
        for (int i = 0; i < 60; i++) {
            mallory.move(8000 + i % 2 * 4000);
            harness.walk(50 * MILLI);
        }
        assertThat(harness.events)
                .filteredOn(line -> line.startsWith("mallory distance 31.25 of "))
                .hasSizeBetween(2, 3);
    }

    /** As far as 24 bits say it: half a million units away, in sixteenths. */
    private static final int MAX_COORDINATE = (1 << 23) - 1;

    /** Where the others see who is called mallory. */
    private Vec3 seen() {
        return harness.arena.players().stream()
                .filter(player -> player.name().equals("mallory"))
                .findFirst()
                .orElseThrow()
                .movement()
                .position();
    }

    private long rules(ViolationRule rule) {
        return harness.events.stream().filter(line -> line.startsWith("mallory " + rule)).count();
    }

    @Test
    @DisplayName("F4 outside and in a wall nobody sees him, and each is judged with its numbers")
    void outsideAndIntoWalls() {
        ScriptedPlayer mallory = harness.player("mallory");
        mallory.move(8000);
        harness.walk(SECOND);
        Vec3 before = seen();
        mallory.move(MAX_COORDINATE);
        harness.walk(2 * SECOND);
        assertThat(harness.arena.bounds().contains(seen())).isTrue();
        assertThat(rules(ViolationRule.DISTANCE)).isPositive();
        ScriptedPlayer other = harness.player("mallory2");
        Vec3 wall = new Vec3(harness.arena.level().bounds().min().x(), before.y(), before.z());
        int face = (int) Math.round(SauerbratenMotion.CENTERED.toNative(wall).x() * 16);
        other.move(face + 16 * 16);
        harness.walk(SECOND);
        other.move(face - 4 * 16);
        harness.walk(2 * SECOND);
        assertThat(harness.events).anyMatch(line -> line.startsWith("mallory2 in-solid"));
        assertThat(harness.arena.players())
                .filteredOn(player -> player.name().equals("mallory2"))
                .allMatch(player ->
                        harness.arena.level().space().fits(player.movement().position(), 0.5, 1));
    }

    @Test
    @DisplayName("F4 a thousand positions a second cost the others no more than forty")
    void aThousandPositionsASecond() {
        long quiet = harness.witnessed(() -> harness.walk(5 * SECOND));
        ScriptedPlayer mallory = harness.player("mallory");
        harness.walk(2 * SECOND);
        long loud =
                harness.witnessed(() -> {
                    for (int i = 0; i < 5000; i++) {
                        mallory.move(8000 + i % 2 * 16_000);
                        harness.walk(MILLI);
                    }
                });
        assertThat(rules(ViolationRule.MOVEMENT_COUNT)).isBetween(1L, 6L);
        assertThat(harness.counters.get("sauerbraten.drop.positions")).isGreaterThan(4_000);
        assertThat(loud).isLessThan(quiet + 5 * 100 * 100);
    }

    @Test
    @DisplayName("F4 who is to be seen where he could be stays there until he comes back")
    void frozen() {
        harness.arena.setCheatPolicy(CheatPolicy.FREEZE);
        ScriptedPlayer mallory = harness.player("mallory");
        mallory.move(8000);
        harness.walk(SECOND);
        Vec3 before = seen();
        for (int i = 0; i < 20; i++) {
            mallory.move(i % 2 == 0 ? MAX_COORDINATE : 8000);
            harness.walk(33 * MILLI);
            assertThat(seen().distance(before)).isLessThan(0.01);
        }
        mallory.move(8010);
        harness.walk(SECOND);
        assertThat(seen().distance(before)).isBetween(0.05, 0.1);
    }

    @Test
    @DisplayName("G17 what is no map is refused, told to nobody, and ends who goes on")
    void refusesInvalidMaps() {
        ScriptedPlayer mallory = harness.player("mallory");
        for (int i = 0; i < 400 && !mallory.isGone(); i++) {
            for (int k = 0; k < 31; k++) {
                mallory.raw(2, Bytes.of((byte) k), true);
            }
            harness.walk(5 * MILLI);
        }
        assertThat(mallory.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(harness.alice.heard(ChatMessage.ServMsg.class)).isEmpty();
        harness.alice.say(new EditMessage.GetMap());
        harness.walk(SECOND);
        assertThat(harness.alice.heard(EditMessage.SendMap.class)).hasSize(1);
        Bytes file = harness.alice.heard(EditMessage.SendMap.class).getFirst().file();
        assertThat(Ogz.isMap(file)).isTrue();
        harness.alice.load(Ogz.read(file).crc());
    }

    @Test
    @DisplayName(
            "a player who vanishes has no body after five seconds, and again one when he is back")
    void hidesBodyOfVanishedPlayer() {
        ScriptedPlayer carol = harness.player("carol");
        carol.move(8000);
        harness.walk(4 * SECOND);
        assertThat(harness.alice.heard(LifeMessage.Died.class)).isEmpty();
        harness.walk(2 * SECOND);
        assertThat(harness.alice.heard(LifeMessage.Died.class))
                .containsExactly(new LifeMessage.Died(carol.cn, carol.cn, 0, 0));
        assertThat(carol.heard(LifeMessage.Died.class)).isEmpty();
        carol.move(8100);
        harness.walk(SECOND);
        assertThat(
                        harness.alice.relayed.stream()
                                .filter(line -> line.startsWith(carol.cn + " Spawn")))
                .hasSize(2);
        assertThat(harness.events).noneMatch(line -> line.startsWith("carol left"));
    }
}
