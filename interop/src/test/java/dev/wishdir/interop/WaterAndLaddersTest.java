package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.reach.ArenaValidator;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Who is in a pool swims out of it and climbs a tower, in each game, before the other three. */
@Tag("slow")
class WaterAndLaddersTest {
    private static final long SECOND = 1_000_000_000;
    private static final long TURN = 20_000_000;
    static final List<Game> GAMES = FourGames.ALL;

    private static final double TOP = 5;

    /** One for all games, as each compiles it once. */
    private static final BlockArena ARENA = arena();

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);

    /** A pool of 3 m in the west, and in the east a tower of 5 m with a ladder. */
    private static BlockArena arena() {
        StringBuilder text = new StringBuilder("wishdir-arena 2\nname wet\nsize 24 8 13\n");
        text.append("ground 4\nblock # stone\nblock ~ water\nblock H ladder\n");
        text.append("spawn -7 0 -3 0\nspawn -7 2 -3 0\nspawn -7 -2 -3 0\n");
        text.append("spawn -8 0 -3 0\nspawn -8 2 -3 0\n");
        String full = "########################\n";
        String open = "........................\n";
        text.append("layer 0\n").append(full.repeat(8));
        text.append("layers 1-3\n").append("##~~~~~~~~##############\n".repeat(8));
        String tower = "..................######\n";
        String ladder = ".................H######\n";
        text.append("layers 4-8\n");
        text.append(tower.repeat(3)).append(ladder.repeat(2)).append(tower.repeat(3));
        text.append("layers 9-12\n").append(open.repeat(8));
        try {
            return ArenaText.read(text.toString());
        } catch (MalformedArenaException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void findsWayInValidator() throws MalformedArenaException {
        List<BodyDimensions> bodies =
                GAMES.stream().map(game -> game.body().orElseThrow()).toList();
        assertThat(ArenaValidator.problems(ARENA, bodies)).isEmpty();
        for (Material medium : List.of(Material.WATER, Material.LADDER)) {
            BlockArena without = without(medium);
            assertThat(ArenaValidator.problems(without, bodies))
                    .as("without %s", medium)
                    .isNotEmpty();
        }
    }

    /** The same, but with air in the place of water or of ladders, and a spawn on the tower. */
    private static BlockArena without(Material medium) throws MalformedArenaException {
        String text = ArenaText.write(ARENA);
        char letter = text.charAt(text.indexOf(" " + medium.text()) - 1);
        int spawns = text.indexOf("spawn");
        int layers = text.indexOf("layer 0");
        return ArenaText.read(
                text.substring(0, spawns)
                        + "spawn 9 0 5 0\n"
                        + text.substring(spawns, layers)
                        + text.substring(layers).replace(letter, '.'));
    }

    private static BotController.PlayerInput steer(Game game, Movement self) {
        Vec3 at = self.position();
        Vec3 way = new Vec3(9, 0, 0).minus(at);
        boolean swims = at.x() < -1.5 && at.z() < 0.4;
        boolean climbs = at.x() > 4.2 && at.z() < TOP - 0.1;
        boolean there = at.x() > 8 && at.z() > TOP - 0.2;
        // In Quake II who keeps swimming up bobs before the edge, and does not leap over it.
        double lets = game.name().equals("quake2") ? -1 : 1;
        boolean up = climbs || swims && at.z() < lets;
        return new BotController.PlayerInput(
                Angles.yaw(way.x(), way.y()), up ? 45 : 0, there ? 0 : 1, 0, up, false);
    }

    /** Whoever appeared on the way, as Sauerbraten's client may, goes out of it. */
    private static BotController.PlayerInput aside(Movement self) {
        boolean inTheWay = self.position().z() > -1 && self.position().y() < 3;
        return new BotController.PlayerInput(90, 0, inTheWay ? 0.5 : 0, 0, false, false);
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void swimsOutAndClimbsUp(Game game) throws Exception {
        try (FourGames server = new FourGames(network, random, 16, ARENA)) {
            List<TestClient> watchers = new ArrayList<>();
            for (Game each : GAMES) {
                watchers.add(server.guest(each, "watch-" + each.name(), (_, self) -> aside(self)));
            }
            TestClient walker = server.guest(game, "walker", (_, self) -> steer(game, self));
            server.await(watchers);
            server.await(List.of(walker));
            boolean wet = false;
            Set<String> shown = new HashSet<>();
            long end = network.cycle().now() + 30 * SECOND;
            while (network.cycle().now() < end && server.position("walker").x() < 7.9) {
                network.run(TURN);
                wet |= server.player("walker").movement().stance().has(Flag.IN_WATER);
                for (TestClient watcher : watchers) {
                    if (watcher.sees("walker").stance().has(Flag.IN_WATER)) {
                        shown.add(watcher.game.name());
                    }
                }
            }
            assertThat(server.position("walker").x())
                    .as(() -> "came up: " + walker)
                    .isGreaterThan(7.5);
            assertThat(server.position("walker").z()).isBetween(TOP - 0.1, TOP + 1.5);
            assertThat(wet).as("was in water").isTrue();
            network.run(2 * SECOND);
            for (TestClient watcher : watchers) {
                assertThat(watcher.sees("walker").position().distance(server.position("walker")))
                        .as(watcher.name)
                        .isLessThan(0.5);
                assertThat(watcher.client.others())
                        .as("who stands does not swim")
                        .extracting(other -> other.movement().stance())
                        .noneMatch(stance -> stance.onGround() && stance.has(Flag.IN_WATER));
            }
            assertThat(walker.client.movement().position().distance(server.position("walker")))
                    .isLessThan(0.5);
            assertThat(server.player("walker").movement().stance().has(Flag.IN_WATER)).isFalse();
            assertThat(shown).as("shown swimming").containsOnly("quake3", "bedrock");
            assertThat(server.laws().verdicts()).isEmpty();
            assertThat(server.counters().get("bedrock.drop.corrected")).isZero();
        }
    }
}
