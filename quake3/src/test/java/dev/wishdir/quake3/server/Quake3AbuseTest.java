package dev.wishdir.quake3.server;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;
import static dev.wishdir.quake3.server.session.ScriptedClient.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.protocol.ReliableCommands;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What one player who is in does to the others: nothing. */
@Tag("slow")
class Quake3AbuseTest {
    private final AbuseHarness harness = new AbuseHarness();

    Quake3AbuseTest() throws IOException {}

    @AfterEach
    void holds() throws IOException {
        harness.holds();
    }

    @Test
    @DisplayName("G1, G18: names, skins, teams, deaths and chat a thousand times a second")
    void limitsChanges() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        ScriptedClient witness = harness.client(1, 2).join("witness");
        harness.run(1, mallory, witness);
        int before = witness.datagramBytes;
        harness.run(5, mallory, witness);
        int quiet = witness.datagramBytes - before;
        before = witness.datagramBytes;
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 10; j++) {
                int n = 10 * i + j;
                mallory.say(
                        "userinfo \"\\name\\mallory%d\\model\\skin%d\"".formatted(n, n),
                        "kill",
                        "say line " + n,
                        n % 2 == 0 ? "team free" : "team spectator");
                harness.network.run(SECOND / 200);
            }
            witness.walk(0);
            mallory.walk(0);
        }
        int besieged = witness.datagramBytes - before;
        assertThat(besieged).isLessThan(4 * quiet);
        harness.run(12, mallory, witness);
        InfoString told = witness.configstrings.player(mallory.clientNum);
        assertThat(told.get("n")).as("the last name").isEqualTo("mallory999");
        assertThat(told.get("model")).as("the last model").isEqualTo("skin999");
        assertThat(told.get("t")).as("the last team").isEqualTo("3");
        double most = RateLimitedAction.CHANGE.burst() + 18 * RateLimitedAction.CHANGE.perSecond();
        assertThat(harness.events(ArenaEvent.Renamed.class)).hasSizeBetween(2, (int) most);
        assertThat(harness.events(ArenaEvent.Chat.class))
                .hasSizeBetween(
                        12,
                        (int)
                                (RateLimitedAction.CHAT.burst()
                                        + 7 * RateLimitedAction.CHAT.perSecond()));
        assertThat(harness.events(ArenaEvent.Left.class)).isEmpty();
        assertThat(mallory.commands)
                .contains(
                        "print \"Rate limit exceeded: chat. Others do not receive all of it.\n\"",
                        "print \"Rate limit exceeded: changes. Others do not receive all of it.\n"
                                + "\"",
                        "print \"Rate limit exceeded: respawns. Others do not receive all of it.\n"
                                + "\"");
    }

    @Test
    @DisplayName("G1: a persistent flooder is kicked with the reason, and the others are notified")
    void kicksPersistentFlooder() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        for (int i = 0; i < 15 * 20; i++) {
            mallory.say("say line " + i, "say again");
            harness.run(0.05, mallory);
        }
        assertThat(mallory.commands).contains("disconnect \"Kicked: rate limit exceeded (chat).\"");
        assertThat(harness.departures("mallory"))
                .containsExactly(
                        new LeaveReason(
                                LeaveReason.Code.RATE_LIMIT,
                                "Kicked: rate limit exceeded (chat)."));
    }

    @Test
    @DisplayName("G2: only a client that acknowledges no command is ended, and sees until then")
    void endsClientThatAcknowledgesNoCommand() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        List<ScriptedClient> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(harness.client(2, i).join("other" + i));
        }
        ScriptedClient[] all = others.toArray(ScriptedClient[]::new);
        harness.run(1, all);
        harness.events.clear();
        int acknowledged = mallory.codec.serverCommands().last();
        int guests = 0;
        for (int second = 0; second < 25; second++) {
            for (int i = 0; i < others.size(); i++) {
                others.get(i)
                        .say("say " + second, "userinfo \"\\name\\o" + i + "x" + second + "\"");
            }
            ArenaPlayer guest =
                    harness.arena.join(harness.network.now(), "quake2", "guest", new NoOpViewer());
            guests++;
            int snapshots = mallory.snapshots.size();
            for (int i = 0; i < 20; i++) {
                mallory.send(
                        mallory.serverId,
                        mallory.netchan.incoming(),
                        acknowledged,
                        new ClientMessage.Move(
                                true, List.of(command(mallory.serverTime() + 1, 0, 0))));
                harness.run(0.05, all);
            }
            guest.leave(harness.network.now(), LeaveReason.LEFT);
            assertThat(mallory.snapshots.size() - snapshots).as("snapshots").isGreaterThan(8);
        }
        assertThat(harness.departures("mallory")).as("within 30 s").isEmpty();
        for (int i = 0; i < 200; i++) {
            mallory.send(mallory.serverId, mallory.netchan.incoming(), acknowledged);
            harness.run(0.05, all);
        }
        assertThat(harness.departures("mallory")).containsExactly(LeaveReason.NOT_ACKNOWLEDGING);
        assertThat(harness.events(ArenaEvent.Left.class)).hasSize(guests + 1);
        assertThat(harness.find("mallory")).isEmpty();
        for (ScriptedClient other : others) {
            for (int second = 0; second < 25; second++) {
                String said = "^7\u0019: ^2" + second + "\"";
                assertThat(other.commands.stream().filter(c -> c.endsWith(said)).count())
                        .as("line %d of everybody", second)
                        .isEqualTo(4);
            }
            assertThat(other.configstrings.player(mallory.clientNum).get("n")).isEmpty();
        }
    }

    @Test
    @DisplayName("G2: a congested client is sent the state afterwards, and that it has missed some")
    void updatesCongestedClient() {
        ScriptedClient slow = harness.client(1, 1).join("slow");
        ScriptedClient busy = harness.client(1, 2).join("busy");
        harness.run(1, slow, busy);
        int acknowledged = slow.codec.serverCommands().last();
        for (int second = 0; second < 20; second++) {
            busy.say("userinfo \"\\name\\busy" + second + "\"", "say a" + second, "say b" + second);
            for (int i = 0; i < 20; i++) {
                slow.send(slow.serverId, slow.netchan.incoming(), acknowledged);
                harness.run(0.05, busy);
            }
        }
        int behind = slow.codec.serverCommands().last() - acknowledged;
        assertThat(behind).isBetween(ReliableCommands.SIZE / 2, ReliableCommands.SIZE / 2 + 4);
        harness.run(3, slow, busy);
        assertThat(slow.configstrings.player(busy.clientNum).get("n")).isEqualTo("busy19");
        assertThat(slow.commands)
                .anyMatch(c -> c.startsWith("print \"Your connection is too slow"));
        assertThat(harness.events(ArenaEvent.Left.class)).isEmpty();
    }

    @Test
    @DisplayName("item 9: who vanishes has no body after 5 s, and his slot until he is back")
    void removesBodyOfVanishedClient() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        harness.run(1, mallory);
        assertThat(harness.bob.others()).extracting(s -> s.name()).contains("mallory");
        harness.network.run(4 * SECOND);
        assertThat(harness.bob.others()).extracting(s -> s.name()).contains("mallory");
        harness.network.run(2 * SECOND);
        assertThat(harness.bob.others()).extracting(s -> s.name()).doesNotContain("mallory");
        harness.network.run(20 * SECOND);
        harness.run(0.5, mallory);
        assertThat(harness.bob.others()).extracting(s -> s.name()).contains("mallory");
        harness.network.run(62 * SECOND);
        assertThat(harness.departures("mallory")).containsExactly(LeaveReason.TIMED_OUT);
    }

    @Test
    @DisplayName("G14: a question asked a thousand times a second has few answers")
    void limitsAnswersToQuestions() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        harness.run(1, mallory);
        mallory.commands.clear();
        for (int i = 0; i < 200; i++) {
            mallory.say("score", "callvote map x", "score", "vote yes", "score");
            harness.network.run(SECOND / 200);
            mallory.walk(0);
        }
        harness.run(1, mallory);
        assertThat(mallory.commands).hasSizeBetween(1, 12);
        assertThat(harness.departures("mallory")).isEmpty();
    }

    @Test
    @DisplayName("G19: 60 downloads in one message, 200 messages a second")
    void limitsDownloadRequests() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        harness.run(1, mallory);
        int bytes = mallory.datagramBytes;
        for (int i = 0; i < 400; i++) {
            mallory.say(
                    IntStream.range(0, 60)
                            .mapToObj(n -> "download baseoa/pak" + n + ".pk3")
                            .toArray(String[]::new));
            harness.network.run(SECOND / 200);
        }
        assertThat(mallory.blocks).as("one a server frame").hasSizeBetween(10, 2 * 40 + 1);
        assertThat(mallory.datagramBytes - bytes).isLessThan(30_000);
    }

    @Test
    @DisplayName("G16: 50 players ask for the map again and again and acknowledge nothing")
    void boundsUnacknowledgedDownloads() {
        int crowdSize = TestEffort.times(20);
        List<ScriptedClient> crowd = new ArrayList<>();
        for (int i = 0; i < crowdSize; i++) {
            crowd.add(harness.client(3 + i / 6, i).join("mallory" + i));
        }
        String pak = crowd.getFirst().configstrings.system().get("sv_referencedPakNames") + ".pk3";
        for (int i = 0; i < 36 * 2; i++) {
            for (ScriptedClient client : crowd) {
                client.say("download " + pak, "download " + pak);
            }
            harness.network.run(SECOND / 2);
        }
        for (ScriptedClient client : crowd) {
            assertThat(client.blocks.size()).isBetween(48, 48 * 31);
        }
        assertThat(harness.events(ArenaEvent.Left.class))
                .hasSize(crowdSize)
                .allMatch(left -> left.reason().text().startsWith("You do not acknowledge"));
    }

    @Test
    @DisplayName("G19: donedl before it plays, in every packet, brings a gamestate a second")
    void limitsGamestates() {
        ScriptedClient mallory = harness.client(1, 1).connect("\\name\\mallory");
        mallory.send();
        harness.network.run(SECOND / 2);
        assertThat(mallory.gamestates).isEqualTo(1);
        for (int i = 0; i < 1_000; i++) {
            mallory.say("donedl");
            harness.network.run(SECOND / 200);
        }
        assertThat(mallory.gamestates).isBetween(4, 7);
        for (int i = 0; i < 1_000; i++) {
            mallory.send(0, mallory.netchan.incoming(), mallory.codec.serverCommands().last());
            harness.network.run(SECOND / 200);
        }
        assertThat(mallory.gamestates).isBetween(8, 13);
    }

    @Test
    @DisplayName(
            "G19: 32 user commands a packet: a bounded number a second is executed, no time is"
                    + " lost")
    void limitsExecutedUsercmds() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        harness.run(3, mallory);
        Vec3 from = harness.find("mallory").orElseThrow().movement().position();
        int sent = 0;
        int time = mallory.serverTime();
        for (int i = 0; i < 100; i++) {
            int base = time;
            mallory.move(
                    IntStream.rangeClosed(1, 32)
                            .mapToObj(n -> command(base + n, 0, 127))
                            .toArray(Usercmd[]::new));
            time += 32;
            sent += 32;
            harness.network.run(32 * SECOND / 1000);
        }
        long executed = sent - harness.counters.get("quake3.drop.usercmd");
        // 500 a second, and what ten seconds of silence may hold up.
        assertThat(executed).isBetween(1_600L, 3_000L);
        assertThat(harness.find("mallory").orElseThrow().movement().position().distance(from))
                .as("it came as far as others would")
                .isGreaterThan(8);
    }

    @Test
    @DisplayName("G19: more packets a second than any client sends are not read")
    void ignoresExcessPackets() {
        ScriptedClient mallory = harness.client(1, 1).join("mallory");
        for (int i = 0; i < 5_000; i++) {
            mallory.walk(0);
            harness.network.run(SECOND / 5_000);
        }
        assertThat(harness.counters.get("quake3.drop.flood")).isBetween(3_000L, 4_000L);
        harness.run(2, mallory);
        assertThat(harness.departures("mallory")).isEmpty();
    }

    @Test
    @DisplayName("F1: names of other games show no colours, and only colours are not said")
    void removesColoursOfOtherGames() {
        ScriptedClient viewer = harness.client(1, 1).join("viewer");
        ArenaPlayer guest =
                harness.arena.join(harness.network.now(), "quake3", "^1e^^2vil", new NoOpViewer());
        guest.spawn(harness.network.now(), Movement.at(new Vec3(3, 3, 0), 0));
        harness.run(0.5, viewer);
        guest.say(harness.network.now(), "^1 hi ^^2");
        guest.say(harness.network.now(), "^");
        viewer.say("say ^1^2 ", "say \"\"", "say_team ^3");
        harness.run(0.5, viewer);
        assertThat(harness.events(ArenaEvent.Chat.class)).hasSize(2);
        String name = "^^71e^^7^^72vil";
        assertThat(Quake3Text.plain(name)).as("as it is seen").isEqualTo("^1e^^2vil");
        assertThat(viewer.commands).contains("print \"" + name + "^7 entered the game\n\"");
        assertThat(viewer.commands.stream().filter(c -> c.startsWith("chat")))
                .containsExactly(
                        "chat \"" + name + "^7\u0019: ^2^^21 hi ^^2^^22\"",
                        "chat \"" + name + "^7\u0019: ^2^^2\"");
        int slot =
                IntStream.range(0, 64)
                        .filter(i -> viewer.configstrings.player(i).get("n").equals(name))
                        .findFirst()
                        .orElseThrow();
        assertThat(viewer.frame.entity(slot)).as("foreign, whatever it plays").isNotNull();
    }
}
