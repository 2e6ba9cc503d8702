package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.server.view.TickClock;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A server that has been up for weeks: the level begins again before its frames end. */
class Quake2UptimeTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final InetSocketAddress address =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27910);
    private final List<Vec3> walked = new ArrayList<>();
    private int frames;

    private final class Watcher implements ClientListener {
        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            frames++;
        }
    }

    private Quake2Client join(String name) throws IOException {
        Quake2Client client =
                Quake2Client.connect(
                        ClientConfig.builder(network.cycle(), address)
                                .name(name)
                                .controller(
                                        (now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0))
                                .listener(new Watcher())
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 10 * SECOND)).isTrue();
        return client;
    }

    private double metres(long seconds) {
        walked.clear();
        frames = 0;
        network.run(seconds * SECOND);
        double sum = 0;
        for (int i = 1; i < walked.size(); i++) {
            sum += walked.get(i).minus(walked.get(i - 1)).length();
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 120})
    @DisplayName("A8 players walk on and see each other over the end of the level's frames")
    void playsOnOverEndOfFrames(int framesPerSecond) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Moved moved && moved.player().name().equals("anna")) {
                walked.add(moved.movement().position());
            }
        });
        Quake2Endpoint.open(
                EndpointContext.builder(cycle, address, arena).random(new Random(2)).build(),
                new Quake2MapCatalog(Optional.empty()),
                framesPerSecond,
                Loadout.BLASTER,
                new TickClock((int) (0x7000_0000L * 120 / 1_000) - 120 * 15));
        Quake2Client anna = join("anna");
        Quake2Client bert = join("bert");
        double before = metres(3);
        int seen = frames;
        assertThat(before).isGreaterThan(15);
        assertThat(seen).isPositive();
        network.run(20 * SECOND);
        assertThat(metres(3)).isBetween(0.8 * before, 1.2 * before);
        assertThat(frames).isBetween(seen * 8 / 10, seen * 12 / 10);
        assertThat(anna.joined()).isTrue();
        assertThat(bert.others()).hasSize(1);
    }
}
