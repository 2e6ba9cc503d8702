package dev.wishdir.quake3;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.Serving;
import dev.wishdir.net.Budget;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.world.BoxArena;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An endpoint that plays a map, in virtual time. */
final class TestServer {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);

    final SimulatedNetwork network = new SimulatedNetwork(3);
    final Arena arena = new Arena(BoxArena.BOUNDS, 100);
    private int nextPort = 40_000;

    void serve(Levels levels, String map) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        new Quake3Endpoint(
                new Serving(
                        cycle,
                        ADDRESS,
                        arena,
                        "test",
                        map,
                        64,
                        "",
                        "secret",
                        Map.of(),
                        Budget.standard(1),
                        new Counters(),
                        new Random(5)),
                levels,
                "baseoa",
                List.of(),
                List.of());
    }

    ScriptedClient client() {
        return new ScriptedClient(network, ADDRESS, nextPort++, 68);
    }
}
