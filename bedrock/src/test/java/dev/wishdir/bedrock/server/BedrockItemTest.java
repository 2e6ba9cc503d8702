package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;
import static dev.wishdir.bedrock.server.FightNetwork.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.server.FightNetwork.Hunter;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.Stream;

/** A headless client sees items of an arena, takes them and sees them return, in virtual time. */
@Tag("slow")
class BedrockItemTest {
    /** Not changed by the way to the client in single precision. */
    private static final Vec3 FAR = new Vec3(20.5, -20.25, 0);

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 975, 1001, 2193})
    void takesHealthThatVanishesAndReturns(int protocol) {
        FightNetwork fight = new FightNetwork(5, rounds(600, 10, 0));
        Hunter anna = new Hunter(1).join(fight.n, "anna", protocol);
        anna.fights = false;
        BedrockClient client = anna.client();
        fight.n.network.run(2 * SECOND);
        ArenaPlayer player =
                fight.n.arena.player(fight.n.arena.players().getFirst().id()).orElseThrow();
        Vec3 here = player.snapshot().movement().position();
        Vec3 near = new Vec3(Math.rint(4 * here.x()) / 4, Math.rint(4 * here.y()) / 4, here.z());
        long now = fight.n.network.now();
        player.combatant().hit(now, player.id(), DamageMeans.SUICIDE, 40, Vec3.ZERO, here);
        List<PlacedItem> items =
                List.of(
                        new PlacedItem(ItemKind.AMMO_ROCKET, near),
                        new PlacedItem(ItemKind.HEALTH, near),
                        new PlacedItem(ItemKind.MEGA_HEALTH, FAR));
        fight.n.arena.setLevel(now, "bedrock", Level.BOX.withItems(items));
        fight.n.network.run(SECOND);

        assertThat(fight.events(ArenaEvent.ItemTaken.class))
                .extracting(taken -> taken.item().kind())
                .as("no use for rockets")
                .containsExactly(ItemKind.HEALTH);
        assertThat(player.combatant().vitals().health()).isEqualTo(85);
        assertThat(client.health()).hasValue(85);
        fight.n.network.run(2 * SECOND);
        assertThat(client.items()).hasSize(2).contains(FAR);

        fight.n.network.run(22 * SECOND);
        assertThat(fight.events(ArenaEvent.ItemReturned.class)).hasSizeGreaterThan(0);
        assertThat(player.combatant().vitals().health()).as("85 and 25").isEqualTo(100);
        fight.n.network.run(22 * SECOND);
        assertThat(fight.events(ArenaEvent.ItemTaken.class)).as("a whole body").hasSize(2);
        assertThat(client.items()).hasSize(3).contains(FAR);
    }

    @Test
    void leavesSnowballsForWhichThereIsNoRoom() {
        FightNetwork fight = new FightNetwork(6, rounds(600, 10, 0));
        Hunter anna = new Hunter(1).join(fight.n, "anna", 748);
        anna.fights = false;
        fight.n.network.run(SECOND);
        Vec3 here = fight.n.arena.players().getFirst().movement().position();
        fight.n.arena.setLevel(
                fight.n.network.now(),
                "bedrock",
                Level.BOX.withItems(List.of(new PlacedItem(ItemKind.AMMO_MACHINE_GUN, here))));
        fight.n.network.run(SECOND);
        assertThat(fight.events(ArenaEvent.ItemTaken.class)).as("it has 16 of 16").isEmpty();
    }

    @Test
    void takesArrows() {
        FightNetwork fight = new FightNetwork(6, rounds(600, 10, 0));
        Hunter anna = new Hunter(1).join(fight.n, "anna", 748);
        anna.fights = false;
        fight.n.network.run(SECOND);
        Vec3 here = fight.n.arena.players().getFirst().movement().position();
        fight.n.arena.setLevel(
                fight.n.network.now(),
                "bedrock",
                Level.BOX.withItems(
                        Stream.of(
                                        ItemKind.WEAPON_RIFLE,
                                        ItemKind.WEAPON_SHOTGUN,
                                        ItemKind.AMMO_SHOTGUN,
                                        ItemKind.WEAPON_ROCKET)
                                .map(kind -> new PlacedItem(kind, here))
                                .toList()));
        fight.n.network.run(SECOND);
        assertThat(fight.events(ArenaEvent.ItemTaken.class))
                .extracting(taken -> taken.item().kind())
                .containsExactly(
                        ItemKind.WEAPON_RIFLE, ItemKind.WEAPON_SHOTGUN, ItemKind.AMMO_SHOTGUN);
        fight.n.network.run(50 * SECOND);
        assertThat(fight.events(ArenaEvent.ItemTaken.class))
                .as("16 of a life, and 8 each up to 64")
                .hasSize(6);
    }
}
