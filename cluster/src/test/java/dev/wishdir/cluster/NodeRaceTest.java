package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.v1.BestTime;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.RunTime;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A run on one node counts on all: on the board, for the winner, and for the best times. */
@Tag("slow")
public class NodeRaceTest {

    /** At least 28 m outside its boxes, which no player runs in less than 0.28 s. */
    private static final RaceCourse COURSE =
            new RaceCourse(box(-1, 1), List.of(box(10, 11)), box(30, 32));

    private static final double STEP_METRES = 4;
    private static final double END = 32;

    /** A batch waits for as long, and the turn of the other node. */
    private static final long SOON = 15 * MILLI;

    /** Until a batch of the liar has arrived. */
    private static final long SENT = 20 * MILLI;

    private final TestCluster cluster = new TestCluster(1);
    private Server a;
    private Server b;
    private Server c;
    private Participant anna;
    private Participant bob;
    private Participant carl;

    private static Bounds box(double from, double to) {
        return new Bounds(new Vec3(from, -5, 0), new Vec3(to, 5, 3));
    }

    static MatchRules rules() {
        return MatchRules.of(MatchMode.RACE)
                .withTimes(Duration.ofSeconds(40), Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    public static Server start(TestCluster cluster, String arena, MatchRules rules) {
        Server server = cluster.start();
        server.arena.setLevel(
                new Level(
                        arena,
                        server.arena.bounds(),
                        CollisionSpace.OPEN,
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.of(COURSE),
                        Optional.empty()));
        server.arena.setMatchRules(rules);
        server.arena.match().race().setGhost(false);
        return server;
    }

    private Server start() {
        return start(cluster, "circuit", rules());
    }

    @BeforeEach
    void join() {
        a = start();
        b = start();
        c = start();
        anna = a.joinAlive("quake3", "anna");
        bob = b.joinAlive("sauerbraten", "bob");
        carl = c.joinAlive("quake2", "carl");
        cluster.run(5 * SECOND);
        assertThat(a.arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
    }

    /** A player runs the course, and has come to the finish. */
    private static void run(TestCluster cluster, Participant runner, long millis) {
        runner.live();
        for (double x = 0; x <= END; x += STEP_METRES) {
            runner.server.move(runner, x, 0);
            if (x < END) {
                cluster.run((long) (millis * MILLI * STEP_METRES / END));
            }
        }
    }

    private void run(Participant runner, long millis) {
        run(cluster, runner, millis);
    }

    private static Race race(Server server) {
        return server.arena.match().race();
    }

    /** The time of an own player in the round. */
    private static int millis(Participant runner) {
        return race(runner.server).millis(runner.player.id()).orElseThrow();
    }

    /** The players in the order of the board, with points and time. */
    private static List<String> board(Server server) {
        return server.arena.match().standings().stream()
                .map(it ->
                        it.player().name()
                                + " "
                                + it.score().frags()
                                + " "
                                + race(server).millis(it.player().id()).orElse(0))
                .sorted()
                .toList();
    }

    private static List<RaceTimes.Time> best(Server server) {
        return race(server).bestTimes(1_000);
    }

    private static void assertAgreed(TestCluster cluster, String what) {
        Server first = cluster.servers.getFirst();
        for (Server server : cluster.servers) {
            assertThat(board(server)).as(what).isEqualTo(board(first));
            assertThat(best(server)).as(what).isEqualTo(best(first));
        }
    }

    private void assertAgreed() {
        assertAgreed(cluster, "");
    }

    private static List<String> announced(Participant player, String part) {
        return player.events.stream()
                .filter(ArenaEvent.Announcement.class::isInstance)
                .map(event -> ((ArenaEvent.Announcement) event).text())
                .filter(text -> text.contains(part))
                .toList();
    }

    private static String bestTime(Participant runner, int millis) {
        return runner.player.name() + " has the best time: " + RaceTimes.text(millis) + ".";
    }

    private void assertNoFaults() {
        assertThat(cluster.servers).allSatisfy(it -> assertThat(it.node.faults()).isEmpty());
    }

    @Test
    void runIsAnnouncedOnceAndCountsOnAllNodes() {
        run(anna, 4_000);
        cluster.run(SOON);
        int first = millis(anna);
        assertThat(first).isBetween(3_000, 4_000);
        assertAgreed();
        assertThat(best(b)).containsExactly(new RaceTimes.Time("circuit", "quake3", "anna", first));
        run(bob, 3_000);
        run(carl, 3_500);
        // Slower than before.
        run(anna, 5_000);
        cluster.run(SECOND);
        assertAgreed();
        assertThat(board(c))
                .containsExactly(
                        "anna 10 " + first, "bob 10 " + millis(bob), "carl 10 " + millis(carl));
        for (Participant player : List.of(anna, bob, carl)) {
            assertThat(announced(player, "best time"))
                    .containsExactly(
                            bestTime(anna, first),
                            bestTime(bob, millis(bob)),
                            "carl has the best time of quake2: "
                                    + RaceTimes.text(millis(carl))
                                    + ".");
            // As the boards of all games get it.
            assertThat(player.events.stream().filter(ArenaEvent.Scored.class::isInstance))
                    .anySatisfy(event -> {
                        ArenaEvent.Scored scored = (ArenaEvent.Scored) event;
                        assertThat(scored.player().name()).isEqualTo("bob");
                        assertThat(scored.score()).isEqualTo(new Score(10, 0));
                    });
        }
        assertNoFaults();
    }

    @Test
    void bestOfEachGameWinsOnAllNodesAndNewRoundHasNoTimes() {
        run(carl, 4_000);
        run(anna, 3_000);
        int ofAnna = millis(anna);
        int ofCarl = millis(carl);
        cluster.run(32 * SECOND);
        for (Participant player : List.of(anna, bob, carl)) {
            assertThat(player.events.stream().filter(ArenaEvent.RoundEnded.class::isInstance))
                    .singleElement()
                    .satisfies(end -> assertThat(((ArenaEvent.RoundEnded) end).winner()).isEmpty());
            assertThat(announced(player, "wins"))
                    .containsExactly(
                            "anna wins quake3 with "
                                    + RaceTimes.text(ofAnna)
                                    + ", carl wins quake2 with "
                                    + RaceTimes.text(ofCarl)
                                    + ".");
        }
        assertThat(b.arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        cluster.run(5 * SECOND);
        assertThat(b.arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(board(b)).containsExactly("anna 0 0", "bob 0 0", "carl 0 0");
        assertAgreed();
        assertThat(best(b)).hasSize(2);
    }

    @Test
    void runInWarmUpCountsForBestTimesOnly() {
        a.arena.match().begin(a.now());
        cluster.run(200 * MILLI);
        run(anna, 1_500);
        cluster.run(SOON);
        assertThat(a.arena.match().phase()).isEqualTo(Match.Phase.WARM_UP);
        assertAgreed();
        assertThat(board(b)).contains("anna 0 0");
        assertThat(best(b)).hasSize(1);
        assertThat(announced(bob, "best time")).hasSize(1);
    }

    @Test
    void lostRepeatedAndReorderedReportsCountOnce() {
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, 0, 0));
        run(anna, 1_000);
        cluster.run(20 * MILLI);
        assertThat(best(b)).isEmpty();
        cluster.broker.conditions(new MemoryBroker.Conditions(0.1, 0.5, 30 * MILLI, 60 * MILLI));
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(announced(bob, "best time")).containsExactly(bestTime(anna, millis(anna)));
    }

    @Test
    void betterTimeOfBothPartsOfSplitCounts() {
        b.bus.moveTo(1);
        cluster.run(SECOND);
        run(anna, 4_000);
        run(bob, 3_000);
        cluster.run(5 * SECOND);
        assertThat(best(a)).hasSize(1);
        assertThat(best(b)).hasSize(1);
        b.bus.moveTo(0);
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(board(a))
                .containsExactly("anna 10 " + millis(anna), "bob 10 " + millis(bob), "carl 0 0");
        assertThat(announced(anna, "bob")).containsExactly(bestTime(bob, millis(bob)));
        // It was the best there, and is that of its game here.
        assertThat(announced(bob, "anna"))
                .containsExactly(
                        "anna has the best time of quake3: " + RaceTimes.text(millis(anna)) + ".");
    }

    @Test
    void newRoundInShortSplitClearsTimesOnAllNodes() {
        run(anna, 1_000);
        cluster.run(SECOND);
        a.bus.moveTo(1);
        cluster.run(SECOND);
        // The other part has more changes, so that its round is that of all.
        a.arena.match().begin(a.now());
        for (int i = 0; i < 3; i++) {
            b.arena.match().setPaused(b.now(), i % 2 == 0);
        }
        b.arena.match().setPaused(b.now(), false);
        cluster.run(SECOND);
        a.bus.moveTo(0);
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(board(b)).contains("anna 0 0");
    }

    @Test
    void lateNodeGetsBestTimesAlsoOfPlayersThatHaveLeft() {
        run(anna, 4_000);
        run(carl, 3_000);
        for (int i = 0; i < 40; i++) {
            race(b).times().add(new RaceTimes.Time("circuit", "bedrock", "p" + i, 9_000 + i));
        }
        cluster.run(4 * SECOND);
        assertAgreed();
        a.kill();
        cluster.servers.remove(a);
        cluster.run(SECOND);
        Server late = start();
        Participant dora = late.joinAlive("bedrock", "dora");
        cluster.run(7 * SECOND);
        assertAgreed();
        assertThat(best(late)).hasSize(2 + RaceTimes.MAX_TIMES_PER_GAME);
        assertThat(best(late).get(1).name()).isEqualTo("anna");
        assertThat(board(late)).contains("carl 10 " + millis(carl));
        dora.player.say(late.now(), "!times all");
        assertThat(announced(dora, "1. "))
                .containsExactly("1. " + RaceTimes.text(millis(carl)) + " carl (quake2)");
        assertNoFaults();
    }

    @Test
    void restartedNodeCountsNothingTwice() {
        run(anna, 4_000);
        int millis = millis(anna);
        cluster.run(SECOND);
        a.kill();
        cluster.servers.remove(a);
        cluster.run(2 * SECOND);
        Server again = start();
        cluster.run(2 * SECOND);
        again.joinAlive("quake3", "anna");
        cluster.run(2 * SECOND);
        assertAgreed();
        assertThat(board(b)).containsExactly("anna 0 0", "bob 0 0", "carl 0 0");
        assertThat(announced(bob, "best time")).containsExactly(bestTime(anna, millis));
    }

    @Test
    void playerThatLeavesIsOffTheBoardOfAllNodes() {
        run(anna, 2_000);
        run(bob, 3_000);
        cluster.run(SECOND);
        a.leave(anna);
        cluster.run(SECOND);
        assertAgreed();
        assertThat(board(c)).containsExactly("bob 10 " + millis(bob), "carl 0 0");
        assertThat(best(c)).hasSize(2);
    }

    @Test
    void nodeInAnotherArenaHasItsOwnTimes() {
        Server other = start(cluster, "spiral", rules());
        Participant dora = other.joinAlive("bedrock", "dora");
        cluster.run(3 * SECOND);
        run(anna, 2_000);
        run(dora, 1_000);
        cluster.run(4 * SECOND);
        assertThat(best(other)).extracting(RaceTimes.Time::name).containsExactly("dora");
        assertThat(best(b)).extracting(RaceTimes.Time::name).containsExactly("anna");
        assertThat(board(b)).contains("dora 0 0");
        assertThat(announced(bob, "dora")).isEmpty();
        assertNoFaults();
    }

    @Test
    void nodeWithoutRaceIgnoresTimes() {
        Server other = start(cluster, "circuit", MatchRules.of(MatchMode.FFA));
        other.joinAlive("bedrock", "dora");
        cluster.run(3 * SECOND);
        run(anna, 2_000);
        cluster.run(2 * SECOND);
        assertThat(race(other).times().best("circuit", 10)).isEmpty();
        assertThat(other.arena.match().score(NodeFightTest.at(other, a, anna)))
                .isEqualTo(Score.ZERO);
        assertNoFaults();
    }

    @Test
    void nodeOfOlderVersionShowsItsOwnTimesOnly() {
        RawNode old = RawNode.liar(cluster, 2 * SECOND);
        for (int i = 0; i < 20; i++) {
            old.sendRound(report().clearArena(), SENT);
        }
        run(anna, 2_000);
        cluster.run(SECOND);
        assertThat(board(a)).contains("liar 0 0", "anna 10 " + millis(anna));
        assertNoFaults();
    }

    private static PlayedRound.Builder report() {
        return PlayedRound.newBuilder().setRound(1).setStage("playing").setArena("circuit");
    }

    private static PlayedRound.Builder run(int player, int millis) {
        return report().addTimes(RunTime.newBuilder().setPlayer(player).setTimeMs(millis));
    }

    private static PlayedRound.Builder best(String game, String name, int millis) {
        return report().addBestTimes(bestTime(game, name, millis));
    }

    private static BestTime.Builder bestTime(String game, String name, int millis) {
        return BestTime.newBuilder().setGame(game).setName(name).setTimeMs(millis);
    }

    @Test
    @DisplayName("N15: times that no player can have run, of other rounds and of others' players")
    void refusesTimesThatItsPlayersCannotHaveRun() {
        run(bob, 3_000);
        cluster.run(SECOND);
        List<String> before = board(a);
        List<RaceTimes.Time> bestBefore = best(a);
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        List<PlayedRound.Builder> impossible = new ArrayList<>();
        for (int millis : new int[] {0, -1, 1, 279, 86_400_001, Integer.MIN_VALUE}) {
            impossible.add(run(1, millis));
            impossible.add(best("quake3", "dora", millis));
        }
        impossible.add(best("quake3", "", 400));
        impossible.add(best("quake3", " dora\n", 400));
        impossible.add(best("quake3", "d".repeat(100), 400));
        impossible.add(best("", "dora", 400));
        impossible.add(best("quake 3", "dora", 400));
        impossible.add(best("q".repeat(40), "dora", 400));
        impossible.forEach(each -> liar.sendRound(each, SENT));
        assertThat(a.node.faults())
                .containsOnlyKeys(NodeFault.INVALID_RUN)
                .containsEntry(NodeFault.INVALID_RUN, (long) impossible.size());
        List<PlayedRound.Builder> foreign =
                List.of(
                        run(2, 400),
                        run(-1, 400),
                        run(1, 400).setRound(2),
                        run(1, 400).setStage("intermission"),
                        run(1, 400).setArena("spiral"),
                        best("quake3", "dora", 400).setArena("spiral"),
                        best("quake3", "dora", 400).setArena(""),
                        // They are here, and not at the liar's node.
                        best("quake3", "anna", 400),
                        best("sauerbraten", "bob", 400),
                        best("quake2", "carl", 400));
        foreign.forEach(each -> liar.sendRound(each, SENT));
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_RUN, (long) impossible.size());
        assertThat(a.reported()).hasSize(1);
        for (Server server : cluster.servers) {
            assertThat(board(server)).containsAll(before).contains("liar 0 0");
            assertThat(best(server)).isEqualTo(bestBefore);
        }
        PlayedRound.Builder many = report();
        many.addAllTimes(Collections.nCopies(5_000, RunTime.newBuilder().setPlayer(1).build()));
        liar.sendRound(many, SENT);
        liar.sendRound(
                report().addAllBestTimes(Collections.nCopies(65, bestTime("q", "d", 1).build())),
                SENT);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_ROUND, 2L);
        liar.sendRound(run(1, 280).addBestTimes(bestTime("quake3", "liar", 280)), SENT);
        assertThat(board(a)).as("a possible run").contains("liar 10 280");
        assertThat(best(a)).extracting(RaceTimes.Time::name).containsExactly("liar", "bob");
    }

    @Test
    @DisplayName("N15: a node that floods with best times, games and announcements")
    void limitsBestTimes() {
        run(bob, 3_000);
        cluster.run(SECOND);
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        int announced = announced(anna, "best time").size();
        for (int i = 0; i < 200; i++) {
            liar.sendRound(best("quake3", "liar", 2_900 - i), SENT);
        }
        // 4 s: five at once, and one a second.
        assertThat(announced(anna, "best time")).hasSizeBetween(announced + 5, announced + 10);
        for (int i = 0; i < 14; i++) {
            PlayedRound.Builder round = report();
            for (int j = 0; j < 64; j++) {
                round.addBestTimes(bestTime("game" + i, "p" + j, 5_000 + i * 64 + j));
            }
            liar.sendRound(round, SENT);
            cluster.run(600 * MILLI);
        }
        assertThat(best(a).stream().map(RaceTimes.Time::game).distinct().count()).isEqualTo(8);
        assertThat(best(a)).hasSizeLessThanOrEqualTo(8 * RaceTimes.MAX_TIMES_PER_GAME);
        assertThat(a.node.faults()).containsOnlyKeys(NodeFault.INVALID_RUN);
        assertThat(a.reported()).hasSize(1);
        liar.bus.close();
        run(carl, 3_300);
        cluster.run(SECOND);
        assertThat(board(a)).contains("carl 10 " + millis(carl));
    }

    /** Players run, leave and come under loss, splits and restarts; then all nodes agree. */
    @Test
    void agreeAfterLossSplitsAndRestarts() {
        for (long seed : TestEffort.seeds(1, 2).toArray()) {
            disturb(seed);
        }
    }

    private static void disturb(long seed) {
        TestCluster cluster = new TestCluster(seed);
        Random random = new Random(seed);
        Map<Server, Participant> players = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            Server server = start(cluster, "circuit", rules());
            players.put(server, server.joinAlive("quake3", "p" + i));
        }
        cluster.run(4 * SECOND);
        int runs = 0;
        for (int step = 0; step < 60; step++) {
            Server server = cluster.servers.get(random.nextInt(3));
            int kind = random.nextInt(11);
            switch (kind) {
                case 6 -> server.arena.match().begin(server.now());
                case 7 -> {
                    server.kill();
                    cluster.servers.remove(server);
                    players.remove(server);
                    Server next = start(cluster, "circuit", rules());
                    players.put(next, next.joinAlive("quake3", "q" + step));
                }
                case 8, 9, 10 -> {
                    run(cluster, requireNonNull(players.get(server)), 500 + random.nextInt(3_000));
                    runs++;
                }
                default -> cluster.disturb(kind, server);
            }
            cluster.run(random.nextInt(2_000) * MILLI);
        }
        cluster.heal();
        // All best times go in turn.
        cluster.run(6 * SECOND);
        cluster.servers.getFirst().arena.match().begin(cluster.broker.now());
        cluster.run(3 * SECOND);
        for (Participant player : players.values()) {
            run(cluster, player, 1_000 + random.nextInt(500));
        }
        cluster.run(SECOND);
        assertThat(runs).as("seed %d", seed).isGreaterThan(4);
        assertAgreed(cluster, "seed " + seed);
        assertThat(board(cluster.servers.getFirst())).noneMatch(row -> row.endsWith(" 0"));
        assertThat(best(cluster.servers.getFirst())).as("seed %d", seed).hasSizeGreaterThan(2);
        assertThat(cluster.servers)
                .allSatisfy(it ->
                        assertThat(it.node.faults())
                                .doesNotContainKeys(NodeFault.INVALID_RUN, NodeFault.MALFORMED));
    }
}
