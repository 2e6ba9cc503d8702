package dev.wishdir.arena.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant.Ray;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Shots, explosions and missiles that the server decides, in virtual time. */
class ServerShotTest {
    private static final long MILLI = 1_000_000;
    private static final long STEP = 50 * MILLI;
    private static final Vitals WHOLE = new Vitals(100, 0, 0);
    private static final BodyBox BOX = new BodyBox(1, 2, 1.25);
    private static final Vec3 EYE = new Vec3(0, 0, 1.5);

    /** A wall at x from 20 to 21. */
    private static final CollisionSpace WALL =
            (from, to, _, _) -> {
                double a = (20 - from.x()) / (to.x() - from.x());
                double b = (21 - from.x()) / (to.x() - from.x());
                double first = Math.min(a, b);
                return from.x() == to.x() || first > 1 || Math.max(a, b) < 0
                        ? 1
                        : Math.max(0, first);
            };

    private static final Bounds BOUNDS = new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30));

    private static final SplashLaw TO_THE_BOX =
            new SplashLaw() {
                @Override
                public double distance(Vec3 explosion, BodyBox.Placed box) {
                    return box.distance(explosion);
                }

                @Override
                public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
                    return HitGeometry.isClear(WALL, explosion, box.centre());
                }
            };

    private final Arena arena = new Arena(new Level("test", BOUNDS), 20);
    private long now;

    private record Eye(int maxVisiblePlayers) implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private void play() {
        play(MatchRules.DEFAULT_REWIND);
    }

    private void play(Duration rewind) {
        play(MatchMode.FFA, rewind);
    }

    private void play(MatchMode mode, Duration rewind) {
        arena.setMatchRules(MatchRules.of(mode).withScoreLimit(0).withRewind(rewind));
    }

    private ArenaPlayer fighter(String name, double x) {
        return fighter(name, x, 64);
    }

    private ArenaPlayer fighter(String name, double x, int sees) {
        ArenaPlayer player = arena.join(now, "quake3", name, new Eye(sees));
        live(player, x);
        return player;
    }

    private void live(ArenaPlayer player, double x) {
        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(x, 0, 0), 0));
    }

    private void move(ArenaPlayer player, double x) {
        player.move(now, Movement.at(new Vec3(x, 0, 0), 0), NativeMovement.Stored.NONE);
    }

    private static Ray ray(double x, CollisionSpace space) {
        return new Ray(EYE, new Vec3(x, 0, 1.5), space);
    }

    private List<PlayerId> bodies(ArenaPlayer shooter, Ray ray, long rewind) {
        return shooter.combatant().trace(now, ray, BOX, rewind).bodies().stream()
                .map(ShotTrace.BodyHit::victim)
                .toList();
    }

    @Test
    void findsTheBodiesOnTheLineNearestFirst() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 12);
        ArenaPlayer eve = fighter("eve", 6);
        ShotTrace shot = anna.combatant().trace(now, ray(50, CollisionSpace.OPEN), BOX, 0);
        assertThat(shot.bodies())
                .extracting(ShotTrace.BodyHit::victim)
                .containsExactly(eve.id(), bob.id());
        assertThat(shot.first().orElseThrow().place()).isEqualTo(new Vec3(5.5, 0, 1.5));
        assertThat(shot.wall()).isFalse();
        assertThat(shot.end()).isEqualTo(new Vec3(50, 0, 1.5));
    }

    @Test
    @DisplayName("J7 a shot that the server decides hits no body behind a wall")
    void endsAtTheWall() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        fighter("bob", 25);
        ShotTrace shot = anna.combatant().trace(now, ray(50, WALL), BOX, 0);
        assertThat(shot.bodies()).isEmpty();
        assertThat(shot.wall()).isTrue();
        assertThat(shot.end()).isEqualTo(new Vec3(20, 0, 1.5));
    }

    @Test
    void aCrouchedBodyIsLower() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 6);
        bob.move(
                now,
                new Movement(
                        new Vec3(6, 0, 0),
                        0,
                        0,
                        Vec3.ZERO,
                        Stance.STANDING.with(Stance.Flag.CROUCHED)),
                NativeMovement.Stored.NONE);
        assertThat(bodies(anna, ray(50, CollisionSpace.OPEN), 0)).isEmpty();
    }

    /** The victim runs; the shot meets it where it was, as far back as the rules allow. */
    @Test
    void putsVictimsBackAsFarAsTheRulesAllow() {
        play(Duration.ofMillis(100));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 3);
        for (int i = 0; i <= 30; i++) {
            now += 10 * MILLI;
            move(bob, 3 + 0.1 * i);
        }
        Ray ray = ray(50, CollisionSpace.OPEN);
        assertThat(feet(anna, ray, 0)).isCloseTo(6, within(1e-9));
        assertThat(feet(anna, ray, 50 * MILLI)).isCloseTo(5.5, within(1e-9));
        assertThat(feet(anna, ray, 100 * MILLI)).isCloseTo(5, within(1e-9));
        assertThat(feet(anna, ray, 300 * MILLI)).as("no more").isCloseTo(5, within(1e-9));
        assertThat(feet(anna, ray, -300 * MILLI)).as("no future").isCloseTo(6, within(1e-9));
    }

    private double feet(ArenaPlayer shooter, Ray ray, long rewind) {
        return shooter.combatant()
                .trace(now, ray, BOX, rewind)
                .first()
                .orElseThrow()
                .box()
                .feet()
                .x();
    }

    @Test
    void refusesARewindOutOfRange() {
        assertThatThrownBy(() -> play(Duration.ofMillis(401)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 400 ms, is 401 ms");
        assertThatThrownBy(() -> play(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("J16 shots, explosions and missiles meet no body that the shooter is not shown")
    void meetsOnlyBodiesThatTheShooterIsShown() {
        play();
        ArenaPlayer anna = fighter("anna", 0, 0);
        ArenaPlayer bob = fighter("bob", 6);
        assertThat(bodies(anna, ray(50, CollisionSpace.OPEN), 0)).isEmpty();
        assertThat(splash(anna, new Vec3(6, 0, 1), 3)).isEmpty();
        Log log = new Log();
        launch(anna, log, straight(), 20);
        run(1_000, anna, bob);
        assertThat(log.impacts).isEmpty();
        assertThat(bodies(bob, new Ray(new Vec3(6, 0, 1), EYE, CollisionSpace.OPEN), 0))
                .containsExactly(anna.id());
    }

    @Test
    void meetsNoBodyThatCannotBeHit() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 6);
        Ray ray = ray(50, CollisionSpace.OPEN);
        arena.match().setPaused(now, true);
        assertThat(bodies(anna, ray, 0)).as("paused").isEmpty();
        arena.match().setPaused(now, false);
        bob.combatant().die(now);
        assertThat(bodies(anna, ray, 0)).as("dead").isEmpty();
        live(bob, 6);
        assertThat(bodies(anna, ray, 0)).hasSize(1);
        anna.leave(now, LeaveReason.LEFT);
        assertThat(bodies(anna, ray, 0)).as("of a player that left").isEmpty();
    }

    private List<PlayerId> splash(ArenaPlayer shooter, Vec3 place, double radius) {
        return shooter.combatant().splash(now, place, radius, BOX, TO_THE_BOX).stream()
                .map(SplashLaw.Reached::victim)
                .toList();
    }

    @Test
    void anExplosionReachesTheBodiesInSightAndItsOwner() {
        play();
        ArenaPlayer anna = fighter("anna", 17);
        ArenaPlayer bob = fighter("bob", 19);
        ArenaPlayer eve = fighter("eve", 22);
        Vec3 place = new Vec3(18, 0, 1);
        assertThat(splash(anna, place, 10)).containsExactly(anna.id(), bob.id());
        assertThat(splash(anna, place, 0.5)).as("the radius itself is out").isEmpty();
        assertThat(splash(anna, new Vec3(22, 0, 1), 0.2)).containsExactly(eve.id());
        SplashLaw.Reached reached = anna.combatant().splash(now, place, 10, BOX, TO_THE_BOX).get(1);
        assertThat(reached.distance()).isEqualTo(0.5);
        assertThat(reached.box().centre()).isEqualTo(new Vec3(19, 0, 1));
    }

    /** The part before a box is what trying ten thousand points finds. */
    @Test
    void entersBoxesWhereTryingPointsFindsIt() {
        Random random = new Random(1);
        int hits = 0;
        for (int run = 0; run < 1_500; run++) {
            BodyBox.Placed box = BOX.at(random(random), Stance.STANDING);
            Vec3 from = random(random);
            Vec3 to = random(random);
            double found = Double.POSITIVE_INFINITY;
            for (int i = 0; i <= 10_000 && found > 1; i++) {
                Vec3 at = from.plus(to.minus(from).times(i / 10_000.0));
                found = box.distance(at) == 0 ? i / 10_000.0 : found;
            }
            double entry = box.entry(from, to);
            if (found <= 1) {
                hits++;
                assertThat(entry).isCloseTo(found, within(2e-4));
            } else if (entry <= 1) {
                Vec3 inside = from.plus(to.minus(from).times(entry));
                assertThat(box.distance(inside)).isCloseTo(0, within(1e-9));
            }
        }
        assertThat(hits).isGreaterThan(20);
    }

    private static Vec3 random(Random random) {
        return new Vec3(
                random.nextDouble(-4, 4), random.nextDouble(-4, 4), random.nextDouble(-4, 4));
    }

    /** Random shooters, victims and walls: no trace goes behind a wall or beyond its rewind. */
    @Test
    void noTraceReachesBehindAWall() {
        play();
        Random random = new Random(2);
        ArenaPlayer anna = fighter("anna", 0);
        List<ArenaPlayer> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(fighter("p" + i, 5));
        }
        int hits = 0;
        for (int run = 0; run < 2_000; run++) {
            now += random.nextLong(1, 30 * MILLI);
            ArenaPlayer moved = others.get(random.nextInt(others.size()));
            move(moved, random.nextDouble(-40, 40));
            double x = random.nextDouble(-40, 40);
            Vec3 from = new Vec3(x, random.nextDouble(-1, 1), random.nextDouble(0, 2));
            Ray ray = new Ray(from, new Vec3(random.nextDouble(-40, 40), 0, 1), WALL);
            ShotTrace shot = anna.combatant().trace(now, ray, BOX, random.nextLong(400 * MILLI));
            double before = 0;
            for (ShotTrace.BodyHit hit : shot.bodies()) {
                hits++;
                assertThat(hit.part()).isBetween(before, 1.0);
                assertThat(hit.box().distance(hit.place())).isCloseTo(0, within(1e-6));
                assertThat(HitGeometry.free(WALL, from, hit.place())).isGreaterThan(1 - 1e-9);
                before = hit.part();
            }
        }
        assertThat(hits).isGreaterThan(500);
    }

    // Missiles

    private static final class Log implements Missile.Listener {
        final List<Missile.Impact> impacts = new ArrayList<>();
        final List<Long> times = new ArrayList<>();
        int removed;
        int bounces;

        @Override
        public Optional<MissileMotion.State> onImpact(
                long now, Missile missile, Missile.Impact impact) {
            impacts.add(impact);
            times.add(now);
            if (bounces-- > 0 && impact instanceof Missile.Impact.Wall(var state, var hit)) {
                return Optional.of(
                        new MissileMotion.State(
                                state.place().plus(hit.normal().times(0.03)),
                                MissileMotion.reflected(state.velocity(), hit.normal(), 0.65)));
            }
            return Optional.empty();
        }

        @Override
        public void onRemoved(long now, Missile missile) {
            removed++;
        }
    }

    private static MissileRules straight() {
        return rules(MissileMotion.parabola(0), WALL, 10_000, Long.MAX_VALUE);
    }

    private static MissileRules rules(
            MissileMotion motion, CollisionSpace space, int lifeMillis, long immune) {
        return new MissileRules(
                STEP, lifeMillis * MILLI, immune, 0, BOX, motion, WallTrace.of(space));
    }

    private Optional<Missile> launch(
            ArenaPlayer player, Missile.Listener log, MissileRules rules, double speed) {
        return launch(player, log, rules, new Vec3(speed, 0, 0));
    }

    private Optional<Missile> launch(
            ArenaPlayer player, Missile.Listener log, MissileRules rules, Vec3 velocity) {
        return player.combatant()
                .launch(
                        now,
                        rules,
                        new Missile.Launch(DamageMeans.ROCKET, EYE, velocity, now, now + STEP),
                        log);
    }

    private void run(int millis, ArenaPlayer... players) {
        for (int i = 0; i < millis / 10; i++) {
            now += 10 * MILLI;
            for (ArenaPlayer player : players) {
                player.recordActivity(now);
            }
            arena.advance(now);
        }
    }

    @Test
    void aMissileMeetsTheWall() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        Log log = new Log();
        Missile missile = launch(anna, log, straight(), 20).orElseThrow();
        run(900, anna);
        assertThat(missile.isThere()).isTrue();
        assertThat(missile.state().place().x()).isCloseTo(18, within(1e-9));
        run(200, anna);
        assertThat(log.impacts).hasSize(1);
        Missile.Impact.Wall wall = (Missile.Impact.Wall) log.impacts.getFirst();
        assertThat(wall.state().place().x()).isCloseTo(20, within(1e-6));
        assertThat(wall.hit().normal()).isEqualTo(new Vec3(-1, 0, 0));
        assertThat(missile.isThere()).isFalse();
        assertThat(log.removed).isZero();
    }

    @Test
    void aMissileMeetsTheFirstBodyButNotItsOwner() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        fighter("bob", 12);
        ArenaPlayer eve = fighter("eve", 6);
        Log log = new Log();
        launch(anna, log, straight(), 20);
        run(1_000, anna);
        assertThat(log.impacts).hasSize(1);
        Missile.Impact.Body body = (Missile.Impact.Body) log.impacts.getFirst();
        assertThat(body.victim()).isEqualTo(eve.id());
        assertThat(body.state().place().x()).isCloseTo(5.5, within(1e-9));
    }

    @Test
    void aMissileMeetsItsOwnerOnceThatIsNotImmune() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        Log log = new Log();
        MissileRules rules =
                rules(MissileMotion.parabola(10), CollisionSpace.OPEN, 10_000, 250 * MILLI);
        // At the top of its way it has no velocity, and falls all the same.
        launch(anna, log, rules, new Vec3(0, 0, 10));
        run(3_000, anna);
        assertThat(log.impacts).hasSize(1);
        assertThat(((Missile.Impact.Body) log.impacts.getFirst()).victim()).isEqualTo(anna.id());
        assertThat(log.times.getFirst()).isGreaterThan(1_500 * MILLI);
    }

    /** Before each step, but for one at the launch; also while it rests, until it is removed. */
    @Test
    void reportsEachStep() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        List<Long> places = new ArrayList<>();
        Missile.Listener log =
                new Missile.Listener() {
                    @Override
                    public void onStep(long time, Missile missile) {
                        places.add(Math.round(missile.state().place().x()));
                        if (places.size() == 6) {
                            missile.remove();
                        }
                    }

                    @Override
                    public Optional<MissileMotion.State> onImpact(
                            long time, Missile missile, Missile.Impact impact) {
                        return Optional.of(new MissileMotion.State(new Vec3(19, 0, 0), Vec3.ZERO));
                    }

                    @Override
                    public void onRemoved(long time, Missile missile) {}
                };
        double speed = 6e9 / STEP;
        anna.combatant()
                .launch(
                        now,
                        straight(),
                        new Missile.Launch(
                                DamageMeans.BFG, EYE, new Vec3(speed, 0, 0), now - STEP, now),
                        log);
        run(1_000, anna);
        assertThat(places).containsExactly(6L, 12L, 18L, 19L, 19L, 19L);
        assertThat(arena.match().missiles()).isEmpty();
    }

    @Test
    void aMissileBouncesRestsAndTimesOut() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        Log log = new Log();
        log.bounces = 1;
        Missile missile =
                launch(anna, log, rules(MissileMotion.parabola(0), WALL, 2_500, Long.MAX_VALUE), 20)
                        .orElseThrow();
        run(1_500, anna);
        assertThat(missile.state().velocity().x()).isCloseTo(-13, within(1e-6));
        run(1_500, anna);
        assertThat(log.impacts).hasSize(2);
        assertThat(log.impacts.get(1)).isInstanceOf(Missile.Impact.TimeOut.class);
        assertThat(log.times.get(1)).isEqualTo(2_500 * MILLI);
        assertThat(missile.isThere()).isFalse();
    }

    @Test
    @DisplayName("J22 a player that changes its team has no missile in the air any more")
    void removesTheMissilesOfAPlayerThatChangesItsTeam() {
        play(MatchMode.TEAM, Duration.ZERO);
        ArenaPlayer anna = fighter("anna", 0);
        Log log = new Log();
        Missile missile = launch(anna, log, straight(), 20).orElseThrow();
        ArenaPlayer bob = fighter("bob", 6);
        Missile other = launch(bob, new Log(), straight(), 20).orElseThrow();
        bob.leave(now, LeaveReason.LEFT);
        assertThat(anna.combatant().changeTeam(now, Team.BLUE)).isEmpty();
        assertThat(missile.isThere()).isFalse();
        assertThat(log.removed).isOne();
        assertThat(other.isThere()).as("of another player").isTrue();
    }

    @Test
    void aShotStopsAtATeammate() {
        play(MatchMode.TEAM, Duration.ZERO);
        ArenaPlayer anna = fighter("anna", 0);
        fighter("bob", 12);
        ArenaPlayer eve = fighter("eve", 6);
        assertThat(eve.combatant().team()).isEqualTo(anna.combatant().team());
        assertThat(bodies(anna, ray(50, CollisionSpace.OPEN), 0)).startsWith(eve.id());
    }

    /** Whatever the steps, a missile is where the parabola is. */
    @Test
    void fliesTheParabola() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        Random random = new Random(3);
        for (int run = 0; run < 50; run++) {
            Vec3 velocity =
                    new Vec3(
                            random.nextDouble(-30, 30),
                            random.nextDouble(-30, 30),
                            random.nextDouble(-30, 30));
            double gravity = random.nextDouble(30);
            Missile missile =
                    launch(
                                    anna,
                                    new Log(),
                                    rules(
                                            MissileMotion.parabola(gravity),
                                            CollisionSpace.OPEN,
                                            10_000,
                                            Long.MAX_VALUE),
                                    velocity)
                            .orElseThrow();
            int steps = random.nextInt(1, 20);
            run(steps * 50, anna);
            double t = steps * 0.05;
            Vec3 expected = EYE.plus(velocity.times(t)).minus(new Vec3(0, 0, gravity * t * t / 2));
            assertThat(missile.state().place().distance(expected)).isLessThan(1e-6);
            missile.remove();
        }
    }

    @Test
    void aMissileMayHaveStartedBefore() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        now = 1_000 * MILLI;
        Missile missile =
                anna.combatant()
                        .launch(
                                now,
                                straight(),
                                new Missile.Launch(
                                        DamageMeans.ROCKET,
                                        EYE,
                                        new Vec3(20, 0, 0),
                                        now - STEP,
                                        now + 30 * MILLI),
                                new Log())
                        .orElseThrow();
        run(30, anna);
        assertThat(missile.state().place().x()).isCloseTo(1.6, within(1e-9));
        run(50, anna);
        assertThat(missile.state().place().x()).isCloseTo(2.6, within(1e-9));
    }

    @Test
    void missilesOfTheDeadFlyOnAndHit() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 12);
        Log log = new Log();
        launch(anna, log, straight(), 20);
        anna.combatant().die(now);
        run(1_000, anna, bob);
        assertThat(log.impacts.getFirst()).isInstanceOf(Missile.Impact.Body.class);
        assertThat(
                        anna.combatant()
                                .hit(now, bob.id(), DamageMeans.ROCKET, 10, Vec3.ZERO, Vec3.ZERO))
                .isTrue();
    }

    @Test
    void missilesOfAPlayerThatLeftMeetOnlyWalls() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 12);
        Log log = new Log();
        launch(anna, log, straight(), 20);
        anna.leave(now, LeaveReason.LEFT);
        run(1_200, bob);
        assertThat(log.impacts).hasSize(1);
        assertThat(log.impacts.getFirst()).isInstanceOf(Missile.Impact.Wall.class);
        assertThat(launch(anna, log, straight(), 20)).isEmpty();
    }

    @Test
    void aNewRoundRemovesMissiles() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        Log log = new Log();
        Missile missile = launch(anna, log, straight(), 2).orElseThrow();
        run(100, anna);
        arena.match().begin(now);
        assertThat(missile.isThere()).isFalse();
        assertThat(log.removed).isEqualTo(1);
        run(500, anna);
        assertThat(log.impacts).isEmpty();
    }

    @Test
    void withoutAMatchThereAreNoMissiles() {
        ArenaPlayer anna = fighter("anna", 0);
        assertThat(launch(anna, new Log(), straight(), 20)).isEmpty();
    }

    @Test
    @DisplayName("J8 missiles whose numbers are not finite are not launched, or removed")
    void refusesNumbersThatAreNotFinite() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        assertThat(launch(anna, new Log(), straight(), Double.NaN)).isEmpty();
        Log log = new Log();
        MissileRules wild =
                rules(
                        (before, _) ->
                                new MissileMotion.State(
                                        before.place().times(1e200), before.velocity()),
                        CollisionSpace.OPEN,
                        10_000,
                        Long.MAX_VALUE);
        Missile missile = launch(anna, log, wild, 20).orElseThrow();
        run(1_000, anna);
        assertThat(missile.isThere()).isFalse();
        assertThat(log.removed).isEqualTo(1);
    }

    @Test
    @DisplayName("J20 missiles of one player and of all are limited")
    void limitsMissiles() {
        play();
        List<ArenaPlayer> players = new ArrayList<>();
        int launched = 0;
        for (int i = 0; i < 20; i++) {
            ArenaPlayer player = fighter("p" + i, -80 + i);
            players.add(player);
            int own = 0;
            while (launch(player, new Log(), straight(), 0.1).isPresent()) {
                own++;
            }
            assertThat(own).isEqualTo(Missiles.MAX_MISSILES_PER_PLAYER);
            launched += own;
        }
        assertThat(launched).isLessThanOrEqualTo(Missiles.MAX_MISSILES);
        run(10_500, players.toArray(ArenaPlayer[]::new));
        assertThat(launch(players.getFirst(), new Log(), straight(), 20))
                .as("room again after their lifetime")
                .isPresent();
    }

    /** A server that stood still for an hour does not fly its missiles for an hour at once. */
    @Test
    void doesNotCatchUpAfterAPause() {
        play();
        ArenaPlayer anna = fighter("anna", 0);
        int[] steps = {0};
        MissileRules counted =
                rules(
                        (before, seconds) -> {
                            steps[0]++;
                            return MissileMotion.parabola(0).after(before, seconds);
                        },
                        CollisionSpace.OPEN,
                        10_000,
                        Long.MAX_VALUE);
        launch(anna, new Log(), counted, 1);
        run(100, anna);
        int before = steps[0];
        now += 599_000 * MILLI;
        anna.recordActivity(now);
        arena.advance(now);
        assertThat(steps[0] - before).isLessThan(15);
    }

    @Test
    void refusesRulesOutOfRange() {
        assertThatThrownBy(() -> rules(MissileMotion.parabola(0), WALL, 60_001, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 60 s");
        assertThatThrownBy(() ->
                        new MissileRules(
                                1, 1, 1, 0, BOX, MissileMotion.parabola(0), WallTrace.of(WALL)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 10 ms");
    }

    @Test
    void findsTheSurfaceOfASpace() {
        CollisionSpace room =
                CollisionSpace.within(new Bounds(new Vec3(-5, -5, 0), new Vec3(5, 5, 9)));
        WallTrace walls = WallTrace.of(room);
        assertThat(walls.trace(new Vec3(0, 0, 3), new Vec3(2, 1, -3)).orElseThrow().normal())
                .isEqualTo(new Vec3(0, 0, 1));
        assertThat(walls.trace(new Vec3(0, 0, 3), new Vec3(2, -9, 3)).orElseThrow().normal())
                .isEqualTo(new Vec3(0, 1, 0));
        assertThat(walls.trace(new Vec3(0, 0, 3), new Vec3(2, 1, 3))).isEmpty();
    }
}
