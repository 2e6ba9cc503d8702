package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.enet.EnetHeader;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CompressedEdit;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What many connections may cost, and those who connect, guess or never answer: the two honest
 * players are unharmed, and a newcomer is in within two seconds.
 */
@Tag("slow")
class SauerbratenManyConnectionsTest {
    private static final String ADMIN = "sekrit";
    private static final int MAP_LENGTH = 4_000_000;

    private SauerbratenAbuseHarness harness = new SauerbratenAbuseHarness();

    SauerbratenManyConnectionsTest() throws IOException {}

    @AfterEach
    void othersAreUnharmed() {
        harness.network.conditions(Conditions.PERFECT);
        harness.othersAreUnharmed();
    }

    private static byte[] datagram(int peer, int session, EnetCommand command) {
        EnetHeader header = new EnetHeader(peer, session, false, 1);
        return WireLaws.write(new EnetDatagram(header, List.of(command)), EnetDatagram::wire);
    }

    private static byte[] connect(long id) {
        Terms terms = new Terms(0, 255, 255, 1400, 65536, 3, 0, 0, 5000, 2, 2, id);
        return datagram(EnetHeader.NO_PEER, 0, new Connect(0x80, 255, 1, terms, 0));
    }

    private List<ScriptedPlayer> players(int count) {
        List<ScriptedPlayer> players = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            players.add(harness.player("p" + i));
        }
        return players;
    }

    private long waitingForAll(List<ScriptedPlayer> players) {
        return players.stream().mapToLong(harness::waitingFor).sum();
    }

    /** A map's beginning, and much that does not get shorter. */
    private static Bytes longMap() {
        byte[] noise = new byte[MAP_LENGTH];
        new Random(1).nextBytes(noise);
        Ogz arena = OgzCompiler.build(ArenaCatalog.FLAT);
        return new Ogz(
                        arena.version(),
                        arena.worldsize(),
                        0,
                        0,
                        0,
                        0,
                        arena.vars(),
                        arena.game(),
                        0,
                        arena.extra(),
                        arena.textures(),
                        arena.entities(),
                        Bytes.wrap(noise))
                .file();
    }

    @Test
    @DisplayName("G3 a hundred who acknowledge nothing hold no more than the server's total")
    void boundsMemoryOfUnacknowledgingCrowd() {
        List<ScriptedPlayer> crowd = players(90);
        ScriptedPlayer builder = harness.player("builder");
        crowd.forEach(player -> player.node.deaf = true);
        EditMessage.ClientClipboard clip =
                new EditMessage.ClientClipboard(
                        new CompressedEdit(9, Bytes.wrap(new byte[60_000])));
        for (int i = 0; i < 60; i++) {
            if (i < 2) {
                builder.say(clip);
            }
            if (i % 5 == 0) {
                builder.say(new ChatMessage.Text("line " + i));
            }
            harness.walk(200 * MILLI);
            assertThat(waitingForAll(crowd)).isLessThan(harness.memoryBudget.total() * 5 / 4);
        }
        assertThat(harness.counters.get("memory.ended")).isPositive();
        assertThat(harness.events)
                .filteredOn(line -> line.contains("left"))
                .isNotEmpty()
                .allMatch(line -> line.matches("p\\d+ left, .*(memory|acknowledged|timed out).*"));
        harness.walk(40 * SECOND);
        assertThat(harness.events).noneMatch(line -> line.startsWith("builder left"));
        assertThat(waitingForAll(crowd)).isZero();
        assertThat(harness.endpoint.sessions()).isEqualTo(3);
    }

    @Test
    @DisplayName("G4 G5 connects that are not proved end no session and are sent little")
    void boundsAnswersToUnprovenConnects() {
        InetSocketAddress victim = harness.alice.node.socket.local();
        long quiet = harness.witnessed(() -> harness.walk(10 * SECOND));
        long attacked =
                harness.witnessed(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        harness.network.inject(victim, SauerbratenAbuseHarness.GAME, connect(i));
                        for (int session = 0; session < 4; session++) {
                            harness.network.inject(
                                    victim,
                                    SauerbratenAbuseHarness.GAME,
                                    datagram(2, session, new Ack(0, 255, 1, 1, i)));
                        }
                        harness.walk(MILLI);
                    }
                });
        assertThat(harness.alice.isGone()).isFalse();
        assertThat(attacked - quiet).isLessThan(4096 + 11 * 2048);
        assertThat(harness.counters.get("sauerbraten.drop.budget")).isPositive();
        assertThat(harness.counters.get("sauerbraten.drop.stray")).isPositive();
    }

    @Test
    @DisplayName("G12 two hundred connects of one address and of fifty keep nobody out")
    void admitsOthersDuringManyConnects() {
        for (int i = 0; i < 3000; i++) {
            InetSocketAddress forged =
                    EnetNode.address("10.9." + i % 250 + "." + (1 + i / 250) + ":6000");
            harness.network.inject(forged, SauerbratenAbuseHarness.GAME, connect(i));
        }
        List<ScriptedPlayer> ofOne = new ArrayList<>();
        List<ScriptedPlayer> ofFifty = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ofOne.add(harness.stranger("10.4.0.1:0"));
            ofFifty.add(harness.stranger("10.5." + i % 50 + ".1:0"));
            harness.walk(20 * MILLI);
        }
        harness.walk(SECOND);
        assertThat(ofOne.stream().filter(one -> one.cn >= 0 && !one.isGone()).count())
                .isLessThanOrEqualTo(8);
        assertThat(ofFifty.stream().filter(one -> one.cn >= 0 && !one.isGone()).count())
                .isLessThanOrEqualTo(32);
        assertThat(harness.endpoint.sessions()).isLessThanOrEqualTo(2 + 32);
        assertThat(harness.events)
                .contains("refused 10.4.0.1: Too many players or joins from your address.");
    }

    @Test
    @DisplayName("G16 fifty who ask four times each for a long map hold it once")
    void sharesMapAmongAll() {
        ScriptedPlayer builder = harness.player("builder");
        builder.raw(2, longMap(), true);
        harness.walk(SECOND);
        List<ScriptedPlayer> crowd = players(50);
        for (ScriptedPlayer one : crowd) {
            one.node.deaf = true;
            one.say(
                    new EditMessage.GetMap(),
                    new EditMessage.GetMap(),
                    new EditMessage.GetMap(),
                    new EditMessage.GetMap());
        }
        harness.walk(SECOND);
        assertThat(waitingForAll(crowd)).isBetween((long) MAP_LENGTH, MAP_LENGTH + (2L << 20));
        harness.alice.say(new EditMessage.GetMap());
        harness.walk(2 * SECOND);
        assertThat(harness.alice.heard(EditMessage.SendMap.class).getLast().file().length())
                .isGreaterThan(MAP_LENGTH);
        // The map that is sent is not the one of the arena: it is sent once more.
        harness.alice.load(1);
        harness.walk(2 * SECOND);
        harness.alice.load(1);
        harness.walk(60 * SECOND);
        assertThat(crowd).allMatch(one -> harness.waitingFor(one) == 0);
    }

    @Test
    @DisplayName(
            "G20 maps that are never sent to their end are within the server's total, and expire")
    void expiresUnfinishedMaps() {
        harness.network.conditions(new Conditions(0, 0, 30 * MILLI, 0));
        List<ScriptedPlayer> crowd = players(12);
        Bytes map = longMap();
        crowd.forEach(one -> one.raw(2, map, true));
        harness.walk(2 * SECOND);
        crowd.forEach(one -> one.node.cycle.close());
        harness.walk(SECOND);
        assertThat(harness.counters.get("memory.ended")).isPositive();
        assertThat(waitingForAll(crowd)).isBetween(1L << 20, harness.memoryBudget.total());
        harness.walk(60 * SECOND);
        assertThat(waitingForAll(crowd)).isZero();
        assertThat(harness.endpoint.sessions()).isEqualTo(2);
    }

    @Test
    @DisplayName("G22 the admin password is guessed ten times, and the right one then too late")
    void limitsAdminGuesses() throws IOException {
        harness = new SauerbratenAbuseHarness("", ADMIN, 20);
        ScriptedPlayer mallory = harness.player("mallory");
        for (int i = 0; i < 12; i++) {
            claim(mallory, "guess" + i);
        }
        claim(mallory, ADMIN);
        assertThat(mallory.heard(AdminMessage.CurrentMaster.class)).isEmpty();
        assertThat(mallory.heard(ChatMessage.ServMsg.class))
                .filteredOn(said -> said.text().startsWith("Wrong admin password"))
                .hasSize(10);
        claim(harness.alice, ADMIN);
        assertThat(harness.alice.heard(AdminMessage.CurrentMaster.class)).hasSize(1);
    }

    private void claim(ScriptedPlayer player, String password) {
        String hash = PasswordHash.of(player.cn, player.sessionid, password);
        player.say(new AdminMessage.SetMaster(player.cn, true, hash));
        harness.walk(300 * MILLI);
    }
}
