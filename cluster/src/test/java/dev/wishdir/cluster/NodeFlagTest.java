package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.v1.FlagReport;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.FlagChanged;
import dev.wishdir.record.v1.TeamChanged;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** Players of different nodes play capture the flag by one law, over links of 80 ms. */
public class NodeFlagTest {
    private static final int STEPS = 150;
    private static final Vec3 RED_HOME = new Vec3(-20, 0, 0);
    private static final Vec3 BLUE_HOME = new Vec3(20, 0, 0);
    private static final Vec3 ASIDE = new Vec3(0, 30, 0);
    private static final Vec3 REST = new Vec3(0, -30, 0);
    private static final double STEP_METRES = 2;
    private static final Bounds ROOM = new Bounds(new Vec3(-100, -100, 0), new Vec3(100, 100, 50));
    private static final Level LEVEL =
            new Level("flat", ROOM, CollisionSpace.within(ROOM), List.of(), List.of())
                    .withBases(
                            Optional.of(
                                    new FlagBases(
                                            new FlagBases.Base(RED_HOME, List.of()),
                                            new FlagBases.Base(BLUE_HOME, List.of()))));
    private static final MemoryBroker.Conditions LINK =
            new MemoryBroker.Conditions(0, 0, 80 * MILLI, 0);

    /** A change of a flag, as each node reports it. */
    private record Change(
            Team flag, FlagChange change, FlagCause cause, String player, int version) {}

    /** Changes that each node has shown. */
    private final Map<Server, List<Change>> changes = new HashMap<>();

    private TestCluster cluster = new TestCluster(1);
    private Server a;
    private Server b;

    /** Red, at the node that decides. */
    private Participant anna;

    /** Blue, at the other one. */
    private Participant bob;

    /** A server that plays a level with flags. */
    public static Server start(TestCluster cluster, MatchRules rules) {
        Server server = cluster.start();
        server.arena.setLevel(LEVEL);
        server.arena.setMatchRules(rules);
        return server;
    }

    private Server start() {
        Server server =
                start(
                        cluster,
                        MatchRules.of(MatchMode.CTF)
                                .withTimes(
                                        Duration.ofMinutes(20),
                                        Duration.ZERO,
                                        Duration.ofSeconds(5)));
        List<Change> seen = new ArrayList<>();
        changes.put(server, seen);
        server.arena.addListener(event -> {
            if (event instanceof ArenaEvent.FlagChanged e) {
                seen.add(
                        new Change(
                                e.flag(),
                                e.change(),
                                e.cause(),
                                e.player().map(Player::name).orElse(""),
                                e.version()));
            }
        });
        return server;
    }

    @BeforeEach
    void join() {
        cluster.broker.conditions(LINK);
        a = start();
        anna = a.joinAlive("quake3", "anna");
        run(2 * SECOND);
        b = start();
        run(2 * SECOND);
        bob = b.joinAlive("sauerbraten", "bob");
        go(anna, REST);
        go(bob, REST);
        run(SECOND);
        assertThat(a.arena.match().team(anna.player.id())).contains(Team.RED);
        assertThat(b.arena.match().team(bob.player.id())).contains(Team.BLUE);
    }

    private List<Server> alive() {
        return cluster.servers.stream().filter(it -> !it.dead).toList();
    }

    private static Flag flag(Server server, Team team) {
        return server.arena.match().flags().all().get(team.ordinal());
    }

    /** The identity of a player in the whole cluster. */
    private static PlayerId global(Server server, PlayerId id) {
        return id.node() == 0 ? new PlayerId(server.node.number(), id.number()) : id;
    }

    private static PlayerId global(Participant player) {
        return global(player.server, player.player.id());
    }

    private static Optional<PlayerId> carrier(Server server, Team team) {
        return flag(server, team).carrier().map(by -> global(server, by));
    }

