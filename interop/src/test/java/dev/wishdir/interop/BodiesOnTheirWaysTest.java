package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.blocks.reach.ArenaValidator;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.WaypointController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What the checker of arenas says, held to each game's own body: it gets where the checker says
 * that it can, and does not get where the checker says that it can't. In virtual time.
 */
@Tag("slow")
class BodiesOnTheirWaysTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = TestEffort.times(10);

    /** A corridor of 16 by 2 m, and what is in the way: rows by layers from z = 0, both alike. */
    enum Corridor {
        EVEN,
        SLAB("........__......"),
        BLOCK("........##......"),
        BLOCK_AND_SLAB("........##......", "........__......"),
        TWO_BLOCKS("........##......", "........##......"),
        THREE_BLOCKS("........##......", "........##......", "........##......"),
        LINTEL("................", "................", "........##......", "........##......"),
        /** One and a half metres high. */
        LOW_LINTEL("....________....", "................", "......####......", "......####......"),
        /** Only one of the two rows is open. */
        GAP("........##....../................") {
            @Override
            String layer(int z) {
                return super.layer(0);
            }
        };

        private final String[] layers;

        Corridor(String... layers) {
            this.layers = layers;
        }

        String layer(int z) {
            String row = z < layers.length ? layers[z] : "................";
            return row.contains("/") ? row.replace('/', '\n') : row + "\n" + row;
        }

        BlockArena arena() throws MalformedArenaException {
            StringBuilder text =
                    new StringBuilder("wishdir-arena 1\nname corridor\nsize 16 2 9\nground 1\n");
            text.append("block # stone\nblock _ stone half\nspawn -7 0 0 0\nspawn 7 0 0 180\n");
            text.append("layer 0\n################\n################\n");
            for (int z = 0; z < 8; z++) {
                text.append("layer ").append(z + 1).append('\n').append(layer(z)).append('\n');
            }
            return ArenaText.read(text.toString());
        }
    }

    /** Whoever is steered, and the server that it is on. */
    static final class Walker {
        final SimulatedNetwork network = new SimulatedNetwork(1);
        final Counters counters = new Counters();
        final Arena arena;
        final List<String> verdicts = new ArrayList<>();
        private final Client client;

        Walker(Game game, BlockArena blocks, BotController controller) throws IOException {
            arena = new Arena(Level.of(blocks), 8);
            DutyCycle cycle = network.cycle();
            cycle.add(arena::advance);
            arena.addListener(event -> {
                if (event instanceof ArenaEvent.MovementViolation violation) {
                    Vec3 at = violation.player().movement().position();
                    verdicts.add(at + ": " + violation.rule() + " " + violation.measured());
                }
            });
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
            game.serve(
                    EndpointContext.builder(cycle, address, arena)
                            .blocks(blocks)
                            .counters(counters)
                            .random(new Random(2))
                            .build());
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), address)
                                    .name("walker")
                                    .controller(controller)
                                    .listener(new ClientListener() {})
                                    .random(new Random(3))
                                    .build());
            assertThat(
                            network.runUntil(
                                    () ->
                                            client.joined()
                                                    && arena.players().stream()
                                                            .anyMatch(Player::spawned),
                                    20 * SECOND))
                    .isTrue();
        }

        Vec3 position() {
            return arena.players().getFirst().movement().position();
        }
    }

    private static BodyDimensions body(Game game) {
        return game.body().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat", "circuit", "forts"})
    void passesShippedArenasInAllGames(String name) {
        List<BodyDimensions> bodies =
                FourGames.ALL.stream().map(BodiesOnTheirWaysTest::body).toList();
        assertThat(ArenaValidator.problems(ArenaCatalog.shipped(name), bodies)).isEmpty();
    }

    static Stream<Arguments> gamesOnArenas() {
        return FourGames.ALL.stream()
                .flatMap(game ->
                        ArenaCatalog.SHIPPED.stream().map(name -> Arguments.of(game, name)));
    }

    /** From place to place; the server corrects no player, and takes nothing for cheats. */
    @ParameterizedTest
    @MethodSource("gamesOnArenas")
    void reachesPredictedPlaces(Game game, String name) throws IOException {
        BlockArena arena = ArenaCatalog.shipped(name);
        WaypointController wayfarer =
                new WaypointController(new BodyReachability(arena, body(game)), new Random(4));
        Walker walker = new Walker(game, arena, wayfarer);
        walker.network.run(SECONDS * SECOND);
        assertThat(walker.network.runUntil(() -> wayfarer.arrived() > 0, 20 * SECOND)).isTrue();
        assertThat(wayfarer.stuck()).isEmpty();
        assertThat(walker.verdicts).isEmpty();
        assertThat(walker.counters.get("bedrock.drop.corrected")).isZero();
    }

    /** Along the corridor, jumping now and then, from one wall to the other and back. */
    static BotController pushing(double x) {
        return (now, self) -> {
            double seconds = now / 1e9;
            double y = new double[] {0.9 * Math.sin(seconds), 0.5, -0.5}[(int) seconds / 10 % 3];
            Vec3 to = new Vec3(x, y, 0).minus(self.position());
            double direction = Angles.yaw(to.x(), to.y());
            boolean jump = (int) seconds % 4 < 2;
            double speed = Math.abs(to.x()) > 1 ? 1 : 0.2;
            return new BotController.PlayerInput(direction, 0, speed, 0, jump, false);
        };
    }

    @ParameterizedTest
    @EnumSource
    void passesPredictedGaps(Corridor corridor) throws Exception {
        BlockArena arena = corridor.arena();
        Map<String, Boolean> said = new HashMap<>();
        Map<String, Boolean> passed = new HashMap<>();
        for (Game game : FourGames.ALL) {
            Vec3 west = new Vec3(-7, 0, 0);
            Vec3 east = new Vec3(7, 0, 0);
            said.put(
                    game.name(),
                    !new BodyReachability(arena, body(game)).path(west, east).isEmpty());
            double[] side = {7};
            Walker walker =
                    new Walker(game, arena, (now, self) -> pushing(side[0]).steer(now, self));
            assertThat(Math.abs(walker.position().x())).isBetween(6.0, 8.0);
            side[0] = walker.position().x() > 0 ? -7 : 7;
            boolean is =
                    walker.network.runUntil(
                            () -> Math.abs(walker.position().x() - side[0]) < 1, 60 * SECOND);
            passed.put(game.name(), is);
        }
        assertThat(passed).isEqualTo(said);
    }
}
