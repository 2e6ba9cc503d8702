package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Players of Bedrock and Sauerbraten fight in one match, in virtual time. */
class BedrockMixedFightTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final DutyCycle cycle = network.cycle();
    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<ArenaEvent> events = new ArrayList<>();

    /** A client that goes to the other player and, while it fights, uses its weapon. */
    private final class Fighter implements BotController, ClientListener {
        final List<String> deaths = new ArrayList<>();
        boolean fights;
        private final Random random;
        private @Nullable Client client;

        Fighter(Game game, Endpoint endpoint, String name, int seed) throws IOException {
            random = new Random(seed);
            client =
                    game.connect(
                            ClientConfig.builder(cycle, endpoint.address())
                                    .name(name)
                                    .controller(this)
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        Client client() {
            Client connected = client;
            if (connected == null) {
                throw new AssertionError("not connected");
            }
            return connected;
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            Client own = client;
            if (own == null || !own.joined()) {
                return PlayerInput.look(self.yaw(), 0);
            }
            return own.others().stream()
                    .map(other -> other.movement().position())
                    .min(Comparator.comparingDouble(at -> at.distance(self.position())))
                    .map(at -> approach(own, self, at))
                    .orElseGet(() -> PlayerInput.look(self.yaw(), 0));
        }

        private PlayerInput approach(Client own, Movement self, Vec3 at) {
            Vec3 way = at.minus(self.position());
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            if (!fights) {
                return PlayerInput.look(yaw, 0);
            }
            own.shoot(at.plus(new Vec3(0, 0, 1)));
            return PlayerInput.walk(
                    (way.length() < 1.5 ? yaw + 180 : yaw) + random.nextDouble(-40, 40), yaw, 0);
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            deaths.add(
                    (victim == self.id() ? "self" : "other")
                            + " by "
                            + (killer == self.id() ? "self" : "other"));
        }
    }

    private Endpoint serve(Game game, int port, Map<String, String> options) throws IOException {
        return game.serve(
                EndpointContext.builder(cycle, new InetSocketAddress("10.0.0.1", port), arena)
                        .options(options)
                        .random(new Random(port))
                        .build());
    }

    private Fighter steve;
    private Fighter cube;

    @BeforeEach
    void join() throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofMinutes(10), Duration.ZERO, Duration.ofSeconds(5)));
        arena.addListener(events::add);
        cycle.add(arena::advance);
        network.conditions(new Conditions(0.01, 0, 15 * MILLI, 10 * MILLI));
        Endpoint bedrock =
                serve(new BedrockGame(), 19132, Map.of("auth", "off", "transport", "raknet"));
        Endpoint sauerbraten = serve(new SauerbratenGame(), 28785, Map.of("mode", "1"));
        steve = new Fighter(new BedrockGame(), bedrock, "steve", 1);
        cube = new Fighter(new SauerbratenGame(), sauerbraten, "cube", 2);
        assertThat(
                        network.runUntil(
                                () -> arena.players().stream().filter(Player::spawned).count() == 2,
                                30 * SECOND))
                .isTrue();
    }

    private List<ArenaEvent.Died> deaths() {
        return events.stream()
                .filter(ArenaEvent.Died.class::isInstance)
                .map(ArenaEvent.Died.class::cast)
                .toList();
    }

    /** One of them fights until the other has died once, and lives again. */
    private ArenaEvent.Died fight(Fighter fighter) {
        int before = deaths().size();
        fighter.fights = true;
        assertThat(network.runUntil(() -> deaths().size() > before, 120 * SECOND))
                .as(
                        "a death, after %s",
                        events.stream().filter(ArenaEvent.Hit.class::isInstance).count())
                .isTrue();
        fighter.fights = false;
        network.run(10 * SECOND);
        assertThat(deaths()).hasSize(before + 1);
        return deaths().getLast();
    }

    @Test
    void eachKillsTheOtherOnce() {
        ArenaEvent.Died first = fight(steve);
        assertThat(first.player().name()).isEqualTo("cube");
        assertThat(first.killer().name()).isEqualTo("steve");
        assertThat(first.means())
                .as("its sword, or its bow")
                .isIn(DamageMeans.MELEE, DamageMeans.PISTOL);

        ArenaEvent.Died second = fight(cube);
        assertThat(second.player().name()).isEqualTo("steve");
        assertThat(second.killer().name()).isEqualTo("cube");

        assertThat(arena.match().standings())
                .allSatisfy(each -> assertThat(each.score()).isEqualTo(new Score(1, 1)));
        assertThat(steve.deaths).containsExactly("other by self", "self by other");
        assertThat(cube.deaths).containsExactly("self by other", "other by self");
        for (Fighter each : List.of(steve, cube)) {
            assertThat(each.client().frags().values()).containsExactlyInAnyOrder(1, 1);
            assertThat(each.client().health()).as("both live again").isPresent();
        }
    }
}
