package dev.wishdir.arena.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.StraightFlight;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Lives, hits and rounds of a match, in virtual time. */
class MatchTest {
    private static final long SECOND = 1_000_000_000;
    private static final BodyDimensions BODY = new BodyDimensions("test", 1, 2, 0.5, 1);
    private static final Vitals WHOLE = new Vitals(100, 0, 0);

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

    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30)));

    private final Arena arena = new Arena(LEVEL, 20);
    private final List<String> events = new ArrayList<>();
    private final List<ArenaEvent> all = new ArrayList<>();
    private long now;

    /** Shows at most so many others. */
    private record Eye(int most, List<ArenaEvent> seen) implements Viewer {
        Eye() {
            this(64, new ArrayList<>());
        }

        @Override
        public int maxVisiblePlayers() {
            return most;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            seen.add(event);
        }

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private void play(MatchRules rules) {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            all.add(event);
            switch (event) {
                case ArenaEvent.Hit e ->
                        events.add(
                                e.attacker().name()
                                        + " hits "
                                        + e.player().name()
                                        + " "
                                        + e.vitals().health());
                case ArenaEvent.Died e ->
                        events.add(e.killer().name() + " kills " + e.player().name());
                case ArenaEvent.Scored e ->
                        events.add(
                                e.player().name()
                                        + " "
                                        + e.score().frags()
                                        + "/"
                                        + e.score().deaths());
                case ArenaEvent.Despawned e -> events.add("no body " + e.player().name());
                case ArenaEvent.RoundStarted _ -> events.add("start");
                case ArenaEvent.RoundEnded e ->
                        events.add(
                                "end "
                                        + e.reason()
                                        + e.winner().map(it -> " " + it.name()).orElse(""));
                default -> {}
            }
        });
    }

    private static MatchRules rules(int seconds, int frags, int warmUp, int intermission) {
        return MatchRules.of(MatchMode.FFA)
                .withTimes(
                        Duration.ofSeconds(seconds),
                        Duration.ofSeconds(warmUp),
                        Duration.ofSeconds(intermission))
                .withScoreLimit(frags);
    }

    private ArenaPlayer join(String name) {
        return arena.join(now, "sauerbraten", name, new Eye());
    }

    private void live(ArenaPlayer player, double x) {
        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(x, 0, 0), 0));
    }

    private ArenaPlayer fighter(String name, double x) {
        ArenaPlayer player = join(name);
        live(player, x);
        return player;
    }

    private boolean hit(ArenaPlayer attacker, ArenaPlayer victim, double damage) {
        return attacker.combatant()
                .hit(now, victim.id(), DamageMeans.RIFLE, damage, Vec3.ZERO, Vec3.ZERO);
    }

    private void pass(double seconds) {
        long end = now + (long) (seconds * SECOND);
        while (now < end) {
            now = Math.min(end, now + SECOND / 10);
            arena.advance(now);
            arena.players().stream()
                    .map(it -> arena.player(it.id()).orElseThrow())
                    .forEach(it -> it.recordActivity(now));
        }
    }

    @Test
    void hurtsAndKillsInOrder() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        events.clear();
        assertThat(hit(anna, bob, 60)).isTrue();
        assertThat(hit(anna, bob, 60)).isTrue();
        assertThat(hit(anna, bob, 60)).as("a dead body").isFalse();
        assertThat(events)
                .containsExactly(
                        "anna hits bob 40.0",
                        "anna hits bob -20.0",
                        "anna kills bob",
                        "anna 1/0",
                        "bob 0/1",
                        "no body bob");
        assertThat(bob.combatant().isAlive()).isFalse();
        assertThat(bob.snapshot().spawned()).isFalse();
        assertThat(arena.match().standings())
                .extracting(it -> it.player().name() + it.score().frags())
                .containsExactly("anna1", "bob0");
    }

    @Test
    void notifiesTheVictimsOwnViewer() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        Eye eye = new Eye();
        ArenaPlayer bob = arena.join(now, "sauerbraten", "bob", eye);
        live(bob, 5);
        hit(anna, bob, 100);
        assertThat(eye.seen()).anyMatch(ArenaEvent.Hit.class::isInstance);
        assertThat(eye.seen()).anyMatch(ArenaEvent.Died.class::isInstance);
    }

    @Test
    void armourTakesItsShareByItsGamesRule() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        bob.combatant()
                .beginLife(
                        now,
                        new Vitals(100, 20, 0.5),
                        (damage, vitals) -> Math.floor(damage * vitals.absorption()));
        hit(anna, bob, 25);
        assertThat(bob.combatant().vitals()).isEqualTo(new Vitals(87, 8, 0.5));
        hit(anna, bob, 25);
        assertThat(bob.combatant().vitals()).isEqualTo(new Vitals(70, 0, 0.5));
    }

    @Test
    void anArmourRuleCanNeitherHealNorOwe() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        bob.combatant().beginLife(now, new Vitals(100, 20, 0.5), (_, _) -> 1000);
        hit(anna, bob, 25);
        assertThat(bob.combatant().vitals()).isEqualTo(new Vitals(95, 0, 0.5));
        bob.combatant().beginLife(now, new Vitals(100, 20, 0.5), (_, _) -> -50);
        hit(anna, bob, 25);
        assertThat(bob.combatant().vitals()).isEqualTo(new Vitals(75, 20, 0.5));
    }

    @Test
    void aFactorScalesTheDamageOfAGame() {
        play(MatchRules.of(MatchMode.FFA).withDamageFactors(Map.of("sauerbraten", 0.4)));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        ArenaPlayer carol = arena.join(now, "quake3", "carol", new Eye());
        live(carol, 8);
        hit(anna, bob, 100);
        assertThat(bob.combatant().vitals().health()).isEqualTo(60);
        hit(carol, bob, 50);
        assertThat(bob.combatant().vitals().health()).isEqualTo(10);
    }

    @Test
    void aFactorDoesNotScaleWhatTheLevelDoes() {
        play(MatchRules.of(MatchMode.FFA).withDamageFactors(Map.of("sauerbraten", 0.4)));
        ArenaPlayer anna = fighter("anna", 0);
        anna.combatant().hit(now, anna.id(), DamageMeans.SUICIDE, 30, Vec3.ZERO, Vec3.ZERO);
        assertThat(anna.combatant().vitals().health()).isEqualTo(70);
        anna.combatant().hit(now, anna.id(), DamageMeans.ROCKET, 30, Vec3.ZERO, Vec3.ZERO);
        assertThat(anna.combatant().vitals().health()).isEqualTo(58);
    }

    @Test
    void ownDeathCostsAFrag() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        anna.combatant().die(now);
        assertThat(anna.combatant().score()).isEqualTo(new Score(-1, 1));
        anna.combatant().die(now);
        assertThat(anna.combatant().score()).isEqualTo(new Score(-1, 1));
        live(anna, 0);
        assertThat(hit(anna, anna, 200)).as("by its own rocket").isTrue();
        assertThat(anna.combatant().score()).isEqualTo(new Score(-2, 2));
    }

    private boolean push(ArenaPlayer attacker, ArenaPlayer victim, double damage, Vec3 push) {
        return attacker.combatant()
                .hit(now, victim.id(), DamageMeans.MACHINE_GUN, damage, push, Vec3.ZERO);
    }

    @Test
    void pushesWithoutDamage() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        Vitals vitals = new Vitals(80, 20, 0.5);
        bob.combatant().beginLife(now, vitals, (damage, _) -> damage + 1);
        assertThat(push(anna, bob, 0, new Vec3(8, 0, 8))).isTrue();
        assertThat(bob.combatant().vitals()).isEqualTo(vitals);
        assertThat(all)
                .filteredOn(ArenaEvent.Hit.class::isInstance)
                .singleElement()
                .satisfies(it -> {
                    ArenaEvent.Hit hit = (ArenaEvent.Hit) it;
                    assertThat(hit.damage()).isZero();
                    assertThat(hit.knockback()).isEqualTo(new Vec3(8, 0, 8));
                    assertThat(hit.vitals()).isEqualTo(vitals);
                });
        assertThat(push(anna, bob, 0, Vec3.ZERO)).as("neither damage nor a push").isFalse();
        assertThat(push(anna, bob, -0.0, new Vec3(8, 0, 8))).isFalse();
        assertThat(push(anna, bob, 0, new Vec3(Double.NaN, 0, 0))).isFalse();
        assertThat(push(anna, bob, 0, new Vec3(0, 0, 1e6))).isFalse();
    }

    @Test
    void sendsTheDamageAfterCongestionNotTheLaterPush() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        List<ArenaEvent> seen = new ArrayList<>();
        boolean[] isCongested = {false};
        ArenaPlayer bob =
                arena.join(
                        now,
                        "sauerbraten",
                        "bob",
                        new Viewer() {
                            @Override
                            public boolean isCongested() {
                                return isCongested[0];
                            }

                            @Override
                            public void onEvent(ArenaEvent event) {
                                seen.add(event);
                            }

                            @Override
                            public void onMovement(List<Player> movers) {}
                        });
        live(bob, 5);
        isCongested[0] = true;
        hit(anna, bob, 30);
        push(anna, bob, 0, new Vec3(8, 0, 8));
        pass(0.5);
        assertThat(seen).noneMatch(ArenaEvent.Hit.class::isInstance);
        isCongested[0] = false;
        pass(0.5);
        assertThat(seen)
                .filteredOn(ArenaEvent.Hit.class::isInstance)
                .singleElement()
                .satisfies(it -> assertThat(((ArenaEvent.Hit) it).damage()).isEqualTo(30));
    }

    @Test
    void aPushDoesNotKillInInstagib() {
        play(MatchRules.of(MatchMode.INSTA));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        assertThat(push(anna, bob, 0, new Vec3(8, 0, 8))).isTrue();
        assertThat(bob.combatant().isAlive()).isTrue();
        assertThat(push(anna, bob, 1, new Vec3(8, 0, 8))).isTrue();
        assertThat(bob.combatant().isAlive()).isFalse();
    }

    @Test
    @DisplayName("J8 numbers that are none, negative or without end hurt nobody")
    void refusesHostileNumbers() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        for (double damage :
                new double[] {
                    -5, 0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e9
                }) {
            assertThat(hit(anna, bob, damage)).as("%s", damage).isFalse();
        }
        for (Vec3 wrong :
                List.of(
                        new Vec3(Double.NaN, 0, 0),
                        new Vec3(0, Double.POSITIVE_INFINITY, 0),
                        new Vec3(0, 0, 1e6))) {
            assertThat(anna.combatant().hit(now, bob.id(), DamageMeans.RIFLE, 10, wrong, Vec3.ZERO))
                    .isFalse();
        }
        assertThat(
                        anna.combatant()
                                .hit(
                                        now,
                                        bob.id(),
                                        DamageMeans.RIFLE,
                                        10,
                                        Vec3.ZERO,
                                        new Vec3(Double.NaN, 0, 0)))
                .isFalse();
        assertThat(hit(anna, bob, 10)).isTrue();
        assertThat(bob.combatant().vitals().health()).isEqualTo(90);
        assertThatThrownBy(() -> new Vitals(Double.NaN, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Vitals(1, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Vitals(1, 1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hitsNobodyWithoutALifeOrABody() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer other = arena.join(now, "quake3", "other", new Eye());
        other.spawn(now, Movement.at(new Vec3(3, 0, 0), 0));
        assertThat(hit(anna, other, 10)).as("its game has no fights").isFalse();
        ArenaPlayer unborn = join("unborn");
        unborn.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
        assertThat(hit(anna, unborn, 10)).as("no body yet").isFalse();
        ArenaPlayer watching = fighter("watching", 7);
        watching.despawn(now);
        assertThat(hit(anna, watching, 10)).as("a spectator").isFalse();
        ArenaPlayer mirrored = arena.mirror(now, new PlayerId(7, 1), "sauerbraten", "far");
        live(mirrored, 4);
        assertThat(hit(anna, mirrored, 10)).as("of another server").isFalse();
        assertThat(
                        anna.combatant()
                                .hit(
                                        now,
                                        new PlayerId(0, 99),
                                        DamageMeans.MELEE,
                                        10,
                                        Vec3.ZERO,
                                        Vec3.ZERO))
                .as("unknown")
                .isFalse();
    }

    @Test
    @DisplayName("J16 a player hits nobody that it was never shown")
    void hitsOnlyThoseThatItIsShown() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer near = fighter("near", 1);
        ArenaPlayer far = fighter("far", 60);
        ArenaPlayer blind = arena.join(now, "sauerbraten", "blind", new Eye(1, new ArrayList<>()));
        live(blind, 0);
        List<Player> shown = blind.visiblePlayers();
        assertThat(shown).hasSize(1);
        for (ArenaPlayer victim : List.of(near, far)) {
            boolean isShown = shown.getFirst().id().equals(victim.id());
            assertThat(hit(blind, victim, 10)).isEqualTo(isShown);
        }
    }

    @Test
    void theOneThatLeftKillsNobodyAndIsNotKilled() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        ArenaPlayer carol = fighter("carol", 9);
        hit(anna, bob, 100);
        bob.leave(now, LeaveReason.LEFT);
        assertThat(arena.match().score(bob.id())).isEqualTo(Score.ZERO);
        assertThat(hit(carol, bob, 10)).isFalse();
        carol.leave(now, LeaveReason.LEFT);
        assertThat(hit(carol, anna, 10)).as("its missile is still in the air").isFalse();
        assertThat(anna.combatant().score()).isEqualTo(new Score(1, 0));
    }

    @Test
    @DisplayName("J14 a score survives a reconnect, and a farmed one is none")
    void keepsTheScoreOfOneThatComesBack() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        bob.combatant().die(now);
        bob.leave(now, LeaveReason.LEFT);
        events.clear();
        ArenaPlayer again = join("bob");
        assertThat(again.combatant().score()).isEqualTo(new Score(-1, 1));
        assertThat(events).containsExactly("bob -1/1");
        assertThat(anna.combatant().score()).isEqualTo(Score.ZERO);
        again.leave(now, LeaveReason.LEFT);
        assertThat(join("other").combatant().score()).isEqualTo(Score.ZERO);
    }

    @Test
    void playsRoundAfterRound() {
        play(rules(60, 0, 10, 5));
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.IDLE);
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.WARM_UP);
        assertThat(hit(anna, bob, 100)).isTrue();
        assertThat(anna.combatant().score()).as("no scores in the warm-up").isEqualTo(Score.ZERO);
        pass(10.2);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(arena.match().timeLeft(now).orElseThrow().toSeconds()).isEqualTo(59);
        assertThat(anna.combatant().isAlive()).as("all spawn again").isFalse();
        live(anna, 0);
        live(bob, 5);
        hit(anna, bob, 100);
        pass(60.1);
        assertThat(events).contains("end time-limit anna");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        live(bob, 5);
        assertThat(hit(anna, bob, 10)).as("nobody is hit").isFalse();
        assertThat(anna.combatant().score().frags()).as("the board stays").isOne();
        pass(5.2);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.WARM_UP);
        assertThat(anna.combatant().score()).isEqualTo(Score.ZERO);
    }

    @Test
    void endsAtTheScoreLimit() {
        play(rules(600, 2, 0, 5));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        hit(anna, bob, 100);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        live(bob, 5);
        hit(anna, bob, 100);
        assertThat(events).endsWith("anna 2/0", "bob 0/2", "no body bob", "end score-limit anna");
        pass(5.2);
        assertThat(events).endsWith("anna 0/0", "bob 0/0", "start");
    }

    @Test
    void aPauseStopsTimeAndHits() {
        play(rules(60, 0, 0, 5));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        pass(10);
        assertThat(arena.match().setPaused(now, true)).isTrue();
        assertThat(hit(anna, bob, 10)).isFalse();
        pass(100);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(arena.match().timeLeft(now).orElseThrow()).isEqualTo(Duration.ofSeconds(50));
        assertThat(arena.match().setPaused(now, false)).isTrue();
        assertThat(hit(anna, bob, 10)).isTrue();
        pass(49);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        pass(1.2);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
    }

    @Test
    void isIdleWithoutPlayers() {
        play(rules(60, 0, 0, 5));
        ArenaPlayer anna = fighter("anna", 0);
        anna.leave(now, LeaveReason.LEFT);
        assertThat(events).endsWith("end abandoned");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.IDLE);
        now += 3600 * SECOND;
        arena.advance(now);
        fighter("bob", 0);
        assertThat(events).endsWith("start");
        assertThat(arena.match().timeLeft(now)).contains(Duration.ofSeconds(60));
    }

    @Test
    void anOperatorBeginsAgain() {
        play(rules(60, 0, 0, 5));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        hit(anna, bob, 100);
        events.clear();
        arena.match().begin(now);
        assertThat(events).containsExactly("end restarted", "anna 0/0", "bob 0/0", "start");
    }

    @Test
    void theRotationDecidesWhenTheNextRoundBegins() {
        play(rules(60, 0, 0, 5));
        List<Long> asked = new ArrayList<>();
        arena.match().setRotation(asked::add);
        fighter("anna", 0);
        pass(66);
        assertThat(asked).hasSize(1);
        pass(60);
        assertThat(asked).hasSize(1);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        arena.match().begin(now);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
    }

    @Test
    void withoutAMatchNobodyIsHit() {
        play(MatchRules.NONE);
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 5);
        assertThat(hit(anna, bob, 10)).isFalse();
        assertThat(bob.combatant().isAlive()).isFalse();
        arena.match().begin(now);
        assertThat(arena.match().setPaused(now, true)).isFalse();
        pass(10_000);
        assertThat(events).isEmpty();
    }

    @Test
    void refusesRulesOutOfRange() {
        assertThatThrownBy(() -> rules(-1, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rules(0, -1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rules(0, 0, 100_000, 0))
                .isInstanceOf(IllegalArgumentException.class);
        for (double factor : new double[] {0, -1, Double.NaN, 1000}) {
            assertThatThrownBy(() ->
                            MatchRules.of(MatchMode.FFA)
                                    .withDamageFactors(Map.of("quake3", factor)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        fighter("anna", 0);
        assertThatThrownBy(() -> arena.setMatchRules(rules(1, 0, 0, 0)))
                .isInstanceOf(IllegalStateException.class);
    }

    private Optional<ShotViolation> ray(
            ArenaPlayer shooter, ArenaPlayer victim, Vec3 from, Vec3 to, CollisionSpace space) {
        return shooter.combatant()
                .checkRay(now, victim.id(), new Combatant.Ray(from, to, space), BODY, 0);
    }

    @Test
    @DisplayName("J7 a hit counts where the victim was within 300 ms, not where it was before")
    void judgesAHitByThePathOfItsVictim() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 10);
        Vec3 eye = new Vec3(0, 0, 1.7);
        for (int i = 0; i < 100; i++) {
            now += SECOND / 100;
            bob.move(now, Movement.at(new Vec3(10, i * 0.1, 0), 0), NativeMovement.Stored.NONE);
        }
        // It is at y = 9.9, and was at 6.9 three tenths of a second ago.
        assertThat(ray(anna, bob, eye, new Vec3(10, 9.9, 1), CollisionSpace.OPEN)).isEmpty();
        assertThat(ray(anna, bob, eye, new Vec3(10, 7, 1), CollisionSpace.OPEN)).isEmpty();
        ShotViolation before =
                ray(anna, bob, eye, new Vec3(10, 5.2, 1), CollisionSpace.OPEN).orElseThrow();
        assertThat(before.rule()).isEqualTo(ViolationRule.HIT_DISTANCE);
        assertThat(before.measured()).isGreaterThan(before.allowed());
        assertThat(before.allowed()).isEqualTo(0.5);
        anna.setPing(150);
        assertThat(ray(anna, bob, eye, new Vec3(10, 5.7, 1), CollisionSpace.OPEN))
                .as("its packets take 150 ms longer")
                .isEmpty();
        anna.setPing(9999);
        assertThat(ray(anna, bob, eye, new Vec3(10, 2, 1), CollisionSpace.OPEN))
                .as("whatever round trip it claims")
                .isPresent();
    }

    @Test
    @DisplayName("J7 a victim behind a wall for longer than the window is never hit")
    void hitsNobodyBehindAWall() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 15);
        Vec3 eye = new Vec3(0, 0, 1.7);
        assertThat(ray(anna, bob, eye, new Vec3(15, 0, 1), WALL)).isEmpty();
        for (int i = 1; i <= 100; i++) {
            now += SECOND / 100;
            bob.move(now, Movement.at(new Vec3(15 + i * 0.1, 0, 0), 0), NativeMovement.Stored.NONE);
        }
        Optional<ShotViolation> through = ray(anna, bob, eye, new Vec3(25, 0, 1), WALL);
        assertThat(through).map(ShotViolation::rule).contains(ViolationRule.SHOT_THROUGH_SOLID);
        assertThat(ray(anna, bob, eye, new Vec3(25, 0, 1), CollisionSpace.OPEN)).isEmpty();
    }

    @Test
    @DisplayName("J5 a shot begins at its player, on its side of a wall")
    void judgesWhereAShotBegins() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 19);
        assertThat(anna.combatant().checkOrigin(now, new Vec3(19, 0, 1.7), 1.7, 20, WALL))
                .isEmpty();
        assertThat(anna.combatant().checkOrigin(now, new Vec3(19, 2.5, 1.7), 1.7, 20, WALL))
                .as("it moved since")
                .isEmpty();
        assertThat(
                        anna.combatant()
                                .checkOrigin(now, new Vec3(19, 30, 1.7), 1.7, 20, WALL)
                                .orElseThrow()
                                .rule())
                .isEqualTo(ViolationRule.SHOT_ORIGIN);
        assertThat(
                        anna.combatant()
                                .checkOrigin(now, new Vec3(21.5, 0, 1.7), 1.7, 20, WALL)
                                .orElseThrow()
                                .rule())
                .isEqualTo(ViolationRule.SHOT_THROUGH_SOLID);
        assertThat(anna.combatant().checkOrigin(now, new Vec3(Double.NaN, 0, 0), 1.7, 20, WALL))
                .isPresent();
    }

    @Test
    @DisplayName("J6 a projectile explodes on its way, not beyond the wall")
    void judgesAProjectileByItsFlight() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer bob = fighter("bob", 15);
        ArenaPlayer carol = fighter("carol", 25);
        Combatant.Ray ray = new Combatant.Ray(new Vec3(0, 0, 1.7), new Vec3(40, 0, 1.7), WALL);
        assertThat(blast(anna, bob, StraightFlight.between(ray, 0, 40), 0, WALL)).isEmpty();
        assertThat(blast(anna, bob, StraightFlight.between(ray, 0, 5), 2, WALL))
                .as("it has not come so far")
                .isPresent();
        ShotViolation beyond =
                blast(anna, carol, StraightFlight.between(ray, 0, 40), 0, WALL).orElseThrow();
        assertThat(beyond.rule()).isEqualTo(ViolationRule.HIT_DISTANCE);
        assertThat(beyond.measured()).isCloseTo(4.75, within(0.1));
    }

    @Test
    @DisplayName("J6 a projectile passes an edge that it meets by a rounded place")
    void judgesAProjectileThatPassesAnEdge() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer carol = fighter("carol", 25);
        CollisionSpace edge =
                (from, to, width, height) -> from.y() < 0 ? 1 : WALL.free(from, to, width, height);
        for (double beside : new double[] {0.005, 0.5}) {
            Combatant.Ray ray =
                    new Combatant.Ray(new Vec3(0, beside, 1.7), new Vec3(40, beside, 1.7), edge);
            assertThat(blast(anna, carol, StraightFlight.between(ray, 0, 40), 0, edge).isPresent())
                    .isEqualTo(beside > 0.1);
        }
    }

    @Test
    @DisplayName("J6 an explosion on one side of a wall hurts nobody on the other side")
    void judgesAnExplosionByTheWallsAroundIt() {
        play(rules(600, 0, 0, 10));
        ArenaPlayer anna = fighter("anna", 0);
        ArenaPlayer carol = fighter("carol", 21.5);
        Combatant.Ray ray = new Combatant.Ray(new Vec3(0, 0, 1.7), new Vec3(40, 0, 1.7), WALL);
        assertThat(blast(anna, carol, StraightFlight.between(ray, 0, 40), 4, CollisionSpace.OPEN))
                .isEmpty();
        assertThat(blast(anna, carol, StraightFlight.between(ray, 0, 40), 4, WALL))
                .map(ShotViolation::rule)
                .contains(ViolationRule.SHOT_THROUGH_SOLID);
    }

    private Optional<ShotViolation> blast(
            ArenaPlayer by,
            ArenaPlayer victim,
            List<Combatant.Blast> places,
            double distance,
            CollisionSpace space) {
        return by.combatant().checkBlast(now, victim.id(), places, BODY, distance, space);
    }

    @Test
    void reportsAViolationOnceASecondAndKicksOnlyForMany() {
        play(rules(600, 0, 0, 10));
        arena.setCheatPolicy(CheatPolicy.KICK);
        ArenaPlayer anna = fighter("anna", 0);
        ShotViolation wrong = new ShotViolation(ViolationRule.HIT_DISTANCE, 3, 0.5, 0.5);
        List<ArenaEvent> kicks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            anna.combatant().report(now, wrong);
        }
        assertThat(all).filteredOn(ArenaEvent.MovementViolation.class::isInstance).hasSize(1);
        arena.addListener(kicks::add);
        for (int i = 0; i < 8; i++) {
            anna.combatant().report(now, wrong);
        }
        assertThat(kicks)
                .anySatisfy(it -> {
                    assertThat(it).isInstanceOf(ArenaEvent.KickRequested.class);
                    assertThat(((ArenaEvent.KickRequested) it).reason().code())
                            .isEqualTo(LeaveReason.Code.SHOT_VIOLATION);
                });
    }

    /** Whatever happens in whatever order, each kill is one death, and health explains each. */
    @Test
    @DisplayName("J15 kills, deaths and scores add up whatever players do")
    void addsUpWhateverHappens() {
        for (int run = 0; run < 150; run++) {
            addsUp(new Random(run));
        }
    }

    private static void addsUp(Random random) {
        Arena arena = new Arena(LEVEL, 20);
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(random.nextInt(3)),
                                Duration.ofSeconds(2))
                        .withScoreLimit(random.nextInt(8)));
        Map<PlayerId, Score> expected = new HashMap<>();
        Map<PlayerId, Score> reported = new HashMap<>();
        Map<PlayerId, Double> health = new HashMap<>();
        arena.addListener(event -> {
            boolean counts = arena.match().phase() == Match.Phase.PLAYING;
            switch (event) {
                case ArenaEvent.Hit e -> {
                    assertThat(e.vitals().health())
                            .isEqualTo(health.getOrDefault(e.id(), 100.0) - e.damage());
                    health.put(e.id(), e.vitals().health());
                }
                case ArenaEvent.Died e -> {
                    health.remove(e.id());
                    if (counts) {
                        expected.merge(e.id(), new Score(0, 1), (a, _) -> a.plus(0, 1));
                        int frags = e.killer().id().equals(e.id()) ? -1 : 1;
                        expected.merge(
                                e.killer().id(), new Score(frags, 0), (a, _) -> a.plus(frags, 0));
                    }
                }
                case ArenaEvent.Scored e -> reported.put(e.id(), e.score());
                case ArenaEvent.RoundStarted _ -> {
                    expected.clear();
                    reported.clear();
                    health.clear();
                }
                default -> {}
            }
        });
        List<ArenaPlayer> players = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 400; step++) {
            now += random.nextLong(SECOND / 4);
            arena.advance(now);
            if (players.size() < 3 || random.nextInt(40) == 0 && players.size() < 10) {
                players.add(arena.join(now, "sauerbraten", "p" + step, new Eye()));
            }
            ArenaPlayer player = players.get(random.nextInt(players.size()));
            ArenaPlayer other = players.get(random.nextInt(players.size()));
            player.recordActivity(now);
            switch (random.nextInt(12)) {
                case 0 -> player.combatant().die(now);
                case 1 -> {
                    if (random.nextInt(4) == 0) {
                        player.leave(now, LeaveReason.LEFT);
                        players.remove(player);
                        expected.remove(player.id());
                        reported.remove(player.id());
                    }
                }
                case 2 -> player.despawn(now);
                case 3, 4, 5 -> {
                    if (!player.combatant().isAlive()) {
                        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
                        health.put(player.id(), 100.0);
                        player.spawn(now, Movement.at(new Vec3(random.nextInt(9), 0, 0), 0));
                    }
                }
                default ->
                        player.combatant()
                                .hit(
                                        now,
                                        other.id(),
                                        DamageMeans.ROCKET,
                                        random.nextInt(1, 120),
                                        Vec3.ZERO,
                                        Vec3.ZERO);
            }
            for (ArenaPlayer each : players) {
                Score score = each.combatant().score();
                if (arena.match().phase() == Match.Phase.PLAYING) {
                    assertThat(score).isEqualTo(expected.getOrDefault(each.id(), Score.ZERO));
                    assertThat(score).isEqualTo(reported.getOrDefault(each.id(), Score.ZERO));
                }
                assertThat(each.combatant().isAlive())
                        .isEqualTo(each.combatant().vitals().health() > 0);
            }
        }
    }

    @Test
    @DisplayName("J27 a player that only watches wins no round, and keeps none going")
    void endsRoundsWithoutWatchers() {
        play(rules(60, 0, 0, 5));
        ArenaPlayer watcher = fighter("watcher", 0);
        assertThat(events).containsExactly("start");
        watcher.combatant().setWatching(now, true);
        watcher.despawn(now);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.IDLE);
        pass(100);
        assertThat(events).contains("end abandoned").filteredOn("start"::equals).hasSize(1);

        ArenaPlayer player = fighter("player", 5);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        ArenaPlayer victim = fighter("victim", 8);
        hit(player, victim, 100);
        assertThat(arena.match().standings())
                .extracting(it -> it.player().name())
                .containsExactly("player", "victim");
        victim.leave(now, LeaveReason.LEFT);
        pass(60);
        assertThat(events).contains("end time-limit player");

        events.clear();
        pass(6);
        player.leave(now, LeaveReason.LEFT);
        assertThat(events).contains("start", "end abandoned");
        watcher.combatant().setWatching(now, false);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
    }

    @Test
    void namesNoWinnerWithoutAFrag() {
        play(rules(60, 0, 0, 5));
        ArenaPlayer only = fighter("only", 0);
        pass(60);
        assertThat(events).endsWith("end time-limit");
        ArenaPlayer other = join("other");
        pass(6);
        live(other, 5);
        other.combatant().die(now);
        assertThat(arena.match().standings())
                .extracting(it -> it.player().name() + it.score().frags())
                .containsExactly("only0", "other-1");
        pass(60);
        assertThat(events).filteredOn(it -> it.startsWith("end")).containsOnly("end time-limit");
        assertThat(only.combatant().score()).isEqualTo(Score.ZERO);
        assertThat(
                        all.stream()
                                .filter(ArenaEvent.Announcement.class::isInstance)
                                .map(it -> ((ArenaEvent.Announcement) it).text()))
                .filteredOn(it -> it.contains("winner"))
                .containsExactly(
                        "The round ends without a winner.", "The round ends without a winner.");
    }
}
