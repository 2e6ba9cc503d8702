package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.ReleaseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseOnActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What a client may not do to others by its blows and arrows in a match. */
@Tag("slow")
class BedrockAttackAbuseTest {
    private static final double EAST = 0;
    private static final double WEST = 180;

    /** Within reach to the east. */
    private static final double NEAR = 2;

    /** Within reach to the west, but a wall stands from -2 to -1. */
    private static final double BEYOND = -2.6;

    private static final int BOW_SLOT = 1;

    private final List<ArenaEvent> events = new ArrayList<>();
    private BedrockNetwork n;
    private ScriptedClient mallory;
    private ArenaPlayer victim;
    private long tick = 1;

    /** A room with one spawn point in its middle and a wall west of it. */
    private static EndpointContext.Builder walled(EndpointContext.Builder serving) {
        String floor = "#".repeat(60) + "\n";
        String wall = ".".repeat(28) + "#" + ".".repeat(31) + "\n";
        try {
            return serving.blocks(
                    ArenaText.read(
                            "wishdir-arena 1\nname t\nsize 60 8 10\nground 1\nblock # stone\n"
                                    + "spawn 0 0 0 0\nlayer 0\n"
                                    + floor.repeat(8)
                                    + "layers 1-9\n"
                                    + wall.repeat(8)));
        } catch (MalformedArenaException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void serve() {
        n = BedrockNetwork.with(3, BedrockAttackAbuseTest::walled);
        n.arena.setMatchRules(FightNetwork.rounds(600, 5, 0));
        n.arena.addListener(events::add);
        mallory = new ScriptedClient(n, 7000);
        mallory.play("mallory");
        victim = foreign("victim");
        stand(NEAR);
        look(EAST);
        events.clear();
    }

    /** A player of another game, which the test moves. */
    private ArenaPlayer foreign(String name) {
        ArenaPlayer joined = n.arena.join(n.network.now(), "other", name, new NoOpViewer());
        joined.combatant().beginLife(n.network.now(), new Vitals(1000, 0, 0), ArmourRule.EXACT);
        joined.spawn(n.network.now(), at(NEAR));
        n.network.run(SECOND / 2);
        return joined;
    }

    private static Movement at(double x) {
        return new Movement(new Vec3(x, 0, 0), 0, 0, Vec3.ZERO, Stance.STANDING);
    }

    /** The victim stands at a place for as long as its path reaches back. */
    private void stand(double x) {
        for (int i = 0; i < 15; i++) {
            victim.recordActivity(n.network.now());
            victim.move(n.network.now(), at(x), NativeMovement.Stored.NONE);
            n.network.run(SECOND / 20);
        }
    }

    private Vec3f eyes() {
        return eyes(0);
    }

    private static Vec3f eyes(double x) {
        return BedrockMotion.eyes(new Vec3(x, 0, 0));
    }

    private PlayerAuthInput input(double yaw, int mode) {
        return input(0, yaw, mode);
    }

    private PlayerAuthInput input(double x, double yaw, int mode) {
        float turn = BedrockMotion.yaw(yaw);
        return BedrockHostileInputTest.input(
                new Vec2f(0, turn), eyes(x), Vec2f.ZERO, Vec3f.ZERO, 0, mode, tick++);
    }

    /** Mallory looks into a direction for two ticks. */
    private void look(double yaw) {
        mallory.send(input(yaw, 1));
        mallory.send(input(yaw, 1));
    }

    private ItemStack sword() {
        return mallory.all(InventoryContent.class).getLast().items().getFirst();
    }

    private long actor(String name) {
        return mallory.all(AddPlayer.class).stream()
                .filter(added -> added.name().endsWith(name))
                .toList()
                .getLast()
                .runtimeId();
    }

    private InventoryTransaction blow(long target, Vec3f from) {
        return InventoryTransaction.of(
                new UseOnActor(target, UseOnActor.ATTACK, 0, sword(), from, Vec3f.ZERO));
    }

    private InventoryTransaction blow() {
        return blow(actor("victim"), eyes());
    }

    private void strike(double yaw, InventoryTransaction... blows) {
        List<BedrockMessage> messages = new ArrayList<>(List.of(blows));
        messages.add(input(yaw, 1));
        mallory.sendAll(messages);
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

    private long dropped(String reason) {
        return n.counters.get("bedrock.drop." + reason);
    }

    @Test
    void countsHonestBlow() {
        strike(EAST, blow());
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(35);
                    assertThat(hit.means()).isEqualTo(DamageMeans.MELEE);
                    assertThat(hit.knockback().x()).isCloseTo(8, within(1e-6));
                    assertThat(hit.knockback().z()).isCloseTo(8, within(1e-6));
                });
        assertThat(violations()).isEmpty();
    }

    @Test
    void judgesBlowWithoutInputAfterAWhile() {
        mallory.send(blow());
        n.network.run(SECOND);
        assertThat(hits()).hasSize(1);
    }

    @Test
    @DisplayName("J1 blows faster than the cool-down do nothing, by the server's clock")
    void countsOneBlowEachHalfSecond() {
        for (int i = 0; i < 20; i++) {
            strike(EAST, blow(), blow());
        }
        assertThat(hits()).hasSizeBetween(4, 5);
        assertThat(dropped("attack-cool-down")).isGreaterThan(20);
    }

    @Test
    @DisplayName("J3 an item that the player does not hold hits as the fist, and is sent again")
    void usesItsOwnAccountOfItems() {
        ItemStack sword = sword();
        mallory.send(new MobEquipment(mallory.id(), ItemStack.AIR, 8, 8, 0));
        mallory.heard.clear();
        strike(
                EAST,
                InventoryTransaction.of(
                        new UseOnActor(
                                n.endpoint.identities().runtimeId(victim.id()),
                                UseOnActor.ATTACK,
                                0,
                                sword,
                                eyes(),
                                Vec3f.ZERO)));
        assertThat(hits()).singleElement().extracting(ArenaEvent.Hit::damage).isEqualTo(5.0);
        assertThat(mallory.all(InventorySlot.class))
                .containsExactly(sent(InventorySlot.of(0, 8, ItemStack.AIR)));
    }

    /** The slot as this version has it. */
    private InventorySlot sent(InventorySlot slot) {
        Writer writer = new Writer(64);
        mallory.codec.write(writer, slot);
        return (InventorySlot) mallory.codec.read(new Reader(writer.toBytes()));
    }

    @Test
    @DisplayName("J4 actors that do not exist, itself, and negative numbers are not hit")
    void ignoresUnknownActors() {
        for (long target : new long[] {0, -1, Long.MIN_VALUE, 1L << 40, mallory.id()}) {
            strike(EAST, blow(target, eyes()));
        }
        assertThat(hits()).isEmpty();
        assertThat(dropped("attack-unknown")).isEqualTo(5);
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J5 a blow from where the player is not hits nobody")
    void refusesBlowFromElsewhere() {
        n.network.run(2 * SECOND);
        strike(EAST, blow(actor("victim"), new Vec3f(20, 1.62f, 0)));
        n.network.run(2 * SECOND);
        strike(EAST, blow(actor("victim"), new Vec3f(Float.NaN, 1.62f, 0)));
        assertThat(hits()).isEmpty();
        assertThat(violations())
                .containsExactly(ViolationRule.SHOT_ORIGIN, ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName("J25 a blow from 8 m beside a body that is back at once hits nobody")
    void refusesBlowFromWhereABodyCannotComeBackFrom() {
        stand(10);
        n.network.run(2 * SECOND);
        List<BedrockMessage> burst = walk(1.8, 8, 0.37);
        burst.add(blow(actor("victim"), eyes(8)));
        burst.add(input(8, EAST, 1));
        burst.addAll(walk(8, 0, -0.37));
        mallory.sendAll(burst);
        n.network.run(SECOND / 20);
        stand(10);
        look(EAST);
        stand(10);
        look(EAST);
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName("J25 a player whose inputs the network holds up for a second hits whom it meets")
    void countsBlowOfARunnerWhoseInputsAreHeldUp() {
        stand(8);
        n.network.run(SECOND);
        List<BedrockMessage> burst = walk(0.3, 6, 0.3);
        burst.add(blow(actor("victim"), eyes(6)));
        burst.add(input(6, EAST, 1));
        mallory.sendAll(burst);
        for (int i = 0; i < 15; i++) {
            mallory.send(input(6, EAST, 1));
            n.network.run(SECOND / 20);
        }
        assertThat(hits()).hasSize(1);
        assertThat(violations()).isEmpty();
    }

    private List<BedrockMessage> walk(double from, double to, double step) {
        List<BedrockMessage> inputs = new ArrayList<>();
        for (double x = from; (to - x) * step > 0; x += step) {
            inputs.add(input(x, EAST, 1));
        }
        return inputs;
    }

    @Test
    @DisplayName("J7 a blow out of reach, aside, behind or through a wall hits nobody")
    void refusesBlowOutOfReach() {
        stand(4.5);
        n.network.run(2 * SECOND);
        strike(EAST, blow());
        n.network.run(2 * SECOND);
        stand(NEAR);
        look(90);
        strike(90, blow());
        n.network.run(2 * SECOND);
        look(WEST);
        strike(WEST, blow());
        n.network.run(2 * SECOND);
        stand(BEYOND);
        look(WEST);
        strike(WEST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations())
                .containsExactly(
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.HIT_DISTANCE,
                        ViolationRule.SHOT_THROUGH_SOLID);
    }

    @Test
    @DisplayName("J7 a victim that has been away for longer than its path is kept is not hit")
    void countsVictimWhereItWas() {
        victim.move(n.network.now(), at(10), NativeMovement.Stored.NONE);
        strike(EAST, blow());
        assertThat(hits()).as("it was here 100 ms ago").hasSize(1);
        stand(10);
        n.network.run(SECOND);
        strike(EAST, blow());
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J7 a victim's life before this one is not hit, which is no violation at first")
    void knowsThatClientsLearnLateOfNewLives() {
        n.network.run(2 * SECOND);
        victim.combatant().beginLife(n.network.now(), new Vitals(1000, 0, 0), ArmourRule.EXACT);
        victim.spawn(n.network.now(), at(10));
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(dropped("attack-late")).isEqualTo(1);
        n.network.run(2 * SECOND);
        stand(10);
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J7 a finger hits what is on the screen, and nothing behind the player")
    void countsTouchWithinTheView() {
        mallory.send(input(40, 2), input(40, 2));
        mallory.sendAll(List.of(blow(), input(40, 2)));
        assertThat(hits()).hasSize(1);
        n.network.run(SECOND);
        mallory.send(input(WEST, 2), input(WEST, 2));
        mallory.sendAll(List.of(blow(), input(WEST, 2)));
        assertThat(hits()).hasSize(1);
        assertThat(violations()).containsExactly(ViolationRule.HIT_DISTANCE);
    }

    @Test
    @DisplayName("J8 endless and odd numbers in a blow neither hurt nor push anybody more")
    void boundsNumbers() {
        mallory.sendAll(
                List.of(
                        InventoryTransaction.of(
                                new UseOnActor(
                                        actor("victim"),
                                        UseOnActor.ATTACK,
                                        Integer.MAX_VALUE,
                                        new ItemStack(
                                                -1, 65_535, -1, Optional.of(-1), -1, Bytes.EMPTY),
                                        eyes(),
                                        new Vec3f(Float.NaN, Float.POSITIVE_INFINITY, 1e30f))),
                        input(EAST, 1)));
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(35);
                    assertThat(hit.knockback().length()).isCloseTo(8 * Math.sqrt(2), within(1e-6));
                });
    }

    @Test
    @DisplayName("J9 a dead body is not hit, which is no violation")
    void ignoresBlowsOnTheDead() {
        long target = actor("victim");
        victim.combatant().die(n.network.now());
        n.network.run(SECOND / 2);
        events.clear();
        strike(EAST, blow(target, eyes()));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J10 a dead player strikes nobody")
    void ignoresBlowsOfTheDead() {
        n.arena
                .player(n.arena.players().getFirst().id())
                .orElseThrow()
                .combatant()
                .die(n.network.now());
        n.network.run(SECOND / 2);
        events.clear();
        strike(EAST, blow());
        n.network.run(SECOND);
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
        assertThat(dropped("attack-dead")).isEqualTo(1);
    }

    @Test
    @DisplayName("J11 a flood of blows costs the attacker its connection")
    void kicksFlood() {
        InventoryTransaction blow = blow();
        for (int i = 0; i < 600 && !mallory.gone; i++) {
            strike(EAST, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow, blow);
        }
        assertThat(mallory.gone).isTrue();
        assertThat(hits().size()).isLessThan(130);
    }

    @Test
    @DisplayName("J12 repeated wrong blows are kicked under --on-cheat kick, a few are not")
    void kicksRepeatedViolations() {
        n.arena.setCheatPolicy(CheatPolicy.KICK);
        for (int i = 0; i < 3; i++) {
            strike(WEST, blow());
            n.network.run(SECOND);
        }
        assertThat(mallory.gone).isFalse();
        for (int i = 0; i < 30 && !mallory.gone; i++) {
            strike(WEST, blow());
        }
        assertThat(mallory.kicked()).isTrue();
    }

    @Test
    @DisplayName("J18 a player of a game without fights is not hit, which is no violation")
    void ignoresPlayersWithoutLife() {
        victim.leave(n.network.now(), LeaveReason.LEFT);
        ArenaPlayer peaceful = n.arena.join(n.network.now(), "other", "peaceful", new NoOpViewer());
        peaceful.spawn(n.network.now(), at(NEAR));
        n.network.run(SECOND / 2);
        strike(EAST, blow(actor("peaceful"), eyes()));
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J19 a pause of the match stops blows")
    void hitsNobodyInAPause() {
        n.arena.match().setPaused(n.network.now(), true);
        strike(EAST, blow());
        assertThat(hits()).isEmpty();
        n.arena.match().setPaused(n.network.now(), false);
        n.network.run(SECOND);
        strike(EAST, blow());
        assertThat(hits()).hasSize(1);
    }

    private ItemStack stack(int slot) {
        return mallory.all(InventoryContent.class).getLast().items().get(slot);
    }

    private void select(int slot) {
        mallory.send(new MobEquipment(mallory.id(), stack(slot), slot, slot, 0));
    }

    private InventoryTransaction draw() {
        return InventoryTransaction.of(UseItem.inAir(BOW_SLOT, stack(BOW_SLOT), eyes()));
    }

    private InventoryTransaction release(Vec3f from) {
        return InventoryTransaction.of(
                new ReleaseItem(ReleaseItem.RELEASE, BOW_SLOT, stack(BOW_SLOT), from));
    }

    /** Draws the bow for a time, and shoots to the east. */
    private void shoot(long drawnNanos) {
        mallory.send(draw());
        n.network.run(Math.max(0, drawnNanos - SECOND / 10));
        strike(EAST, release(eyes()));
    }

    private int missiles() {
        return n.arena.match().missiles().size();
    }

    @Test
    void countsHonestArrow() {
        select(BOW_SLOT);
        shoot(SECOND);
        n.network.run(SECOND / 2);
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isBetween(50.0, 75.0);
                    assertThat(hit.means()).isEqualTo(DamageMeans.PISTOL);
                    assertThat(hit.knockback().x()).isCloseTo(8, within(0.1));
                });
        assertThat(mallory.all(InventorySlot.class).getLast().item().count()).isEqualTo(15);
        assertThat(violations()).isEmpty();
    }

    @Test
    void aUseThatIsRepeatedWhileTheBowIsDrawnCostsNothing() {
        select(BOW_SLOT);
        InventoryTransaction draw = draw();
        for (int i = 0; i < 20; i++) {
            strike(EAST, draw, draw, draw, draw, draw, draw, draw, draw);
        }
        strike(EAST, release(eyes()));
        n.network.run(SECOND / 2);
        assertThat(hits()).hasSize(1);
        assertThat(events).noneMatch(ArenaEvent.RateLimited.class::isInstance);
        assertThat(mallory.gone).isFalse();
    }

    @Test
    void aWallStopsArrows() {
        stand(BEYOND);
        select(BOW_SLOT);
        look(WEST);
        mallory.send(draw());
        n.network.run(SECOND);
        strike(WEST, release(eyes()));
        n.network.run(SECOND);
        assertThat(hits()).isEmpty();
        assertThat(n.arena.match().missiles())
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.state().velocity()).isEqualTo(Vec3.ZERO);
                    assertThat(it.state().place().x()).isCloseTo(-1, within(0.1));
                });
        n.network.run(12 * SECOND);
        assertThat(missiles()).as("it does not lie there for ever").isZero();
    }

    @Test
    @DisplayName(
            "J1 a bow that was not drawn for long enough does not shoot, by the server's clock")
    void refusesEarlyArrows() {
        select(BOW_SLOT);
        for (int i = 0; i < 10; i++) {
            strike(EAST, draw(), release(eyes()));
        }
        assertThat(dropped("shot-early")).isEqualTo(10);
        shoot(4 * SECOND / 20);
        n.network.run(SECOND / 2);
        assertThat(hits())
                .as("a weak shot")
                .singleElement()
                .satisfies(hit -> assertThat(hit.damage()).isLessThan(20));
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J2 a bow is let go once for each time that it is drawn")
    void refusesReleaseWithoutUse() {
        select(BOW_SLOT);
        for (int i = 0; i < 5; i++) {
            n.network.run(2 * SECOND);
            strike(EAST, release(eyes()));
        }
        assertThat(dropped("release-without-use")).isEqualTo(5);
        shoot(SECOND);
        strike(EAST, release(eyes()), release(eyes()));
        assertThat(dropped("release-without-use")).isEqualTo(7);
        assertThat(mallory.all(InventorySlot.class).getLast().item().count()).isEqualTo(15);
    }

    @Test
    @DisplayName("J3 a bow that the player does not hold, and arrows that it has not, do not shoot")
    void shootsOnlyWhatItHas() {
        shoot(SECOND);
        assertThat(dropped("use-item")).as("the sword is in the hand").isEqualTo(1);
        select(BOW_SLOT);
        mallory.send(
                InventoryTransaction.of(UseItem.inAir(BOW_SLOT, stack(0), eyes())),
                InventoryTransaction.of(UseItem.inAir(4, stack(BOW_SLOT), eyes())),
                InventoryTransaction.of(UseItem.inAir(-1, ItemStack.AIR, eyes())));
        assertThat(dropped("use-item")).isEqualTo(4);
        mallory.send(draw());
        select(0);
        select(BOW_SLOT);
        n.network.run(SECOND);
        strike(EAST, release(eyes()));
        assertThat(dropped("release-without-use")).as("another slot was chosen").isEqualTo(2);
        assertThat(missiles()).isZero();
        stand(0.5);
        for (int i = 0; i < 20; i++) {
            shoot(SECOND / 2);
        }
        assertThat(hits().size()).isBetween(1, 16);
        assertThat(dropped("shot-empty")).isEqualTo(4);
    }

    @Test
    @DisplayName("J5 an arrow from where the player is not is not launched")
    void refusesArrowFromElsewhere() {
        select(BOW_SLOT);
        for (Vec3f from :
                List.of(new Vec3f(20, 1.62f, 0), new Vec3f(Float.NaN, 1.62f, Float.NaN))) {
            mallory.send(draw());
            n.network.run(2 * SECOND);
            strike(EAST, release(from));
        }
        n.network.run(SECOND);
        assertThat(hits()).isEmpty();
        assertThat(missiles()).isZero();
        assertThat(violations())
                .containsExactly(ViolationRule.SHOT_ORIGIN, ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName(
            "J8 an arrow flies to where the player looked last, whatever numbers its input has")
    void keepsDirectionsFinite() {
        for (float odd : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            serve();
            select(BOW_SLOT);
            mallory.send(draw());
            n.network.run(SECOND);
            PlayerAuthInput input = input(EAST, 1);
            mallory.sendAll(
                    List.of(
                            release(eyes()),
                            BedrockHostileInputTest.input(
                                    new Vec2f(odd, odd),
                                    input.position(),
                                    Vec2f.ZERO,
                                    Vec3f.ZERO,
                                    0,
                                    1,
                                    tick++)));
            n.network.run(SECOND);
            assertThat(n.arena.match().missiles())
                    .allSatisfy(it -> assertThat(it.state().place().isFinite()).isTrue());
            assertThat(hits().size()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    @DisplayName("J10 a player that dies with a drawn bow does not shoot")
    void ignoresArrowsOfTheDead() {
        select(BOW_SLOT);
        mallory.send(draw());
        n.network.run(SECOND);
        n.arena
                .player(n.arena.players().getFirst().id())
                .orElseThrow()
                .combatant()
                .die(n.network.now());
        events.clear();
        strike(EAST, release(eyes()));
        n.network.run(SECOND);
        strike(EAST, draw());
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J11 a flood of drawn bows costs the shooter its connection")
    void kicksFloodOfUses() {
        select(BOW_SLOT);
        InventoryTransaction draw = draw();
        InventoryTransaction release = release(eyes());
        for (int i = 0; i < 600 && !mallory.gone; i++) {
            strike(EAST, draw, release, draw, release, draw, release, draw, release, draw);
        }
        assertThat(mallory.gone).isTrue();
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J19 a bow does not shoot while the match is paused, and keeps its arrow")
    void shootsNothingInAPause() {
        select(BOW_SLOT);
        n.arena.match().setPaused(n.network.now(), true);
        shoot(SECOND);
        assertThat(missiles()).isZero();
        assertThat(dropped("shot-no-effect")).isEqualTo(1);
        assertThat(mallory.all(InventorySlot.class).getLast().item().count()).isEqualTo(16);
    }

    private static final int SNOWBALL_SLOT = 3;

    private PlayerId id() {
        return n.arena.players().getFirst().id();
    }

    private InventoryTransaction throwing() {
        return throwing(stack(SNOWBALL_SLOT), eyes());
    }

    private static InventoryTransaction throwing(ItemStack claimed, Vec3f from) {
        return InventoryTransaction.of(UseItem.inAir(SNOWBALL_SLOT, claimed, from));
    }

    private int snowballs() {
        return mallory.all(InventorySlot.class).getLast().item().count();
    }

    @Test
    void aSnowballPushesWithoutDamage() {
        select(SNOWBALL_SLOT);
        strike(EAST, throwing());
        n.network.run(SECOND / 2);
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isZero();
                    assertThat(hit.means()).isEqualTo(DamageMeans.MACHINE_GUN);
                    assertThat(hit.vitals().health()).isEqualTo(1000);
                    assertThat(hit.knockback().x()).isCloseTo(8, within(0.1));
                    assertThat(hit.knockback().z()).isCloseTo(8, within(0.1));
                });
        assertThat(snowballs()).isEqualTo(15);
        assertThat(missiles()).isZero();
        strike(EAST, throwing());
        n.network.run(SECOND / 10);
        strike(EAST, throwing());
        n.network.run(SECOND / 10);
        assertThat(hits()).as("one push each half second").hasSize(2);
        select(0);
        strike(EAST, blow());
        assertThat(hits().getLast().damage()).as("a blow after it counts whole").isEqualTo(35);
        assertThat(violations()).isEmpty();
    }

    @Test
    void aSnowballBreaksAtAWall() {
        select(SNOWBALL_SLOT);
        look(WEST);
        strike(WEST, throwing());
        n.network.run(SECOND);
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J1 snowballs faster than five a second are given back, by the server's clock")
    void limitsSnowballs() {
        victim.leave(n.network.now(), LeaveReason.LEFT);
        select(SNOWBALL_SLOT);
        for (int i = 0; i < 10; i++) {
            strike(EAST, throwing(), throwing());
            n.network.run(SECOND / 10);
        }
        int thrown = 16 - snowballs();
        assertThat(thrown).as("in two seconds").isBetween(8, 13);
        assertThat(dropped("shot-rate")).isEqualTo(20 - thrown);
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J3 snowballs that the player does not hold or does not have are not thrown")
    void throwsOnlyWhatItHas() {
        strike(EAST, throwing());
        assertThat(dropped("use-item")).as("the sword is in the hand").isEqualTo(1);
        select(SNOWBALL_SLOT);
        strike(EAST, throwing(stack(0), eyes()));
        assertThat(dropped("use-item")).as("it claims the sword").isEqualTo(2);
        for (int i = 0; i < 20; i++) {
            strike(EAST, throwing());
            stand(NEAR);
        }
        assertThat(hits()).hasSize(16);
        assertThat(dropped("use-item")).as("no more is left").isEqualTo(6);
        assertThat(mallory.gone).isFalse();
    }

    @Test
    @DisplayName("J5 a snowball from where the player is not is not thrown, and is given back")
    void refusesSnowballFromElsewhere() {
        n.network.run(2 * SECOND);
        select(SNOWBALL_SLOT);
        for (Vec3f from :
                List.of(new Vec3f(20, 1.62f, 0), new Vec3f(Float.NaN, 1.62f, Float.NaN))) {
            strike(EAST, throwing(stack(SNOWBALL_SLOT), from));
            n.network.run(2 * SECOND);
        }
        assertThat(hits()).isEmpty();
        assertThat(snowballs()).isEqualTo(16);
        assertThat(violations())
                .containsExactly(ViolationRule.SHOT_ORIGIN, ViolationRule.SHOT_ORIGIN);
    }

    @Test
    @DisplayName("J10 a dead player throws nothing")
    void ignoresSnowballsOfTheDead() {
        select(SNOWBALL_SLOT);
        n.arena.player(id()).orElseThrow().combatant().die(n.network.now());
        events.clear();
        strike(EAST, throwing());
        n.network.run(SECOND);
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J11 a flood of throws costs the thrower its connection")
    void kicksFloodOfThrows() {
        select(SNOWBALL_SLOT);
        InventoryTransaction throwing = throwing();
        for (int i = 0; i < 600 && !mallory.gone; i++) {
            strike(EAST, Collections.nCopies(12, throwing).toArray(InventoryTransaction[]::new));
        }
        assertThat(mallory.gone).isTrue();
        assertThat(hits().size()).isLessThanOrEqualTo(16);
    }

    @Test
    @DisplayName("J19 a snowball is not thrown while the match is paused, and is given back")
    void throwsNothingInAPause() {
        select(SNOWBALL_SLOT);
        n.arena.match().setPaused(n.network.now(), true);
        strike(EAST, throwing());
        n.network.run(SECOND / 2);
        assertThat(missiles()).isZero();
        assertThat(dropped("shot-no-effect")).isEqualTo(1);
        assertThat(snowballs()).isEqualTo(16);
    }

    private static final int CROSSBOW_SLOT = 4;
    private static final int TRIDENT_SLOT = 5;

    private InventoryTransaction use(int slot) {
        return use(slot, eyes());
    }

    private InventoryTransaction use(int slot, Vec3f from) {
        return InventoryTransaction.of(UseItem.inAir(slot, stack(slot), from));
    }

    private InventoryTransaction letGo(int slot, Vec3f from) {
        return InventoryTransaction.of(
                new ReleaseItem(ReleaseItem.RELEASE, slot, stack(slot), from));
    }

    private void load() {
        select(CROSSBOW_SLOT);
        mallory.send(use(CROSSBOW_SLOT));
        n.network.run(13 * SECOND / 10);
        mallory.send(letGo(CROSSBOW_SLOT, eyes()));
        victim.recordActivity(n.network.now());
    }

    private ItemStack sentSlot(int slot) {
        return mallory.all(InventorySlot.class).stream()
                .filter(each -> each.slot() == slot)
                .map(InventorySlot::item)
                .toList()
                .getLast();
    }

    @Test
    void aCrossbowIsLoadedByHoldingTheButtonLongEnough() {
        select(CROSSBOW_SLOT);
        for (int i = 0; i < 16; i++) {
            strike(EAST, use(CROSSBOW_SLOT));
            n.network.run(SECOND / 10);
            if (!hits().isEmpty()) {
                break;
            }
        }
        n.network.run(SECOND / 2);
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(45);
                    assertThat(hit.means()).isEqualTo(DamageMeans.PISTOL);
                });
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName(
            "J1 a crossbow that was not drawn for 25 ticks is not loaded, nor a trident thrown")
    void refusesEarlyLoads() {
        select(CROSSBOW_SLOT);
        for (int i = 0; i < 3; i++) {
            mallory.send(use(CROSSBOW_SLOT));
            n.network.run(SECOND);
            strike(EAST, letGo(CROSSBOW_SLOT, eyes()), letGo(CROSSBOW_SLOT, eyes()));
        }
        assertThat(dropped("shot-early")).isEqualTo(3);
        select(TRIDENT_SLOT);
        mallory.send(use(TRIDENT_SLOT));
        n.network.run(SECOND / 4);
        strike(EAST, letGo(TRIDENT_SLOT, eyes()));
        assertThat(dropped("shot-early")).isEqualTo(4);
        n.network.run(SECOND);
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
    }

    @Test
    @DisplayName("J2 a crossbow shoots once for each time that it is loaded")
    void shootsOncePerLoad() {
        load();
        strike(EAST, use(CROSSBOW_SLOT), use(CROSSBOW_SLOT), use(CROSSBOW_SLOT));
        n.network.run(SECOND);
        assertThat(hits()).hasSize(1);
        assertThat(dropped("shot-no-effect")).isEqualTo(2);
        assertThat(sentSlot(2).count()).isEqualTo(15);
        strike(EAST, letGo(CROSSBOW_SLOT, eyes()));
        assertThat(dropped("release-without-use")).isEqualTo(1);
    }

    @Test
    @DisplayName("J3 a trident is thrown once a life, and a crossbow is not loaded without arrows")
    void throwsTheTridentOnce() {
        select(TRIDENT_SLOT);
        for (int i = 0; i < 3; i++) {
            mallory.send(use(TRIDENT_SLOT));
            n.network.run(SECOND);
            victim.recordActivity(n.network.now());
            strike(EAST, letGo(TRIDENT_SLOT, eyes()));
        }
        n.network.run(SECOND / 2);
        assertThat(hits())
                .singleElement()
                .satisfies(hit -> {
                    assertThat(hit.damage()).isEqualTo(40);
                    assertThat(hit.means()).isEqualTo(DamageMeans.RIFLE);
                });
        assertThat(dropped("use-item")).isEqualTo(2);
        for (int i = 0; i < 16; i++) {
            load();
            strike(EAST, use(CROSSBOW_SLOT));
        }
        load();
        assertThat(dropped("shot-empty")).isEqualTo(1);
        assertThat(hits()).hasSizeBetween(2, 17);
    }

    @Test
    @DisplayName("J5 bolts and tridents from where the player is not do not fly, and are kept")
    void refusesBoltsFromElsewhere() {
        load();
        strike(EAST, use(CROSSBOW_SLOT, new Vec3f(20, 1.62f, 0)));
        n.network.run(2 * SECOND);
        victim.recordActivity(n.network.now());
        select(TRIDENT_SLOT);
        mallory.send(use(TRIDENT_SLOT));
        n.network.run(SECOND);
        strike(EAST, letGo(TRIDENT_SLOT, new Vec3f(Float.NaN, 1.62f, 0)));
        n.network.run(SECOND);
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
        assertThat(violations())
                .containsExactly(ViolationRule.SHOT_ORIGIN, ViolationRule.SHOT_ORIGIN);
        assertThat(sentSlot(TRIDENT_SLOT).count()).isEqualTo(1);
        select(CROSSBOW_SLOT);
        strike(EAST, use(CROSSBOW_SLOT));
        n.network.run(SECOND / 2);
        assertThat(hits()).as("it is still loaded").hasSize(1);
    }

    @Test
    @DisplayName("J10 a dead player shoots no crossbow, and its next life begins with it unloaded")
    void forgetsTheLoadOfTheDead() {
        load();
        n.arena.player(id()).orElseThrow().combatant().die(n.network.now());
        events.clear();
        strike(EAST, use(CROSSBOW_SLOT));
        n.network.run(SECOND);
        assertThat(missiles()).isZero();
        mallory.send(new Respawn(Vec3f.ZERO, 2, mallory.id()));
        n.network.run(SECOND / 2);
        select(CROSSBOW_SLOT);
        strike(EAST, use(CROSSBOW_SLOT));
        n.network.run(SECOND / 2);
        assertThat(missiles()).isZero();
        assertThat(hits()).isEmpty();
        assertThat(violations()).isEmpty();
    }

    @Test
    @DisplayName("J19 a crossbow does not shoot while the match is paused, and stays loaded")
    void keepsTheLoadInAPause() {
        load();
        n.arena.match().setPaused(n.network.now(), true);
        strike(EAST, use(CROSSBOW_SLOT));
        assertThat(missiles()).isZero();
        n.arena.match().setPaused(n.network.now(), false);
        strike(EAST, use(CROSSBOW_SLOT));
        n.network.run(SECOND / 2);
        assertThat(hits()).hasSize(1);
    }

    @Test
    @DisplayName("J20 arrows end, however many are shot")
    void arrowsEnd() {
        victim.leave(n.network.now(), LeaveReason.LEFT);
        select(BOW_SLOT);
        for (int i = 0; i < 30; i++) {
            shoot(4 * SECOND / 20);
        }
        assertThat(missiles()).isBetween(8, 16);
        n.network.run(12 * SECOND);
        assertThat(missiles()).isZero();
    }
}
