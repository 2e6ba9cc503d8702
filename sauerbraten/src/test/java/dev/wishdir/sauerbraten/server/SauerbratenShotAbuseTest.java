package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.ActionMessage.Hit;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** What a client may not do to others with its weapons in a match. */
class SauerbratenShotAbuseTest {
    private static final long SECOND = EnetNode.SECOND;

    /** East and west of a wall with no way around or over it, from x = 14 to 15. */
    private static final double WEST = 2;

    private static final double NEAR = 8;
    private static final double EAST = 20;

    private static final int RIFLE = Weapon.RIFLE.number();

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Counters counters = new Counters();
    private final List<ArenaEvent> events = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 8);
    private SauerbratenEndpoint endpoint;
    private ScriptedPlayer mallory;
    private ScriptedPlayer victim;

    /** Of the client, milliseconds. */
    private int clock;

    /** When it fired last. */
    private int last;

    private static BlockArena blocks() throws Exception {
        String floor = "#".repeat(60) + "\n";
        String wall = ".".repeat(44) + "#" + ".".repeat(15) + "\n";
        return ArenaText.read(
                "wishdir-arena 1\nname t\nsize 60 4 10\nground 1\nblock # stone\nspawn 0 1 0 0\n"
                        + "spawn -26 0 0 0\nlayer 0\n"
                        + floor.repeat(4)
                        + "layers 1-9\n"
                        + wall.repeat(4));
    }

    /** In the efficiency mode, players have ammunition for all guns. */
    @BeforeEach
    void serve() throws Exception {
        BlockArena blocks = blocks();
        arena = new Arena(Level.of(blocks), 8);
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(600), Duration.ZERO, Duration.ofSeconds(5)));
        arena.addListener(events::add);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .blocks(blocks)
                                .options(Map.of("mode", "5"))
                                .adminPassword("secret")
                                .counters(counters)
                                .random(new Random(9))
                                .build());
        mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        victim = new ScriptedPlayer(network, 3, endpoint.address()).join("victim");
        stand(NEAR);
        stand(NEAR);
        events.clear();
    }

    private void at(ScriptedPlayer player, double x) {
        player.move((int) Math.round((512 + 8 * x) * 16));
    }

    /** Both stand for as long as a rifle needs, the victim at x. */
    private void stand(double x) {
        for (int i = 0; i < 50; i++) {
            at(mallory, WEST);
            at(victim, x);
            network.run(SECOND / 30);
        }
        clock = (int) (network.now() / EnetNode.MILLI);
    }

    private static Point point(double x, double z) {
        return new Point((int) ((512 + 8 * x) * 16), 8192, (int) ((512 + 8 * z) * 16));
    }

    private Hit hit(ScriptedPlayer target, int rays, int dist) {
        return new Hit(target.cn, target.lifeseq, dist, rays, new Heading(100, 0, 0));
    }

    private ActionMessage.Shoot shot(int gun, double from, double to, Hit... hits) {
        return new ActionMessage.Shoot(
                clock, gun, point(from, 1.75), point(to, 1.5), List.of(hits));
    }

    private void fire(ActionMessage... shots) {
        mallory.say(shots);
        network.run(SECOND / 10);
        last = clock;
        stand(lastX());
    }

    private double lastX() {
        return arena.players().getLast().movement().position().x();
    }

    private List<ArenaEvent.Hit> hits() {
        return events.stream()
                .filter(ArenaEvent.Hit.class::isInstance)
                .map(ArenaEvent.Hit.class::cast)
                .toList();
    }

    private List<ViolationRule> violations() {
        return events.stream()
                .filter(ArenaEvent.MovementViolation.class::isInstance)
                .map(it -> ((ArenaEvent.MovementViolation) it).rule())
                .toList();
    }

    @Test
    void anHonestShotCounts() {
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).hasSize(1);
        assertThat(violations()).isEmpty();
        assertThat(victim.heard(LifeMessage.Damage.class))
                .containsExactly(new LifeMessage.Damage(victim.cn, mallory.cn, 100, 50, 50));
        assertThat(victim.heard(LifeMessage.HitPush.class))
                .containsExactly(
                        new LifeMessage.HitPush(victim.cn, RIFLE, 100, new Heading(100, 0, 0)));
        assertThat(mallory.heard(LifeMessage.HitPush.class)).isEmpty();
    }

    @Test
    void clientThatComesBackIsSentItsScore() {
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(victim.heard(LifeMessage.Died.class)).hasSize(1);
        mallory.peer.disconnect(0);
        network.run(SECOND);
        // From another port of the same address.
        ScriptedPlayer back =
                new ScriptedPlayer(
                                new EnetNode(
                                        network, "10.1.2.1:5001", SauerbratenTransport.client()),
                                endpoint.address())
                        .join("mallory");
        network.run(SECOND / 10);
        // A client forgets scores at a map change.
        List<SauerbratenMessage> sinceMap =
                back.heard.stream()
                        .dropWhile(message -> !(message instanceof MatchMessage.MapChange))
                        .toList();
        assertThat(sinceMap)
                .filteredOn(LifeMessage.Resume.class::isInstance)
                .flatMap(message -> ((LifeMessage.Resume) message).players())
                .filteredOn(score -> score.cn() == back.cn)
                .singleElement()
                .satisfies(score -> assertThat(score.frags()).isEqualTo(1));
    }

    @Test
    void aHitWithoutDamageOnlyPushes() {
        List<Player> players = arena.players();
        ArenaPlayer thrower = arena.player(players.getFirst().id()).orElseThrow();
        Player pushed = players.getLast();
        assertThat(
                        thrower.combatant()
                                .hit(
                                        network.now(),
                                        pushed.id(),
                                        DamageMeans.MACHINE_GUN,
                                        0,
                                        new Vec3(8, 0, 0),
                                        pushed.movement().position()))
                .isTrue();
        network.run(SECOND);
        assertThat(victim.heard(LifeMessage.Damage.class)).isEmpty();
        assertThat(victim.heard(LifeMessage.HitPush.class))
                .as("64 units a second, as of a fist")
                .containsExactly(
                        new LifeMessage.HitPush(
                                victim.cn, Weapon.FIST.number(), 1, new Heading(8_000, 0, 0)));
        assertThat(hits()).singleElement().extracting(ArenaEvent.Hit::damage).isEqualTo(0.0);
    }

    @Test
    @DisplayName("J1 a rifle fires no faster because its client says so")
    void refusesShotsTooFast() {
        ActionMessage[] all = new ActionMessage[20];
        for (int i = 0; i < all.length; i++) {
            all[i] =
                    new ActionMessage.Shoot(
                            clock + i,
                            RIFLE,
                            point(WEST, 1.75),
                            point(NEAR, 1.5),
                            List.of(hit(victim, 1, 768)));
        }
        fire(all);
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.SHOT_RATE);
        assertThat(victim.heard(ActionMessage.ShotFx.class)).hasSize(1);
    }

    @Test
    @DisplayName("J6 pellets that stray pass the edge that the middle of their shot meets")
    void countsPelletsBesideAnEdge() {
        double edge = (WEST + NEAR) / 2;
        fire(shot(RIFLE, WEST, edge, hit(victim, 1, 768)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
        events.clear();
        network.run(2 * SECOND);
        clock += 2000;
        fire(shot(1, WEST, edge, hit(victim, 3, 768)));
        assertThat(hits()).hasSize(1);
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J2 an explosion of a client that stood still does nothing, and is no cheat")
    void forgivesClientThatStoodStill() {
        fire(shot(3, WEST, NEAR));
        network.run(3 * SECOND);
        mallory.say(new ActionMessage.Explode(last + 3000, 3, last, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(counters.snapshot().get("sauerbraten.shot.late")).isEqualTo(1);
    }

    @Test
    @DisplayName("J2 shots and explosions of the past and the future do nothing")
    void refusesOtherTimes() {
        mallory.say(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        network.run(SECOND / 10);
        assertThat(hits()).hasSize(1);
        events.clear();
        // The gun is not ready: neither by the server's clock nor by what the client says.
        for (int millis : new int[] {clock + 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE, 0}) {
            mallory.say(
                    new ActionMessage.Shoot(
                            millis,
                            RIFLE,
                            point(WEST, 1.75),
                            point(NEAR, 1.5),
                            List.of(hit(victim, 1, 768))));
            network.run(SECOND / 10);
        }
        stand(NEAR);
        assertThat(hits()).isEmpty();
        fire(shot(3, WEST, NEAR));
        int rocket = last;
        for (int millis : new int[] {rocket - 5000, rocket + 60_000, Integer.MIN_VALUE}) {
            mallory.say(new ActionMessage.Explode(millis, 3, rocket, List.of(hit(victim, 1, 0))));
            network.run(SECOND / 10);
        }
        assertThat(hits()).isEmpty();
        assertThat(violations()).contains(ViolationRule.FLIGHT_TIME);
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).as("its queue is not blocked").hasSize(1);
    }

    @Test
    @DisplayName(
            "J3 guns that it does not have, and ammunition that it does not have, fire nothing")
    void refusesGunsAndAmmunition() {
        for (int gun : new int[] {-1, 7, 11, 6, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            fire(shot(gun, WEST, NEAR, hit(victim, 1, 768)));
        }
        assertThat(hits()).isEmpty();
        assertThat(victim.heard(ActionMessage.ShotFx.class)).isEmpty();
        for (int i = 0; i < 14; i++) {
            fire(shot(RIFLE, WEST, NEAR));
        }
        assertThat(victim.heard(ActionMessage.ShotFx.class)).as("ten rounds").hasSize(10);
    }

    @Test
    @DisplayName("J4 a list of 200 victims, or more rays than a gun has, is one hit at most")
    void refusesHitLists() {
        Hit[] many = new Hit[200];
        for (int i = 0; i < many.length; i++) {
            many[i] = hit(victim, 1, 768);
        }
        fire(shot(RIFLE, WEST, NEAR, many));
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.RAY_COUNT);
        events.clear();
        fire(shot(1, WEST, NEAR, hit(victim, Integer.MAX_VALUE, 768)));
        fire(shot(1, WEST, NEAR, hit(victim, -20, 768)));
        fire(shot(1, WEST, NEAR, hit(victim, 0, 768)));
        fire(shot(1, WEST, NEAR, hit(victim, 5, Integer.MAX_VALUE)));
        for (int target : new int[] {-1, 127, 128, 500, Integer.MIN_VALUE}) {
            fire(shot(1, WEST, NEAR, new Hit(target, 0, 0, 1, Heading.BLANK)));
        }
        assertThat(hits()).isEmpty();
        fire(shot(3, WEST, NEAR));
        mallory.say(new ActionMessage.Explode(last + 150, 3, last, List.of(many)));
        network.run(SECOND);
        assertThat(hits()).as("each target of a blast once").hasSizeLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("J5 a shot from where the player is not hits nobody, and is shown")
    void refusesShotsFromElsewhere() {
        fire(shot(RIFLE, NEAR - 1, NEAR, hit(victim, 1, 128)));
        fire(shot(RIFLE, -1000, NEAR, hit(victim, 1, 128)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).contains(ViolationRule.SHOT_ORIGIN);
        assertThat(victim.heard(ActionMessage.ShotFx.class)).isNotEmpty();
    }

    /** Positions are not sent again, and overtake a lost shot. */
    @Test
    @DisplayName("J5 a shot that comes a second late hits nobody, and is no violation")
    void knowsShotsThatTheNetworkHeldUp() {
        fire(shot(RIFLE, WEST, NEAR));
        ActionMessage late = shot(RIFLE, WEST, NEAR, hit(victim, 1, 768));
        clock += Weapon.RIFLE.delayMillis;
        ActionMessage fromElsewhere = shot(RIFLE, NEAR - 1, NEAR, hit(victim, 1, 128));
        walkWest(WEST, 30);
        mallory.say(late);
        network.run(SECOND / 10);
        assertThat(violations()).isEmpty();
        assertThat(counters.get("sauerbraten.shot.late")).isEqualTo(1);
        walkWest(WEST - 15, 0);
        network.run(Weapon.RIFLE.delayMillis * EnetNode.MILLI);
        mallory.say(fromElsewhere);
        network.run(SECOND / 10);
        assertThat(violations()).as("20 m away").containsExactly(ViolationRule.SHOT_ORIGIN);
        assertThat(hits()).isEmpty();
    }

    /** The victim stands at x, while mallory is silent. */
    private void fallSilent(long nanos, double x) {
        for (long end = network.now() + nanos; network.now() < end; ) {
            at(victim, x);
            network.run(Math.min(SECOND / 30, end - network.now()));
        }
        clock = (int) (network.now() / EnetNode.MILLI);
    }

    @Test
    @DisplayName("J25 a shot from 12 m beside a body that is back at once hits nobody")
    void refusesShotsFromWhereABodyCannotComeBackFrom() {
        for (long silence : new long[] {SECOND * 53 / 100, SECOND * 6 / 10, SECOND * 9 / 10}) {
            for (boolean isMoved : new boolean[] {false, true}) {
                events.clear();
                fallSilent(silence, NEAR);
                if (isMoved) {
                    at(mallory, WEST - 12);
                }
                mallory.say(shot(RIFLE, WEST - 12, NEAR, hit(victim, 1, 2304)));
                network.run(SECOND / 100);
                at(mallory, WEST);
                network.run(SECOND / 100);
                stand(NEAR);
                stand(NEAR);
                assertThat(hits()).as("%d ns, %b", silence, isMoved).isEmpty();
                assertThat(violations()).containsExactly(ViolationRule.SHOT_ORIGIN);
            }
        }
        events.clear();
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).as("an honest shot").hasSize(1);
    }

    @Test
    @DisplayName("J25 a rocket from 12 m beside its body after a silence hurts nobody")
    void refusesRocketsFromWhereABodyCannotComeBackFrom() {
        fallSilent(SECOND * 55 / 100, NEAR);
        mallory.say(shot(3, NEAR - 14 + 2, NEAR));
        mallory.say(new ActionMessage.Explode(clock + 100, 3, clock, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 100);
        at(mallory, WEST);
        stand(NEAR);
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J25 positions without a silence, there and back, do not make a shot count")
    void refusesShotsOfABodyThatLeapsThereAndBack() {
        at(mallory, WEST - 12);
        mallory.say(shot(RIFLE, WEST - 12, NEAR, hit(victim, 1, 2304)));
        network.run(SECOND / 100);
        at(mallory, WEST);
        stand(NEAR);
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.SHOT_ORIGIN);
    }

    /** Shots are sent again when they are lost, positions are not. */
    @Test
    @DisplayName("J25 a player whose positions the network loses or holds up hits whom it meets")
    void countsShotsOfARunnerWhosePositionsAreLost() {
        double x = WEST - 20;
        for (int i = 0; i < 30; i++) {
            at(mallory, x);
            network.run(SECOND / 30);
        }
        events.clear();
        for (int i = 0; i < 40; i++) {
            x += 12.5 / 30;
            boolean isLost = i >= 20 && i < 32;
            if (!isLost) {
                at(mallory, x);
            }
            at(victim, NEAR);
            if (i == 30) {
                clock = (int) (network.now() / EnetNode.MILLI);
                mallory.say(shot(RIFLE, x, NEAR, hit(victim, 1, 768)));
            }
            network.run(SECOND / 30);
        }
        assertThat(hits()).as("lost").hasSize(1);
        for (int i = 0; i < 60; i++) {
            at(mallory, x);
            at(victim, NEAR);
            network.run(SECOND / 30);
        }
        events.clear();
        for (int i = 0; i < 30; i++) {
            at(victim, NEAR);
            network.run(SECOND / 30);
        }
        for (int i = 0; i < 30; i++) {
            x -= 12.5 / 30;
            at(mallory, x);
            if (i == 29) {
                clock = (int) (network.now() / EnetNode.MILLI);
                mallory.say(shot(RIFLE, x, NEAR, hit(victim, 1, 768)));
            }
        }
        for (int i = 0; i < 30; i++) {
            x -= 12.5 / 30;
            at(mallory, x);
            at(victim, NEAR);
            network.run(SECOND / 30);
        }
        assertThat(hits()).as("held up for a second").hasSize(1);
        assertThat(violations()).isEmpty();
    }

    private void explode(int flown, int dist) {
        mallory.say(
                new ActionMessage.Explode(last + flown, 5, last, List.of(hit(victim, 1, dist))));
        network.run(SECOND / 10);
    }

    @Test
    @DisplayName("J26 a grenade that is thrown the other way, or behind a wall, hurts nobody")
    void refusesGrenadesThatCannotHaveComeThere() {
        fire(shot(5, WEST, WEST - 20));
        explode(1500, 300);
        assertThat(hits()).as("thrown the other way").isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
        stand(16);
        events.clear();
        fire(shot(5, WEST, 13.5));
        explode(1500, 700);
        explodeEarly();
        assertThat(hits()).as("through the wall").isEmpty();
    }

    private void explodeEarly() {
        fire(shot(5, WEST, 13.5));
        explode(480, 300);
    }

    @Test
    @DisplayName("J26 a grenade hurts whom it meets on its way, and comes back from a wall")
    void countsGrenadesOnTheirWay() {
        fire(shot(5, WEST, NEAR));
        explode(250, 100);
        assertThat(hits()).as("on its way").hasSize(1);
        victim.say(new LifeMessage.Suicide());
        stand(NEAR);
        victim.say(new LifeMessage.TrySpawn());
        network.run(SECOND / 10);
        victim.spawn();
        stand(10);
        stand(10);
        events.clear();
        mallory.say(
                new ActionMessage.Shoot(clock, 5, point(WEST, 1.75), point(14, 3.5), List.of()));
        last = clock;
        network.run(SECOND / 10);
        stand(10);
        explode(900, 300);
        assertThat(hits()).as("back from the wall").hasSize(1);
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J6 a rocket at a wall hurts nobody behind it, which is no violation")
    void blastsDoNotGoThroughWalls() {
        stand(17.5);
        events.clear();
        fire(shot(3, WEST, 13.9));
        mallory.say(new ActionMessage.Explode(last + 320, 3, last, List.of(hit(victim, 1, 500))));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(counters.get("sauerbraten.shot.blast-through-wall")).isEqualTo(1);
    }

    @Test
    void countsExplosionAfterTheClientsClockHasWrapped() {
        stand(12);
        events.clear();
        clock = Integer.MAX_VALUE - 100;
        fire(shot(3, WEST, 12));
        mallory.say(new ActionMessage.Explode(last + 270, 3, last, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 10);
        assertThat(last + 270).isNegative();
        assertThat(hits()).hasSize(1);
        assertThat(violations()).isEmpty();
    }

    /** Walks half a metre in each thirtieth of a second, while the victim stands. */
    private void walkWest(double from, int steps) {
        for (int i = 0; i <= steps; i++) {
            at(mallory, from - i / 2.0);
            at(victim, NEAR);
            network.run(SECOND / 30);
        }
    }

    @Test
    @DisplayName("J7 a victim's life before this one is not hit, which is no violation at first")
    void knowsThatClientsLearnLateOfNewLives() {
        victim.say(new LifeMessage.Suicide());
        network.run(SECOND / 10);
        victim.say(new LifeMessage.TrySpawn());
        network.run(SECOND / 10);
        victim.spawn();
        at(victim, EAST);
        at(mallory, WEST);
        network.run(SECOND / 10);
        events.clear();
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(counters.get("sauerbraten.shot.late")).isEqualTo(1);
        stand(EAST);
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J5 a life without a position hits nobody")
    void refusesShotsOfNoBody() {
        mallory.say(new LifeMessage.Suicide());
        network.run(SECOND);
        mallory.say(new LifeMessage.TrySpawn());
        network.run(SECOND / 10);
        mallory.spawn();
        mallory.say(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J6 a projectile that was not fired, or did not come so far, hurts nobody")
    void refusesProjectiles() {
        mallory.say(new ActionMessage.Explode(clock, 3, clock, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 10);
        fire(shot(3, WEST, WEST - 20));
        mallory.say(new ActionMessage.Explode(last + 300, 3, last, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
        assertThat(violations()).contains(ViolationRule.HIT_DISTANCE);
        stand(EAST);
        events.clear();
        fire(shot(3, WEST, EAST));
        mallory.say(new ActionMessage.Explode(last + 480, 3, last, List.of(hit(victim, 1, 0))));
        network.run(SECOND / 10);
        assertThat(hits()).as("the wall stops it").isEmpty();
        assertThat(violations()).contains(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J7 nobody is killed beyond a wall, or beside the line of fire")
    void refusesHitsThroughWallsAndBesideThem() {
        fire(shot(RIFLE, WEST, WEST - 5, hit(victim, 1, 768)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
        stand(EAST);
        stand(EAST);
        events.clear();
        fire(shot(RIFLE, WEST, EAST, hit(victim, 1, 2304)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.SHOT_THROUGH_SOLID);
    }

    @Test
    @DisplayName("J8 directions without a length or beyond all numbers push nobody far")
    void boundsPushes() {
        for (Heading wrong :
                List.of(
                        Heading.BLANK,
                        new Heading(Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE),
                        new Heading(Integer.MIN_VALUE, 0, 0))) {
            events.clear();
            fire(shot(1, WEST, NEAR, new Hit(victim.cn, victim.lifeseq, 100, 1, wrong)));
            assertThat(hits()).hasSize(1);
            assertThat(hits().getFirst().knockback().length()).isLessThan(2);
        }
    }

    @Test
    @DisplayName("J9 a hit of another life, of a dead or editing body, and of oneself by rays")
    void refusesOtherLives() {
        fire(
                shot(
                        RIFLE,
                        WEST,
                        NEAR,
                        new Hit(victim.cn, victim.lifeseq + 1, 768, 1, Heading.BLANK)));
        assertThat(hits()).isEmpty();
        victim.say(new LifeMessage.Suicide());
        network.run(SECOND / 10);
        mallory.say(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
        assertThat(violations()).as("honest clients do it").isEmpty();
    }

    @Test
    @DisplayName("J10 a dead player fires nothing but what was on its way")
    void refusesShotsOfTheDead() {
        mallory.say(new LifeMessage.Suicide());
        network.run(SECOND / 10);
        mallory.say(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
        mallory.say(new RosterMessage.Spectator(mallory.cn, true));
        network.run(SECOND);
        mallory.say(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        network.run(SECOND / 10);
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J11 a flood of shots costs the shooter")
    void kicksAFloodOfShots() {
        for (int second = 0; second < 15; second++) {
            ActionMessage[] flood =
                    IntStream.range(0, 400)
                            .mapToObj(i ->
                                    new ActionMessage.Shoot(
                                            i, RIFLE, point(WEST, 1), point(NEAR, 1), List.of()))
                            .toArray(ActionMessage[]::new);
            mallory.say(flood);
            network.run(SECOND);
            at(victim, NEAR);
        }
        assertThat(mallory.isGone()).isTrue();
        assertThat(victim.heard(ActionMessage.ShotFx.class)).hasSizeLessThan(3);
        assertThat(victim.isGone()).isFalse();
    }

    @Test
    @DisplayName("J12 repeated wrong hits are kicked under --on-cheat kick, a few are not")
    void kicksForManyWrongHits() {
        arena.setCheatPolicy(CheatPolicy.KICK);
        for (int i = 0; i < 8; i++) {
            fire(shot(0, WEST, WEST - 1, hit(victim, 1, 128)));
        }
        assertThat(mallory.isGone()).isFalse();
        for (int i = 0; i < 12; i++) {
            fire(shot(0, WEST, WEST - 1, hit(victim, 1, 128)));
        }
        assertThat(mallory.isGone()).isTrue();
        assertThat(events)
                .filteredOn(ArenaEvent.Left.class::isInstance)
                .extracting(it -> ((ArenaEvent.Left) it).reason().code())
                .containsExactly(LeaveReason.Code.SHOT_VIOLATION);
    }

    @Test
    @DisplayName("J13 a client that edits in a match can be hit: it dies")
    void killsEditors() {
        victim.say(new EditMessage.EditMode(true));
        network.run(SECOND / 10);
        assertThat(victim.isGone()).as("no such message outside of coop edit").isTrue();
    }

    @Test
    @DisplayName("J17 no vote and no master changes a match, its speed or its map")
    void refusesVotes() {
        mallory.say(new AdminMessage.SetMaster(mallory.cn, true, ""));
        mallory.say(new MatchMessage.MapVote("other", 0));
        mallory.say(new AdminMessage.ClientGameSpeed(1000));
        network.run(SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(victim.heard(MatchMessage.MapChange.class)).hasSize(1);
        assertThat(victim.heard(AdminMessage.GameSpeed.class)).isEmpty();
    }

    @Test
    @DisplayName("J18 players of a game without fights neither hit nor are hit")
    void leavesOtherGamesAlone() {
        ArenaPlayer quake = arena.join(network.now(), "quake3", "visitor", new NoOpViewer());
        quake.spawn(network.now(), Movement.at(new Vec3(5, 0, 0), 0));
        network.run(SECOND);
        Player other = quake.snapshot();
        int cn =
                mallory.heard(RosterMessage.InitClient.class).stream()
                        .filter(it -> it.name().contains("visitor"))
                        .findFirst()
                        .orElseThrow()
                        .cn();
        fire(shot(RIFLE, WEST, 5, new Hit(cn, 0, 384, 1, Heading.BLANK)));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(quake.snapshot().spawned()).isTrue();
        assertThat(other.game()).isEqualTo("quake3");
    }

    @Test
    @DisplayName("J19 who is in the air when the match is paused hangs there, and is not judged")
    void hangsInTheAirOfAPausedMatch() {
        arena.match().setPaused(network.now(), true);
        hover();
        assertThat(violations()).isEmpty();
        arena.match().setPaused(network.now(), false);
        hover();
        assertThat(violations()).contains(ViolationRule.AIR_TIME);
    }

    private void hover() {
        for (int i = 0; i < 150; i++) {
            mallory.hover((int) Math.round((512 + 8 * WEST) * 16), 1);
            network.run(SECOND / 30);
        }
    }

    @Test
    @DisplayName("J19 a pause of the match stops hits, not the players' connections")
    void hitsNobodyInAPause() {
        OperatorConsole console =
                new OperatorConsole(
                        arena,
                        new SharedArena(network.cycle(), arena, ArenaCatalog.FLAT, List.of()),
                        Bans.none(),
                        "");
        assertThat(console.execute(network.now(), console.author("test"), "pause"))
                .contains("paused");
        stand(NEAR);
        assertThat(victim.heard(AdminMessage.PauseGame.class)).hasSize(1);
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).isEmpty();
        assertThat(console.execute(network.now(), console.author("test"), "pause"))
                .doesNotContain("paused");
        fire(shot(RIFLE, WEST, NEAR, hit(victim, 1, 768)));
        assertThat(hits()).hasSize(1);
    }
}
