package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.ReachabilitySearch;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.Quake3Game;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Two maps of OpenArena's own, walked by bots of all four games along the same way points in
 * virtual time, one after another, as two bodies do not stand at one point: Quake III's in the map
 * itself, by the game's own physics on its brushes, the others' in the blocks that were made of it.
 */
@Tag("slow")
class StockMapWalkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int POINTS = 6;

    /** Metres from one way point to the next, at least. */
    private static final double APART = 8;

    /** Metres from a way point at which one is there: half a metre, and how far a tick goes. */
    private static final double THERE = 0.6;

    /** Of the widest and the highest body, the lowest step and the lowest jump. */
    private static final BodyDimensions ALL = new BodyDimensions("all", 1.06, 1.9, 0.51, 1);

    /** One body on its way. */
    private static final class Walker implements BotController, ClientListener {
        private final Game game;
        private final Route route;
        private final List<Vec3> points;
        private final Random random = new Random(5);
        private List<Vec3> way = List.of();
        private int passed;
        private int reached;
        private long since;
        private long asideUntil = Long.MIN_VALUE;
        private double aside;
        private Vec3 last = Vec3.ZERO;

        /** Where it was at each point. */
        private final List<Vec3> stood = new ArrayList<>();

        Walker(Game game, Route route, List<Vec3> points) {
            this.game = game;
            this.route = route;
            this.points = points;
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            Vec3 at = self.position();
            last = at;
            if (reached == points.size()) {
                return PlayerInput.look(self.yaw(), 0);
            }
            Vec3 goal = points.get(reached);
            if (isAt(at, goal)) {
                stood.add(at);
                reached++;
                way = List.of();
                return PlayerInput.look(self.yaw(), 0);
            }
            while (passed < way.size() && isAt(at, way.get(passed))) {
                passed++;
                since = now;
            }
            if (passed >= way.size() || now - since > 2 * SECOND || isAstray(at)) {
                if (now - since > 2 * SECOND) {
                    aside = random.nextDouble(360);
                    asideUntil = now + SECOND / 3;
                }
                Optional<Vec3> from = route.reachability.nearest(at);
                if (from.isPresent() && Math.abs(off(at, from.get()).z()) > 1) {
                    // Falls, until it has ground again.
                    way = List.of();
                    since = now;
                    return PlayerInput.look(self.yaw(), 0);
                }
                way = from.map(place -> route.anyWay(place, goal)).orElse(List.of());
                passed = 0;
                since = now;
            }
            if (now < asideUntil) {
                return PlayerInput.walk(aside, aside, 0);
            }
            Vec3 next = passed < way.size() ? way.get(passed) : goal;
            Vec3 to = off(at, next);
            double direction = Angles.yaw(to.x(), to.y());
            boolean jump = to.z() > 0.55 && to.horizontal() < 1.2;
            return new PlayerInput(direction, 0, 0.7, 0, jump, false);
        }

        private static boolean isAt(Vec3 at, Vec3 place) {
            return off(at, place).horizontal() < 0.3 && Math.abs(off(at, place).z()) < THERE;
        }

        private boolean isAstray(Vec3 at) {
            return passed < way.size() && off(at, way.get(passed)).horizontal() > 1.5;
        }

        private static Vec3 off(Vec3 at, Vec3 to) {
            return to.minus(at);
        }

        @Override
        public String toString() {
            return "%s at %s, on its way to point %d, %s; was at %s"
                    .formatted(game.name(), last, reached, points, stood);
        }
    }

    /** Where all bodies get, in the map and in its blocks. */
    private record Route(
            ReachabilitySearch reachability,
            List<CollisionSpace> spaces,
            Map<Vec3, Boolean> known) {
        static Route of(StockMap map, BlockArena blocks) {
            return new Route(
                    ReachabilitySearch.of(both(map.space(), blocks.space()), ALL, blocks.spawns()),
                    List.of(map.space(), blocks.space()),
                    new HashMap<>());
        }

        List<Vec3> way(Vec3 from, Vec3 to) {
            return reachability.path(from, to, at -> known.computeIfAbsent(at, this::isFirm));
        }

        /** Also over edges, where there is no other way. */
        List<Vec3> anyWay(Vec3 from, Vec3 to) {
            List<Vec3> way = way(from, to);
            return way.isEmpty() ? reachability.path(from, to, _ -> true) : way;
        }

        /** No edge, over which a narrower body falls, and no rail, on which a wider one stands. */
        private boolean isFirm(Vec3 at) {
            for (int corner = 0; corner < 4; corner++) {
                double x = at.x() + (corner % 2 == 0 ? -0.3 : 0.3);
                double y = at.y() + (corner / 2 == 0 ? -0.3 : 0.3);
                Vec3 above = new Vec3(x, y, at.z() + 1);
                Vec3 below = new Vec3(x, y, at.z() - 0.6);
                if (spaces.stream().anyMatch(space -> space.free(above, below, 0.1, 0.1) == 1)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Far from each other, and each with a way to the next. */
    private static List<Vec3> points(Route route, Random random) {
        List<Vec3> places = route.reachability.places();
        List<Vec3> points = new ArrayList<>();
        Vec3 home = places.stream().filter(route::isFirm).findFirst().orElseThrow();
        Vec3 last = home;
        for (int tries = 0; tries < 1_000 && points.size() < POINTS; tries++) {
            Vec3 next = places.get(random.nextInt(places.size()));
            if (next.distance(last) > APART
                    && !route.way(last, next).isEmpty()
                    && !route.way(next, home).isEmpty()) {
                points.add(next);
                last = next;
            }
        }
        assertThat(points).hasSize(POINTS);
        return points;
    }

    private static CollisionSpace both(CollisionSpace one, CollisionSpace other) {
        return (from, to, width, height) ->
                Math.min(one.free(from, to, width, height), other.free(from, to, width, height));
    }

    @ParameterizedTest
    @CsvSource({"aggressor, 0.96", "oa_dm1, 0.96"})
    void walksSameWayInAllGames(String name, double share) throws IOException {
        Peer.need("openarena-data", Path.of("/usr/share/games/openarena/baseoa/pak1-maps.pk3"));
        Game quake3 = new Quake3Game();
        StockMap map = quake3.map(name, quake3.mapFile(name, Map.of()).orElseThrow()).orElseThrow();
        BlockArena blocks = StockMapConverter.of(map);
        ReachabilitySearch own = ReachabilitySearch.of(map.space(), map.body(), map.spawns());
        for (Game game : FourGames.ALL) {
            ReachabilitySearch made =
                    ReachabilitySearch.of(
                            blocks.space(), game.body().orElseThrow(), blocks.spawns());
            assertThat(own.shareCoveredBy(made)).as(game.name()).isGreaterThan(share);
            assertThat(made.shareCoveredBy(own)).as(game.name()).isGreaterThan(share);
        }

        Route route = Route.of(map, blocks);
        List<Vec3> points = points(route, new Random(7));
        SimulatedNetwork network = new SimulatedNetwork(1);
        BlockArena shared = blocks.withOriginal(new BlockArena.Original(map.game(), map.name()));
        FourGames server = new FourGames(network, new Random(2), 16, shared);
        assertThat(server.arena().level("quake3").name()).isEqualTo(name);
        for (Game game : FourGames.ALL) {
            Walker walker = new Walker(game, route, points);
            Client client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(game.name())
                                    .controller(walker)
                                    .listener(walker)
                                    .random(new Random(3))
                                    .build());
            network.runUntil(() -> walker.reached == POINTS, 600 * SECOND);
            assertThat(walker.reached).as(walker::toString).isEqualTo(POINTS);
            // It stands at the last point, for everybody, and then makes room for the next.
            network.run(2 * SECOND);
            Player player = server.arena().players().getLast();
            assertThat(player.name()).isEqualTo(game.name());
            Vec3 at = player.movement().position();
            assertThat(at.minus(points.getLast()).horizontal())
                    .as("%s at %s", player.name(), at)
                    .isLessThan(2 * THERE);
            assertThat(at.z()).as(player.name()).isCloseTo(points.getLast().z(), within(0.5));
            client.close();
            assertThat(network.runUntil(() -> server.arena().players().isEmpty(), 10 * SECOND))
                    .isTrue();
        }
        server.close();
    }

    private static Offset<Double> within(double metres) {
        return Offset.offset(metres);
    }
}
