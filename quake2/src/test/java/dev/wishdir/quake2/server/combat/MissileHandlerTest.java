package dev.wishdir.quake2.server.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.view.CombatLevel;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.RunningLevel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What missiles of the game do to bodies, by the numbers of its specification, in a room whose
 * walls are 512 units from its middle. Places are those of centres, in units; directions are to the
 * east.
 */
class MissileHandlerTest {
    private static final long STEP = 100_000_000;

    /** From where balls of the BFG fly along a wall, to the wall at the end. */
    private static final Vec3 MUZZLE = new Vec3(100, -300, 100);

    /** Where a ball that meets that wall ends. */
    private static final Vec3 END = new Vec3(471.97, -300, 100);

    /** From a body's centre to its feet, units. */
    private static final double CENTRE = 28;

    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<ArenaEvent.Hit> hits = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<ServerMessage> effects = new ArrayList<>();
    private final MissileEntities table = new MissileEntities();
    private final HitHandler hitHandler = new HitHandler(arena);
    private final RunningLevel level;
    private final MissileHandler missiles;
    private long now;

    MissileHandlerTest() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Hit hit) {
                hits.add(hit);
            } else if (event instanceof ArenaEvent.Died died) {
                lines.add(Obituaries.line(died, hitHandler.means(died)).text().strip());
            }
        });
        level = CombatLevel.open(arena);
        EffectSink sink = (_, effect, _) -> effects.add(effect);
        missiles = new MissileHandler(level, sink, hitHandler, table, new Random(1));
    }

    private static Movement standing(Vec3 centre) {
        return Movement.at(centre.minus(new Vec3(0, 0, CENTRE)).times(1 / ShotSpace.SCALE), 0);
    }

    private ArenaPlayer join(String name, Vec3 centre, Vitals vitals) {
        ArenaPlayer player = arena.join(now, Quake2Codec.GAME, name, new NoOpViewer());
        player.combatant().beginLife(now, vitals, hitHandler::absorbed);
        player.spawn(now, standing(centre));
        return player;
    }

    /** A player that survives anything. */
    private ArenaPlayer join(String name, Vec3 centre) {
        return join(name, centre, new Vitals(1e6, 0, 0));
    }

    private static Shooter shooter(ArenaPlayer player) {
        return new Shooter(player, 1, Quake2Motion.toNative(player.snapshot().movement()), 1);
    }

    private Shooter shooter() {
        return shooter(join("shooter", new Vec3(-400, -300, 100)));
    }

    private void pass(int steps) {
        for (int i = 0; i < steps; i++) {
            arena.advance(now);
            now += STEP;
        }
    }

    private List<Double> damage(ArenaPlayer victim) {
        return hits.stream()
                .filter(hit -> hit.id().equals(victim.id()))
                .map(ArenaEvent.Hit::damage)
                .toList();
    }

    private List<Double> pushes(ArenaPlayer victim) {
        return hits.stream()
                .filter(hit -> hit.id().equals(victim.id()))
                .map(hit -> hit.knockback().length() * ShotSpace.SCALE)
                .toList();
    }

    private List<Integer> effectTypes() {
        return effects.stream()
                .filter(TempEntity.class::isInstance)
                .map(effect -> ((TempEntity) effect).type())
                .toList();
    }

    private void assertNothingIsLeft() {
        assertThat(arena.match().missiles()).isEmpty();
        assertThat(table.numbers().isEmpty()).isTrue();
    }

    /** At 500 units; not 300 units behind a wall. */
    @ParameterizedTest
    @CsvSource({"1, 58", "4, 234"})
    void effectReachesAllInSightByTheirDistance(int quad, double points) {
        Shooter shooter = shooter();
        ArenaPlayer seen = join("seen", END.plus(new Vec3(0, 500, 0)));
        ArenaPlayer hidden = join("hidden", END.plus(new Vec3(300, 0, 0)));
        shooter.player().combatant().setQuad(quad > 1 ? 60 * STEP : 0);
        missiles.bfg(now, shooter, MUZZLE);
        pass(11);
        assertThat(hits).isEmpty();
        assertThat(effectTypes()).containsExactly(TempEntity.BFG_BIG_EXPLOSION);
        pass(1);
        assertThat(damage(seen)).containsExactly(points);
        assertThat(damage(hidden)).isEmpty();
        assertThat(damage(shooter.player())).as("not hurt in captures").isEmpty();
        assertThat(hits.getFirst().means()).isEqualTo(DamageMeans.BFG);
        assertThat(effectTypes())
                .containsExactly(TempEntity.BFG_BIG_EXPLOSION, TempEntity.BFG_EXPLOSION);
        assertThat(table.numbers().cardinality()).as("its blast is shown").isOne();
        pass(5);
        assertNothingIsLeft();
    }

    @Test
    void effectNeedsTheSightOfTheShooter() {
        Shooter shooter = shooter(join("shooter", new Vec3(-700, -300, 100)));
        ArenaPlayer victim = join("victim", END.plus(new Vec3(0, 500, 0)));
        missiles.bfg(now, shooter, MUZZLE);
        pass(20);
        assertThat(damage(victim)).isEmpty();
        assertNothingIsLeft();
    }

    /** From seven places of the ball to the nearer body, through it to the other from one. */
    @ParameterizedTest
    @CsvSource({"1, 5, 2.5, 97, 68", "4, 20, 10, 389, 272"})
    void lasersGoThroughBodiesInReach(
            int quad, double laser, double push, double effect, double behindEffect) {
        Shooter shooter = shooter();
        ArenaPlayer near = join("near", new Vec3(300, -100, 100));
        ArenaPlayer behind = join("behind", new Vec3(300, 100, 100));
        shooter.player().combatant().setQuad(quad > 1 ? 60 * STEP : 0);
        missiles.bfg(now, shooter, MUZZLE);
        pass(20);
        assertThat(damage(near))
                .containsExactly(laser, laser, laser, laser, laser, laser, laser, effect);
        assertThat(pushes(near).getFirst()).isCloseTo(push, within(1e-6));
        assertThat(pushes(near).getLast()).isZero();
        assertThat(damage(behind)).containsExactly(laser, behindEffect);
        assertThat(effectTypes()).filteredOn(type -> type == TempEntity.BFG_LASER).hasSize(7);
        assertThat(effectTypes()).filteredOn(type -> type == TempEntity.LASER_SPARKS).hasSize(7);
    }

    @ParameterizedTest
    @CsvSource({"1, 200, 170, 152, 146", "4, 800, 770, 610, 585"})
    void ballHurtsWhatItTouchesAndWhatIsNext(
            int quad, double direct, double splash, double effect, double nextEffect) {
        Shooter shooter = shooter();
        ArenaPlayer touched = join("touched", new Vec3(300, -300, 100));
        ArenaPlayer next = join("next", new Vec3(284, -240, 100));
        shooter.player().combatant().setQuad(quad > 1 ? 60 * STEP : 0);
        missiles.bfg(now, shooter, MUZZLE);
        pass(20);
        List<Double> lasers = List.of(5.0 * quad);
        assertThat(damage(touched))
                .filteredOn(it -> !lasers.contains(it))
                .containsExactly(direct, effect);
        assertThat(damage(next))
                .filteredOn(it -> !lasers.contains(it))
                .containsExactly(splash, nextEffect);
        assertThat(pushes(touched)).contains(0.0);
        assertThat(pushes(next))
                .anySatisfy(it -> assertThat(it).isCloseTo(2.5 * splash, within(1e-6)));
    }

    @ParameterizedTest
    @CsvSource({
        "5, victim saw the pretty lights from shooter's BFG",
        "150, victim was disintegrated by shooter's BFG blast",
        "250, victim couldn't hide from shooter's BFG"
    })
    void eachPartOfTheBfgHasItsLine(double health, String line) {
        Shooter shooter = shooter();
        join("victim", new Vec3(300, -300, 100), new Vitals(health, 0, 0));
        missiles.bfg(now, shooter, MUZZLE);
        pass(20);
        assertThat(lines).containsExactly(line);
    }

    @Test
    @DisplayName("J20 the ball of a BFG of a player that left hurts no player and ends")
    void ballOfAPlayerThatLeftHurtsNobody() {
        Shooter shooter = shooter();
        join("near", new Vec3(300, -100, 100));
        join("touched", new Vec3(440, -300, 100));
        missiles.bfg(now, shooter, MUZZLE);
        pass(2);
        shooter.player().leave(now, LeaveReason.LEFT);
        hits.clear();
        pass(20);
        assertThat(hits).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    @DisplayName("J20 the ball of a BFG of a dead player goes on, and ends")
    void ballOfADeadPlayerGoesOn() {
        Shooter shooter = shooter();
        ArenaPlayer victim = join("victim", END.plus(new Vec3(0, 500, 0)));
        missiles.bfg(now, shooter, MUZZLE);
        pass(2);
        shooter.player().combatant().die(now);
        pass(20);
        assertThat(damage(victim)).containsExactly(58.0);
        assertNothingIsLeft();
    }

    /** Also while its blast is shown. */
    @ParameterizedTest
    @CsvSource({"3", "11"})
    void roundEndsTheBallOfABfg(int steps) {
        Shooter shooter = shooter();
        join("victim", END.plus(new Vec3(0, 500, 0)));
        missiles.bfg(now, shooter, MUZZLE);
        pass(steps);
        assertThat(table.numbers().cardinality()).isOne();
        arena.match().begin(now);
        assertNothingIsLeft();
        pass(20);
        assertThat(hits).isEmpty();
    }

    /** 400 units a second with a fuse of 3 s, and more for what it was held. */
    @ParameterizedTest
    @CsvSource({"3100, 386.67", "3000, 400", "1500, 600", "100, 786.67"})
    void handGrenadeIsThrownFasterTheLongerItWasHeld(long fuseMillis, double speed) {
        missiles.handGrenade(now, shooter(), new Vec3(0, 0, 100), fuseMillis * 1_000_000);
        Vec3 velocity =
                arena.match().missiles().getFirst().state().velocity().times(ShotSpace.SCALE);
        assertThat(velocity.x()).isCloseTo(speed, within(0.01));
        assertThat(velocity.y()).isBetween(-10.0, 10.0);
        assertThat(velocity.z()).isBetween(190.0, 210.0);
        pass((int) (fuseMillis / 100));
        assertThat(table.numbers().cardinality()).isOne();
        pass(1);
        assertNothingIsLeft();
    }

    /** 125 less half the distance, its own player half of it. */
    @ParameterizedTest
    @CsvSource({"1, 95, 43, 52", "4, 470, 418, 240"})
    void grenadeExplodesInTheHand(int quad, double near, double far, double own) {
        Vec3 hand = new Vec3(0, 0, 100);
        ArenaPlayer shooter = join("shooter", hand.plus(new Vec3(0, -40, 0)));
        ArenaPlayer first = join("first", hand.plus(new Vec3(60, 0, 0)));
        ArenaPlayer second = join("second", hand.plus(new Vec3(-164, 0, 0)));
        ArenaPlayer third = join("third", hand.plus(new Vec3(0, 166, 0)));
        shooter.combatant().setQuad(quad > 1 ? 60 * STEP : 0);
        missiles.heldGrenade(now, shooter(shooter), hand);
        assertThat(damage(first)).containsExactly(near);
        assertThat(damage(second)).containsExactly(far);
        assertThat(damage(third)).as("out of reach").isEmpty();
        assertThat(damage(shooter)).containsExactly(own);
        assertThat(pushes(first).getFirst()).isCloseTo(2.5 * near, within(1e-6));
        assertThat(pushes(shooter).getFirst()).isCloseTo(8 * own, within(1e-6));
        assertThat(effectTypes()).containsExactly(TempEntity.ROCKET_EXPLOSION);
        assertNothingIsLeft();
    }

    @Test
    void grenadeInTheHandHasItsLines() {
        Vec3 hand = new Vec3(0, 0, 100);
        ArenaPlayer shooter = join("shooter", hand, new Vitals(10, 0, 0));
        join("victim", hand.plus(new Vec3(60, 0, 0)), new Vitals(10, 0, 0));
        missiles.heldGrenade(now, shooter(shooter), hand);
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "shooter tried to put the pin back in.", "victim feels shooter's pain");
    }

    @Test
    void thrownGrenadeHasLinesOfItsTouchAndItsSplash() {
        Vec3 start = new Vec3(0, 0, 100);
        ArenaPlayer shooter = join("shooter", start.minus(new Vec3(300, 0, 0)));
        join("touched", start.plus(new Vec3(60, 0, 0)), new Vitals(10, 0, 0));
        join("next", start.plus(new Vec3(60, 60, 0)), new Vitals(10, 0, 0));
        missiles.handGrenade(now, shooter(shooter), start, 3_000_000_000L);
        pass(5);
        assertThat(lines)
                .containsExactly(
                        "touched caught shooter's handgrenade",
                        "next didn't see shooter's handgrenade");
        assertNothingIsLeft();
    }

    /** As in captures: a bolt of 15 takes 9 of body armour, a rail shot 80 of 100. */
    @Test
    void armourTakesLessOfEnergyWeapons() {
        Shooter shooter = shooter();
        ArenaPlayer victim = join("victim", new Vec3(0, -300, 100), new Vitals(100, 200, 0.8));
        missiles.bolt(now, shooter, new Vec3(-60, -300, 100), MeansOfDeath.BLASTER, 0);
        pass(2);
        assertThat(victim.combatant().vitals()).isEqualTo(new Vitals(94, 191, 0.8));
        hitHandler.hit(
                now,
                shooter.player(),
                victim.id(),
                MeansOfDeath.RAILGUN,
                100,
                Vec3.ZERO,
                Vec3.ZERO);
        assertThat(victim.combatant().vitals()).isEqualTo(new Vitals(74, 111, 0.8));
    }
}
