package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Claims of clients that a server receives late, as its own loop was late. */
class LateClaimsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final BodyDimensions BODY = new BodyDimensions("test", 1, 2, 0.5, 1);
    private static final double EYE = 1.7;
    private static final double SPEED = 10;

    private final Arena arena =
            new Arena(
                    new Level("test", new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30))), 4);
    private long now;
    private final ArenaPlayer anna;
    private final ArenaPlayer bob;

    private ArenaPlayer fighter(String name, double x) {
        ArenaPlayer player =
                arena.join(
                        now,
                        "sauerbraten",
                        name,
                        new Viewer() {
                            @Override
                            public void onEvent(ArenaEvent event) {}

                            @Override
                            public void onMovement(List<Player> movers) {}
                        });
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(x, 0, 0), 0));
        return player;
    }

    /** Both walk to the north for two seconds. */
    LateClaimsTest() {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        anna = fighter("anna", 0);
        bob = fighter("bob", 15);
        for (int step = 1; step <= 200; step++) {
            now += 10 * MILLI;
            anna.move(now, Movement.at(at(0, 0), 0), NativeMovement.Stored.NONE);
            bob.move(now, Movement.at(at(15, 0), 0), NativeMovement.Stored.NONE);
        }
    }

    /** Where a body was some time ago. */
    private Vec3 at(double x, long millisAgo) {
        return new Vec3(x, SPEED * (now - millisAgo * MILLI) / SECOND, 0);
    }

    private Optional<ViolationRule> shotAtWhereBobWas(long millisAgo) {
        return rayAtWhereBobWas(millisAgo).map(ShotViolation::rule);
    }

    private Optional<ShotViolation> rayAtWhereBobWas(long millisAgo) {
        Vec3 to = at(30, millisAgo).plus(new Vec3(0, 0, 1));
        Combatant.Ray ray =
                new Combatant.Ray(
                        at(0, millisAgo).plus(new Vec3(0, 0, EYE)), to, CollisionSpace.OPEN);
        return anna.combatant().checkRay(now, bob.id(), ray, BODY, 0);
    }

    private Optional<ViolationRule> shotFromWhereAnnaWas(long millisAgo) {
        return anna.combatant()
                .checkOrigin(
                        now,
                        at(0, millisAgo).plus(new Vec3(0, 0, EYE)),
                        EYE,
                        SPEED,
                        CollisionSpace.OPEN)
                .map(ShotViolation::rule);
    }

    private Optional<ViolationRule> blastWhereBobWas(long millisAgo) {
        List<Combatant.Blast> places = List.of(new Combatant.Blast(at(15, millisAgo), 0));
        return anna.combatant()
                .checkBlast(now, bob.id(), places, BODY, 0, CollisionSpace.OPEN)
                .map(ShotViolation::rule);
    }

    @Test
    @DisplayName("R6 claims are judged by the places of as long ago as the loop was late")
    void looksFartherBackByHowLateLoopWas() {
        assertThat(shotAtWhereBobWas(300)).isEmpty();
        assertThat(shotAtWhereBobWas(700)).contains(ViolationRule.HIT_DISTANCE);
        assertThat(shotFromWhereAnnaWas(900)).contains(ViolationRule.SHOT_ORIGIN);
        assertThat(blastWhereBobWas(900)).contains(ViolationRule.HIT_DISTANCE);

        arena.setLateness(() -> 450 * MILLI);

        assertThat(shotAtWhereBobWas(700)).isEmpty();
        assertThat(shotFromWhereAnnaWas(900)).isEmpty();
        assertThat(blastWhereBobWas(900)).isEmpty();
    }

    @Test
    @DisplayName("R6 what was true a second ago is refused, and is no cheat")
    void callsClaimsOfOldViewsLate() {
        assertThat(rayAtWhereBobWas(1_500))
                .hasValueSatisfying(it -> assertThat(it.isLate()).isTrue());
        assertThat(rayAtWhereBobWas(2_600))
                .hasValueSatisfying(it -> assertThat(it.isLate()).isFalse());
    }

    @Test
    @DisplayName("R6 a client learns of a new life as much later as it and the loop are late")
    void extendsNewLifeByLateness() {
        // Both lives began two seconds ago.
        assertThat(anna.combatant().isNewLife(now, bob.id())).isFalse();

        arena.setLateness(() -> 450 * MILLI);

        assertThat(anna.combatant().isNewLife(now, bob.id())).isTrue();
        assertThat(anna.combatant().isNewLife(now + 450 * MILLI, bob.id())).isFalse();
        arena.setLateness(() -> 0);
        anna.setPing(300);
        assertThat(anna.combatant().isNewLife(now, bob.id())).isTrue();
        assertThat(anna.combatant().isNewLife(now + 300 * MILLI, bob.id())).isFalse();
    }

    private List<ViolationRule> reported(ArenaPlayer player, ViolationRule rule) {
        List<ViolationRule> rules = new ArrayList<>();
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation e) {
                rules.add(e.rule());
            }
        });
        player.combatant().report(now, new ShotViolation(rule, 8, 3, 3));
        return rules;
    }

    @ParameterizedTest
    @EnumSource(
            value = ViolationRule.class,
            names = {
                "SHOT_ORIGIN",
                "SHOT_THROUGH_SOLID",
                "HIT_DISTANCE",
                "ITEM_DISTANCE",
                "FLAG_DISTANCE"
            })
    @DisplayName("R6 a loop later than checks look back blames no client for places")
    void blamesNobodyForPlacesWhenLoopWasLaterThanLimit(ViolationRule rule) {
        arena.setLateness(() -> Combatant.MAX_LATE_NANOS + 1);

        assertThat(reported(anna, rule)).isEmpty();
        assertThat(reported(bob, ViolationRule.RAY_COUNT)).contains(ViolationRule.RAY_COUNT);

        arena.setLateness(() -> Combatant.MAX_LATE_NANOS);

        assertThat(reported(anna, rule)).contains(rule);
    }

    @Test
    @DisplayName("R6 however late the loop was, claims of more than a second ago are refused")
    void looksBackForSecondAtMost() {
        arena.setLateness(() -> 30 * SECOND);

        assertThat(shotAtWhereBobWas(900)).contains(ViolationRule.HIT_DISTANCE);
        assertThat(shotFromWhereAnnaWas(1_400)).contains(ViolationRule.SHOT_ORIGIN);
        assertThat(blastWhereBobWas(1_300)).contains(ViolationRule.HIT_DISTANCE);
    }
}
