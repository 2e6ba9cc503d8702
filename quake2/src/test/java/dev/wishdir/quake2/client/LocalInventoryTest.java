package dev.wishdir.quake2.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.quake2.combat.Ammo;
import dev.wishdir.quake2.combat.Inventory;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.PlayerState;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

class LocalInventoryTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LocalInventory inventory = new LocalInventory();

    private List<String> names() {
        return inventory.weapons().stream().map(BotWeapon::name).toList();
    }

    private void give(Weapon weapon, Ammo kind, int amount) {
        Inventory given = new Inventory();
        given.give(weapon);
        given.set(kind, amount);
        inventory.onCounts(given.counts());
    }

    @Test
    void hasWeaponsWithEnoughAmmunition() {
        give(Weapon.BFG, Ammo.CELLS, 50);
        assertThat(names()).containsExactly("Blaster", "BFG10K");

        give(Weapon.BFG, Ammo.CELLS, 49);
        assertThat(names()).containsExactly("Blaster");

        give(Weapon.SHOTGUN, Ammo.GRENADES, 1);
        assertThat(names()).containsExactly("Blaster", "Grenades");
    }

    @Test
    void asksOnlyWhileItsWeaponsAreUsed() {
        assertThat(inventory.takeDue(0)).isFalse();

        inventory.weapons();
        assertThat(inventory.takeDue(SECOND)).isTrue();
        inventory.weapons();
        assertThat(inventory.takeDue(2 * SECOND)).isFalse();
        assertThat(inventory.takeDue(5 * SECOND)).isTrue();
        assertThat(inventory.takeDue(9 * SECOND)).isFalse();
    }

    @Test
    void changesWeaponUntilItIsInHand() {
        give(Weapon.SHOTGUN, Ammo.SHELLS, 10);
        inventory.onState(PlayerState.ZERO, Weapon.BLASTER.viewModel());
        inventory.select(inventory.weapons().getLast());
        assertThat(inventory.isReady()).isFalse();
        assertThat(inventory.takeChange(SECOND)).contains("use Shotgun");
        assertThat(inventory.takeChange(SECOND + 1)).isEmpty();

        inventory.onState(PlayerState.ZERO, Weapon.SHOTGUN.viewModel());
        assertThat(inventory.isReady()).isTrue();
        assertThat(inventory.takeChange(3 * SECOND)).isEmpty();
    }
}
