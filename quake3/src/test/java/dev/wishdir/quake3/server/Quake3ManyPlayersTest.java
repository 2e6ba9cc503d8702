package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Many clients that join in the same instant. */
@Tag("slow")
class Quake3ManyPlayersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000;
    private static final int CROWD = 48;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final List<String> ended = new ArrayList<>();
    private final List<Quake3Client> crowd = new ArrayList<>();

    private InetSocketAddress serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        return Quake3Endpoint.open(
                        EndpointContext.builder(
                                        cycle,
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), 27_960),
                                        arena)
                                .name("test")
                                .maxPlayers(CROWD)
                                .addressLimits(
                                        AddressLimits.trusting(
                                                List.of(AddressRange.parse("127.0.0.1")), 1))
                                .random(new Random(5))
                                .build(),
                        new Quake3MapCatalog(Optional.empty()),
                        "baseoa",
                        List.of(),
                        List.of())
                .address();
    }

    private Quake3Client join(InetSocketAddress server, int number) throws IOException {
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        ended.add(number + " " + ending + " " + reason);
                    }
                };
        BotController controller =
                (_, _) -> BotController.PlayerInput.walk(number * 7, number * 7, 0);
        return Quake3Client.connect(
                ClientConfig.builder(network.cycle(), server)
                        .name("player" + number)
                        .controller(controller)
                        .listener(listener)
                        .random(new Random(number))
                        .build());
    }

    /**
     * The later a client acknowledges, the more commands wait for it at once. With loss the last
     * one has joined after 6 to 11 s, with other seeds.
     */
    @ParameterizedTest
    @CsvSource({"0, 1, 4", "0, 150, 5", "0.05, 150, 15"})
    void showsManyPlayersToEachOther(double loss, int delay, int seconds) throws IOException {
        network.conditions(new Conditions(loss, 0, delay * MILLI, 10 * MILLI));
        InetSocketAddress server = serve();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(join(server, i));
        }
        assertThat(
                        network.runUntil(
                                () -> crowd.stream().allMatch(Quake3Client::joined),
                                seconds * SECOND))
                .as("all have joined")
                .isTrue();
        network.run(3 * SECOND);
        assertThat(ended).isEmpty();
        List<String> all = IntStream.range(0, CROWD).mapToObj(i -> "player" + i).toList();
        for (int i = 0; i < CROWD; i++) {
            Quake3Client client = crowd.get(i);
            List<String> others = new ArrayList<>(all);
            others.remove(i);
            assertThat(client.joined()).isTrue();
            assertThat(client.others())
                    .extracting(Client.RemotePlayer::name)
                    .containsExactlyInAnyOrderElementsOf(others);
        }
    }
}