    /** Lets time pass; never has a flag two carriers in one of its versions. */
    private void run(long nanos) {
        for (long end = cluster.broker.now() + nanos; cluster.broker.now() < end; ) {
            cluster.run(5 * MILLI);
            for (Team team : Team.values()) {
                Map<Integer, Optional<PlayerId>> carriers = new HashMap<>();
                for (Server server : alive()) {
                    int version = flag(server, team).version();
                    Optional<PlayerId> carrier = carrier(server, team);
                    assertThat(carriers.getOrDefault(version, carrier))
                            .as("%s flag, version %d", team, version)
                            .isEqualTo(carrier);
                    carriers.put(version, carrier);
                }
            }
        }
    }

    private static void step(Participant player, Vec3 to) {
        player.server.move(player, to.x(), to.y());
    }

    /** Walks to a place, in steps that another node believes. */
    private void go(Participant player, Vec3 to) {
        for (Vec3 way = to.minus(player.movement.position());
                way.length() > STEP_METRES;
                way = to.minus(player.movement.position())) {
            Vec3 part = way.times(STEP_METRES / way.length());
            step(player, player.movement.position().plus(part));
            cluster.run(20 * MILLI);
        }
        step(player, to);
    }

    /** All nodes have the same flags, and no node sent what another one does not accept. */
    private void assertAgreed() {
        Server first = alive().getFirst();
        for (Server server : alive()) {
            for (Team team : Team.values()) {
                assertThat(flag(server, team).version()).isEqualTo(flag(first, team).version());
                assertThat(flag(server, team).state().getClass())
                        .isEqualTo(flag(first, team).state().getClass());
                assertThat(carrier(server, team)).isEqualTo(carrier(first, team));
                assertThat(
                                server.arena
                                        .match()
                                        .flags()
                                        .place(flag(server, team))
                                        .distance(
                                                first.arena
                                                        .match()
                                                        .flags()
                                                        .place(flag(first, team))))
                        .isLessThan(0.01);
                assertThat(server.arena.match().frags(team))
                        .isEqualTo(first.arena.match().frags(team));
            }
            assertThat(server.node.faults()).isEmpty();
        }
    }

    /** The points of a player, on which all nodes agree. */
    private int points(Participant player) {
        int points = player.server.arena.match().score(player.player.id()).frags();
        for (Server server : alive()) {
            assertThat(
                            server.arena
                                    .match()
                                    .score(NodeFightTest.at(server, player.server, player))
                                    .frags())
                    .isEqualTo(points);
        }
        return points;
    }

    private int captures(Team team) {
        return a.arena.match().frags(team);
    }

    private Change last(Server server) {
        return Objects.requireNonNull(changes.get(server)).getLast();
    }

    private void assertSameChanges() {
        assertThat(changes.get(b)).isEqualTo(changes.get(a));
    }

    @Test
    void showsTakeOnlyAfterAnswerOfNodeThatDecides() {
        go(bob, RED_HOME.plus(new Vec3(3, 0, 0)));
        run(300 * MILLI);
        step(bob, RED_HOME);
        run(75 * MILLI);
        assertThat(flag(a, Team.RED).isHome()).isTrue();
        run(30 * MILLI);
        assertThat(carrier(a, Team.RED)).contains(global(bob));
        assertThat(flag(b, Team.RED).isHome()).as("not answered yet").isTrue();
        run(80 * MILLI);
        assertThat(carrier(b, Team.RED)).contains(global(bob));
        assertAgreed();
        assertThat(changes.get(b))
                .containsExactly(new Change(Team.RED, FlagChange.TAKEN, FlagCause.TOUCH, "bob", 1));
        assertSameChanges();
    }

