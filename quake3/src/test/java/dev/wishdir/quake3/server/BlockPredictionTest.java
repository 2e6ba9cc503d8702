package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.WaypointController;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.entity.LevelEntities;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.movement.PassiveDecoder;
import dev.wishdir.quake3.protocol.Protocol;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A client on an arena of blocks, in virtual time: a body that only its commands move, on the map
 * that it is offered, is where each snapshot has it, on stairs, ledges and bridges too.
 */
@Tag("slow")
class BlockPredictionTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat"})
    void matchesPredictionInEverySnapshot(String name) throws IOException {
        BlockArena blocks = ArenaCatalog.shipped(name);
        SimulatedNetwork network = new SimulatedNetwork(1);
        Arena arena = new Arena(Level.of(blocks), 8);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
        Quake3MapCatalog catalog = new Quake3MapCatalog(Optional.empty(), blocks);
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, address, arena)
                        .blocks(blocks)
                        .random(new Random(2))
                        .build(),
                catalog,
                "baseoa",
                List.of(),
                List.of());
        PassiveDecoder ear =
                new PassiveDecoder(
                        Protocol.OPENARENA_71,
                        catalog.load(""),
                        5_000,
                        List::of,
                        new LevelEntities(catalog.load(""), new Random(5))::touch);
        network.tap((now, _, to, data) -> {
            if (to.equals(address)) {
                ear.arrived(now, data);
            } else {
                ear.sent(data);
            }
        });
        WaypointController wayfarer =
                new WaypointController(
                        new BodyReachability(blocks, new Quake3Game().body().orElseThrow()),
                        new Random(3));
        Quake3Client client =
                Quake3Client.connect(
                        ClientConfig.builder(network.cycle(), address)
                                .name("walker")
                                .controller(wayfarer)
                                .listener(new ClientListener() {})
                                .random(new Random(4))
                                .build(),
                        Protocol.OPENARENA_71);
        network.run(120 * SECOND);
        assertThat(client.joined()).isTrue();
        assertThat(wayfarer.climbed()).as("metres up").isGreaterThan(name.equals("flat") ? -1 : 15);
        assertThat(ear.compared()).as("snapshots that agree").isGreaterThan(120 * 20);
        assertThat(ear.executed()).as("commands that came").isGreaterThan(120 * 40);
    }
}
