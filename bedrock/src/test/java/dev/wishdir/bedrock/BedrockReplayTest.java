package dev.wishdir.bedrock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** With clock and randomness from outside a whole session is the same again, keys and all. */
class BedrockReplayTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-22T06:00:00Z"));

    private record Sent(long at, InetSocketAddress from, InetSocketAddress to, Bytes data) {}

    /** Two clients join, walk, talk and leave, encrypted, over a line that loses and reorders. */
    private static List<Sent> session(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.conditions(new Conditions(0.05, 0.05, 5_000_000, 5_000_000));
        List<Sent> sent = new ArrayList<>();
        network.tap((now, from, to, data) -> sent.add(new Sent(now, from, to, Bytes.of(data))));
        BedrockGame game = new BedrockGame(CLOCK);
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 20);
        cycle.add(arena::advance);
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
        Endpoint endpoint =
                game.serve(
                        EndpointContext.builder(cycle, address, arena)
                                .random(new Random(seed))
                                .build());
        List<Client> clients = new ArrayList<>();
        for (String name : List.of("Ann", "Bob")) {
            Random random = new Random(seed + name.hashCode());
            BotController walking =
                    (_, _) ->
                            new BotController.PlayerInput(
                                    random.nextInt(360), 0, 1, 0, random.nextBoolean(), false);
            Client client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), endpoint.address())
                                    .name(name)
                                    .controller(walking)
                                    .listener(new ClientListener() {})
                                    .random(random)
                                    .build());
            assertThat(network.runUntil(client::joined, 30 * SECOND)).isTrue();
            clients.add(client);
        }
        network.run(2 * SECOND);
        clients.getFirst().say("hello");
        network.run(2 * SECOND);
        clients.forEach(Client::close);
        network.run(2 * SECOND);
        return sent;
    }

    @Test
    void repeatsDatagramsForSameSeed() throws IOException {
        List<Sent> once = session(1);
        assertThat(once).hasSizeGreaterThan(500);
        assertThat(session(1)).isEqualTo(once);
        assertThat(session(2)).isNotEqualTo(once);
    }
}
