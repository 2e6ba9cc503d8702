package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.cluster.v1.Credit;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.RemoteHit;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Died;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Hit;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Players of different nodes hit and kill each other; each hit and each frag counts once. */
class NodeFightTest {
    private static final int STEPS = 500;
    private static final Vec3 PUSH = new Vec3(1, 2, 3);

    private final TestCluster cluster = new TestCluster(1);
    private Server a;
    private Server b;
    private Server c;
    private Participant anna;
    private Participant bob;
    private Participant carl;

    static Server start(TestCluster cluster, MatchMode mode) {
        Server server = cluster.start();
        server.arena.setMatchRules(
                MatchRules.of(mode).withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(5)));
        return server;
    }

    @BeforeEach
    void join() {
        a = start(cluster, MatchMode.FFA);
        b = start(cluster, MatchMode.FFA);
        c = start(cluster, MatchMode.FFA);
        anna = a.joinAlive("quake3", "anna");
        bob = b.joinAlive("sauerbraten", "bob");
        carl = c.joinAlive("quake2", "carl");
        cluster.run(2 * SECOND);
    }

    /** The identity of a player at another server. */
    static PlayerId at(Server here, Server home, Participant player) {
        int number = player.player.id().number();
        return here == home ? player.player.id() : new PlayerId(home.node.number(), number);
    }

    static boolean hit(Server from, Participant by, Server to, Participant victim, double damage) {
        PlayerId id = at(from, to, victim);
        Vec3 place = from.arena.find(id).map(it -> it.movement().position()).orElse(Vec3.ZERO);
        return by.player.combatant().hit(from.now(), id, DamageMeans.ROCKET, damage, PUSH, place);
    }

    private static long deaths(Participant viewer) {
        return viewer.all(ArenaEvent.Died.class).size();
    }

    /** The score of a player, on which all servers must agree. */
    private Score score(Server home, Participant player) {
        Score score = home.arena.match().score(player.player.id());
        for (Server server : cluster.servers) {
            if (!server.dead) {
                assertThat(server.arena.match().score(at(server, home, player))).isEqualTo(score);
            }
        }
        return score;
    }

    @Test
    void hurtsPlayerOfOtherNodeOnceAndShowsIt() {
        assertThat(hit(a, anna, b, bob, 30)).isTrue();
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(100);
        cluster.run(50 * MILLI);
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(70);
        for (Participant viewer : List.of(anna, bob, carl)) {
            assertThat(viewer.all(ArenaEvent.Hit.class))
                    .singleElement()
                    .satisfies(hit -> {
                        assertThat(hit.player().name()).isEqualTo("bob");
                        assertThat(hit.attacker().name()).isEqualTo("anna");
                        assertThat(hit.means()).isEqualTo(DamageMeans.ROCKET);
                        assertThat(hit.damage()).isEqualTo(30);
                        assertThat(hit.knockback()).isEqualTo(PUSH);
                        assertThat(hit.vitals().health()).isEqualTo(70);
                    });
        }
    }

    @Test
    void showsDeathAndCountsFragOnAllNodes() {
        hit(a, anna, b, bob, 120);
        cluster.run(50 * MILLI);
        assertThat(bob.player.combatant().isAlive()).isFalse();
        for (Server server : List.of(a, b, c)) {
            assertThat(server.arena.find(at(server, b, bob)).orElseThrow().spawned()).isFalse();
        }
        for (Participant viewer : List.of(anna, bob, carl)) {
            assertThat(viewer.all(ArenaEvent.Died.class))
                    .singleElement()
                    .satisfies(died -> {
                        assertThat(died.player().name()).isEqualTo("bob");
                        assertThat(died.killer().name()).isEqualTo("anna");
                        assertThat(died.means()).isEqualTo(DamageMeans.ROCKET);
                        assertThat(died.score()).isEqualTo(new Score(1, 0));
                    });
        }
        assertThat(score(a, anna)).isEqualTo(new Score(1, 0));
        assertThat(score(b, bob)).isEqualTo(new Score(0, 1));
        // The next life can be hit again.
        bob.live();
        cluster.run(50 * MILLI);
        hit(a, anna, b, bob, 120);
        cluster.run(50 * MILLI);
        assertThat(score(a, anna)).isEqualTo(new Score(2, 0));
        assertThat(a.arena.match().standings().getFirst().player().name()).isEqualTo("anna");
    }

    @Test
    void suicideOfMirroredPlayerCostsItsFrag() {
        bob.player.combatant().die(b.now());
        cluster.run(50 * MILLI);
        assertThat(deaths(anna)).isEqualTo(1);
        assertThat(score(b, bob)).isEqualTo(new Score(-1, 1));
    }

    @Test
    void lateNodeTakesOverScores() {
        hit(a, anna, b, bob, 120);
        cluster.run(50 * MILLI);
        Server late = start(cluster, MatchMode.FFA);
        late.join("bedrock", "late");
        cluster.run(2 * SECOND);
        assertThat(late.arena.match().score(at(late, a, anna))).isEqualTo(new Score(1, 0));
        assertThat(score(b, bob)).isEqualTo(new Score(0, 1));
    }

    @Test
    void lostHitIsCarriedOutOnceByRoster() {
        cluster.broker.conditions(new MemoryBroker.Conditions(1, 0, 0, 0));
        hit(a, anna, b, bob, 30);
        cluster.run(20 * MILLI);
        cluster.broker.conditions(MemoryBroker.Conditions.PERFECT);
        hit(a, anna, b, bob, 20);
        cluster.run(SECOND);
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(50);
        assertThat(b.node.faults()).isEmpty();
    }

    @Test
    void lostDeathCountsByRoster() {
        hit(a, anna, b, bob, 120);
        // The hit arrives, and what became of it is lost.
        a.bus.moveTo(1);
        c.bus.moveTo(1);
        cluster.broker.advance(5 * MILLI);
        b.turn();
        a.bus.moveTo(0);
        c.bus.moveTo(0);
        cluster.run(SECOND);
        assertThat(bob.player.combatant().isAlive()).isFalse();
        assertThat(score(a, anna)).isEqualTo(new Score(1, 0));
        assertThat(score(b, bob)).isEqualTo(new Score(0, 1));
        assertThat(a.arena.find(at(a, b, bob)).orElseThrow().spawned()).isFalse();
    }

    @Test
    void repeatedMessagesHitOnce() {
        cluster.broker.conditions(new MemoryBroker.Conditions(0, 1, 0, 0));
        hit(a, anna, b, bob, 30);
        cluster.run(SECOND);
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(70);
        hit(a, anna, b, bob, 100);
        cluster.run(SECOND);
        assertThat(score(a, anna)).isEqualTo(new Score(1, 0));
    }

    @Test
    void hitThatIsOlderThanTwoSecondsHasNoEffect() {
        b.bus.disconnect();
        cluster.run(MILLI);
        assertThat(hit(a, anna, b, bob, 30)).isTrue();
        cluster.run(3 * SECOND);
        b.bus.reconnect();
        cluster.run(2 * SECOND);
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(100);
        assertThat(a.shows(b, bob)).isTrue();
    }

    @Test
    void hitOfEarlierLifeHasNoEffect() {
        a.bus.moveTo(1);
        hit(a, anna, b, bob, 30);
        cluster.run(200 * MILLI);
        bob.live();
        a.bus.moveTo(0);
        // The roster brings the hit.
        cluster.run(SECOND);
        hit(a, anna, b, bob, 1);
        cluster.run(SECOND);
        assertThat(bob.player.combatant().vitals().health()).isEqualTo(99);
    }

    @Test
    void deadVictimIsNotKilledTwice() {
        hit(a, anna, b, bob, 120);
        hit(c, carl, b, bob, 120);
        cluster.run(100 * MILLI);
        assertThat(deaths(bob)).isEqualTo(1);
        assertThat(score(a, anna).frags() + score(c, carl).frags()).isEqualTo(1);
        assertThat(hit(a, anna, b, bob, 10)).isFalse();
    }

    @Test
    void victimThatLeftOrTimedOutIsNotHit() {
        hit(a, anna, b, bob, 120);
        bob.player.leave(b.now(), LeaveReason.LEFT);
        cluster.run(100 * MILLI);
        assertThat(score(a, anna)).isEqualTo(Score.ZERO);
        assertThat(deaths(anna)).isZero();
        // A client that is silent has no body.
        carl.silent = true;
        cluster.run(6 * SECOND);
        assertThat(hit(a, anna, c, carl, 120)).isFalse();
    }

    @Test
    void killerThatLeftCountsNothingAndItsVictimDies() {
        hit(a, anna, b, bob, 120);
        anna.player.leave(a.now(), LeaveReason.LEFT);
        cluster.run(100 * MILLI);
        // The hit came before the leave.
        assertThat(score(b, bob)).isEqualTo(new Score(0, 1));
        assertThat(deaths(bob)).isEqualTo(1);
        assertThat(c.arena.find(at(c, b, bob)).orElseThrow().spawned()).isFalse();
        assertThat(a.arena.match().standings()).noneMatch(it -> it.score().frags() > 0);
    }

    @Test
    void nodeThatDiesTakesItsHitsAlong() {
        hit(a, anna, b, bob, 120);
        b.kill();
        cluster.servers.remove(b);
        cluster.run(2 * SECOND);
        assertThat(score(a, anna)).isEqualTo(Score.ZERO);
        assertThat(a.shows(b, bob)).isFalse();
        hit(a, anna, c, carl, 60);
        cluster.broker.advance(5 * MILLI);
        a.kill();
        cluster.servers.remove(a);
        cluster.run(2 * SECOND);
        assertThat(carl.player.combatant().vitals().health()).isEqualTo(40);
        assertThat(c.arena.match().score(carl.player.id())).isEqualTo(Score.ZERO);
    }

    @Test
    void splitAndHealCountEachFragOnce() {
        hit(a, anna, b, bob, 120);
        cluster.run(100 * MILLI);
        b.bus.moveTo(1);
        cluster.run(20 * SECOND);
        assertThat(a.shows(b, bob)).isFalse();
        b.bus.moveTo(0);
        cluster.run(2 * SECOND);
        assertThat(score(a, anna)).isEqualTo(new Score(1, 0));
        bob.live();
        cluster.run(100 * MILLI);
        hit(a, anna, b, bob, 120);
        cluster.run(100 * MILLI);
        assertThat(score(a, anna)).isEqualTo(new Score(2, 0));
        assertThat(score(b, bob)).isEqualTo(new Score(0, 2));
    }

    @Test
    void restartedNodeWithTheSameNumberStartsAnew() {
        Server fixed = cluster.start(new NodeSettings("test", 77, 10 * MILLI, "f", "1"), "flat");
        fixed.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        Participant dora = fixed.join("bedrock", "dora");
        dora.live();
        cluster.run(2 * SECOND);
        hit(fixed, dora, b, bob, 120);
        cluster.run(100 * MILLI);
        assertThat(score(fixed, dora)).isEqualTo(new Score(1, 0));
        fixed.kill();
        cluster.servers.remove(fixed);
        bob.live();
        hit(a, anna, fixed, dora, 120);
        Server again = cluster.start(new NodeSettings("test", 77, 10 * MILLI, "f", "1"), "flat");
        again.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        Participant emil = again.join("bedrock", "emil");
        emil.live();
        cluster.run(3 * SECOND);
        assertThat(emil.player.combatant().vitals().health()).isEqualTo(100);
        assertThat(score(again, emil)).isEqualTo(Score.ZERO);
        hit(again, emil, b, bob, 120);
        cluster.run(100 * MILLI);
        assertThat(score(again, emil)).isEqualTo(new Score(1, 0));
    }

    @Test
    void ownTeamOfOtherNodeIsNotHurt() {
        TestCluster teams = new TestCluster(2);
        Server one = start(teams, MatchMode.TEAM);
        Server two = start(teams, MatchMode.TEAM);
        Participant red = one.join("quake3", "red");
        Participant mate = two.join("quake3", "mate");
        red.live();
        mate.live();
        teams.run(2 * SECOND);
        // Each was alone when it joined.
        assertThat(two.arena.match().team(at(two, one, red)))
                .isPresent()
                .isEqualTo(one.arena.match().team(red.player.id()));
        assertThat(hit(one, red, two, mate, 50)).isFalse();
        mate.player
                .combatant()
                .changeTeam(two.now(), mate.player.combatant().team().orElseThrow().other());
        mate.live();
        teams.run(100 * MILLI);
        assertThat(hit(one, red, two, mate, 50)).isTrue();
    }

    private NumberedEvent.Builder lie(RawNode liar, long number, int attackerNode, double damage) {
        liar.event++;
        return NumberedEvent.newBuilder()
                .setHeader(liar.header())
                .setHit(
                        RemoteHit.newBuilder()
                                .setNumber(number)
                                .setMadeNs(cluster.broker.now())
                                .setVictimEpoch(a.node.epoch())
                                .setEvent(
                                        Event.newBuilder()
                                                .setId(id(a.node.number(), anna))
                                                .setHit(
                                                        Hit.newBuilder()
                                                                .setAttacker(
                                                                        dev.wishdir.record.v1
                                                                                .PlayerId
                                                                                .newBuilder()
                                                                                .setNode(
                                                                                        attackerNode)
                                                                                .setNumber(1))
                                                                .setMeans("rocket")
                                                                .setDamage(damage)
                                                                .setPlace(place(anna)))));
    }

    private static dev.wishdir.record.v1.PlayerId.Builder id(int node, Participant player) {
        return dev.wishdir.record.v1.PlayerId.newBuilder()
                .setNode(node)
                .setNumber(player.player.id().number());
    }

    private static Vector.Builder place(Participant player) {
        return Vector.newBuilder().setX((float) player.movement.position().x());
    }

    private double health() {
        return anna.player.combatant().vitals().health();
    }

    @Test
    @DisplayName(
            "N12: hits that no player can make, repeated, late, without an attacker or a victim")
    void refusesHitsThatNoPlayerCanMake() {
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        liar.sendEvent(lie(liar, 1, 1000, 10).build());
        cluster.run(20 * MILLI);
        assertThat(health()).as("an honest hit").isEqualTo(90);
        for (double damage : new double[] {-50, 0, Double.NaN, Double.POSITIVE_INFINITY, 1e30}) {
            liar.sendEvent(lie(liar, 10 + liar.event, 1000, damage).build());
        }
        NumberedEvent.Builder far = lie(liar, 100, 1000, 10);
        far.getHitBuilder()
                .getEventBuilder()
                .getHitBuilder()
                .setPlace(Vector.newBuilder().setX(90).setY(90));
        liar.sendEvent(far.build());
        NumberedEvent.Builder push = lie(liar, 101, 1000, 10);
        push.getHitBuilder()
                .getEventBuilder()
                .getHitBuilder()
                .setKnockback(Vector.newBuilder().setX(1e20f));
        liar.sendEvent(push.build());
        NumberedEvent.Builder means = lie(liar, 102, 1000, 10);
        means.getHitBuilder().getEventBuilder().getHitBuilder().setMeans("curse");
        liar.sendEvent(means.build());
        cluster.run(20 * MILLI);
        assertThat(health()).isEqualTo(90);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_HIT, 8L);
        // Without a fault: a number that was used, another run, a hit of 3 s ago, unknown players.
        liar.sendEvent(lie(liar, 1, 1000, 10).build());
        NumberedEvent.Builder run = lie(liar, 103, 1000, 10);
        run.getHitBuilder().setVictimEpoch(1);
        liar.sendEvent(run.build());
        NumberedEvent.Builder late = lie(liar, 104, 1000, 10);
        late.getHitBuilder().setMadeNs(cluster.broker.now() - 3 * SECOND);
        liar.sendEvent(late.build());
        NumberedEvent.Builder unknown = lie(liar, 105, 1000, 10);
        unknown.getHitBuilder().getEventBuilder().getHitBuilder().getAttackerBuilder().setNumber(9);
        liar.sendEvent(unknown.build());
        NumberedEvent.Builder absent = lie(liar, 106, 1000, 10);
        absent.getHitBuilder().getEventBuilder().getIdBuilder().setNumber(9);
        liar.sendEvent(absent.build());
        cluster.run(20 * MILLI);
        assertThat(health()).isEqualTo(90);
        assertThat(a.reported()).hasSize(1);
        // A flood costs the shooter: 256 at once, and 100 a second.
        for (int i = 0; i < 1000; i++) {
            liar.sendEvent(lie(liar, 200 + i, 1000, 0.01).build());
        }
        cluster.run(20 * MILLI);
        assertThat(health()).isBetween(87.3, 87.7);
        assertThat(a.node.faults().get(NodeFault.PLAYER_RATE_LIMIT)).isGreaterThan(700);
        assertThat(hit(b, bob, a, anna, 10)).as("others fight on").isTrue();
        cluster.run(20 * MILLI);
        assertThat(health()).isLessThan(78);
    }

    @Test
    @DisplayName("N16: hits beyond all weapons, by damage, damage a second and distance")
    void refusesHitsBeyondAllWeapons() {
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        beyond(liar, 1, "rocket", 121);
        beyond(liar, 2, "rifle", 1e6);
        beyond(liar, 3, "melee", 71);
        beyond(liar, 4, "machine-gun", 31);
        beyond(liar, 5, "suicide", 10);
        liar.sendBatch(RawNode.move(1000, 1, 40).build());
        liar.run(SECOND);
        beyond(liar, 6, "melee", 10);
        assertThat(health()).isEqualTo(100);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_HIT, 6L);
        long earlier = a.node.faults().getOrDefault(NodeFault.PLAYER_RATE_LIMIT, 0L);
        for (int i = 0; i < 50; i++) {
            beyond(liar, 10 + i, "rocket", 100);
            if (!anna.player.combatant().isAlive()) {
                anna.live();
                cluster.run(20 * MILLI);
            }
        }
        assertThat(deaths(anna)).as("six at once, and 1.5 a second").isBetween(5L, 9L);
        assertThat(a.node.faults().get(NodeFault.PLAYER_RATE_LIMIT)).isGreaterThan(earlier + 30);
        double before = health();
        assertThat(hit(b, bob, a, anna, 30)).as("others fight on").isTrue();
        cluster.run(20 * MILLI);
        assertThat(health()).isEqualTo(before - 30);
    }

    private void beyond(RawNode liar, long number, String means, double damage) {
        NumberedEvent.Builder hit = lie(liar, number, 1000, damage);
        hit.getHitBuilder().getEventBuilder().getHitBuilder().setMeans(means);
        liar.sendEvent(hit.build());
        cluster.run(20 * MILLI);
    }

    @Test
    @DisplayName("N12: hits in the name of another node's player, frags without hits")
    void believesNodeAboutHitsOfItsOwnPlayersOnly() {
        RawNode liar = RawNode.liar(cluster, 2 * SECOND);
        liar.event++;
        NumberedEvent.Builder death =
                NumberedEvent.newBuilder()
                        .setHeader(liar.header())
                        .setEvent(
                                liar.of(1)
                                        .setDied(
                                                Died.newBuilder()
                                                        .setKiller(id(a.node.number(), anna))
                                                        .setMeans("rocket")
                                                        .setFrags(1)))
                        .setCredit(
                                Credit.newBuilder()
                                        .setKiller(id(a.node.number(), anna))
                                        .setKillerEpoch(a.node.epoch())
                                        .setFrags(5));
        liar.sendEvent(death.build());
        cluster.run(20 * MILLI);
        assertThat(score(a, anna)).isEqualTo(Score.ZERO);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_HIT, 1L);
        // A player hits once, and can have one frag of it.
        anna.player
                .combatant()
                .hit(a.now(), new PlayerId(1000, 1), DamageMeans.ROCKET, 10, PUSH, Vec3.ZERO);
        liar.sendEvent(lie(liar, 1, b.node.number(), 50).build());
        cluster.run(20 * MILLI);
        assertThat(health()).isEqualTo(100);
        assertThat(a.node.faults()).containsEntry(NodeFault.FOREIGN_PLAYER, 1L);
    }

    /** Everything that is possible at random, under loss and splits; then the sums are right. */
    @Test
    void killsDeathsAndScoresAddUpUnderLossAndSplits() {
        for (long seed : TestEffort.seeds(1, 2).toArray()) {
            fight(seed);
        }
    }

    private static void fight(long seed) {
        TestCluster cluster = new TestCluster(seed);
        Random random = new Random(seed);
        List<Participant> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Server server = start(cluster, MatchMode.FFA);
            for (String game : List.of("quake2", "quake3", "sauerbraten", "bedrock")) {
                all.add(server.joinAlive(game, game + i));
            }
        }
        cluster.run(2 * SECOND);
        for (int step = 0; step < STEPS; step++) {
            Participant by = all.get(random.nextInt(all.size()));
            Participant victim = all.get(random.nextInt(all.size()));
            if (!by.player.combatant().isAlive()) {
                by.live();
            } else if (by != victim) {
                hit(by.server, by, victim.server, victim, 20 + random.nextInt(60));
            }
            if (random.nextInt(40) == 0) {
                Server server = cluster.servers.get(random.nextInt(3));
                cluster.disturb(random.nextInt(TestCluster.DISTURBANCES), server);
            }
            cluster.run(random.nextInt(8) * 5L * MILLI);
        }
        cluster.heal();
        cluster.run(5 * SECOND);
        int frags = 0;
        int deaths = 0;
        for (Participant player : all) {
            Server home = player.server;
            Score score = home.arena.match().score(player.player.id());
            frags += score.frags();
            deaths += score.deaths();
            // What its own viewer was sent, once each.
            assertThat(died(player, it -> it.player().id().equals(player.player.id())))
                    .as("seed %d", seed)
                    .isEqualTo(score.deaths());
            for (Server server : cluster.servers) {
                assertThat(server.arena.match().score(at(server, home, player)))
                        .as("seed %d", seed)
                        .isEqualTo(score);
                assertThat(server.arena.find(at(server, home, player)).orElseThrow().spawned())
                        .as("seed %d", seed)
                        .isEqualTo(player.player.snapshot().spawned());
            }
        }
        assertThat(deaths).as("seed %d", seed).isGreaterThan(30);
        assertThat(frags).as("seed %d", seed).isEqualTo(deaths);
    }

    private static long died(Participant viewer, Predicate<ArenaEvent.Died> which) {
        return viewer.all(ArenaEvent.Died.class).stream().filter(which).count();
    }
}
