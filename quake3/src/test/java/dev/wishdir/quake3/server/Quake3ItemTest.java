package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.ItemScenario;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.movement.Quake3Movement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Items at clients of Quake III. */
@Tag("slow")
class Quake3ItemTest extends ItemScenario<Quake3Client> {
    private static final int ARMOUR = 4;
    private static final int WEAPONS = 3;
    private static final int ROCKET_LAUNCHER = 5;

    @Override
    protected void open(EndpointContext.Builder context, BlockArena played) throws IOException {
        Quake3Endpoint.open(
                context.addressLimits(
                                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1))
                        .build(),
                new Quake3MapCatalog(Optional.empty(), played),
                "baseoa",
                List.of(),
                List.of());
    }

    @Override
    protected Quake3Client connect(ClientConfig config) throws IOException {
        return Quake3Client.connect(config);
    }

    @Override
    protected void assertArmour(Quake3Client anna) {
        assertThat(anna.player().get(PlayerArray.STATS, ARMOUR)).isEqualTo(50);
    }

    @Override
    protected void assertRockets(Quake3Client anna) {
        assertThat(anna.player().get(PlayerArray.STATS, WEAPONS) >> ROCKET_LAUNCHER & 1)
                .isEqualTo(1);
        assertThat(anna.player().get(PlayerArray.AMMO, ROCKET_LAUNCHER)).isEqualTo(10);
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
        take(LIGHT_ARMOUR);
        network.run(SECOND / 10);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT) & 0xFF).isEqualTo(19);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT_PARM)).isEqualTo(2);
    }

    @Test
    void quadDamageIsThereLaterAndLastsHalfAMinute() throws Exception {
        Quake3Client anna = takeQuad();
        long taken = network.now();
        network.run(SECOND / 4);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT) & 0xFF).isEqualTo(19);
        assertThat(anna.player().get(PlayerField.EXTERNAL_EVENT_PARM)).isEqualTo(28);
        int until = anna.player().get(PlayerArray.POWERUPS, 1);
        assertThat(until % 1_000).as("a full second").isZero();
        ArenaPlayer player = player();
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
