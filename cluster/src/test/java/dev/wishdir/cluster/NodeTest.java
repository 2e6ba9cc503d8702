package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeEvent.NodeLeft.Reason;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Nodes that share an arena, in virtual time. */
class NodeTest {
    private final TestCluster cluster = new TestCluster(1);
    private final Server a = cluster.start();
    private final Server b = cluster.start();

    private static List<Reason> left(Server server) {
        return server.events.stream()
                .filter(NodeEvent.NodeLeft.class::isInstance)
                .map(event -> ((NodeEvent.NodeLeft) event).reason())
                .toList();
    }

    @Test
    void showsPlayersOfOtherNodeWithNativeBytes() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        anna.counter = 42;
        a.move(anna, 12.5, -3.25);
        cluster.run(50 * MILLI);
        Player mirrored = b.mirrored(a, anna);
        assertThat(mirrored.name()).isEqualTo("anna");
        assertThat(mirrored.game()).isEqualTo("quake3");
        assertThat(mirrored.spawned()).isTrue();
        assertThat(mirrored.movement()).isEqualTo(anna.movement);
        assertThat(mirrored.nativeMovement()).isEqualTo(anna.player.snapshot().nativeMovement());
        assertThat(a.view()).isEqualTo(b.view());
    }

    @Test
    void sendsChatActionsAndLifeToAllNodes() {
        Participant anna = a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        anna.player.say(a.now(), "hello");
        anna.player.performAction(a.now(), PlayerAction.TAUNT);
        anna.player.despawn(a.now());
        cluster.run(50 * MILLI);
        assertThat(bob.chat()).containsExactly("hello");
        assertThat(bob.events)
                .anyMatch(event ->
                        event instanceof ArenaEvent.ActionPerformed action
                                && action.action() == PlayerAction.TAUNT);
        assertThat(b.mirrored(a, anna).spawned()).isFalse();
        anna.player.spawn(a.now(), Movement.at(new Vec3(5, 5, 0), 0));
        cluster.run(50 * MILLI);
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
        a.leave(anna);
        cluster.run(50 * MILLI);
        assertThat(b.shows(a, anna)).isFalse();
    }

    @Test
    void showsTeleportWithoutAnOldMovementAfterIt() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        a.move(anna, 1, 1);
        Movement target = Movement.at(new Vec3(40, 40, 0), 0);
        anna.player.teleport(a.now(), target);
        a.turn();
        cluster.broker.advance(20 * MILLI);
        a.turn();
        b.turn();
        cluster.broker.advance(20 * MILLI);
        b.turn();
        assertThat(b.mirrored(a, anna).movement().position()).isEqualTo(target.position());
    }

    @Test
    void whispersToPlayerOfOtherNode() {
        Participant anna = a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        PlayerId bobAtA = a.mirrored(b, bob).id();
        assertThat(anna.player.whisper(a.now(), bobAtA, "psst")).isTrue();
        cluster.run(50 * MILLI);
        assertThat(bob.events)
                .filteredOn(ArenaEvent.Whisper.class::isInstance)
                .singleElement()
                .satisfies(event -> {
                    ArenaEvent.Whisper whisper = (ArenaEvent.Whisper) event;
                    assertThat(whisper.text()).isEqualTo("psst");
                    assertThat(whisper.from().name()).isEqualTo("anna");
                });
    }

    @Test
    void kicksPlayerOfOtherNode() {
        a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        a.arena
                .player(a.mirrored(b, bob).id())
                .orElseThrow()
                .kick(a.now(), new LeaveReason(LeaveReason.Code.KICKED, "enough"));
        cluster.run(100 * MILLI);
        assertThat(bob.player.isHere()).isFalse();
        assertThat(bob.events)
                .filteredOn(ArenaEvent.KickRequested.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((ArenaEvent.KickRequested) event).reason().text())
                                .isEqualTo("enough"));
        assertThat(a.arena.players()).hasSize(1);
    }

    @Test
    void announcesAndBansOnAllNodes() {
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        a.node.announce(a.now(), "restart in 5 minutes");
        NodeBan ban = new NodeBan("10.0.0.0/24", "", "cheats", "op", 0);
        a.ban(ban);
        cluster.run(50 * MILLI);
        assertThat(bob.events)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement it
                                && it.text().equals("restart in 5 minutes"));
        assertThat(b.bans).containsValue(ban);
        assertThat(a.changes).isZero();
    }

    @Test
    void playersOfLateNodeAndOfEarlierOnesMeet() {
        Participant anna = a.join("quake3", "anna");
        b.join("quake2", "bob");
        cluster.run(SECOND);
        Server late = cluster.start();
        late.join("bedrock", "carl");
        cluster.run(500 * MILLI);
        assertThat(late.view()).hasSize(3).isEqualTo(a.view()).isEqualTo(b.view());
        assertThat(late.mirrored(a, anna).spawned()).isTrue();
        assertThat(late.node.nodes()).extracting(NodeStatus::host).contains("host0", "host1");
    }

    @Test
    void reportsClocksOfOtherNodesAndGoesByNone() {
        TestCluster apart = new TestCluster(3);
        Server right = apart.start();
        Server fast = apart.start();
        right.clockMillis = 1_764_043_200_000L;
        fast.clockMillis = right.clockMillis + 3_600_000;
        Participant anna = fast.join("quake3", "anna");
        Server without = apart.start();
        apart.run(SECOND);
        assertThat(right.mirrored(fast, anna).spawned()).isTrue();
        assertThat(right.node.nodes())
                .extracting(NodeStatus::clockAheadMillis)
                .containsExactlyInAnyOrder(OptionalLong.of(3_600_000), OptionalLong.empty());
        assertThat(without.node.nodes())
                .extracting(NodeStatus::clockAheadMillis)
                .containsOnly(OptionalLong.empty());
    }

    @Test
    void killedNodeTakesOnlyItsPlayersAlongWithin600Millis() {
        Participant anna = a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        b.kill();
        cluster.run(600 * MILLI);
        assertThat(a.shows(b, bob)).isFalse();
        assertThat(anna.player.isHere()).isTrue();
        assertThat(left(a)).containsExactly(Reason.LOST);
    }

    @Test
    void killedNodeDisturbsNobodyElse() {
        Participant anna = a.join("quake3", "anna");
        b.join("quake2", "bob");
        Server c = cluster.start();
        c.join("bedrock", "carl");
        cluster.run(SECOND);
        b.kill();
        for (int i = 0; i < 20; i++) {
            a.move(anna, i, i);
            cluster.run(100 * MILLI);
            assertThat(c.mirrored(a, anna).movement().position().x()).isEqualTo(i);
        }
    }

    @Test
    void pausedNodeLosesBodiesAfter2SecondsAndPlayersAfter15() {
        Participant anna = a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        b.paused = true;
        cluster.run(1900 * MILLI);
        assertThat(a.mirrored(b, bob).spawned()).isTrue();
        cluster.run(300 * MILLI);
        assertThat(a.mirrored(b, bob).spawned()).isFalse();
        cluster.run(12 * SECOND);
        assertThat(a.shows(b, bob)).isTrue();
        cluster.run(SECOND);
        assertThat(a.shows(b, bob)).isFalse();
        assertThat(left(a)).containsExactly(Reason.SILENT);
        cluster.run(5 * SECOND);
        b.paused = false;
        b.turn();
        // The woken node has heard nothing for as long, and keeps the others all the same.
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
        cluster.run(500 * MILLI);
        assertThat(left(b)).isEmpty();
        assertThat(a.mirrored(b, bob).spawned()).isTrue();
        assertThat(a.view()).isEqualTo(b.view());
    }

    @Test
    void wokenNodeKeepsOthersAndShowsNoOldMovement() {
        Participant anna = a.join("quake3", "anna");
        b.join("quake2", "bob");
        cluster.run(SECOND);
        b.paused = true;
        for (int i = 0; i < 40; i++) {
            a.move(anna, i, i);
            cluster.run(100 * MILLI);
        }
        long stale = b.node.counters().staleMovements();
        b.paused = false;
        b.turn();
        Player mirrored = b.mirrored(a, anna);
        assertThat(mirrored.spawned()).isTrue();
        assertThat(mirrored.movement().position().x()).isEqualTo(39);
        assertThat(b.node.counters().staleMovements()).isGreaterThan(stale + 30);
        assertThat(left(b)).isEmpty();
    }

    @Test
    void wokenNodeKeepsOthersBeforeItHearsThem() {
        Participant anna = a.join("quake3", "anna");
        b.join("quake2", "bob");
        cluster.run(SECOND);
        b.paused = true;
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, MILLI, 0));
        cluster.run(20 * SECOND);
        cluster.broker.conditions(MemoryBroker.Conditions.PERFECT);
        b.paused = false;
        b.turn();
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
        cluster.run(500 * MILLI);
        assertThat(left(b)).isEmpty();
        assertThat(a.view()).isEqualTo(b.view());
    }

    /** A process is stopped anywhere; what comes then is not from before its turn. */
    @Test
    void nodeThatStandsStillInTheMiddleOfATurnShowsNothingOldAndGoesOn() {
        Participant anna = a.join("quake3", "anna");
        Arena arena = new Arena(a.arena.level(), 10);
        Bus bus = cluster.broker.connect(-5 * SECOND);
        AtomicBoolean isStopped = new AtomicBoolean();
        Bus stopping =
                (Bus)
                        Proxy.newProxyInstance(
                                Bus.class.getClassLoader(),
                                new Class<?>[] {Bus.class},
                                (_, method, arguments) -> {
                                    if (method.getName().equals("poll")
                                            && isStopped.getAndSet(false)) {
                                        cluster.run(20 * SECOND);
                                    }
                                    return method.invoke(bus, arguments);
                                });
        Node stopped =
                new Node(
                        arena,
                        stopping,
                        new NodeSettings("test", "stopped", "1"),
                        "flat",
                        b,
                        new Random(3));
        PlayerId atStopped = new PlayerId(a.node.number(), anna.player.id().number());
        List<String> seen = new ArrayList<>();
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Despawned || event instanceof ArenaEvent.Left) {
                seen.add(event.toString());
            }
        });
        for (int i = 0; i < 600; i++) {
            a.move(anna, i % 100, 0);
            cluster.run(5 * MILLI);
            isStopped.set(i == 300);
            stopped.advance(cluster.broker.now());
            if (i > 100) {
                double at = arena.find(atStopped).orElseThrow().movement().position().x();
                assertThat((i - at + 100) % 100).as("movements behind at %d", i).isLessThan(10);
            }
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void playsOnWithoutBusAndMeetsAgain() {
        Participant anna = a.join("quake3", "anna");
        Participant bob = b.join("quake2", "bob");
        cluster.run(SECOND);
        a.bus.disconnect();
        b.bus.disconnect();
        cluster.run(1500 * MILLI);
        assertThat(a.mirrored(b, bob).spawned()).isTrue();
        cluster.run(1500 * MILLI);
        assertThat(a.mirrored(b, bob).spawned()).isFalse();
        assertThat(anna.player.snapshot().spawned()).isTrue();
        anna.player.rename(a.now(), "anne");
        a.move(anna, 30, 30);
        a.bus.reconnect();
        // The others are not lost because they connect later.
        cluster.run(800 * MILLI);
        b.bus.reconnect();
        cluster.run(400 * MILLI);
        assertThat(a.view()).isEqualTo(b.view());
        assertThat(b.mirrored(a, anna).name()).isEqualTo("anne");
        assertThat(a.mirrored(b, bob).spawned()).isTrue();
        assertThat(left(a)).isEmpty();
    }

    @Test
    void showsNoBodyWhereItWasBeforeASilence() {
        Participant anna = a.join("quake3", "anna");
        b.join("quake2", "bob");
        a.move(anna, 1, 1);
        cluster.run(SECOND);
        for (int i = 2; i < 20; i++) {
            a.bus.disconnect();
            b.bus.disconnect();
            cluster.run(3 * SECOND);
            assertThat(b.mirrored(a, anna).spawned()).isFalse();
            a.move(anna, i, i);
            // The first batch has its movement or has it not.
            cluster.run(i * 5L * MILLI);
            a.bus.reconnect();
            b.bus.reconnect();
            for (int turn = 0; turn < 200; turn++) {
                cluster.run(5 * MILLI);
                Player mirrored = b.mirrored(a, anna);
                assertThat(!mirrored.spawned() || mirrored.movement().position().x() == i).isTrue();
            }
            assertThat(b.mirrored(a, anna).spawned()).isTrue();
        }
    }

    @Test
    void startsWithoutBus() {
        TestCluster away = new TestCluster(2);
        Server first = away.start();
        Server second = away.start();
        first.bus.disconnect();
        second.bus.disconnect();
        Participant anna = first.join("quake3", "anna");
        away.run(10 * SECOND);
        assertThat(first.node.isConnected()).isFalse();
        first.bus.reconnect();
        second.bus.reconnect();
        away.run(500 * MILLI);
        assertThat(second.mirrored(first, anna).spawned()).isTrue();
    }

    @Test
    void replacesMissedEventsByRoster() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, MILLI, 0));
        anna.player.rename(a.now(), "anne");
        Participant carl = a.join("bedrock", "carl");
        cluster.broker.conditions(MemoryBroker.Conditions.PERFECT);
        cluster.run(200 * MILLI);
        assertThat(b.mirrored(a, anna).name()).isEqualTo("anne");
        assertThat(b.mirrored(a, carl).spawned()).isTrue();
        assertThat(b.node.counters().gaps()).isOne();
    }

    @Test
    void reportsThatEventsAreMissedOften() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        List<Integer> reported = new ArrayList<>();
        for (int pause : List.of(5_000, 5_000, 400, 400, 400)) {
            cluster.run(pause * MILLI);
            cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, MILLI, 0));
            anna.player.rename(a.now(), "anna" + reported.size());
            cluster.broker.conditions(MemoryBroker.Conditions.PERFECT);
            cluster.run(200 * MILLI);
            reported.add(
                    (int)
                            b.events.stream()
                                    .filter(new NodeEvent.EventsMissed(a.node.number())::equals)
                                    .count());
        }
        assertThat(b.node.counters().gaps()).isEqualTo(5);
        assertThat(reported).containsExactly(0, 0, 1, 1, 1);
    }

    @Test
    void levelOfOperatorIsPlayedEverywhere() {
        cluster.run(2 * SECOND);
        a.changeLevel("tower");
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        assertThat(b.level).isEqualTo("tower");
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
        b.changeLevel("hall");
        cluster.run(SECOND);
        assertThat(a.level).isEqualTo("hall");
    }

    @Test
    void lateNodeTakesLevelOfOthers() {
        cluster.run(2 * SECOND);
        // Of two levels that were chosen as often, that of the highest number is played.
        Server late =
                cluster.start(
                        new NodeSettings("test", PlayerId.MAX_NODE, 10 * MILLI, "late", "1"),
                        "hall");
        cluster.run(2 * SECOND);
        assertThat(List.of(a.level, b.level, late.level)).containsOnly("flat");
    }

    @Test
    void hidesBodiesOfNodeOnOtherLevel() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(2 * SECOND);
        b.paused = true;
        a.changeLevel("tower");
        cluster.run(50 * MILLI);
        b.paused = false;
        b.turn();
        assertThat(b.prepared).isEqualTo("tower");
        assertThat(b.mirrored(a, anna).spawned()).isFalse();
        cluster.run(100 * MILLI);
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
    }

    @Test
    void endingNodeTakesItsPlayersAlongAtOnce() {
        Participant bob = b.join("quake2", "bob");
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        b.node.end(b.now());
        assertThat(b.shows(a, anna)).isFalse();
        cluster.run(10 * MILLI);
        assertThat(a.shows(b, bob)).isFalse();
        assertThat(left(a)).containsExactly(Reason.FAREWELL);
    }

    @Test
    void joins2000PlayersAtMost50InATurn() {
        cluster.start();
        cluster.start();
        for (Server server : cluster.servers) {
            for (int i = 0; i < 500; i++) {
                server.join("quake3", "p" + i + "of" + server.node.number());
            }
        }
        Server late = cluster.start();
        int joined = 0;
        for (int turns = 0; joined < 2000; turns++) {
            assertThat(turns).isLessThan(1000);
            cluster.broker.advance(5 * MILLI);
            cluster.servers.forEach(server -> server.node.advance(server.now()));
            int players = late.arena.players().size();
            assertThat(players - joined).isLessThanOrEqualTo(50);
            joined = players;
        }
    }

    @Test
    void restartedNodeWithFixedNumberReplacesItsLastRun() {
        NodeSettings fixed =
                new NodeSettings("test", 77, NodeSettings.DEFAULT_INTERVAL_NANOS, "c", "1.0");
        Server before = cluster.start(fixed, "flat");
        before.join("quake2", "carl");
        cluster.run(SECOND);
        before.kill();
        Server after = cluster.start(fixed, "flat");
        after.join("quake2", "dora");
        cluster.run(SECOND);
        assertThat(a.arena.players()).extracting(Player::name).containsExactly("dora");
        assertThat(a.view()).isEqualTo(after.view());
    }

    @Test
    void sendsFirstMovementAtOnceAndTheNextWithTheInterval() {
        Participant anna = a.join("quake3", "anna");
        cluster.run(SECOND);
        cluster.broker.advance(20 * MILLI);
        long sent = a.bus.counters().sent();
        a.move(anna, 3, 3);
        a.turn();
        assertThat(a.bus.counters().sent()).isEqualTo(sent + 1);
        a.move(anna, 4, 4);
        assertThat(a.node.advance(a.now())).isEqualTo(a.now() + 10 * MILLI);
        assertThat(a.bus.counters().sent()).isEqualTo(sent + 1);
        cluster.broker.advance(10 * MILLI);
        assertThat(a.node.advance(a.now())).isEqualTo(a.now() + Node.HEARTBEAT_NANOS);
        assertThat(a.bus.counters().sent()).isEqualTo(sent + 2);
    }

    @Test
    void refusesSettingsThatAreNotAllowed() {
        assertThatThrownBy(() -> new NodeSettings("a b", "host", "1"))
                .hasMessageContaining("a b")
                .hasMessageContaining("a-z, 0-9");
        assertThatThrownBy(() -> new NodeSettings("a", 1, 10 * MILLI, "host", "1"))
                .hasMessageContaining("from 2 to 1073741823");
        assertThatThrownBy(() -> new NodeSettings("a", 0, SECOND, "host", "1"))
                .hasMessageContaining("1 to 100 ms");
    }
}
