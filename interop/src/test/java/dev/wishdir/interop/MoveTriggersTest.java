package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Teleporters and jump pads of an arena, by the means of each game, seen by the others. */
@Tag("slow")
class MoveTriggersTest {
    private static final long SECOND = 1_000_000_000;
    private static final long TURN = 20_000_000;
    static final List<Game> GAMES = FourGames.ALL;

    private static final Vec3 ENTRANCE = new Vec3(-8, 0, 0);
    private static final Vec3 EXIT = new Vec3(8, 8, 0);
    private static final Vec3 PAD = new Vec3(8, -8, 0);
    private static final Vec3 APEX = new Vec3(3, -8, 4);

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);
    private final List<ArenaEvent.Teleported> teleports = new ArrayList<>();
    private Vec3 goal = ENTRANCE;

    static BlockArena arena() throws MalformedArenaException {
        StringBuilder text = new StringBuilder("wishdir-arena 1\nname passages\nsize 24 24 10\n");
        text.append("ground 1\nblock # stone\n");
        for (int i = 0; i < 4; i++) {
            text.append("spawn 0 ").append(4 * i - 6).append(" 0 180\n");
        }
        text.append("teleporter -8 0 0 8 8 0 90\npad 8 -8 0 3 -8 4\n");
        text.append("layer 0\n").append("########################\n".repeat(24));
        text.append("layers 1-9\n").append("........................\n".repeat(24));
        return ArenaText.read(text.toString());
    }

    private static BotController.PlayerInput steer(Movement self, Vec3 goal) {
        Vec3 way = goal.minus(self.position());
        double speed = way.horizontal() < 0.2 || self.position().z() > 0.3 ? 0 : 0.5;
        return new BotController.PlayerInput(
                Angles.yaw(way.x(), way.y()), 0, speed, 0, false, false);
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void movesPlayersAndShowsThemThere(Game game) throws Exception {
        try (FourGames server = new FourGames(network, random, 16, arena())) {
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.Teleported teleported) {
                            teleports.add(teleported);
                        }
                    });
            List<TestClient> watchers = new ArrayList<>();
            for (Game each : GAMES) {
                // In no player's way, nor below a flight.
                Vec3 place = new Vec3(2 * watchers.size() - 4, 10, 0);
                watchers.add(
                        server.guest(
                                each, "watch-" + each.name(), (_, self) -> steer(self, place)));
            }
            server.await(watchers);
            network.run(10 * SECOND);
            TestClient walker = server.guest(game, "walker", (_, self) -> steer(self, goal));
            server.await(List.of(walker));

            assertThat(network.runUntil(() -> !teleports.isEmpty(), 20 * SECOND))
                    .as(() -> "came to the teleporter: " + walker)
                    .isTrue();
            goal = EXIT;
            long seen = network.cycle().now() + 2 * SECOND;
            while (network.cycle().now() < seen) {
                network.run(TURN);
                for (TestClient watcher : watchers) {
                    // Quake III has bodies leave 400 units a second fast, for a moment.
                    Vec3 at = seen(watcher);
                    assertThat(Math.min(at.distance(ENTRANCE), at.distance(EXIT)))
                            .as(() -> watcher.name + " saw no way through: " + at)
                            .isLessThan(4);
                }
            }
            assertThat(server.position("walker").distance(EXIT)).isLessThan(0.8);
            assertThat(walker.client.movement().position().distance(EXIT)).isLessThan(0.8);
            for (TestClient watcher : watchers) {
                assertThat(seen(watcher).distance(EXIT)).as(watcher.name).isLessThan(0.8);
            }

            goal = PAD;
            assertThat(network.runUntil(() -> server.position("walker").z() > 0.5, 20 * SECOND))
                    .as(() -> "came to the jump pad: " + walker)
                    .isTrue();
            goal = new Vec3(APEX.x(), APEX.y(), 0);
            Vec3 highest = Vec3.ZERO;
            double[] shown = new double[watchers.size()];
            for (long end = network.cycle().now() + 3 * SECOND; network.cycle().now() < end; ) {
                network.run(TURN);
                highest =
                        server.position("walker").z() > highest.z()
                                ? server.position("walker")
                                : highest;
                for (int i = 0; i < shown.length; i++) {
                    shown[i] = Math.max(shown[i], seen(watchers.get(i)).z());
                }
            }
            // It is thrown from where it touched the pad.
            assertThat(highest.minus(APEX).horizontal()).as("apex").isLessThan(2);
            assertThat(highest.z()).isBetween(APEX.z() - 0.4, APEX.z() + 0.9);
            assertThat(server.position("walker").distance(goal))
                    .as("landed, and walked there")
                    .isLessThan(1);
            for (double each : shown) {
                assertThat(each).isBetween(APEX.z() - 1, APEX.z() + 1.2);
            }
            assertThat(teleports).hasSize(1);
            assertThat(server.laws().verdicts()).isEmpty();
            assertThat(server.counters().get("bedrock.drop.corrected")).isZero();
        }
    }

    private static Vec3 seen(TestClient watcher) {
        return watcher.sees("walker").position();
    }
}
