package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Players of two games fight in one match: each kills the other, by the rules of its own game. */
class MixedFightTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double CHEST_METRES = 0.9;

    /** How fast bolts fly, metres a second. */
    private static final double BOLT_SPEED = 1000 / 32.0;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Random random = new Random(3);
    private final Arena arena = new Arena(Level.of(ArenaCatalog.FLAT), 8);
    private final List<ArenaEvent> events = new ArrayList<>();
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    /** A client that walks about, and shoots at the nearest other player while it fights. */
    private final class Hunter implements ClientListener {
        final Client client;
        boolean fights;

        Hunter(String game, String name) throws IOException {
            Endpoint endpoint = requireNonNull(endpoints.get(game));
            client =
                    FourGames.game(game)
                            .connect(
                                    ClientConfig.builder(network.cycle(), endpoint.address())
                                            .name(name)
                                            .controller((_, self) -> steer(self.position()))
                                            .listener(this)
                                            .random(random)
                                            .build());
        }

        private PlayerInput steer(Vec3 self) {
            if (!fights) {
                return PlayerInput.look(0, 0);
            }
            return client.others().stream()
                    .findFirst()
                    .map(other -> {
                        Vec3 way = other.movement().position().minus(self);
                        Vec3 lead = other.movement().velocity().times(way.length() / BOLT_SPEED);
                        client.shoot(
                                other.movement()
                                        .position()
                                        .plus(lead)
                                        .plus(new Vec3(0, 0, CHEST_METRES)));
                        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
                        return way.length() > 4
                                ? PlayerInput.walk(yaw, yaw, 0)
                                : PlayerInput.look(yaw, 0);
                    })
                    .orElse(PlayerInput.look(0, 0));
        }
    }

    private void serve(String... games) throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
        arena.addListener(events::add);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        List<BlockArena> played = List.of(ArenaCatalog.FLAT);
        SharedArena shared = new SharedArena(cycle, arena, played.getFirst(), played);
        for (String name : games) {
            Game game = FourGames.game(name);
            endpoints.put(
                    name,
                    game.serve(
                            EndpointContext.builder(
                                            cycle,
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), game.port()),
                                            arena)
                                    .sharedArena(shared)
                                    .random(random)
                                    .build()));
        }
    }

    private boolean died(String victim, String killer) {
        return events.stream()
                .filter(ArenaEvent.Died.class::isInstance)
                .map(ArenaEvent.Died.class::cast)
                .anyMatch(death ->
                        death.player().name().equals(victim)
                                && death.killer().name().equals(killer));
    }

    private double health(String name) {
        Player player =
                arena.players().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return arena.player(player.id()).orElseThrow().combatant().vitals().health();
    }

    @Test
    void quake2AndSauerbratenKillEachOther() throws IOException {
        serve("quake2", "sauerbraten");
        Hunter quake = new Hunter("quake2", "quinn");
        Hunter cube = new Hunter("sauerbraten", "cuby");
        assertThat(
                        network.runUntil(
                                () ->
                                        !quake.client.others().isEmpty()
                                                && !cube.client.others().isEmpty(),
                                30 * SECOND))
                .isTrue();
        quake.fights = true;
        assertThat(network.runUntil(() -> died("cuby", "quinn"), 90 * SECOND))
                .as("the player of Quake II kills")
                .isTrue();
        quake.fights = false;
        cube.fights = true;
        assertThat(network.runUntil(() -> died("quinn", "cuby"), 90 * SECOND))
                .as("the player of Sauerbraten kills")
                .isTrue();
        cube.fights = false;
        network.run(10 * SECOND);
        assertThat(quake.client.health().orElseThrow()).isEqualTo(health("quinn"));
        assertThat(cube.client.health().orElseThrow()).isEqualTo(health("cuby"));
    }
}
