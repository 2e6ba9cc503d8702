package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.ItemScenario;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.Stats;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Items at clients of Quake II. */
@Tag("slow")
class Quake2ItemTest extends ItemScenario<Quake2Client> {
    @Override
    protected void open(EndpointContext.Builder context, BlockArena played) throws IOException {
        Quake2Endpoint.open(
                context.build(),
                new Quake2MapCatalog(Optional.empty(), played),
                10,
                Loadout.BLASTER);
    }

    @Override
    protected Quake2Client connect(ClientConfig config) throws IOException {
        return Quake2Client.connect(config);
    }

    @Override
    protected void assertArmour(Quake2Client anna) {
        assertThat(stat(anna, Stats.ARMOUR)).isEqualTo(50);
        assertThat(stat(anna, Stats.ARMOUR_ICON)).isPositive();
        assertThat(stat(anna, Stats.PICKUP_ICON)).isEqualTo(stat(anna, Stats.ARMOUR_ICON));
        assertThat(stat(anna, Stats.PICKUP_STRING)).as("Combat Armor").isEqualTo(1056 + 2);
        network.run(4 * SECOND);
        assertThat(stat(anna, Stats.PICKUP_STRING)).as("after 3 s").isZero();
    }

    @Override
    protected void assertRockets(Quake2Client anna) {
        assertThat(stat(anna, Stats.SELECTED_ITEM)).as("taken up").isEqualTo(14);
        assertThat(stat(anna, Stats.AMMO)).isEqualTo(5);
    }

    private static int stat(Quake2Client client, int index) {
        return client.state().stats().get(index);
    }

    /** Grenades are ammunition and a weapon; the BFG is taken up only from the blaster, too. */
    @ParameterizedTest
    @CsvSource({"AMMO_GRENADE, '', 12, 5", "WEAPON_ROCKET, weapon_bfg, 17, 50"})
    void takesUpTheFirstWeaponThatItFinds(ItemKind kind, String classname, int number, int ammo)
            throws Exception {
        PlacedItem first =
                new PlacedItem(kind, new Vec3(3, 0, 0), Duration.ofSeconds(30), classname);
        PlacedItem second =
                new PlacedItem(
                        ItemKind.WEAPON_RIFLE, new Vec3(-6, 0, 0), Duration.ofSeconds(30), "");
        Quake2Client anna = serve(ArenaCatalog.FLAT.withItems(List.of(first, second)));
        network.run(5 * SECOND);
        assertThat(anna.items()).containsExactlyInAnyOrder(first.place(), second.place());
        walkTo(first.place(), 5);
        assertThat(stat(anna, Stats.SELECTED_ITEM)).isEqualTo(number);
        assertThat(stat(anna, Stats.AMMO)).isEqualTo(ammo);
        assertThat(stat(anna, Stats.AMMO_ICON)).isPositive();
        assertThat(stat(anna, Stats.SELECTED_ICON)).isPositive();
        walkTo(second.place(), 4);
        assertThat(events).hasSize(2);
        assertThat(stat(anna, Stats.SELECTED_ITEM)).as("stays in hand").isEqualTo(number);
    }

    @Test
    void megaHealthWearsOffAndHealthIsLeftAbove100() throws Exception {
        target = new Vec3(20, 20, 0);
        Quake2Client anna = serve();
        network.run(10 * SECOND);
        take(MEGA_HEALTH);
        network.run(SECOND);
        assertThat(events).containsExactly("mega-health");
        assertThat(anna.health()).hasValue(200);
        network.run(3 * SECOND);
        assertThat(anna.health()).as("for 5 s").hasValue(200);
        network.run(11 * SECOND);
        assertThat(anna.health().orElseThrow()).isBetween(188.0, 191.0);
        walkTo(HEALTH.place(), 3);
        assertThat(events).as("health above 100 needs none").containsExactly("mega-health");
        assertThat(anna.items()).contains(HEALTH.place());
    }

    @Test
    void quadDamageIsThereLaterAndLastsHalfAMinute() throws Exception {
        Quake2Client anna = takeQuad();
        long taken = network.now();
        network.run(SECOND / 2);
        ArenaPlayer player = player();
        assertThat(player.combatant().quadLeft(taken)).isEqualTo(30 * SECOND);
        assertThat(stat(anna, Stats.TIMER_ICON)).isPositive();
        assertThat(stat(anna, Stats.TIMER)).isEqualTo(29);
        assertThat(stat(anna, Stats.PICKUP_STRING)).as("Quad Damage").isEqualTo(1056 + 23);
        network.run(29 * SECOND);
        assertThat(stat(anna, Stats.TIMER_ICON)).isPositive();
        network.run(SECOND);
        assertThat(stat(anna, Stats.TIMER_ICON)).isZero();
        assertThat(player.combatant().quadLeft(network.now())).isZero();
        network.run(60 * SECOND);
        assertThat(events.stream().filter("quad"::equals)).as("after 90 s again").hasSize(2);
    }
}
