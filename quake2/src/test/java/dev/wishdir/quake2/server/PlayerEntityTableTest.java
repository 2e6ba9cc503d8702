package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.DamageMeans;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Vitals;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.Weapon;

import org.junit.jupiter.api.Test;

class PlayerEntityTableTest {
    private final Arena arena = new Arena(Level.BOX, 8);
    private final PlayerEntityTable entityTable =
            new PlayerEntityTable(
                    arena,
                    new ConfigStrings(_ -> {}),
                    new MissileTable(),
                    new ItemTable(arena.match().items()));
    private int frame;

    private ArenaPlayer join(String name) {
        ArenaPlayer player = arena.join(0, "sauerbraten", name, new NoOpViewer());
        player.spawn(0, Level.BOX.spawns().getFirst());
        return player;
    }

    /** The number of the weapon that a player is seen with. */
    private int weapon(ArenaPlayer player) {
        FrameEntities entities = new FrameEntities(1);
        entityTable.compose(entities, ++frame);
        return entities.entity(entityTable.slot(player.id()) + 1).skin() >> 8;
    }

    private void hit(ArenaPlayer attacker, ArenaPlayer victim, DamageMeans means) {
        entityTable.onEvent(
                new ArenaEvent.Hit(
                        0,
                        victim.snapshot(),
                        attacker.snapshot(),
                        means,
                        10,
                        Vec3.ZERO,
                        Vec3.ZERO,
                        new Vitals(90, 0, 0)));
    }

    @Test
    void showsWeaponOfForeignPlayerByItsHits() {
        arena.addListener(entityTable);
        ArenaPlayer guest = join("guest");
        ArenaPlayer victim = join("victim");
        assertThat(weapon(guest)).isZero();
        hit(guest, victim, DamageMeans.RIFLE);
        assertThat(weapon(guest)).isEqualTo(Weapon.RAILGUN.number());
        assertThat(weapon(victim)).isZero();
        hit(guest, victim, DamageMeans.MELEE);
        assertThat(weapon(guest)).as("this game has none").isZero();
        hit(guest, victim, DamageMeans.SHOTGUN);
        assertThat(weapon(guest)).isEqualTo(Weapon.SHOTGUN.number());
        guest.leave(0, LeaveReason.LEFT);
        assertThat(weapon(join("guest"))).as("another life").isZero();
    }
}
