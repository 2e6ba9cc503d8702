package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.Stats;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A headless client sees items of an arena, takes them and sees them return, in virtual time. */
@Tag("slow")
class Quake2ItemTest {
    private static final long SECOND = 1_000_000_000L;
    private static final PlacedItem LIGHT_ARMOUR =
            new PlacedItem(ItemKind.LIGHT_ARMOUR, new Vec3(3, 0, 0));
    private static final PlacedItem MEGA_HEALTH =
            new PlacedItem(ItemKind.MEGA_HEALTH, new Vec3(0, 6, 0));
    private static final PlacedItem ROCKETS =
            new PlacedItem(ItemKind.WEAPON_ROCKET, new Vec3(-6, 0, 0));
    private static final PlacedItem HEALTH = new PlacedItem(ItemKind.HEALTH, new Vec3(9, 9, 0));
    private static final PlacedItem QUAD = new PlacedItem(ItemKind.QUAD, new Vec3(-9, -9, 0));

    /** One for all methods, as it is compiled once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withItems(List.of(LIGHT_ARMOUR, MEGA_HEALTH, ROCKETS, HEALTH, QUAD));

    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_910);

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private Arena arena = new Arena(Level.of(BLOCKS), 16);
    private final List<String> events = new ArrayList<>();
    private Vec3 target = new Vec3(20, -20, 0);

    private Quake2Client serve() throws IOException {
        return serve(BLOCKS);
    }

    private Quake2Client serve(BlockArena played) throws IOException {
        arena = new Arena(Level.of(played), 16);
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.ItemTaken taken) {
                events.add(taken.item().kind().toString());
            } else if (event instanceof ArenaEvent.ItemReturned returned) {
                events.add(returned.item().kind() + " returns");
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake2Endpoint.open(
                EndpointContext.builder(cycle, ADDRESS, arena)
                        .blocks(played)
                        .maxPlayers(16)
                        .random(new Random(9))
                        .build(),
                new Quake2MapCatalog(Optional.empty(), played),
                10,
                Loadout.BLASTER);
        return Quake2Client.connect(
                ClientConfig.builder(cycle, ADDRESS)
                        .name("anna")
                        .controller((_, self) -> steer(self))
                        .listener(new ClientListener() {})
                        .random(new Random(2))
                        .build());
    }

    private PlayerInput steer(Movement self) {
        Vec3 way = target.minus(self.position());
        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
        return way.horizontal() > 0.3
                ? PlayerInput.walk(yaw, self.yaw(), 0)
                : PlayerInput.look(self.yaw(), 0);
    }

    private void walkTo(Vec3 place, int seconds) throws Exception {
        target = place;
        network.run(seconds * SECOND);
    }

    private static int stat(Quake2Client client, int index) {
        return client.state().stats().get(index);
    }

    @Test
    void takesItemsThatVanishAndReturn() throws Exception {
        Quake2Client anna = serve();
        network.run(10 * SECOND);
        assertThat(events).isEmpty();
        assertThat(anna.items())
                .containsExactlyInAnyOrder(
                        LIGHT_ARMOUR.place(), MEGA_HEALTH.place(), ROCKETS.place(), HEALTH.place());

        target = LIGHT_ARMOUR.place();
        for (int i = 0; i < 200 && events.isEmpty(); i++) {
            network.run(SECOND / 20);
        }
        network.run(SECOND / 2);
        assertThat(events).containsExactly("light-armour");
        assertThat(stat(anna, Stats.ARMOUR)).isEqualTo(50);
        assertThat(stat(anna, Stats.ARMOUR_ICON)).isPositive();
        assertThat(stat(anna, Stats.PICKUP_ICON)).isEqualTo(stat(anna, Stats.ARMOUR_ICON));
        assertThat(stat(anna, Stats.PICKUP_STRING)).as("Combat Armor").isEqualTo(1056 + 2);
        assertThat(anna.items()).doesNotContain(LIGHT_ARMOUR.place()).hasSize(3);
        network.run(4 * SECOND);
        assertThat(stat(anna, Stats.PICKUP_STRING)).as("after 3 s").isZero();

        walkTo(ROCKETS.place(), 4);
        assertThat(events).containsExactly("light-armour", "weapon-rocket");
        assertThat(stat(anna, Stats.SELECTED_ITEM)).as("taken up").isEqualTo(14);
        assertThat(stat(anna, Stats.AMMO)).isEqualTo(5);

        network.run(17 * SECOND);
        assertThat(events).contains("light-armour returns", "weapon-rocket returns");
        assertThat(anna.items()).contains(LIGHT_ARMOUR.place());
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
        target = MEGA_HEALTH.place();
        for (int i = 0; i < 200 && events.isEmpty(); i++) {
            network.run(SECOND / 20);
        }
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
        target = QUAD.place();
        Quake2Client anna = serve();
        network.run(44 * SECOND);
        assertThat(events).doesNotContain("quad returns");
        assertThat(anna.items()).doesNotContain(QUAD.place());
        assertThat(network.runUntil(() -> events.contains("quad"), 5 * SECOND)).isTrue();
        long taken = network.now();
        network.run(SECOND / 2);
        ArenaPlayer player = arena.player(arena.players().getFirst().id()).orElseThrow();
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
