package dev.wishdir.quake3.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MovementCacheTest {
    private static final int SLOT = 7;

    private final Arena arena = new Arena(Level.BOX, 8);
    private long now;
    private long quad;
    private final MovementCache cache =
            new MovementCache(() -> now, _ -> quad, new PlayerMarks(arena.match(), () -> now));
    private ArenaPlayer guest;

    @BeforeEach
    void join() {
        arena.addListener(cache);
        guest = arena.join(0, "bedrock", "guest", new NoOpViewer());
        guest.spawn(0, Movement.at(new Vec3(3, 4, 0), 90));
    }

    private EntityState state() {
        return cache.of(guest.snapshot(), SLOT);
    }

    @Test
    void buildsStateOncePerMovement() {
        EntityState first = state();
        assertThat(first.get(EntityField.CLIENT_NUM)).isEqualTo(SLOT);
        assertThat(state()).isSameAs(first);
        EntityState other = cache.of(guest.snapshot(), 9);
        assertThat(other.get(EntityField.CLIENT_NUM)).isEqualTo(9);
        assertThat(other.hasSameValues(first)).isTrue();
        guest.move(0, Movement.at(new Vec3(5, 4, 0), 90), NativeMovement.Stored.NONE);
        assertThat(state().real(EntityField.POS_TR_BASE_0)).isEqualTo(160);
    }

    @Test
    void togglesTeleportBit() {
        guest.teleport(0, Movement.at(new Vec3(1, 1, 0), 0));
        assertThat(state().get(EntityField.E_FLAGS)).isEqualTo(PlayerBody.EF_TELEPORT_BIT);
        guest.teleport(0, Movement.at(new Vec3(2, 2, 0), 0));
        assertThat(state().get(EntityField.E_FLAGS)).isZero();
    }

    @Test
    void endsAnimationOfAction() {
        int torso = state().get(EntityField.TORSO_ANIM);
        guest.performAction(0, PlayerAction.ATTACK);
        assertThat(state().get(EntityField.TORSO_ANIM)).isNotEqualTo(torso);
        int event = state().get(EntityField.EVENT);
        assertThat(event).isNotZero();
        now = 599_999_999;
        assertThat(state().get(EntityField.TORSO_ANIM) & 0x7F).isNotEqualTo(torso);
        now = 600_000_000;
        assertThat(state().get(EntityField.TORSO_ANIM) & 0x7F).isEqualTo(torso);
        assertThat(state().get(EntityField.EVENT)).as("no new event").isEqualTo(event);
    }

    private void hitWith(DamageMeans means) {
        cache.onEvent(
                new ArenaEvent.Hit(
                        0,
                        arena.join(0, "quake3", "victim", new NoOpViewer()).snapshot(),
                        guest.snapshot(),
                        means,
                        10,
                        Vec3.ZERO,
                        Vec3.ZERO,
                        new Vitals(90, 0, 0)));
    }

    @Test
    void showsWeaponOfForeignPlayerByItsHits() {
        EntityState before = state();
        assertThat(before.get(EntityField.WEAPON)).isEqualTo(Weapon.GAUNTLET.number());
        hitWith(DamageMeans.PISTOL);
        EntityState armed = state();
        assertThat(armed.get(EntityField.WEAPON)).isEqualTo(Weapon.MACHINE_GUN.number());
        assertThat(armed.get(EntityField.TORSO_ANIM))
                .as("holds a gun")
                .isNotEqualTo(before.get(EntityField.TORSO_ANIM));
        guest.performAction(0, PlayerAction.ATTACK);
        int fires = state().get(EntityField.TORSO_ANIM);
        now = 600_000_000;
        assertThat(state().get(EntityField.TORSO_ANIM) & 0x7F)
                .isNotEqualTo(fires & 0x7F)
                .isEqualTo(armed.get(EntityField.TORSO_ANIM));
        hitWith(DamageMeans.RIFLE);
        assertThat(state().get(EntityField.WEAPON)).isEqualTo(Weapon.RAILGUN.number());
        hitWith(DamageMeans.SUICIDE);
        assertThat(state().get(EntityField.WEAPON)).isEqualTo(Weapon.RAILGUN.number());
        hitWith(DamageMeans.MELEE);
        assertThat(state().get(EntityField.WEAPON)).isEqualTo(Weapon.GAUNTLET.number());
    }

    @Test
    void forgetsPlayerThatHasLeft() {
        guest.teleport(0, Movement.at(new Vec3(1, 1, 0), 0));
        EntityState before = state();
        guest.leave(0, LeaveReason.LEFT);
        assertThat(state()).isNotSameAs(before);
        assertThat(state().get(EntityField.E_FLAGS)).isZero();
    }

    @Test
    void showsQuadDamageAsLongAsItLasts() {
        EntityState before = state();
        assertThat(before.get(EntityField.POWERUPS)).isZero();
        quad = 1;
        assertThat(state().get(EntityField.POWERUPS)).isEqualTo(2);
        quad = 0;
        assertThat(state().hasSameValues(before)).isTrue();
    }
}
