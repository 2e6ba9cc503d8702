package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.load.LoadGenerator;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The bots of a demo get about in each arena that comes with the program, in every game, and no bot
 * or client of a load moves as its game can't.
 */
@Tag("slow")
class TourTest {
    private static final long SECOND = 1_000_000_000;
    private static final int QUARTER_MINUTES = TestEffort.times(1);
    private static final int EACH = 2;
    private static final AddressRange LOOPBACK = AddressRange.parse("127.0.0.1");

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final Random random = new Random(8);
    private final List<ArenaEvent> verdicts = new ArrayList<>();

    private interface Clients {
        void connect(Game game, InetSocketAddress server) throws IOException;
    }

    private Arena start(BlockArena blocks, int bots, Clients clients) throws IOException {
        Arena arena = new Arena(Level.of(blocks), 64);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation) {
                verdicts.add(event);
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        for (Game game : Games.ALL) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
            game.serve(
                    EndpointContext.builder(cycle, address, arena)
                            .blocks(blocks)
                            .addressLimits(AddressLimits.trusting(List.of(LOOPBACK), 8))
                            .random(random)
                            .build());
            clients.connect(game, address);
        }
        assertThat(network.runUntil(() -> embodied(arena) == 4L * bots, 30 * SECOND)).isTrue();
        return arena;
    }

    private void bot(Game game, InetSocketAddress server, String name, BotController controller)
            throws IOException {
        game.connect(
                ClientConfig.builder(network.cycle(), server)
                        .name(name)
                        .controller(controller)
                        .random(random)
                        .build());
    }

    private BotController tour(Optional<NavigationGraph> ways) {
        return new BotTour(() -> ways, BotPath.CIRCLE.controller(random), random);
    }

    private static long embodied(Arena arena) {
        return arena.players().stream().filter(Player::spawned).count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat"})
    @DisplayName("bots cover ground in each quarter minute, and no client moves as its game can't")
    void movesAsGameAllows(String name) throws IOException {
        BlockArena blocks = ArenaCatalog.shipped(name);
        Optional<NavigationGraph> ways = Optional.of(ArenaPaths.of(blocks));
        BotPath[] paths = BotPath.values();
        List<LoadGenerator> loads = new ArrayList<>();
        Set<String> touring = new HashSet<>();
        Arena arena =
                start(
                        blocks,
                        paths.length + 2 * EACH,
                        (game, server) -> {
                            for (int i = 0; i < EACH; i++) {
                                touring.add(game.name() + i);
                                bot(game, server, game.name() + i, tour(ways));
                            }
                            for (BotPath path : paths) {
                                bot(game, server, game.name() + path, path.controller(random));
                            }
                            LoadGenerator load =
                                    new LoadGenerator(game, server, "", Map.of(), random);
                            loads.add(load);
                            for (int i = 0; i < EACH; i++) {
                                load.add(network::cycle, Optional.empty());
                            }
                        });
        for (int quarter = 0; quarter < QUARTER_MINUTES; quarter++) {
            Map<String, Vec3> before = new HashMap<>();
            Map<String, Double> way = new HashMap<>();
            Map<String, Double> highest = new HashMap<>();
            for (int second = 0; second < 15; second++) {
                for (Player player : arena.players()) {
                    if (touring.contains(player.name())) {
                        Vec3 at = player.movement().position();
                        Vec3 last = before.put(player.name(), at);
                        way.merge(player.name(), last == null ? 0 : last.distance(at), Double::sum);
                        highest.merge(player.name(), at.z(), Math::max);
                    }
                }
                network.run(SECOND);
            }
            assertThat(way)
                    .hasSize(4 * EACH)
                    .allSatisfy((bot, metres) -> assertThat(metres).as(bot).isGreaterThan(12.5));
            assertThat(highest)
                    .allSatisfy((bot, metres) -> assertThat(metres).as(bot).isGreaterThan(-1));
        }
        assertThat(loads).allSatisfy(load -> assertThat(load.joined()).isEqualTo(EACH));
        assertThat(verdicts).isEmpty();
    }
}
