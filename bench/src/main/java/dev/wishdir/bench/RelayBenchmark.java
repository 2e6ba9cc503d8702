package dev.wishdir.bench;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A second of a server and 16 of its game's headless players who walk, without sockets: all that
 * both sides read, move, relay and write.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RelayBenchmark {
    private static final int PLAYERS = 16;
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(1);

    @Param({"sauerbraten", "quake2", "quake3", "bedrock"})
    private String game = "";

    private Game played() {
        return switch (game) {
            case "sauerbraten" -> new SauerbratenGame();
            case "quake2" -> new Quake2Game();
            case "quake3" -> new Quake3Game();
            default -> new BedrockGame();
        };
    }

    /**
     * Brings them all in.
     *
     * @throws IOException if a map can't be made
     */
    @Setup
    public void join() throws IOException {
        Game played = played();
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 2 * PLAYERS);
        cycle.add(arena::advance);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);
        Endpoint endpoint =
                played.serve(
                        EndpointContext.builder(cycle, address, arena)
                                .addressLimits(
                                        AddressLimits.trusting(
                                                List.of(AddressRange.parse("127.0.0.0/8")), 1))
                                .maxPlayers(2 * PLAYERS)
                                .random(new Random(1))
                                .build());
        Random random = new Random(2);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < PLAYERS; i++) {
            int number = i;
            BotController circle =
                    (now, _) ->
                            BotController.PlayerInput.walk(
                                    (now / 1e9 * 60 + number * 20) % 360, 0, 0);
            clients.add(
                    played.connect(
                            ClientConfig.builder(network.cycle(), endpoint.address())
                                    .name("walker" + i)
                                    .controller(circle)
                                    .random(random)
                                    .build()));
        }
        if (!network.runUntil(() -> clients.stream().allMatch(Client::joined), 60 * SECOND)) {
            throw new IllegalStateException("not all of them joined");
        }
    }

    /** A second in which everyone walks. */
    @Benchmark
    public void second() {
        network.run(SECOND);
    }
}
