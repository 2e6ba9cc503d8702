package dev.wishdir.quake2.server;

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
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.movement.PassiveDecoder;
import dev.wishdir.quake2.netchan.OutOfBand;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Random;

/**
 * A client on an arena of blocks, in virtual time: what it predicts on the map that it was sent is
 * what the server says, frame by frame, on stairs, ledges and bridges too.
 */
@Tag("slow")
class BlockPredictionTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat"})
    void matchesPredictionInEveryFrame(String name) throws IOException {
        BlockArena blocks = ArenaCatalog.shipped(name);
        SimulatedNetwork network = new SimulatedNetwork(1);
        Arena arena = new Arena(Level.of(blocks), 8);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_910);
        new Quake2Game()
                .serve(
                        EndpointContext.builder(cycle, address, arena)
                                .blocks(blocks)
                                .random(new Random(2))
                                .build());
        Quake2MapCatalog catalog = new Quake2MapCatalog(Optional.empty(), blocks);
        PlaneWorld world = Bsp38.read(catalog.load("").file().toArray()).world();
        PassiveDecoder ear = new PassiveDecoder(_ -> world, "");
        network.tap((_, from, to, data) -> {
            if (!OutOfBand.is(data)) {
                ear.heard(to.equals(address), data);
            }
        });
        WaypointController wayfarer =
                new WaypointController(
                        new BodyReachability(blocks, new Quake2Game().body().orElseThrow()),
                        new Random(3));
        Quake2Client client =
                Quake2Client.connect(
                        ClientConfig.builder(network.cycle(), address)
                                .name("walker")
                                .controller(wayfarer)
                                .listener(new ClientListener() {})
                                .random(new Random(4))
                                .build());
        network.run(120 * SECOND);
        assertThat(client.joined()).isTrue();
        assertThat(wayfarer.climbed()).as("metres up").isGreaterThan(name.equals("flat") ? -1 : 15);
        assertThat(ear.ways()).singleElement().asString().matches("(\\d{4})/\\1");
    }
}
