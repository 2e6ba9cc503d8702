package dev.wishdir.quake3.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.server.combat.ShotGeometry;
import dev.wishdir.quake3.server.view.CombatEntities.Content;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class CombatEntitiesTest {
    private static final PlayerId ANNA = new PlayerId(0, 1);
    private static final PlayerId BOB = new PlayerId(0, 2);
    private static final PlayerId EVE = new PlayerId(0, 3);

    /** The viewer knows Anna in slot 4 and Bob in slot 63. */
    private static int slot(PlayerId player) {
        return player.equals(ANNA) ? 4 : player.equals(BOB) ? 63 : -1;
    }

    private final CombatEntities entities = new CombatEntities();

    private static Content at(float x) {
        return new Content(CombatEntities.at(new Vec3f(x, 0, 0)).build());
    }

    private List<CombatEntities.Visible> visible(PlayerId viewer, int most) {
        return entities.visible(viewer, Vec3f.ZERO, CombatEntitiesTest::slot, most);
    }

    @Test
    void namesPlayersByTheSlotsOfEachClient() {
        entities.event(
                0,
                TempEvent.OBITUARY,
                at(1).naming(EntityField.OTHER_ENTITY_NUM, BOB)
                        .naming(EntityField.OTHER_ENTITY_NUM2, ANNA));
        EntityState seen = visible(ANNA, 99).getFirst().state();
        assertThat(seen.get(EntityField.E_TYPE)).isEqualTo(73);
        assertThat(seen.get(EntityField.OTHER_ENTITY_NUM)).isEqualTo(63);
        assertThat(seen.get(EntityField.OTHER_ENTITY_NUM2)).isEqualTo(4);
    }

    @Test
    @DisplayName("J21 an obituary of a player that a client does not know is not sent to it")
    void sendsNoPlayerThatTheClientDoesNotKnow() {
        entities.event(0, TempEvent.OBITUARY, at(1).naming(EntityField.OTHER_ENTITY_NUM, EVE));
        assertThat(visible(ANNA, 99)).isEmpty();
        entities.event(
                0,
                TempEvent.OBITUARY,
                at(1).naming(EntityField.OTHER_ENTITY_NUM, BOB)
                        .naming(EntityField.OTHER_ENTITY_NUM2, EVE));
        assertThat(visible(ANNA, 99).getFirst().state().get(EntityField.OTHER_ENTITY_NUM2))
                .as("an unknown killer is the world")
                .isEqualTo(1022);
    }

    @Test
    void sendsWhatIsOnlyForOneToIt() {
        entities.event(0, TempEvent.SCORE_PLUM, at(1).onlyTo(BOB));
        entities.corpse(0, at(2).notTo(ANNA));
        assertThat(visible(ANNA, 99)).isEmpty();
        assertThat(visible(BOB, 99)).hasSize(2);
    }

    @Test
    void endsEventsAfter300Millis() {
        entities.event(1_000, TempEvent.GIB, at(1));
        entities.advance(1_299);
        assertThat(visible(ANNA, 99)).hasSize(1);
        entities.advance(1_300);
        assertThat(visible(ANNA, 99)).isEmpty();
    }

    @Test
    void showsEventsAfterLeftOutFrames() {
        entities.advance(1_000);
        entities.event(1_010, TempEvent.OBITUARY, at(1).toAll());
        entities.advance(1_500);
        int leftOut = 500 - RunningLevel.FRAME_MILLIS;
        for (int time = 1_500; time < 1_310 + leftOut; time += RunningLevel.FRAME_MILLIS) {
            entities.advance(time);
            assertThat(visible(ANNA, 99)).as("at %d ms", time).hasSize(1);
        }
        entities.advance(1_310 + leftOut);
        assertThat(visible(ANNA, 99)).isEmpty();
    }

    @Test
    void endsEventOfBodyAfterItsFrames() {
        CombatState combat = new CombatState();
        combat.show(BodyEvent.PAIN, 50);
        int frames = 1;
        while (!combat.endEvent()) {
            frames++;
        }
        assertThat(frames * RunningLevel.FRAME_MILLIS).isBetween(300, 325);
        assertThat(combat.endEvent()).isFalse();
    }

    @Test
    @DisplayName("J20 events, corpses and missiles have as many numbers as a client has")
    void isBoundedByItsNumbers() {
        int missiles = 0;
        for (int i = 0; i < 5_000; i++) {
            entities.event(i, TempEvent.BULLET_HIT_WALL, at(i));
            entities.corpse(i, at(i));
            missiles += entities.missile(at(i)) >= 0 ? 1 : 0;
        }
        assertThat(missiles).isEqualTo(242);
        List<CombatEntities.Visible> all = visible(ANNA, 9_999);
        assertThat(all).hasSize(512 + 8 + 242);
        assertThat(all)
                .extracting(CombatEntities.Visible::number)
                .isSorted()
                .allSatisfy(number -> assertThat(number).isBetween(256, 1_021));
    }

    @Test
    void sendsTheNearestIfThereAreTooMany() {
        for (int i = 0; i < 50; i++) {
            entities.event(0, TempEvent.BULLET_HIT_WALL, at(1_000 - i));
        }
        entities.event(0, TempEvent.OBITUARY, at(9_000).toAll());
        List<CombatEntities.Visible> seen = visible(ANNA, 3);
        assertThat(seen)
                .extracting(it -> it.state().real(EntityField.POS_TR_BASE_0))
                .containsExactly(952f, 951f, 9_000f);
    }

    @Test
    void showsWhatAPlayerCarriesWhereThePlayerIsNotKnown() {
        entities.flag(CombatEntities.FIRST_FLAG, at(1).insteadOf(BOB));
        assertThat(entities.visible(ANNA, new Vec3f(0, 0, 0), _ -> -1, 9)).hasSize(1);
        assertThat(entities.visible(ANNA, new Vec3f(0, 0, 0), _ -> 5, 9)).isEmpty();
        entities.remove(CombatEntities.FIRST_FLAG);
        assertThat(entities.visible(ANNA, new Vec3f(0, 0, 0), _ -> -1, 9)).isEmpty();
    }

    @Test
    void keepsTheNumberOfAMissileUntilItsEndIsShown() {
        int number = entities.missile(at(1));
        entities.change(number, at(2));
        entities.end(number, 1_000, at(3));
        entities.advance(1_280);
        assertThat(visible(ANNA, 9).getFirst().number()).isEqualTo(number);
        entities.advance(1_300);
        assertThat(visible(ANNA, 9)).isEmpty();
        entities.change(number, at(4));
        entities.end(number, 2_000, at(4));
        assertThat(visible(ANNA, 9)).as("of a level that is over").isEmpty();
    }

    @Test
    @DisplayName("J21 no type has a weapon, an event or a means that ends a client")
    void hasOnlyNumbersThatClientsKnow() {
        assertThat(Weapon.values()).allSatisfy(it -> assertThat(it.number()).isBetween(1, 9));
        assertThat(Weapon.of(10)).isEmpty();
        assertThat(Weapon.of(14)).isEmpty();
        assertThat(TempEvent.values())
                .allSatisfy(it ->
                        assertThat(it == TempEvent.GLOBAL_ITEM_PICKUP ? 42 : it.number())
                                .isBetween(42, 65));
        assertThat(TempEvent.GLOBAL_ITEM_PICKUP.number()).isEqualTo(20);
        assertThat(BodyEvent.values())
                .allSatisfy(it ->
                        assertThat(it == BodyEvent.ITEM_PICKUP ? 56 : it.number())
                                .isBetween(56, 64));
        assertThat(BodyEvent.ITEM_PICKUP.number()).isEqualTo(19);
        assertThat(MeansOfDeath.values())
                .allSatisfy(it -> assertThat(it.number()).isBetween(0, 23));
        assertThat(Arrays.stream(DamageMeans.values()).map(MeansOfDeath::of)).doesNotContainNull();
    }

    @Test
    void findsTheNearestDirection() {
        for (int i = 0; i < 162; i++) {
            assertThat(DirectionByte.of(DirectionByte.direction(i))).isEqualTo(i);
        }
        assertThat(DirectionByte.of(new Vec3f(0, 0, 1))).isEqualTo(5);
    }

    @Test
    void roundsTowardsTheMuzzle() {
        Vec3f muzzle = new Vec3f(10, -10, 0);
        assertThat(ShotGeometry.rounded(new Vec3f(2.5f, 2.5f, -3.5f), muzzle))
                .isEqualTo(new Vec3f(3, 2, -2));
    }
}
