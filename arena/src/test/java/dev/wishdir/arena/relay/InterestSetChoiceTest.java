package dev.wishdir.arena.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * With the grid a viewer is shown the same players, at the same times, as with a sort of all hidden
 * players.
 */
class InterestSetChoiceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SEEDS = 60;
    private static final int STEPS = 120;

    /** The rules, with a sort of all hidden players. */
    private static final class FullSort {
        final Map<ActivePlayer, Long> visible = new LinkedHashMap<>();
        final Map<ActivePlayer, Long> hiddenSince = new HashMap<>();

        List<InterestSet.Change> rebalance(
                long now, ActivePlayer self, List<ActivePlayer> all, int capacity) {
            Comparator<ActivePlayer> byDistance =
                    Comparator.comparingDouble(other -> distance(self, other));
            List<ActivePlayer> removable = new ArrayList<>();
            visible.forEach((other, since) -> {
                if (now - since >= InterestSet.MIN_VISIBLE_NANOS || visible.size() > capacity) {
                    removable.add(other);
                }
            });
            removable.sort(byDistance.reversed());
            List<ActivePlayer> hidden =
                    all.stream()
                            .filter(other -> other != self && other.spawned())
                            .filter(other -> !visible.containsKey(other))
                            .sorted(byDistance)
                            .toList();
            List<InterestSet.Change> changes = new ArrayList<>();
            int free = capacity - visible.size();
            int replaced = 0;
            while (free < 0) {
                changes.add(new InterestSet.Change(removable.removeFirst(), false));
                free++;
            }
            for (ActivePlayer candidate : hidden) {
                long hiddenNanos = now - hiddenSince.getOrDefault(candidate, -1_000 * SECOND);
                if (free > 0 && hiddenNanos >= InterestSet.MIN_HIDDEN_NANOS) {
                    free--;
                    changes.add(new InterestSet.Change(candidate, true));
                } else if (free == 0
                        && replaced < 2
                        && !removable.isEmpty()
                        && hiddenNanos >= InterestSet.MIN_REPLACED_NANOS
                        && distance(self, candidate) * 1.5 + 2
                                < distance(self, removable.getFirst())) {
                    replaced++;
                    hiddenSince.put(removable.getFirst(), now);
                    changes.add(new InterestSet.Change(removable.removeFirst(), false));
                    changes.add(new InterestSet.Change(candidate, true));
                }
            }
            return changes;
        }
    }

    private static double distance(ActivePlayer one, ActivePlayer other) {
        return one.movement().position().distance(other.movement().position());
    }

    @Test
    void choosesTheSamePlayersAsAFullSort() {
        int changed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            changed += run(new Random(seed));
        }
        assertThat(changed).isGreaterThan(10_000);
    }

    private static int run(Random random) {
        double size = random.nextDouble(5, 100);
        List<ActivePlayer> players = new ArrayList<>();
        int count = random.nextInt(2, 200);
        for (int i = 0; i < count; i++) {
            Movement at = Movement.at(place(random, size), 0);
            ActivePlayer player = new ActivePlayer(new PlayerId(0, i + 1), "quake2", at, 0);
            player.embody(i == 0 || random.nextInt(8) > 0);
            players.add(player);
        }
        ActivePlayer self = players.getFirst();
        Viewer viewer =
                new Viewer() {
                    @Override
                    public void onEvent(ArenaEvent event) {}

                    @Override
                    public void onMovement(List<Player> movers) {}
                };
        InterestSet set = new InterestSet(self, viewer);
        FullSort model = new FullSort();
        PlayerGrid grid = new PlayerGrid();
        int capacity = random.nextInt(1, 70);
        int changed = 0;
        for (int step = 0; step < STEPS; step++) {
            long now = step * SECOND;
            capacity = random.nextInt(20) == 0 ? random.nextInt(1, 70) : capacity;
            for (ActivePlayer player : players) {
                walk(random, player, size);
                if (player != self && random.nextInt(100) == 0) {
                    respawn(now, player, set, model, capacity);
                }
            }
            grid.update(players);
            List<InterestSet.Change> changes = set.rebalance(now, grid, capacity);
            assertThat(changes).isEqualTo(model.rebalance(now, self, players, capacity));
            for (InterestSet.Change change : changes) {
                if (change.visible()) {
                    set.add(now, change.player(), capacity);
                    model.visible.put(change.player(), now);
                    model.hiddenSince.remove(change.player());
                } else {
                    set.remove(change.player());
                    model.visible.remove(change.player());
                }
            }
            changed += changes.size();
            assertThat(set.players()).hasSize(model.visible.size());
            for (ActivePlayer player : players) {
                assertThat(player.isShown()).isEqualTo(model.visible.containsKey(player));
            }
        }
        set.clear();
        assertThat(players).noneMatch(ActivePlayer::isShown);
        return changed;
    }

    private static Vec3 place(Random random, double size) {
        return new Vec3(random.nextDouble(size), random.nextDouble(size), random.nextInt(3));
    }

    /** Walks up to 5 m, at times into the place of others. */
    private static void walk(Random random, ActivePlayer player, double size) {
        Vec3 at = player.movement().position();
        Vec3 to = at.plus(new Vec3(random.nextDouble(-5, 5), random.nextDouble(-5, 5), 0));
        player.place(
                Movement.at(
                        random.nextInt(50) == 0
                                ? new Vec3(Math.rint(to.x()), Math.rint(to.y()), 0)
                                : new Vec3(
                                        Math.clamp(to.x(), 0, size),
                                        Math.clamp(to.y(), 0, size),
                                        at.z()),
                        0));
    }

    /** Loses its body, or gets one and is shown if there is room. */
    private static void respawn(
            long now, ActivePlayer player, InterestSet set, FullSort model, int capacity) {
        player.embody(!player.spawned());
        if (player.spawned()) {
            if (set.add(now, player, capacity)) {
                model.visible.put(player, now);
                model.hiddenSince.remove(player);
            }
        } else if (set.remove(player)) {
            model.visible.remove(player);
        }
    }
}
