package dev.wishdir.quake3.server;

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
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.server.session.TestServer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A headless client sees items of an arena, takes them and sees them return, in virtual time. */
@Tag("slow")
class Quake3ItemTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int ARMOUR = 4;
    private static final int WEAPONS = 3;
    private static final int ROCKET_LAUNCHER = 5;
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

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final Arena arena = new Arena(Level.of(BLOCKS), 16);
    private final List<String> events = new ArrayList<>();
    private Vec3 target = new Vec3(20, -20, 0);

    private Quake3Client serve() throws IOException {
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
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, TestServer.ADDRESS, arena)
                        .blocks(BLOCKS)
                        .maxPlayers(16)
                        .addressLimits(
                                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1))
                        .random(new Random(9))
                        .build(),
                new Quake3MapCatalog(Optional.empty(), BLOCKS),
                "baseoa",
                List.of(),
                List.of());
        return Quake3Client.connect(
                ClientConfig.builder(cycle, TestServer.ADDRESS)
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

    @Test
    void takesItemsThatVanishAndReturn() throws Exception {
        Quake3Client anna = serve();
        walkTo(new Vec3(20, -20, 0), 8);
        assertThat(events).isEmpty();
        assertThat(anna.items())
                .containsExactlyInAnyOrder(
                        LIGHT_ARMOUR.place(), MEGA_HEALTH.place(), ROCKETS.place(), HEALTH.place());

        walkTo(LIGHT_ARMOUR.place(), 6);
        assertThat(events).containsExactly("light-armour");
        assertThat(anna.player().get(PlayerArray.STATS, ARMOUR)).isEqualTo(50);
        assertThat(anna.items()).doesNotContain(LIGHT_ARMOUR.place()).hasSize(3);

        walkTo(ROCKETS.place(), 4);
        assertThat(events).containsExactly("light-armour", "weapon-rocket");
        assertThat(anna.player().get(PlayerArray.STATS, WEAPONS) >> ROCKET_LAUNCHER & 1)
                .isEqualTo(1);
        assertThat(anna.player().get(PlayerArray.AMMO, ROCKET_LAUNCHER)).isEqualTo(10);

        network.run(17 * SECOND);
        assertThat(events).contains("light-armour returns", "weapon-rocket returns");
        assertThat(anna.items()).contains(LIGHT_ARMOUR.place());
    }

    @Test
    void megaHealthCountsDownAndHealthIsLeftAbove100() throws Exception {
        target = new Vec3(20, 20, 0);
        Quake3Client anna = serve();
        network.run(8 * SECOND);
        double before = anna.health().orElseThrow();
        walkTo(MEGA_HEALTH.place(), 7);
        assertThat(events).containsExactly("mega-health");
        double high = anna.health().orElseThrow();
        assertThat(high).isBetween(190.0, 200.0).isGreaterThan(before + 60);
        network.run(10 * SECOND);
        assertThat(anna.health().orElseThrow()).isBetween(high - 11, high - 9);
        assertThat(arena.players().getFirst().movement().position().distance(MEGA_HEALTH.place()))
                .isLessThan(1);
        walkTo(HEALTH.place(), 4);
        assertThat(events).as("health above 100 needs none").containsExactly("mega-health");
        assertThat(anna.items()).contains(HEALTH.place());
    }

    @Test
    void pickupOfAClientThatPredictsNoneIsAnExternalEvent() throws Exception {
        Quake3Client anna = serve();
        walkTo(new Vec3(20, -20, 0), 8);
        target = LIGHT_ARMOUR.place();
        for (int i = 0; i < 300 && events.isEmpty(); i++) {
            network.run(SECOND / 20);
        }
        network.run(SECOND / 10);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT) & 0xFF).isEqualTo(19);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT_PARM)).isEqualTo(2);
    }

    @Test
    void quadDamageIsThereLaterAndLastsHalfAMinute() throws Exception {
        target = QUAD.place();
        Quake3Client anna = serve();
        network.run(44 * SECOND);
        assertThat(events).doesNotContain("quad returns");
        assertThat(anna.items()).doesNotContain(QUAD.place());
        assertThat(network.runUntil(() -> events.contains("quad"), 5 * SECOND)).isTrue();
        long taken = network.now();
        network.run(SECOND / 4);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT) & 0xFF).isEqualTo(19);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT_PARM)).isEqualTo(28);
        int until = anna.player().get(PlayerArray.POWERUPS, 1);
        assertThat(until % 1_000).as("a full second").isZero();
        ArenaPlayer player = arena.player(arena.players().getFirst().id()).orElseThrow();
        assertThat(player.combatant().quadLeft(taken)).isBetween(29 * SECOND, 30 * SECOND);
        assertThat(mask(player)).isEqualTo(2);
        network.run(28 * SECOND);
        assertThat(anna.player().get(PlayerArray.POWERUPS, 1)).isEqualTo(until);
        network.run(2 * SECOND);
        assertThat(anna.player().get(PlayerArray.POWERUPS, 1)).isZero();
        assertThat(player.combatant().quadLeft(network.now())).isZero();
        assertThat(mask(player)).isZero();
        network.run(60 * SECOND);
        assertThat(events.stream().filter("quad"::equals)).as("after 90 s again").hasSize(2);
        player.combatant().die(network.now());
        network.run(SECOND);
        assertThat(anna.player().get(PlayerArray.POWERUPS, 1)).as("dead").isZero();
    }

    /** The powerups that others see. */
    private static int mask(ArenaPlayer player) {
        return Quake3Movement.state(player.snapshot().nativeMovement())
                .orElseThrow()
                .get(EntityField.POWERUPS);
    }
}
