package dev.wishdir.arena.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.match.SharedMatch;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Items lie there, are taken once, and return, in virtual time. */
class ItemSpawnsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Vec3 HERE = new Vec3(10, 0, 0);
    private static final Bounds BOUNDS = new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30));
    private static final ItemReach REACH = ItemReach.ofBoxes(1, 1.75, 0.94, 0.94);
    private static final PlacedItem HEALTH = new PlacedItem(ItemKind.HEALTH, HERE);
    private static final PlacedItem ARMOUR =
            new PlacedItem(ItemKind.HEAVY_ARMOUR, new Vec3(-40, 30, 2));

    /** Is shown nothing. */
    private static final class Blind implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private final Arena arena =
            new Arena(new Level("test", BOUNDS).withItems(List.of(HEALTH, ARMOUR)), 20);
    private final List<String> events = new ArrayList<>();
    private final List<ArenaEvent.MovementViolation> violations = new ArrayList<>();
    private long now;

    private void play(MatchRules rules) {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.ItemTaken e ->
                        events.add(e.player().name() + " takes " + e.item().kind());
                case ArenaEvent.ItemReturned e -> events.add(e.item().kind() + " returns");
                case ArenaEvent.MovementViolation e -> violations.add(e);
                default -> {}
            }
        });
    }

    private static MatchRules rules(int seconds) {
        return MatchRules.of(MatchMode.FFA)
                .withTimes(Duration.ofSeconds(seconds), Duration.ZERO, Duration.ofSeconds(10));
    }

    private ArenaPlayer live(String game, String name, Vec3 at) {
        ArenaPlayer player = arena.join(now, game, name, new Blind());
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(at, 0));
        return player;
    }

    private void walk(ArenaPlayer player, Vec3 to) {
        player.combatant().takeItems(now, to, REACH, _ -> true);
    }

    private void pass(long nanos) {
        now += nanos;
        arena.advance(now);
    }

    private List<Boolean> present(String game) {
        return arena.match().items().of(game).stream().map(Item::isPresent).toList();
    }

    @Test
    void takenItemIsGoneForAllUntilItReturns() {
        play(rules(600));
        ArenaPlayer anna = live("quake3", "anna", Vec3.ZERO);
        ArenaPlayer bob = live("quake2", "bob", Vec3.ZERO);
        assertThat(present("quake2")).containsExactly(true, true);

        walk(anna, new Vec3(8, 0, 0));
        assertThat(events).isEmpty();
        walk(anna, new Vec3(9.2, 0.3, 0));
        walk(bob, HERE);
        assertThat(events).containsExactly("anna takes health");
        assertThat(present("quake2")).containsExactly(false, true);

        pass(HEALTH.returnTime().toNanos() - 1);
        walk(bob, HERE);
        assertThat(events).hasSize(1);
        pass(1);
        walk(bob, HERE);
        assertThat(events)
                .containsExactly("anna takes health", "health returns", "bob takes health");
    }

    @Test
    void staysIfItsGameHasNoUseForIt() {
        play(rules(600));
        ArenaPlayer anna = live("quake3", "anna", Vec3.ZERO);
        anna.combatant().takeItems(now, HERE, REACH, _ -> false);
        assertThat(events).isEmpty();
        assertThat(present("quake3")).containsExactly(true, true);
    }

    @Test
    void onlyTheLivingTakeItemsWhileTheMatchRuns() {
        play(rules(60));
        ArenaPlayer anna = arena.join(now, "quake3", "anna", new Blind());
        walk(anna, HERE);
        anna.spawn(now, Movement.at(HERE, 0));
        walk(anna, HERE);
        assertThat(events).as("without a life").isEmpty();
        anna.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        arena.match().setPaused(now, true);
        walk(anna, HERE);
        assertThat(events).as("paused").isEmpty();
        arena.match().setPaused(now, false);
        pass(60 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        walk(anna, HERE);
        assertThat(events).as("between rounds").isEmpty();
    }

    @Test
    void thereAreNoneWithoutAMatchOrByTheRules() {
        ArenaPlayer anna = live("quake3", "anna", HERE);
        assertThat(present("quake3")).isEmpty();
        walk(anna, HERE);
        anna.leave(now, LeaveReason.LEFT);
        play(rules(600).withoutItems());
        walk(live("quake3", "anna", HERE), HERE);
        assertThat(events).isEmpty();
        assertThat(present("quake3")).isEmpty();
    }

    @Test
    void allReturnWithARound() {
        play(rules(600));
        walk(live("quake3", "anna", HERE), HERE);
        assertThat(present("quake3")).containsExactly(false, true);
        arena.match().begin(now);
        assertThat(present("quake3")).containsExactly(true, true);
        pass(HEALTH.returnTime().toNanos());
        assertThat(events).as("returns once").containsExactly("anna takes health");
    }

    @Test
    void gamesOfOneLevelShareItsItems() {
        play(rules(600));
        Level same = new Level("test", BOUNDS).withItems(List.of(HEALTH, ARMOUR));
        Level own = new Level("own", BOUNDS).withItems(List.of(HEALTH));
        arena.setLevel(now, "quake2", same);
        arena.setLevel(now, "quake3", own);
        List<Item> before = arena.match().items().of("quake2");
        walk(live("quake2", "bob", HERE), HERE);
        assertThat(present("bedrock")).containsExactly(false, true);
        assertThat(present("quake3")).containsExactly(true);
        walk(live("quake3", "anna", HERE), HERE);
        assertThat(events).containsExactly("bob takes health", "anna takes health");
        arena.setLevel(now, "quake2", same);
        assertThat(arena.match().items().of("quake2")).isSameAs(before);
    }

    @Test
    @DisplayName("J23 an item that two claim at once goes to the first")
    void oneOfTwoClaimsIsTaken() {
        play(rules(600));
        ArenaPlayer anna = live("sauerbraten", "anna", HERE);
        ArenaPlayer bob = live("sauerbraten", "bob", HERE);
        anna.move(now, Movement.at(HERE, 0), NativeMovement.Stored.NONE);
        bob.move(now, Movement.at(HERE, 0), NativeMovement.Stored.NONE);
        assertThat(claim(anna, 0)).isEqualTo(Combatant.ItemClaim.TAKEN);
        assertThat(claim(bob, 0)).isEqualTo(Combatant.ItemClaim.GONE);
        assertThat(claim(anna, 0)).isEqualTo(Combatant.ItemClaim.GONE);
        assertThat(events).containsExactly("anna takes health");
        assertThat(violations).isEmpty();
    }

    @Test
    @DisplayName("J23 items that are not there or far away can't be claimed")
    void refusesClaimsFromAfar() {
        play(rules(600));
        ArenaPlayer anna = live("sauerbraten", "anna", HERE);
        anna.move(now, Movement.at(HERE, 0), NativeMovement.Stored.NONE);
        for (int number : new int[] {-1, 2, 4, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThat(claim(anna, number)).isEqualTo(Combatant.ItemClaim.GONE);
        }
        assertThat(violations).isEmpty();
        assertThat(claim(anna, 1)).isEqualTo(Combatant.ItemClaim.IMPOSSIBLE);
        assertThat(violations)
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.rule()).isEqualTo(ViolationRule.ITEM_DISTANCE);
                    assertThat(violation.measured()).isGreaterThan(50);
                });
        assertThat(events).isEmpty();
    }

    @Test
    void claimsCountOnTheRecentPath() {
        play(rules(600));
        ArenaPlayer anna = live("sauerbraten", "anna", HERE);
        for (int i = 0; i < 10; i++) {
            pass(30_000_000);
            anna.move(
                    now,
                    Movement.at(HERE.plus(new Vec3(i * 0.6, 0, 0)), 0),
                    NativeMovement.Stored.NONE);
        }
        assertThat(claim(anna, 0)).isEqualTo(Combatant.ItemClaim.TAKEN);
    }

    private Combatant.ItemClaim claim(ArenaPlayer player, int number) {
        Combatant combatant = player.combatant();
        return combatant.claimItem(
                now,
                number,
                1.5,
                CollisionSpace.OPEN,
                _ -> true,
                wrong -> combatant.report(now, wrong));
    }

    /** As the law, item by item. */
    @Test
    void theGridFindsWhatTouches() {
        Random random = new Random(3);
        List<PlacedItem> placed = new ArrayList<>();
        for (int i = 0; i < PlacedItem.MAX_ITEMS; i++) {
            placed.add(
                    new PlacedItem(
                            ItemKind.HEALTH,
                            new Vec3(
                                    random.nextDouble(-600, 600),
                                    random.nextDouble(-60, 60),
                                    random.nextDouble(4))));
        }
        ItemGrid grid = new ItemGrid(placed);
        for (int i = 0; i < 20_000; i++) {
            Vec3 feet =
                    placed.get(random.nextInt(placed.size()))
                            .place()
                            .plus(
                                    new Vec3(
                                            random.nextDouble(-3, 3),
                                            random.nextDouble(-3, 3),
                                            random.nextDouble(-3, 3)));
            assertThat(
                            List.of(grid.near(feet)).stream()
                                    .filter(item -> REACH.touches(feet, item.place()))
                                    .toList())
                    .isEqualTo(
                            grid.items().stream()
                                    .filter(item -> REACH.touches(feet, item.place()))
                                    .toList());
        }
        assertThat(grid.near(new Vec3(2_000, 2_000, 0))).hasSizeLessThan(10);
    }

    @Test
    void movementsBesideItemsAllocateNothing() {
        play(rules(600));
        ArenaPlayer anna = live("quake3", "anna", HERE);
        Combatant combatant = anna.combatant();
        ItemTaker none = _ -> false;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                combatant.takeItems(now, HERE, REACH, none);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(1_000);
    }

    @Test
    void refusesReachesWiderThanTheGridKnows() {
        assertThatThrownBy(() -> ItemReach.ofBoxes(4, 1, 1, 1)).hasMessageContaining("within 2 m");
    }

    private static final PlacedItem QUAD = new PlacedItem(ItemKind.QUAD, HERE);

    private void playForQuad() {
        arena.setLevel(now, "quake3", new Level("quad", BOUNDS).withItems(List.of(QUAD)));
        play(rules(600));
    }

    private ArenaPlayer takeQuad(String name) {
        ArenaPlayer player = live("quake3", name, Vec3.ZERO);
        pass(QUAD.kind().firstTime().toNanos());
        player.combatant()
                .takeItems(
                        now,
                        HERE,
                        REACH,
                        _ -> {
                            player.combatant().setQuad(now + Combatant.QUAD_NANOS);
                            return true;
                        });
        assertThat(events).contains(name + " takes quad");
        assertThat(player.combatant().quadLeft(now)).isEqualTo(Combatant.QUAD_NANOS);
        return player;
    }

    @Test
    void quadIsThereSomeTimeAfterTheStartOfARound() {
        playForQuad();
        ArenaPlayer anna = live("quake3", "anna", HERE);
        assertThat(present("quake3")).containsExactly(false);
        walk(anna, HERE);
        pass(45 * SECOND - 1);
        walk(anna, HERE);
        assertThat(events).isEmpty();
        pass(1);
        walk(anna, HERE);
        assertThat(events).containsExactly("quad returns", "anna takes quad");
        pass(90 * SECOND);
        assertThat(present("quake3")).containsExactly(true);
        arena.match().begin(now);
        assertThat(present("quake3")).containsExactly(false);
        pass(45 * SECOND);
        assertThat(events)
                .containsExactly("quad returns", "anna takes quad", "quad returns", "quad returns");
    }

    @Test
    void theClockIsAskedWhenQuadIsDue() {
        playForQuad();
        live("quake3", "anna", HERE);
        assertThat(arena.advance(now)).isLessThanOrEqualTo(now + 45 * SECOND);
        pass(20 * SECOND);
        arena.match().begin(now);
        assertThat(arena.advance(now)).isLessThanOrEqualTo(now + 45 * SECOND);
    }

    @Test
    void quadEndsInTime() {
        playForQuad();
        ArenaPlayer anna = takeQuad("anna");
        assertThat(arena.match().quadLeft(now, anna.id())).isEqualTo(30 * SECOND);
        pass(30 * SECOND - 1);
        assertThat(arena.match().quadLeft(now, anna.id())).isEqualTo(1);
        pass(1);
        assertThat(arena.match().quadLeft(now, anna.id())).isZero();
    }

    @Test
    @DisplayName("J24 quad damage ends with the life, the round, and when its player leaves")
    void quadIsLostWithTheLife() {
        playForQuad();
        ArenaPlayer anna = takeQuad("anna");
        anna.combatant().die(now);
        assertThat(anna.combatant().quadLeft(now)).isZero();
        anna.combatant().setQuad(now + 30 * SECOND);
        assertThat(anna.combatant().quadLeft(now)).as("the dead get none").isZero();
        anna.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        assertThat(anna.combatant().quadLeft(now)).as("in the next life").isZero();

        anna.combatant().setQuad(now + 30 * SECOND);
        anna.spawn(now, Movement.at(HERE, 0));
        anna.combatant().hit(now, anna.id(), DamageMeans.ROCKET, 99, Vec3.ZERO, HERE);
        assertThat(anna.combatant().quadLeft(now)).isEqualTo(30 * SECOND);
        anna.combatant().hit(now, anna.id(), DamageMeans.ROCKET, 1, Vec3.ZERO, HERE);
        assertThat(anna.combatant().quadLeft(now)).as("killed").isZero();

        anna.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        anna.combatant().setQuad(now + 30 * SECOND);
        arena.match().begin(now);
        assertThat(anna.combatant().quadLeft(now)).as("another round").isZero();

        anna.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        anna.combatant().setQuad(now + 30 * SECOND);
        anna.leave(now, LeaveReason.LEFT);
        assertThat(arena.match().quadLeft(now, anna.id())).isZero();
        assertThat(live("quake3", "anna", HERE).combatant().quadLeft(now)).as("back").isZero();
    }

    @Test
    void aPlayerOfAnotherServerHasQuadUntilItsTimeOrDeath() {
        playForQuad();
        live("quake3", "anna", Vec3.ZERO);
        PlayerId far = new PlayerId(7, 1);
        arena.mirror(now, far, "quake3", "far").spawn(now, Movement.at(HERE, 0));
        pass(45 * SECOND);
        SharedMatch shared = arena.match().shared();
        Duration left = QUAD.returnTime().minusSeconds(1);
        ItemPickup pickup = new ItemPickup(Optional.of(far), 0, QUAD, left);
        assertThat(shared.mirror(now, pickup, () -> false)).isEqualTo(MirrorResult.TAKEN);
        assertThat(arena.match().quadLeft(now, far)).as("taken 1 s ago").isEqualTo(29 * SECOND);
        shared.mirror(
                new ArenaEvent.Died(
                        now,
                        arena.find(far).orElseThrow(),
                        arena.find(far).orElseThrow(),
                        DamageMeans.SUICIDE,
                        Score.ZERO));
        assertThat(arena.match().quadLeft(now, far)).isZero();
        shared.mirror(now, pickup, () -> false);
        assertThat(arena.match().quadLeft(now, far)).as("reported again").isZero();
    }
}
