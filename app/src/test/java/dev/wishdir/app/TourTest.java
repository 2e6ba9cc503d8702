package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.world.blocks.ArenaCatalog;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BodyReachability;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The bots of a demo get about in each arena that comes with the program, in every game. */
class TourTest {
    private static final long SECOND = 1_000_000_000;
    private static final int EACH = 3;

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final Random random = new Random(8);
    private final List<ArenaEvent> verdicts = new ArrayList<>();

    private Arena start(BlockArena blocks) throws IOException {
        Arena arena = new Arena(Level.of(blocks), 64);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation) {
                verdicts.add(event);
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Optional<BodyReachability> ways = Optional.of(ArenaPaths.of(blocks));
        for (Game game : Games.ALL) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
            game.serve(
                    EndpointContext.builder(cycle, address, arena)
                            .blocks(blocks)
                            .random(random)
                            .build());
            for (int i = 0; i < EACH; i++) {
                game.connect(
                        ClientConfig.builder(network.cycle(), address)
                                .name(game.name() + i)
                                .controller(
                                        new BotTour(
                                                () -> ways,
                                                BotPath.CIRCLE.controller(random),
                                                random))
                                .random(random)
                                .build());
            }
        }
        assertThat(network.runUntil(() -> embodied(arena) == 4 * EACH, 30 * SECOND)).isTrue();
        return arena;
    }

    private static long embodied(Arena arena) {
        return arena.players().stream().filter(Player::spawned).count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat"})
    @DisplayName("each bot covers ground in each half minute, and none stays in a pit")
    void coversGround(String name) throws IOException {
        Arena arena = start(ArenaCatalog.shipped(name));
        for (int half = 0; half < 2; half++) {
            Map<String, Vec3> before = new HashMap<>();
            Map<String, Double> way = new HashMap<>();
            Map<String, Double> highest = new HashMap<>();
            for (int second = 0; second < 30; second++) {
                for (Player player : arena.players()) {
                    Vec3 at = player.movement().position();
                    Vec3 last = before.put(player.name(), at);
                    way.merge(player.name(), last == null ? 0 : last.distance(at), Double::sum);
                    highest.merge(player.name(), at.z(), Math::max);
                }
                network.run(SECOND);
            }
            assertThat(way)
                    .hasSize(4 * EACH)
                    .allSatisfy((bot, metres) -> assertThat(metres).as(bot).isGreaterThan(25));
            assertThat(highest)
                    .allSatisfy((bot, metres) -> assertThat(metres).as(bot).isGreaterThan(-1));
        }
        assertThat(verdicts).isEmpty();
    }
}
