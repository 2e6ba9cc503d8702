package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Ten versions of Bedrock and the three other games in one arena, in virtual time. */
@Tag("slow")
class TenVersionsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> VERSIONS =
            List.of(
                    "1.21.0",
                    "1.21.20",
                    "1.21.30",
                    "1.21.44",
                    "1.21.60",
                    "1.21.90",
                    "1.21.130",
                    "1.26.10",
                    "1.26.45",
                    "1.26.51");
    private static final List<Game> OTHERS =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game());

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 50);
    private final Counters counters = new Counters();
    private final AddressLimits addressLimits =
            new AddressLimits(20, List.of(), AmplificationLimiter.standard(1), 1);
    private final DutyCycle cycle = network.cycle();
    private final Map<String, Client> clients = new LinkedHashMap<>();
    private final List<String> endings = new ArrayList<>();

    private Endpoint serve(Game game) throws IOException {
        return game.serve(
                EndpointContext.builder(
                                cycle,
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), game.port()),
                                arena)
                        .maxPlayers(20)
                        .addressLimits(addressLimits)
                        .counters(counters)
                        .random(new Random(1))
                        .build());
    }

    private void join(Game game, Endpoint endpoint, String name) throws IOException {
        int turn = clients.size() * 40;
        Client client =
                game.connect(
                        ClientConfig.builder(network.cycle(), endpoint.address())
                                .name(name)
                                .controller((now, _) ->
                                        new BotController.PlayerInput(
                                                turn + now / 20_000_000.0, 0, 0.4, 0, false, false))
                                .listener(
                                        new ClientListener() {
                                            @Override
                                            public void onEnded(
                                                    Client self, EndReason ending, String reason) {
                                                endings.add(name + " " + ending + ": " + reason);
                                            }
                                        })
                                .random(new Random(clients.size()))
                                .build());
        clients.put(name, client);
        assertThat(network.runUntil(client::joined, 30 * SECOND))
                .as("%s joins: %s", name, endings)
                .isTrue();
    }

    @Test
    void correctsNoPlayerAndShowsAll() throws IOException {
        cycle.add(arena::advance);
        Endpoint bedrock = serve(new BedrockGame());
        for (Game game : OTHERS) {
            join(game, serve(game), game.name());
        }
        for (String version : VERSIONS) {
            join(new BedrockGame().ofVersion(version), bedrock, "v" + version);
        }
        network.run(20 * SECOND);
        assertThat(endings).isEmpty();
        for (Map.Entry<String, Client> client : clients.entrySet()) {
            assertThat(client.getValue().others())
                    .as("what %s sees", client.getKey())
                    .extracting(other -> unsigned(other.name()))
                    .containsExactlyInAnyOrderElementsOf(
                            clients.keySet().stream()
                                    .filter(name -> !name.equals(client.getKey()))
                                    .toList());
            for (Client.RemotePlayer other : client.getValue().others()) {
                assertThat(other.movement().position().distance(position(unsigned(other.name()))))
                        .as("where %s sees %s", client.getKey(), other.name())
                        .isLessThan(1);
            }
        }
        for (String drop : List.of("corrected", "insane", "malformed", "authority")) {
            assertThat(counters.get("bedrock.drop." + drop)).as(drop).isZero();
        }
    }

    /** A name without the sign of its game. */
    private static String unsigned(String name) {
        return name.replaceFirst("^\\[\\w+] ?", "");
    }

    private Vec3 position(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .map(Player::movement)
                .findFirst()
                .orElseThrow()
                .position();
    }
}
