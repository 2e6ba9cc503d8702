package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Players of two games fight each other, in virtual time. */
class Quake3MixedFightTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final DutyCycle server = network.cycle();
    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<ArenaEvent.Died> deaths = new ArrayList<>();

    /** A client that walks to the other player and shoots at it while it may. */
    private final class Fighter implements ClientListener {
        final Client client;
        final List<Double> health = new ArrayList<>();
        int deathsSeen;
        boolean shoots;

        Fighter(Game game, String name) throws IOException {
            Endpoint endpoint =
                    game.serve(
                            EndpointContext.builder(
                                            server,
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), game.port()),
                                            arena)
                                    .random(new Random(3))
                                    .build());
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), endpoint.address())
                                    .name(name)
                                    .controller((_, self) -> steer(self))
                                    .listener(this)
                                    .random(new Random(5))
                                    .build());
        }

        private PlayerInput steer(Movement self) {
            for (Client.RemotePlayer other : client.others()) {
                Vec3 place = other.movement().position();
                Vec3 way = place.minus(self.position());
                double yaw = Angles.wrap360(Angles.yaw(way.x(), way.y()));
                if (shoots) {
                    client.shoot(place.plus(new Vec3(0, 0, 0.9)));
                    return way.horizontal() > 3
                            ? PlayerInput.walk(yaw, yaw, 0)
                            : PlayerInput.look(yaw, 0);
                }
            }
            return PlayerInput.look(self.yaw(), 0);
        }

        @Override
        public void onHit(Client self, long victim, long attacker, double damage, double left) {
            if (victim == self.id()) {
                health.add(left);
            }
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            deathsSeen++;
        }
    }

    private PlayerId id(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @Test
    void eachKillsTheOtherOnce() throws IOException {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Died died) {
                deaths.add(died);
            }
        });
        server.add(arena::advance);
        Fighter ranger = new Fighter(new Quake3Game(), "ranger");
        Fighter ogro = new Fighter(new SauerbratenGame(), "ogro");
        network.run(5 * SECOND);
        assertThat(ranger.client.health()).isPresent();
        assertThat(ogro.client.health()).isPresent();

        ranger.shoots = true;
        assertThat(network.runUntil(() -> deaths.size() == 1, 60 * SECOND)).isTrue();
        ranger.shoots = false;
        network.run(10 * SECOND);
        assertThat(ogro.client.health()).as("lives again").isPresent();
        assertThat(ogro.health).as("was hit").isNotEmpty();

        ogro.shoots = true;
        assertThat(network.runUntil(() -> deaths.size() == 2, 120 * SECOND)).isTrue();
        ogro.shoots = false;
        network.run(30 * SECOND);

        assertThat(deaths)
                .extracting(died -> died.killer().name() + " kills " + died.player().name())
                .containsExactly("ranger kills ogro", "ogro kills ranger");
        assertThat(ranger.health).as("was hit").isNotEmpty();
        for (Fighter each : List.of(ranger, ogro)) {
            assertThat(each.deathsSeen).isEqualTo(2);
            assertThat(each.client.health()).isPresent();
            assertThat(each.client.frags())
                    .hasSize(2)
                    .allSatisfy((_, frags) -> assertThat(frags).isEqualTo(1));
        }
        for (String name : List.of("ranger", "ogro")) {
            assertThat(arena.match().score(id(name)).frags()).isEqualTo(1);
            assertThat(arena.match().score(id(name)).deaths()).isEqualTo(1);
        }
    }
}
