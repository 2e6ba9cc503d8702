package dev.wishdir.arena.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.function.Supplier;

/** The grid finds the players that a sort of all would find, in the same order. */
class PlayerGridTest {
    private static final int RUNS = 300;

    private final PlayerGrid grid = new PlayerGrid();

    private static ActivePlayer player(int number, Vec3 at) {
        ActivePlayer player =
                new ActivePlayer(new PlayerId(0, number), "quake2", Movement.at(at, 0), 0);
        player.embody(true);
        return player;
    }

    /**
     * Where the players of a run are: spread, in crowds, in a row, on a raster with equal places.
     */
    private static Supplier<Vec3> places(int run, Random random) {
        double size = Math.pow(10, random.nextDouble(0, 4));
        Vec3 crowd = new Vec3(random.nextDouble(size), random.nextDouble(size), 0);
        return switch (run % 5) {
            case 0 -> () -> point(random, size, size, 20);
            case 1 ->
                    () ->
                            random.nextInt(20) == 0
                                    ? point(random, size, size, 5)
                                    : crowd.plus(point(random, 3, 3, 1));
            case 2 -> () -> point(random, size, 0, 0);
            case 3 ->
                    () -> new Vec3(random.nextInt(-4, 4), random.nextInt(-4, 4), random.nextInt(2));
            default -> () -> crowd;
        };
    }

    private static Vec3 point(Random random, double x, double y, double z) {
        return new Vec3(
                x * random.nextDouble(-1, 1),
                y * random.nextDouble(-1, 1),
                z * random.nextDouble(-1, 1));
    }

    @Test
    void findsWhatAFullSortFinds() {
        int found = 0;
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(run);
            Supplier<Vec3> places = places(run, random);
            List<ActivePlayer> players = new ArrayList<>();
            int count = random.nextInt(1 << random.nextInt(1, 10));
            for (int i = 0; i < count; i++) {
                players.add(player(i, places.get()));
                players.get(i).embody(random.nextInt(10) > 0);
            }
            grid.update(players);
            for (int search = 0; search < 20; search++) {
                Vec3 here =
                        random.nextBoolean() ? places.get() : point(random, 1_000, 1_000, 1_000);
                double limit =
                        random.nextInt(3) == 0
                                ? Double.POSITIVE_INFINITY
                                : random.nextDouble(-1, Math.pow(10, random.nextDouble(3)));
                int part = random.nextInt(1, 4);
                PlayerGrid.Search nearest =
                        grid.around(here, limit, other -> other.id.number() % part == 0);
                List<ActivePlayer> expected =
                        players.stream()
                                .filter(ActivePlayer::spawned)
                                .filter(other -> other.id.number() % part == 0)
                                .filter(other -> distance(here, other) < limit)
                                .sorted(Comparator.comparingDouble(other -> distance(here, other)))
                                .toList();
                for (ActivePlayer next : expected) {
                    assertThat(nearest.distance()).isEqualTo(distance(here, next));
                    assertThat(nearest.remove()).isSameAs(next);
                    found++;
                }
                assertThat(nearest.isEmpty()).isTrue();
            }
        }
        assertThat(found).isGreaterThan(50_000);
    }

    private static double distance(Vec3 here, ActivePlayer other) {
        return here.distance(other.movement().position());
    }

    @Test
    void looksOnlyAtPlayersNearby() {
        List<ActivePlayer> players = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            players.add(player(i, point(random, 100, 100, 1)));
        }
        grid.update(players);
        int[] seen = {0};
        PlayerGrid.Search nearest =
                grid.around(
                        Vec3.ZERO,
                        Double.POSITIVE_INFINITY,
                        _ -> {
                            seen[0]++;
                            return true;
                        });
        for (int i = 0; i < 64; i++) {
            nearest.remove();
        }
        assertThat(seen[0]).isLessThan(200);
    }

    @Test
    void isEmptyWithoutPlayers() {
        grid.update(List.of());
        PlayerGrid.Search nearest = grid.around(Vec3.ZERO, Double.POSITIVE_INFINITY, _ -> true);
        assertThat(nearest.isEmpty()).isTrue();
        assertThat(nearest.distance()).isInfinite();
        assertThatThrownBy(nearest::remove).isInstanceOf(NoSuchElementException.class);
    }

    /** A level of 100 km with a player at each end has few columns. */
    @Test
    void takesPlayersFarApart() {
        ActivePlayer west = player(1, new Vec3(-5e4, -5e4, 0));
        ActivePlayer east = player(2, new Vec3(5e4, 5e4, 0));
        grid.update(List.of(west, east));
        PlayerGrid.Search nearest =
                grid.around(new Vec3(1, 1, 0), Double.POSITIVE_INFINITY, _ -> true);
        assertThat(nearest.remove()).isSameAs(east);
        assertThat(nearest.remove()).isSameAs(west);
    }
}
