package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.ReleaseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseItem;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

/** What a client may not do to others by its arrows, snowballs, bolts and tridents. */
@Tag("slow")
class BedrockMissileAbuseTest extends AttackScene {
    private static final int BOW_SLOT = 1;

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
