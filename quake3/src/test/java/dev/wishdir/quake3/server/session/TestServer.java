package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.server.Quake3Endpoint;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;

/** An endpoint that plays a map, in virtual time. */
public final class TestServer {
    public static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);

    public final SimulatedNetwork network = new SimulatedNetwork(3);
    public final Arena arena = new Arena(Level.BOX, 100);
    public final HttpDownloads httpDownloads = new HttpDownloads();
    private int nextPort = 40_000;

    public void serve(Quake3MapCatalog catalog, String map) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, ADDRESS, arena)
                        .name("test")
                        .map(map)
                        .maxPlayers(64)
                        .adminPassword("secret")
                        .addressLimits(
                                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1))
                        .httpDownloads(httpDownloads)
                        .random(new Random(5))
                        .build(),
                catalog,
                "baseoa",
                List.of(),
                List.of());
    }

    /** A bot that stands still. */
    public Quake3Client bot(String name) throws IOException {
        return Quake3Client.connect(
                ClientConfig.builder(network.cycle(), ADDRESS)
                        .name(name)
                        .controller((_, _) -> BotController.PlayerInput.look(0, 0))
                        .listener(new ClientListener() {})
                        .random(new Random(name.hashCode()))
                        .build());
    }

    public ScriptedClient client() {
        return new ScriptedClient(network, ADDRESS, nextPort++, 68);
    }
}
