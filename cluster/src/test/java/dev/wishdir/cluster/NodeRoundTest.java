package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.match.RoundState;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.TeamFrags;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** All nodes play the same round: it begins, stands still and ends on all. */
class NodeRoundTest {
    private static final Duration MAX_APART = Duration.ofMillis(120);

    /** Between two batches of the liar. */
    private static final long SENT = 50 * MILLI;

    private final TestCluster cluster = new TestCluster(1);

    private static MatchRules rules(MatchMode mode, int scoreLimit) {
        return MatchRules.of(mode)
                .withTimes(Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(3))
                .withScoreLimit(scoreLimit);
    }

    private static Server start(TestCluster cluster, MatchRules rules) {
        Server server = cluster.start();
        server.arena.setMatchRules(rules);
        return server;
    }

    private Server start() {
        return start(cluster, rules(MatchMode.FFA, 0));
    }

    private static RoundState round(Server server) {
        return server.arena.match().shared().round(server.now()).orElseThrow();
    }

    private static Match.Phase phase(Server server) {
        return server.arena.match().phase();
    }

    /** All servers play the same round, of which the same time is left. */
    private static void assertAgreed(TestCluster cluster) {
        List<Server> alive = cluster.servers.stream().filter(it -> !it.dead).toList();
        RoundState first = round(alive.getFirst());
        assertThat(alive)
                .allSatisfy(server -> {
                    RoundState other = round(server);
                    assertThat(other.round()).isEqualTo(first.round());
                    assertThat(other.stage()).isEqualTo(first.stage());
                    assertThat(other.paused()).isEqualTo(first.paused());
                    assertThat(other.left().orElseThrow())
                            .isCloseTo(first.left().orElseThrow(), MAX_APART);
                });
    }

    private void assertAgreed() {
        assertAgreed(cluster);
    }

    private static int rounds(Participant player) {
        return player.all(ArenaEvent.RoundStarted.class).size();
    }

    private static List<RoundEndReason> ends(Participant player) {
        return player.all(ArenaEvent.RoundEnded.class).stream()
                .map(ArenaEvent.RoundEnded::reason)
                .toList();
    }

    private void kill(Participant by, Participant victim) {
        // A round begins without a life.
        by.live();
        victim.live();
        cluster.run(50 * MILLI);
        assertThat(NodeFightTest.hit(by.server, by, victim.server, victim, 120)).isTrue();
        cluster.run(300 * MILLI);
    }

    @Test
    void roundsBeginAndEndTogether() {
        Participant anna = start().joinAlive("quake3", "anna");
        cluster.run(1500 * MILLI);
        Participant bob = start().joinAlive("quake3", "bob");
        cluster.run(4 * SECOND);
        assertAgreed();
        kill(bob, anna);
        cluster.run(50 * SECOND);
        assertAgreed();
        for (Participant player : List.of(anna, bob)) {
            assertThat(rounds(player)).isEqualTo(3);
            assertThat(ends(player))
                    .containsExactly(RoundEndReason.TIME_LIMIT, RoundEndReason.TIME_LIMIT);
            assertThat(player.all(ArenaEvent.RoundEnded.class).getFirst().winner())
                    .hasValueSatisfying(winner -> assertThat(winner.name()).isEqualTo("bob"));
            assertThat(player.server.node.faults()).isEmpty();
        }
    }

    @Test
    void countsNoWatchersOfOtherNodes() {
        Server a = start();
        Participant anna = a.joinAlive("quake3", "anna");
        Server b = start();
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(4 * SECOND);
        bob.player.combatant().setWatching(b.now(), true);
        cluster.run(300 * MILLI);
        assertThat(a.arena.match().standings())
                .extracting(it -> it.player().name())
                .containsExactly("anna");
        anna.player.leave(a.now(), LeaveReason.LEFT);
        cluster.run(SECOND);
        assertThat(phase(a)).isEqualTo(Match.Phase.IDLE);
        assertThat(phase(b)).isEqualTo(Match.Phase.IDLE);
        bob.player.combatant().setWatching(b.now(), false);
        cluster.run(4 * SECOND);
        assertThat(phase(a)).isEqualTo(phase(b)).isNotEqualTo(Match.Phase.IDLE);
        assertThat(a.arena.match().standings())
                .extracting(it -> it.player().name())
                .containsExactly("bob");
        assertThat(a.node.faults()).isEmpty();
        assertThat(b.node.faults()).isEmpty();
    }

