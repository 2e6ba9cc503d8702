package dev.wishdir.quake3.server;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.server.session.ScriptedClient;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A running endpoint with the limits on, and two honest players on it: Alice walks and Bob watches,
 * whatever the others do.
 */
public final class AbuseHarness {
    public static final InetSocketAddress SERVER = address(0, 1, 27_960);

    public final SimulatedNetwork network = new SimulatedNetwork(3);
    final Arena arena = new Arena(Level.BOX, 100);
    final Counters counters = new Counters();
    final List<ArenaEvent> events = new ArrayList<>();
    final Quake3Client alice;
    final Quake3Client bob;
    final MemoryBudget memoryBudget;
    private final List<String> ended = new ArrayList<>();
    private int newcomers;

    public AbuseHarness() throws IOException {
        this(64L << 20);
    }

    AbuseHarness(long heap) throws IOException {
        memoryBudget = new MemoryBudget(heap, counters);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        cycle.add(memoryBudget);
        arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, SERVER, arena)
                        .maxPlayers(64)
                        .adminPassword("secret")
                        .addressLimits(AddressLimits.standard(1))
                        .memoryBudget(memoryBudget)
                        .counters(counters)
                        .random(new Random(5))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                List.of());
        alice =
                player(
                        "alice",
                        (now, _) ->
                                BotController.PlayerInput.walk(now * 60.0 / SECOND % 360, 0, 0));
        bob = player("bob", (_, _) -> BotController.PlayerInput.look(0, 0));
        network.run(SECOND);
    }

    /** Of this machine, whose players have no rate: 127.0.net.host. */
    public static InetSocketAddress address(int net, int host, int port) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(new byte[] {127, 0, (byte) net, (byte) host}), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private Quake3Client player(String name, BotController controller) throws IOException {
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        ended.add(name + " " + ending + " " + reason);
                    }
                };
        Quake3Client client =
                Quake3Client.connect(
                        ClientConfig.builder(network.cycle(), SERVER)
                                .name(name)
                                .controller(controller)
                                .listener(listener)
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 2 * SECOND)).as("%s joins", name).isTrue();
        return client;
    }

    ScriptedClient client(int net, int host) {
        return new ScriptedClient(network, SERVER, address(net, host, 40_000 + host), 71);
    }

    /** Lets time pass while clients walk on the spot and acknowledge. */
    void run(double seconds, ScriptedClient... clients) {
        for (int i = 0; i < seconds * 20; i++) {
            for (ScriptedClient client : clients) {
                client.walk(0);
            }
            network.run(SECOND / 20);
        }
    }

    Optional<Player> find(String name) {
        return arena.players().stream().filter(player -> player.name().equals(name)).findFirst();
    }

    /** Why a player left; empty while it is here. */
    List<LeaveReason> departures(String name) {
        return events.stream()
                .filter(event ->
                        event instanceof ArenaEvent.Left left && left.player().name().equals(name))
                .map(event -> ((ArenaEvent.Left) event).reason())
                .toList();
    }

    <T extends ArenaEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The honest play on, Bob sees Alice where she is, and a newcomer is in within two seconds. */
    void holds() throws IOException {
        assertThat(ended).isEmpty();
        assertThat(alice.joined() && bob.joined()).isTrue();
        assertThat(network.runUntil(() -> alice.movement().velocity().horizontal() > 9, 6 * SECOND))
                .as("alice walks")
                .isTrue();
        Player player = find("alice").orElseThrow();
        assertThat(bob.others().stream().filter(remote -> remote.name().equals("alice")))
                .singleElement()
                .satisfies(remote ->
                        assertThat(
                                        remote.movement()
                                                .position()
                                                .distance(player.movement().position()))
                                .isLessThan(1));
        player("newcomer" + newcomers++, (_, _) -> BotController.PlayerInput.look(0, 0)).close();
        network.run(SECOND / 10);
        ended.removeIf(line -> line.contains(" LEFT "));
        assertThat(ended).isEmpty();
    }
}
