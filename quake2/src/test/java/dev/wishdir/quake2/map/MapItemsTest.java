package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.quake2.Quake2Captures;

import org.junit.jupiter.api.Test;

import java.util.List;

class MapItemsTest {
    /** The generated map of the captures, on which all items lie. */
    @Test
    void itemsOfAMapLieOnItsFloor() {
        Bsp38 bsp = Bsp38.read(Quake2Captures.FILES.file("q2combat.bsp").toArray());
        List<PlacedItem> items = MapItems.of(bsp.entities(), bsp.world());
        assertThat(items)
                .extracting(PlacedItem::classname)
                .contains(
                        "weapon_shotgun",
                        "weapon_bfg",
                        "ammo_grenades",
                        "item_armor_shard",
                        "item_health_mega",
                        "item_quad")
                .doesNotContain("item_invulnerability")
                .hasSize(24);
        assertThat(items)
                .allSatisfy(item -> {
                    assertThat(item.place().z()).isBetween(-0.01, 0.01);
                    assertThat(item.returnTime().toSeconds())
                            .isEqualTo(
                                    item.kind() == ItemKind.MEGA_HEALTH
                                                    || item.kind() == ItemKind.QUAD
                                            ? 60
                                            : item.classname().startsWith("item_armor") ? 20 : 30);
                });
    }
}