    @Test
    void lostResetOfScoresIsMadeUpByRoster() {
        Participant anna = start().joinAlive("quake3", "anna");
        Server b = start();
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(4 * SECOND);
        kill(anna, bob);
        Server a = anna.server;
        assertThat(b.arena.match().score(NodeFightTest.at(b, a, anna))).isEqualTo(new Score(1, 0));
        // The event of the score is lost.
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, 0, 0));
        a.arena.match().begin(a.now());
        cluster.run(20 * MILLI);
        cluster.broker.conditions(MemoryBroker.Conditions.PERFECT);
        cluster.run(SECOND);
        assertAgreed();
        assertThat(b.arena.match().score(NodeFightTest.at(b, a, anna))).isEqualTo(Score.ZERO);
    }

    @Test
    void joiningNodeTakesOverRound() {
        Server a = start();
        Participant anna = a.joinAlive("quake3", "anna");
        cluster.run(12 * SECOND);
        // Its first player is there before it knows of the others.
        Participant late = start().joinAlive("quake3", "late");
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(phase(a)).isEqualTo(Match.Phase.PLAYING);
        assertThat(round(a).left().orElseThrow()).isLessThan(Duration.ofSeconds(9));
        assertThat(rounds(anna)).isEqualTo(1);
        assertThat(ends(anna)).isEmpty();
        assertThat(rounds(late)).isEqualTo(1);
    }

    @Test
    void scoreLimitEndsRoundOnAllWithItsWinner() {
        Participant anna = start(cluster, rules(MatchMode.FFA, 2)).joinAlive("quake3", "anna");
        Participant bob = start(cluster, rules(MatchMode.FFA, 2)).joinAlive("quake3", "bob");
        cluster.run(5 * SECOND);
        kill(anna, bob);
        kill(anna, bob);
        assertAgreed();
        for (Participant player : List.of(anna, bob)) {
            assertThat(player.all(ArenaEvent.RoundEnded.class))
                    .singleElement()
                    .satisfies(end -> {
                        assertThat(end.reason()).isEqualTo(RoundEndReason.SCORE_LIMIT);
                        assertThat(end.winner().orElseThrow().name()).isEqualTo("anna");
                    });
            assertThat(player.all(ArenaEvent.Announcement.class))
                    .anySatisfy(it -> assertThat(it.text()).isEqualTo("anna wins with 2 frags."));
        }
    }

    @Test
    void operatorsRestartSkipAndPauseOnAllNodes() {
        Server a = start();
        Server b = start();
        Participant anna = a.joinAlive("quake3", "anna");
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(5 * SECOND);
        kill(anna, bob);
        b.arena.match().begin(b.now());
        cluster.run(200 * MILLI);
        assertAgreed();
        assertThat(phase(a)).isEqualTo(Match.Phase.WARM_UP);
        assertThat(ends(anna)).containsExactly(RoundEndReason.RESTARTED);
        assertThat(a.arena.match().score(anna.player.id())).isEqualTo(Score.ZERO);
        assertThat(b.arena.match().score(NodeFightTest.at(b, a, anna))).isEqualTo(Score.ZERO);
        cluster.run(3 * SECOND);
        a.arena.match().setPaused(a.now(), true);
        cluster.run(10 * SECOND);
        assertAgreed();
        assertThat(b.arena.match().isPaused()).isTrue();
        assertThat(b.arena.match().isFighting()).isFalse();
        assertThat(bob.all(ArenaEvent.Announcement.class).getLast().text())
                .isEqualTo("The match is paused.");
        b.arena.match().setPaused(b.now(), false);
        cluster.run(SECOND);
        assertAgreed();
        assertThat(a.arena.match().isFighting()).isTrue();
        a.arena.match().skipRound(a.now());
        cluster.run(200 * MILLI);
        assertAgreed();
        assertThat(round(a).round()).isEqualTo(3);
        assertThat(phase(b)).isEqualTo(Match.Phase.WARM_UP);
    }

    @Test
    void killedNodeDoesNotStopRound() {
        Server a = start();
        Server b = start();
        Server c = start();
        a.joinAlive("quake3", "anna");
        Participant bob = b.joinAlive("quake3", "bob");
        Participant carl = c.joinAlive("quake3", "carl");
        cluster.run(5 * SECOND);
        a.arena.match().begin(a.now());
        cluster.run(5 * SECOND);
        assertAgreed();
        a.kill();
        cluster.run(18 * SECOND);
        assertAgreed();
        assertThat(phase(b)).isEqualTo(Match.Phase.INTERMISSION);
        cluster.run(7 * SECOND);
        assertAgreed();
        assertThat(phase(b)).isEqualTo(Match.Phase.PLAYING);
        for (Participant player : List.of(bob, carl)) {
            assertThat(ends(player))
                    .containsExactly(RoundEndReason.RESTARTED, RoundEndReason.TIME_LIMIT);
        }
    }

    @Test
    void stoppedNodeDelaysRoundByOneSecondAtMost() {
        Server a = start();
        Server b = start();
        a.joinAlive("quake3", "anna");
        b.joinAlive("quake3", "bob");
        cluster.run(5 * SECOND);
        a.arena.match().begin(a.now());
        cluster.run(21_500 * MILLI);
        a.paused = true;
        cluster.run(1_600 * MILLI);
        assertThat(phase(b)).isEqualTo(Match.Phase.INTERMISSION);
        a.paused = false;
        cluster.run(SECOND);
        assertAgreed();
    }

    @Test
    void splitAndHealEndInOneRound() {
        Server a = start();
        Server b = start();
        Participant anna = a.joinAlive("quake3", "anna");
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(5 * SECOND);
        b.bus.moveTo(1);
        cluster.run(4 * SECOND);
        // Each half goes on; the one with more changes wins.
        b.arena.match().begin(b.now());
        cluster.run(6 * SECOND);
        assertThat(round(a).round()).isEqualTo(1);
        assertThat(round(b).round()).isEqualTo(2);
        b.bus.moveTo(0);
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(round(a).round()).isEqualTo(2);
        assertThat(rounds(anna)).isEqualTo(2);
        assertThat(rounds(bob)).isEqualTo(2);
    }

    @Test
    void matchEndsWithLastPlayerOfAllNodes() {
        Server a = start();
        Server b = start();
        List<RoundEndReason> ends = new ArrayList<>();
        b.arena.addListener(event -> {
            if (event instanceof ArenaEvent.RoundEnded end) {
                ends.add(end.reason());
            }
        });
        Participant anna = a.joinAlive("quake3", "anna");
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(5 * SECOND);
        a.leave(anna);
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(phase(a)).isEqualTo(Match.Phase.PLAYING);
        b.leave(bob);
        cluster.run(2 * SECOND);
        assertThat(phase(a)).isEqualTo(Match.Phase.IDLE);
        assertThat(phase(b)).isEqualTo(Match.Phase.IDLE);
        assertThat(ends).containsExactly(RoundEndReason.ABANDONED);
        a.joinAlive("quake3", "anna");
        cluster.run(4 * SECOND);
        assertAgreed();
        assertThat(phase(b)).isEqualTo(Match.Phase.PLAYING);
    }

    @Test
    void nodeGoesOverToRoundWithTheLevelThatItPrepares() {
        Server a = start();
        Server b = start();
        Participant anna = a.joinAlive("quake3", "anna");
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(17 * SECOND);
        b.busy = true;
        a.changeLevel("tower");
        // Its own time is over meanwhile.
        cluster.run(8 * SECOND);
        assertThat(round(a).round()).isEqualTo(2);
        assertThat(round(b).round()).isEqualTo(1);
        assertThat(phase(b)).isEqualTo(Match.Phase.PLAYING);
        b.busy = false;
        cluster.run(SECOND);
        assertAgreed();
        assertThat(b.level).isEqualTo("tower");
        assertThat(round(b).round()).isEqualTo(2);
        assertThat(rounds(anna)).isEqualTo(2);
        assertThat(ends(bob)).containsExactly(RoundEndReason.RESTARTED);
        assertThat(ends(anna)).containsExactly(RoundEndReason.RESTARTED);
    }

    @Test
    void teamScoreIsSumOfAllNodesAcrossSplit() {
        Server a = start(cluster, rules(MatchMode.TEAM, 5));
        Participant anna = a.joinAlive("quake3", "anna");
        cluster.run(2 * SECOND);
        Server b = start(cluster, rules(MatchMode.TEAM, 5));
        cluster.run(2 * SECOND);
        Participant bob = b.joinAlive("quake3", "bob");
        Participant bert = b.joinAlive("quake3", "bert");
        cluster.run(3 * SECOND);
        Team red = a.arena.match().team(anna.player.id()).orElseThrow();
        Team blue = red.other();
        assertThat(b.arena.match().team(bob.player.id())).contains(blue);
        bert.player.leave(b.now(), LeaveReason.LEFT);
        kill(anna, bob);
        kill(bob, anna);
        kill(anna, bob);
        assertTeams(Map.of(red, 2, blue, 1));
        // Their servers lose each other, and find each other again.
        b.bus.moveTo(1);
        cluster.run(5 * SECOND);
        b.bus.moveTo(0);
        cluster.run(SECOND);
        assertTeams(Map.of(red, 2, blue, 1));
        kill(anna, bob);
        assertTeams(Map.of(red, 3, blue, 1));
        a.arena.match().begin(a.now());
        cluster.run(SECOND);
        assertTeams(Map.of(red, 0, blue, 0));
    }

    private void assertTeams(Map<Team, Integer> frags) {
        for (Server server : cluster.servers) {
            frags.forEach((team, expected) ->
                    assertThat(server.arena.match().frags(team)).isEqualTo(expected));
        }
    }

    @Test
    void playersOfBothNodesReachScoreLimitOfTheirTeam() {
        Server a = start(cluster, rules(MatchMode.TEAM, 2));
        Server b = start(cluster, rules(MatchMode.TEAM, 2));
        Participant anna = a.joinAlive("quake3", "anna");
        cluster.run(2 * SECOND);
        Participant bob = b.joinAlive("quake3", "bob");
        cluster.run(200 * MILLI);
        Participant bert = b.joinAlive("quake3", "bert");
        cluster.run(3 * SECOND);
        Team red = a.arena.match().team(anna.player.id()).orElseThrow();
        assertThat(b.arena.match().team(bert.player.id())).contains(red);
        kill(anna, bob);
        kill(bert, bob);
        for (Participant player : List.of(anna, bob)) {
            assertThat(player.all(ArenaEvent.RoundEnded.class))
                    .singleElement()
                    .satisfies(end -> {
                        assertThat(end.reason()).isEqualTo(RoundEndReason.SCORE_LIMIT);
                        assertThat(end.team()).contains(red);
                    });
        }
    }

    @Test
    void nodeWithoutMatchIgnoresRounds() {
        Server a = start();
        Participant anna = a.joinAlive("quake3", "anna");
        Server none = start(cluster, MatchRules.NONE);
        none.join("quake2", "bob");
        cluster.run(30 * SECOND);
        assertThat(none.arena.match().isOn()).isFalse();
        assertThat(none.node.faults()).isEmpty();
        assertThat(ends(anna)).containsExactly(RoundEndReason.TIME_LIMIT);
    }

    @Test
    void silenceOfOldNodeAboutItsRoundIsUnderstood() {
        Server a = start();
        a.joinAlive("quake3", "anna");
        RawNode old = new RawNode(cluster, 1000);
        old.roster.add(RawNode.player(1000, 1, "old").build());
        old.run(6 * SECOND);
        assertThat(phase(a)).isEqualTo(Match.Phase.PLAYING);
        assertThat(a.arena.find(new PlayerId(1000, 1))).isPresent();
        assertThat(a.node.faults()).isEmpty();
    }

    private static PlayedRound.Builder lie(long count) {
        return PlayedRound.newBuilder()
                .setCount(count)
                .setNode(1000)
                .setRound(1)
                .setStage("playing")
                .setLeftMs(10_000);
    }

    @Test
    @DisplayName("N13: rounds that no match can have")
    void refusesRoundsThatNoMatchCanHave() {
        Server a = start();
        Server b = start();
        Participant anna = a.joinAlive("quake3", "anna");
        b.joinAlive("quake3", "bob");
        cluster.run(4 * SECOND);
        RawNode liar = RawNode.liar(cluster, SECOND);
        long count = 50;
        List<PlayedRound.Builder> lies =
                List.of(
                        lie(MessageReader.MAX_COUNT),
                        lie(-1),
                        lie(Long.MAX_VALUE),
                        lie(count).setRound(MessageReader.MAX_COUNT),
                        lie(count).setRound(-5),
                        lie(count).setStage("over"),
                        lie(count).setStage(""),
                        lie(count).setNode(0),
                        lie(count).setLeftMs(-1),
                        lie(count).setLeftMs(86_400_001),
                        lie(count).setEnd("victory"),
                        lie(count).setWinningTeam("green"),
                        lie(count)
                                .addTeams(TeamFrags.newBuilder().setTeam("red").setFrags(1 << 30)),
                        lie(count)
                                .addTeams(TeamFrags.newBuilder())
                                .addTeams(TeamFrags.newBuilder())
                                .addTeams(TeamFrags.newBuilder()));
        lies.forEach(lie -> liar.sendRound(lie, SENT));
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_ROUND, (long) lies.size());
        assertThat(a.reported()).hasSize(1);
        assertThat(rounds(anna)).isEqualTo(1);
        assertThat(ends(anna)).isEmpty();
        assertAgreed();
    }

    @Test
    @DisplayName("N13: rounds that change each 50 ms, and longer ones than the rules allow")
    void limitsChangesOfRounds() {
        Server a = start();
        Server b = start();
        Participant anna = a.joinAlive("quake3", "anna");
        b.joinAlive("quake3", "bob");
        cluster.run(4 * SECOND);
        RawNode liar = RawNode.liar(cluster, SECOND);
        liar.sendRound(lie(40).setLeftMs(86_400_000), SENT);
        assertThat(round(a).left().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(20));
        liar.sendRound(lie(41).clearLeftMs(), SENT);
        assertThat(round(a).left().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(20));
        for (int i = 0; i < 200; i++) {
            liar.sendRound(lie(50 + i).setRound(2 + i), SENT);
        }
        // Ten at once, and one a second.
        assertThat(rounds(anna)).isLessThan(25);
        assertThat(a.node.faults().get(NodeFault.INVALID_ROUND)).isGreaterThan(150);
        assertThat(a.reported()).hasSize(1);
        // An operator ends it, and the others follow as before.
        liar.bus.close();
        b.arena.match().begin(b.now());
        cluster.run(5 * SECOND);
        assertAgreed();
        cluster.run(15 * SECOND);
        assertAgreed();
    }

    /** Everything that is possible at random, under loss and splits; then all play one round. */
    @Test
    void agreeAfterLossSplitsAndStops() {
        for (long seed : TestEffort.seeds(1, 3).toArray()) {
            disturb(seed);
        }
    }

    private static void disturb(long seed) {
        TestCluster cluster = new TestCluster(seed);
        Random random = new Random(seed);
        for (int i = 0; i < 3; i++) {
            start(cluster, rules(MatchMode.FFA, 0)).joinAlive("quake3", "p" + i);
        }
        for (int step = 0; step < 60; step++) {
            Server server = cluster.servers.get(random.nextInt(3));
            int kind = random.nextInt(9);
            switch (kind) {
                case 6 -> server.arena.match().begin(server.now());
                case 7 ->
                        server.arena
                                .match()
                                .setPaused(server.now(), !server.arena.match().isPaused());
                case 8 -> server.arena.match().skipRound(server.now());
                default -> cluster.disturb(kind, server);
            }
            cluster.run(random.nextInt(2_000) * MILLI);
        }
        cluster.heal();
        cluster.run(4 * SECOND);
        Server first = cluster.servers.getFirst();
        first.arena.match().setPaused(first.now(), false);
        cluster.run(SECOND);
        // Until no stage ends within the next second.
        for (int i = 0; i < 60 && isNearEnd(cluster); i++) {
            cluster.run(200 * MILLI);
        }
        assertAgreed(cluster);
        assertThat(cluster.servers)
                .allSatisfy(
                        it -> assertThat(it.node.faults()).doesNotContainKey(NodeFault.MALFORMED));
    }

    private static boolean isNearEnd(TestCluster cluster) {
        return cluster.servers.stream()
                .map(NodeRoundTest::round)
                .anyMatch(it -> {
                    Duration left = it.left().orElseThrow();
                    Duration length =
                            switch (it.stage()) {
                                case WARM_UP -> Duration.ofSeconds(2);
                                case PLAYING -> Duration.ofSeconds(20);
                                case INTERMISSION -> Duration.ofSeconds(3);
                            };
                    return left.toMillis() < 500 || length.minus(left).toMillis() < 500;
                });
    }
}