    @Test
    void playersOfBothNodesTakeDropReturnAndCapture() {
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        run(300 * MILLI);
        assertThat(bob.player.combatant().dropFlag(b.now())).isTrue();
        run(300 * MILLI);
        assertThat(flag(b, Team.RED).state())
                .isInstanceOfSatisfying(
                        FlagState.Dropped.class,
                        it -> assertThat(it.at().distance(ASIDE)).isBetween(0.9, 1.1));
        assertAgreed();
        go(anna, ASIDE);
        run(300 * MILLI);
        assertThat(flag(b, Team.RED).isHome()).isTrue();
        assertThat(points(anna)).isEqualTo(1);
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, BLUE_HOME);
        run(500 * MILLI);
        assertThat(captures(Team.BLUE)).isEqualTo(1);
        assertThat(points(bob)).isEqualTo(5);
        go(anna, BLUE_HOME);
        run(300 * MILLI);
        go(anna, RED_HOME);
        run(500 * MILLI);
        assertThat(captures(Team.RED)).isEqualTo(1);
        assertThat(points(anna)).isEqualTo(6);
        assertAgreed();
        assertThat(changes.get(a))
                .extracting(it -> it.change() + " " + it.cause() + " " + it.player())
                .containsExactly(
                        "taken touch bob",
                        "dropped key bob",
                        "returned touch anna",
                        "taken touch bob",
                        "captured touch bob",
                        "taken touch anna",
                        "captured touch anna");
        assertSameChanges();
    }

    @Test
    void returnsDroppedFlagByPlayerOfOtherNodeAndByTime() {
        go(anna, BLUE_HOME);
        run(300 * MILLI);
        go(anna, ASIDE);
        run(300 * MILLI);
        anna.player.combatant().dropFlag(a.now());
        run(300 * MILLI);
        go(bob, ASIDE);
        run(300 * MILLI);
        assertThat(points(bob)).isEqualTo(1);
        go(anna, REST);
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        run(300 * MILLI);
        bob.player.combatant().dropFlag(b.now());
        go(bob, REST);
        run(19 * SECOND);
        assertThat(flag(b, Team.RED).isHome()).isFalse();
        run(2 * SECOND);
        assertAgreed();
        assertThat(last(b))
                .isEqualTo(new Change(Team.RED, FlagChange.RESET, FlagCause.TIME, "", 3));
        assertSameChanges();
    }

    @Test
    void givesFlagToOneOfTwoThatTakeItAtOnce() {
        Participant cid = b.joinAlive("quake2", "cid");
        go(cid, ASIDE);
        run(SECOND);
        assertThat(b.arena.match().team(cid.player.id())).contains(Team.RED);
        go(anna, BLUE_HOME.plus(new Vec3(3, 0, 0)));
        go(cid, BLUE_HOME.plus(new Vec3(-3, 0, 0)));
        run(SECOND);
        step(anna, BLUE_HOME);
        step(cid, BLUE_HOME);
        run(SECOND);
        assertThat(carrier(b, Team.BLUE)).contains(global(anna));
        assertAgreed();
        assertThat(changes.get(b))
                .containsExactly(
                        new Change(Team.BLUE, FlagChange.TAKEN, FlagCause.TOUCH, "anna", 1));
        assertSameChanges();
        anna.player.combatant().dropFlag(a.now());
        go(anna, ASIDE);
        run(SECOND);
        assertThat(carrier(a, Team.BLUE)).as("it still stands there").contains(global(cid));
        assertAgreed();
    }

    @Test
    void dropsFlagOfDeadCarrierAndCountsItsKillOnce() {
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        run(300 * MILLI);
        assertThat(NodeFightTest.hit(a, anna, b, bob, 120)).isTrue();
        run(500 * MILLI);
        assertThat(flag(b, Team.RED).state()).isInstanceOf(FlagState.Dropped.class);
        assertThat(last(a))
                .isEqualTo(new Change(Team.RED, FlagChange.DROPPED, FlagCause.DEATH, "bob", 2));
        assertThat(points(anna)).as("a carrier is worth two more").isEqualTo(3);
        assertAgreed();
        assertSameChanges();
        bob.live();
        anna.player.leave(a.now(), LeaveReason.LEFT);
        run(300 * MILLI);
        assertAgreed();
    }

    @Test
    void dropsFlagOfPlayerThatLeavesOrWatches() {
        Participant cid = b.joinAlive("quake2", "cid");
        Participant dora = b.joinAlive("quake2", "dora");
        go(cid, ASIDE);
        go(dora, REST);
        run(SECOND);
        assertThat(b.arena.match().team(dora.player.id())).contains(Team.BLUE);
        go(bob, RED_HOME);
        go(cid, BLUE_HOME);
        run(500 * MILLI);
        go(bob, ASIDE);
        go(cid, ASIDE.plus(new Vec3(5, 0, 0)));
        run(500 * MILLI);
        b.leave(bob);
        cid.player.combatant().setWatching(b.now(), true);
        run(500 * MILLI);
        assertThat(flag(a, Team.RED).state()).isInstanceOf(FlagState.Dropped.class);
        assertThat(flag(a, Team.BLUE).state()).isInstanceOf(FlagState.Dropped.class);
        assertAgreed();
        assertThat(changes.get(a)).extracting(Change::cause).contains(FlagCause.LEAVE);
    }

    @Test
    void dropsFlagsOfNodeThatVanishes() {
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        run(300 * MILLI);
        b.kill();
        run(3 * SECOND);
        assertThat(flag(a, Team.RED).state())
                .isInstanceOfSatisfying(
                        FlagState.Dropped.class,
                        it -> assertThat(it.at().distance(ASIDE)).isLessThan(0.1));
    }

    @Test
    void nextNodeDropsFlagsOfNodeThatDecidedAndVanished() {
        Server c = start();
        run(2 * SECOND);
        Participant cid = c.joinAlive("quake2", "cid");
        go(cid, ASIDE.plus(new Vec3(10, 0, 0)));
        run(SECOND);
        go(anna, BLUE_HOME);
        run(300 * MILLI);
        go(anna, ASIDE);
        run(300 * MILLI);
        a.kill();
        run(3 * SECOND);
        assertThat(flag(b, Team.BLUE).version()).isEqualTo(1_002);
        assertThat(flag(b, Team.BLUE).state())
                .isInstanceOfSatisfying(
                        FlagState.Dropped.class,
                        it -> assertThat(it.at().distance(ASIDE)).isLessThan(0.1));
        assertAgreed();
        assertThat(changes.get(b)).isEqualTo(changes.get(c));
        assertThat(last(b))
                .isEqualTo(
                        new Change(Team.BLUE, FlagChange.DROPPED, FlagCause.LEAVE, "anna", 1_002));
        Participant red =
                c.arena.match().team(cid.player.id()).equals(Optional.of(Team.RED)) ? cid : bob;
        go(red, ASIDE);
        run(500 * MILLI);
        assertThat(carrier(b, Team.BLUE)).contains(global(red));
        assertAgreed();
    }

    @Test
    void carrierKeepsFlagWhenNodeThatDecidedVanishes() {
        Server c = start();
        run(2 * SECOND);
        Participant cid = c.joinAlive("quake2", "cid");
        go(cid, ASIDE);
        run(SECOND);
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        a.kill();
        run(3 * SECOND);
        assertThat(carrier(b, Team.RED)).contains(global(bob));
        assertThat(carrier(c, Team.RED)).contains(global(bob));
        assertThat(flag(b, Team.RED).version()).isEqualTo(1_001);
        assertAgreed();
        go(bob, BLUE_HOME);
        run(500 * MILLI);
        assertThat(b.arena.match().frags(Team.BLUE)).isEqualTo(1);
        assertThat(c.arena.match().frags(Team.BLUE)).isEqualTo(1);
        assertThat(points(bob)).isEqualTo(5);
        assertAgreed();
        assertThat(changes.get(b)).isEqualTo(changes.get(c)).hasSize(2);
    }

    @Test
    void lateNodeTakesOverFlagsAndPlays() {
        go(bob, RED_HOME);
        run(300 * MILLI);
        go(bob, ASIDE);
        run(20 * SECOND);
        Server c = start();
        run(2 * SECOND);
        assertThat(carrier(c, Team.RED)).contains(global(bob));
        assertAgreed();
        assertThat(changes.get(c)).extracting(Change::change).containsExactly(FlagChange.TAKEN);
        Participant cid = c.joinAlive("quake2", "cid");
        go(cid, ASIDE.plus(new Vec3(10, 0, 0)));
        run(SECOND);
        assertThat(c.arena.match().team(cid.player.id())).contains(Team.RED);
        go(cid, BLUE_HOME);
        run(300 * MILLI);
        assertThat(carrier(a, Team.BLUE)).contains(global(cid));
        bob.player.combatant().dropFlag(b.now());
        go(bob, BLUE_HOME.plus(new Vec3(0, 20, 0)));
        run(300 * MILLI);
        go(cid, ASIDE);
        run(300 * MILLI);
        go(cid, RED_HOME);
        run(500 * MILLI);
        assertThat(captures(Team.RED)).isEqualTo(1);
        assertThat(points(cid)).isEqualTo(6);
        assertAgreed();
    }

    @Test
    void playGoesOnWhenOtherNodePausesAndRestarts() {
        go(anna, BLUE_HOME);
        run(300 * MILLI);
        go(anna, ASIDE);
        run(300 * MILLI);
        b.arena.match().setPaused(b.now(), true);
        run(SECOND);
        go(anna, RED_HOME);
        run(SECOND);
        assertThat(carrier(b, Team.BLUE)).as("the match stands").contains(global(anna));
        assertAgreed();
        b.arena.match().setPaused(b.now(), false);
        run(SECOND);
        assertThat(captures(Team.RED)).isEqualTo(1);
        assertThat(points(anna)).isEqualTo(5);
        assertAgreed();
        assertSameChanges();
        anna.live();
        bob.live();
        go(anna, BLUE_HOME);
        run(500 * MILLI);
        assertThat(carrier(b, Team.BLUE)).contains(global(anna));
        b.arena.match().begin(b.now());
        run(500 * MILLI);
        assertThat(flag(a, Team.BLUE).isHome()).isTrue();
        assertThat(captures(Team.RED)).isZero();
        assertAgreed();
    }

    @Test
    void scoreLimitEndsRoundWithLastCapture() {
        Participant cid = b.joinAlive("quake2", "cid");
        go(cid, ASIDE);
        run(SECOND);
        for (int i = 1; i <= 8; i++) {
            Participant red = i % 2 == 0 ? anna : cid;
            go(red, BLUE_HOME);
            run(400 * MILLI);
            go(red, RED_HOME);
            run(500 * MILLI);
            go(red, ASIDE);
            assertThat(captures(Team.RED)).isEqualTo(i);
        }
        run(500 * MILLI);
        for (Participant player : List.of(anna, bob, cid)) {
            assertThat(player.all(ArenaEvent.RoundEnded.class))
                    .singleElement()
                    .satisfies(end -> assertThat(end.team()).contains(Team.RED));
        }
        assertSameChanges();
        assertAgreed();
    }

    @Test
    void operatorOfOtherNodeReturnsFlag() {
        go(anna, BLUE_HOME);
        run(300 * MILLI);
        go(anna, ASIDE);
        run(300 * MILLI);
        assertThat(b.arena.match().flags().returnHome(b.now(), Team.BLUE)).isTrue();
        run(300 * MILLI);
        assertThat(last(a).cause()).isEqualTo(FlagCause.OPERATOR);
        assertAgreed();
        assertSameChanges();
    }

    private FlagReport.Builder claim() {
        return FlagReport.newBuilder()
                .setPlayer(1)
                .setFlag("blue")
                .setPlace(Vector.newBuilder().setX(20))
                .setMadeNs(cluster.broker.now());
    }

    private static void send(RawNode liar, FlagReport.Builder report) {
        liar.event++;
        liar.sendEvent(NumberedEvent.newBuilder().setHeader(liar.header()).setFlag(report).build());
    }

    private static PlayedRound.Builder lie(long count) {
        return PlayedRound.newBuilder()
                .setCount(count)
                .setNode(1000)
                .setRound(1)
                .setStage("playing")
                .setLeftMs(600_000);
    }

    private static dev.wishdir.record.v1.Flag.Builder lie(String team, int version) {
        return dev.wishdir.record.v1.Flag.newBuilder()
                .setTeam(team)
                .setHome(Vector.newBuilder().setX(team.equals("red") ? -20 : 20))
                .setVersion(version);
    }

    @Test
    @DisplayName("L13, N17: reports for others' players, from afar, of any version, endless")
    void refusesReportsThatNoPlayerCanMake() {
        RawNode liar = RawNode.liar(cluster, SECOND);
        liar.sendEvent(liar.of(1).setTeamChanged(TeamChanged.newBuilder().setTeam("red")));
        liar.run(200 * MILLI);
        List<FlagReport.Builder> lies =
                List.of(
                        claim(),
                        claim().setVersion(-1),
                        claim().setVersion(Integer.MAX_VALUE),
                        claim().setFlag("green"),
                        claim().setFlag(""),
                        claim().setLoss("death"),
                        claim().setLoss("operator"),
                        claim().setPlayer(0),
                        claim().setPlace(Vector.newBuilder().setX(Float.NaN)),
                        claim().setPlace(Vector.newBuilder().setY(Float.POSITIVE_INFINITY)),
                        claim().setPlace(Vector.newBuilder().setX(1e30f)),
                        claim().setPlace(Vector.newBuilder().setX(1)));
        lies.forEach(lie -> send(liar, lie));
        // Players of other nodes, or none at all, and what it does not carry.
        send(liar, claim().setPlayer(77));
        send(liar, claim().setPlayer(-1));
        send(liar, claim().setLoss("key").setPlace(Vector.newBuilder().setX(1)));
        liar.run(200 * MILLI);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_FLAG, (long) lies.size());
        assertThat(a.reported()).containsExactly(NodeFault.INVALID_FLAG);
        for (int i = 0; i < 2_000; i++) {
            send(liar, claim().setVersion(5).setPlace(Vector.newBuilder().setX(1)));
        }
        liar.run(200 * MILLI);
        assertThat(a.node.faults().get(NodeFault.PLAYER_RATE_LIMIT)).isGreaterThan(1_000);
        assertThat(changes.get(a)).isEmpty();
        assertThat(changes.get(b)).isEmpty();
        go(bob, RED_HOME);
        liar.run(500 * MILLI);
        assertThat(carrier(a, Team.RED)).contains(global(bob));
        assertSameChanges();
    }

    @Test
    @DisplayName("N17: flags of a node that does not decide, and impossible ones of one that does")
    void refusesFlagsThatNoMatchCanHave() {
        RawNode liar = RawNode.liar(cluster, SECOND);
        dev.wishdir.record.v1.PlayerId itsPlayer =
                dev.wishdir.record.v1.PlayerId.newBuilder().setNode(1000).setNumber(1).build();
        // With an old count it does not decide.
        liar.sendRound(
                lie(1).addFlags(lie("red", 50)).addFlags(lie("blue", 50).setCarrier(itsPlayer)),
                50 * MILLI);
        liar.sendRound(
                lie(0).addFlags(lie("red", 50)).addFlags(lie("blue", 50).setCarrier(itsPlayer)),
                50 * MILLI);
        liar.run(200 * MILLI);
        assertThat(changes.get(a)).isEmpty();
        FlagChanged.Builder capture =
                FlagChanged.newBuilder()
                        .setFlag("blue")
                        .setChange("captured")
                        .setCause("touch")
                        .setVersion(9);
        Event.Builder ofAnna =
                Event.newBuilder()
                        .setId(
                                dev.wishdir.record.v1.PlayerId.newBuilder()
                                        .setNode(a.node.number())
                                        .setNumber(anna.player.id().number()));
        // An operator may do so; the flags that come with it may not be any.
        List<PlayedRound.Builder> lies =
                List.of(
                        lie(40).addFlags(lie("red", -1)).addFlags(lie("green", 1)),
                        lie(40).addFlags(lie("blue", 1)).addFlags(lie("red", 1)),
                        lie(40).addFlags(lie("red", 1))
                                .addFlags(
                                        lie("blue", 1).setDropped(Vector.newBuilder().setX(5_000))),
                        lie(40).addFlags(lie("red", 1)).addFlags(lie("blue", Integer.MAX_VALUE)),
                        lie(40).addFlagChanges(Event.newBuilder()),
                        lie(40).addFlagChanges(ofAnna.clone().setFlagChanged(capture.clone())),
                        lie(40).addFlagChanges(
                                        Event.newBuilder()
                                                .setFlagChanged(
                                                        capture.clone().setVersion(1 << 30))));
        lies.forEach(lie -> liar.sendRound(lie, 50 * MILLI));
        liar.run(200 * MILLI);
        assertThat(a.node.faults()).containsEntry(NodeFault.INVALID_FLAG, (long) lies.size());
        assertThat(points(anna)).isZero();
        assertThat(captures(Team.RED)).isZero();
        for (int i = 0; i < 300; i++) {
            PlayedRound.Builder round = lie(40).addFlags(lie("red", 20 + i));
            liar.sendRound(
                    i % 2 == 0
                            ? round.addFlags(lie("blue", 20 + i).setCarrier(itsPlayer))
                            : round.addFlags(lie("blue", 20 + i)),
                    5 * MILLI);
        }
        assertThat(changes.get(a)).hasSizeLessThan(64 + 16 * 3);
        // It is silent, and another node decides.
        run(30 * SECOND);
        go(anna, BLUE_HOME);
        run(SECOND);
        assertThat(carrier(a, Team.BLUE)).contains(global(anna));
        assertThat(carrier(b, Team.BLUE)).contains(global(anna));
    }

    /** Everything that is possible at random, under loss, splits and stops; then all agree. */
    @Test
    void agreeAfterLossSplitsAndStops() {
        for (long seed : TestEffort.seeds(1, 3).toArray()) {
            changes.clear();
            cluster = new TestCluster(seed);
            disturb(new Random(seed));
        }
    }

    private void disturb(Random random) {
        List<Participant> players = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Server server = start();
            players.add(server.joinAlive("quake3", "p" + i));
            players.add(server.joinAlive("quake2", "q" + i));
            cluster.run(SECOND);
        }
        List<Vec3> places = List.of(RED_HOME, BLUE_HOME, ASIDE);
        for (int step = 0; step < STEPS; step++) {
            Participant player = players.get(random.nextInt(players.size()));
            switch (random.nextInt(12)) {
                case 0 -> cluster.disturb(random.nextInt(TestCluster.DISTURBANCES), player.server);
                case 1 -> player.player.combatant().dropFlag(player.server.now());
                case 2 -> {
                    player.player.combatant().die(player.server.now());
                    player.live();
                }
                case 3 ->
                        player.server
                                .arena
                                .match()
                                .setPaused(
                                        player.server.now(),
                                        !player.server.arena.match().isPaused());
                default -> {
                    Vec3 place = places.get(random.nextInt(places.size()));
                    if (!player.server.paused) {
                        go(player, place);
                    }
                }
            }
            cluster.run(random.nextInt(400) * MILLI);
        }
        cluster.heal();
        // A node that sent too much after a stop is not heard for 10 s.
        cluster.run(14 * SECOND);
        Server first = cluster.servers.getFirst();
        first.arena.match().setPaused(first.now(), false);
        players.forEach(player -> go(player, ASIDE));
        cluster.run(3 * SECOND);
        for (Server server : cluster.servers) {
            for (Team team : Team.values()) {
                assertThat(flag(server, team).version()).isEqualTo(flag(first, team).version());
                assertThat(carrier(server, team)).isEqualTo(carrier(first, team));
                assertThat(server.arena.match().frags(team))
                        .isEqualTo(first.arena.match().frags(team));
            }
            // They walk at 100 m/s, so that a report is too far away where movements were lost.
            assertThat(server.node.faults()).doesNotContainKey(NodeFault.MALFORMED);
        }
    }
}
