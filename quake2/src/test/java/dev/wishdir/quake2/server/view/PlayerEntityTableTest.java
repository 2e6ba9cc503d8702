package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.EntityState;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class PlayerEntityTableTest {
    private final Arena arena = new Arena(Level.BOX, 8);
    private final ConfigStrings strings = new ConfigStrings(_ -> {});
    private final PlayerEntityTable entityTable =
            new PlayerEntityTable(
                    arena,
                    strings,
                    new MissileEntities(),
                    new ItemEntities(arena.match().items()),
                    new FlagEntities(arena, strings));
    private static final long SECOND = 1_000_000_000L;

    private int frame;

    private ArenaPlayer join(String name) {
        ArenaPlayer player = arena.join(0, "sauerbraten", name, new NoOpViewer());
        player.spawn(0, Level.BOX.spawns().getFirst());
        return player;
    }

    private EntityState entity(long now, ArenaPlayer player) {
        FrameEntities entities = new FrameEntities(1);
        entityTable.compose(now, entities, ++frame);
        return entities.entity(entityTable.slot(player.id()) + 1);
    }

    /** The number of the weapon that a player is seen with. */
    private int weapon(ArenaPlayer player) {
        return entity(0, player).skin() >> 8;
    }

    @Test
    void foreignPlayerGlowsWithQuadDamageAndBlinksAtItsEnd() {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        ArenaPlayer guest = join("guest");
        guest.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
        guest.combatant().setQuad(10 * SECOND);
        List<Integer> effects = new ArrayList<>();
        for (long now : new long[] {0, 6_900, 7_300, 7_700, 9_950, 10_000}) {
            effects.add(entity(now * SECOND / 1_000, guest).effects());
        }
        assertThat(effects).containsExactly(0x8000, 0x8000, 0, 0x8000, 0, 0);
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
