package dev.wishdir.arena.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Which players a viewer is shown, and how often. */
class InterestSetTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30)));

    private final Arena arena = new Arena(LEVEL, 300, 40);

    /** A viewer that counts, and holds the arena to what it promises. */
    private static final class Eye implements Viewer {
        final int places;
        final long relayInterval;
        final long moverInterval;
        final Set<PlayerId> seen = new HashSet<>();
        final Map<PlayerId, Long> hiddenAt = new HashMap<>();
        final Map<PlayerId, Integer> shown = new HashMap<>();
        final List<Movement> movements = new ArrayList<>();
        int relays;
        int comings;
        long soonest = Long.MAX_VALUE;
        boolean behind;

        Eye(int places, long relayInterval, long moverInterval) {
            this.places = places;
            this.relayInterval = relayInterval;
            this.moverInterval = moverInterval;
        }

        @Override
        public boolean isCongested() {
            return behind;
        }

        @Override
        public int maxVisiblePlayers() {
            return places;
        }

        @Override
        public long relayIntervalNanos() {
            return relayInterval;
        }

        @Override
        public long minUpdateIntervalNanos() {
            return moverInterval;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.Spawned e -> {
                    assertThat(seen.add(e.id())).isTrue();
                    comings++;
                    soonest =
                            Math.min(
                                    soonest,
                                    e.time() - hiddenAt.getOrDefault(e.id(), -1_000 * SECOND));
                }
                case ArenaEvent.Despawned e -> {
                    assertThat(seen.remove(e.id())).isTrue();
                    hiddenAt.put(e.id(), e.time());
                }
                default -> {}
            }
        }

        @Override
        public void onMovement(List<Player> movers) {
            relays++;
            for (Player mover : movers) {
                shown.merge(mover.id(), 1, Integer::sum);
                movements.add(mover.movement());
                assertThat(behind || seen.contains(mover.id())).isTrue();
            }
        }
    }

    private ArenaPlayer join(Viewer viewer, double x) {
        ArenaPlayer id = arena.join(0, "quake2", "p", viewer);
        if (viewer instanceof Eye eye) {
            id.visiblePlayers().forEach(other -> eye.seen.add(other.id()));
        }
        id.spawn(0, at(x));
        return id;
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    private void move(long now, ArenaPlayer id, Movement movement) {
        id.recordActivity(now);
        id.move(now, movement, NativeMovement.Stored.NONE);
    }

    @Test
    void showsNearestAndFillsFreedPlaces() {
        Eye eye = new Eye(2, 0, 0);
        ArenaPlayer self = join(eye, 0);
        ArenaPlayer near = join(new Eye(9, 0, 0), 5);
        ArenaPlayer far = join(new Eye(9, 0, 0), 40);
        ArenaPlayer between = join(new Eye(9, 0, 0), 20);
        assertThat(eye.seen).containsExactlyInAnyOrder(near.id(), far.id());
        for (long now = 0; now < 10 * SECOND; now += SECOND / 4) {
            for (ArenaPlayer id : List.of(self, near, far, between)) {
                id.recordActivity(now);
            }
            arena.advance(now);
        }
        assertThat(eye.seen).containsExactlyInAnyOrder(near.id(), between.id());
        assertThat(self.visiblePlayers())
                .extracting(Player::id)
                .containsExactly(near.id(), between.id());
        near.leave(10 * SECOND, LeaveReason.LEFT);
        assertThat(eye.seen).containsExactly(between.id());
        arena.advance(11 * SECOND);
        assertThat(eye.seen).containsExactlyInAnyOrder(far.id(), between.id());
    }

    @Test
    void doesNotFlickerInMovingCrowd() {
        Random random = new Random(3);
        List<Eye> eyes = new ArrayList<>();
        List<ArenaPlayer> ids = new ArrayList<>();
        List<double[]> places = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            Eye eye = new Eye(i % 2 == 0 ? 63 : 30, 10 * MILLI, 0);
            eyes.add(eye);
            places.add(new double[] {random.nextInt(-30, 30), random.nextInt(-30, 30), i});
            ids.add(join(eye, places.get(i)[0]));
        }
        for (long now = 0; now < 60 * SECOND; now += 50 * MILLI) {
            for (int i = 0; i < ids.size(); i++) {
                double[] place = places.get(i);
                double heading = place[2] + now / 3e9;
                place[0] = Math.clamp(place[0] + 0.4 * Math.cos(heading), -32, 32);
                place[1] = Math.clamp(place[1] + 0.4 * Math.sin(heading), -32, 32);
                move(now, ids.get(i), Movement.at(new Vec3(place[0], place[1], 0), 0));
            }
            arena.advance(now);
        }
        for (int i = 0; i < eyes.size(); i++) {
            Eye eye = eyes.get(i);
            int most = Math.min(eye.places, 40);
            assertThat(eye.seen).hasSize(most);
            assertThat(eye.soonest).isGreaterThanOrEqualTo(InterestSet.MIN_REPLACED_NANOS);
            assertThat(eye.comings).isLessThanOrEqualTo(most + 2 * 120);
            assertThat(ids.get(i).visiblePlayers())
                    .extracting(Player::id)
                    .containsExactlyInAnyOrderElementsOf(eye.seen);
        }
    }

    @Test
    void countsOnlyChangesOfVisiblePlayers() {
        Eye eye = new Eye(8, 0, 0);
        ArenaPlayer self = join(eye, 0);
        List<ArenaPlayer> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(join(new Eye(9, 0, 0), i + 1));
        }
        Set<PlayerId> shown = ids(self);
        int changes = self.visibilityVersion();
        int changed = 0;
        for (long now = 0; now < 60 * SECOND; now += 50 * MILLI) {
            move(now, self, at(Math.sin(now / 10e9) * 40));
            for (int i = 0; i < others.size(); i++) {
                move(now, others.get(i), at(i + 1 + Math.cos(now / 1e9) / 10));
            }
            if (now == 30 * SECOND) {
                arena.player(shown.iterator().next()).orElseThrow().leave(now, LeaveReason.LEFT);
            }
            arena.advance(now);
            Set<PlayerId> after = ids(self);
            assertThat(self.visibilityVersion() != changes).isEqualTo(!after.equals(shown));
            changed += after.equals(shown) ? 0 : 1;
            changes = self.visibilityVersion();
            shown = after;
        }
        assertThat(changed).isBetween(5, 100);
        self.leave(61 * SECOND, LeaveReason.LEFT);
        assertThat(self.visibilityVersion()).isEqualTo(-1);
    }

    private Set<PlayerId> ids(ArenaPlayer viewer) {
        Set<PlayerId> ids = new HashSet<>();
        viewer.visiblePlayers().forEach(other -> ids.add(other.id()));
        return ids;
    }

    @Test
    void doesNotFlickerWhenOthersLeave() {
        Eye eye = new Eye(1, 0, 0);
        ArenaPlayer self = join(eye, 0);
        ArenaPlayer far = join(new Eye(9, 0, 0), 40);
        ArenaPlayer near = join(new Eye(9, 0, 0), 5);
        long now = 0;
        for (; now < 60 * SECOND && !eye.seen.contains(near.id()); now += SECOND / 4) {
            for (ArenaPlayer id : List.of(self, near, far)) {
                id.recordActivity(now);
            }
            arena.advance(now);
        }
        near.leave(now, LeaveReason.LEFT);
        for (; now < 60 * SECOND && !eye.seen.contains(far.id()); now += SECOND / 4) {
            for (ArenaPlayer id : List.of(self, far)) {
                id.recordActivity(now);
            }
            arena.advance(now);
        }
        assertThat(eye.soonest)
                .isBetween(
                        InterestSet.MIN_HIDDEN_NANOS,
                        InterestSet.MIN_HIDDEN_NANOS + InterestSet.REBALANCE_INTERVAL_NANOS);
    }

    @Test
    void respectsIntervalsOfViewerAndMover() {
        Eye often = new Eye(9, 10 * MILLI, 0);
        Eye seldom = new Eye(9, 10 * MILLI, 50 * MILLI);
        join(often, 0);
        join(seldom, 0);
        ArenaPlayer one = join(new Eye(9, 0, 0), 1);
        ArenaPlayer two = join(new Eye(9, 0, 0), 2);
        long from = SECOND;
        for (long now = from; now < from + SECOND; now += MILLI) {
            move(now, one, at(now / 1e9));
            move(now, two, at(now / 2e9));
            arena.advance(now);
        }
        assertThat(often.relays).isBetween(99, 101);
        assertThat(often.shown.get(one.id())).isBetween(99, 101);
        assertThat(seldom.shown.get(one.id())).isBetween(19, 21);
        assertThat(seldom.shown.get(two.id())).isBetween(19, 21);
    }

    @Test
    void showsNewBodyAtOnce() {
        Eye eye = new Eye(9, 10 * MILLI, 50 * MILLI);
        join(eye, 0);
        ArenaPlayer one = join(new Eye(9, 0, 0), 1);
        arena.advance(SECOND);
        one.spawn(2 * SECOND, at(2));
        move(2 * SECOND, one, at(3));
        arena.advance(2 * SECOND);
        assertThat(eye.movements).containsExactly(at(3));
    }

    @Test
    void delaysFrequentMovementByAtMostOneRelay() {
        Eye eye = new Eye(9, 9 * MILLI, 30 * MILLI);
        join(eye, 0);
        ArenaPlayer often = join(new Eye(9, 0, 0), 1);
        ArenaPlayer walker = join(new Eye(9, 0, 0), 2);
        for (long now = SECOND; now < 6 * SECOND; now += MILLI) {
            move(now, often, at(-now / 1e9));
            if (now % (33 * MILLI) == 0) {
                move(now, walker, at(now / 1e9));
            }
            int before = eye.movements.size();
            arena.advance(now);
            for (Movement shown : eye.movements.subList(before, eye.movements.size())) {
                assertThat(now / 1e9 - Math.abs(shown.position().x())).isLessThan(0.0091);
            }
        }
        assertThat(eye.shown.get(often.id())).isBetween(160, 168);
        assertThat(eye.shown.get(walker.id())).isBetween(150, 153);
    }

    @Test
    void showsStandingPlayerFiveTimesASecondAndNewMovementAtOnce() {
        Eye eye = new Eye(9, 0, 0);
        join(eye, 0);
        ArenaPlayer still = join(new Eye(9, 0, 0), 1);
        for (long now = SECOND; now < 3 * SECOND; now += 25 * MILLI) {
            move(now, still, at(1));
            arena.advance(now);
        }
        assertThat(eye.shown.get(still.id())).isBetween(9, 11);
        move(3 * SECOND, still, at(2));
        arena.advance(3 * SECOND);
        assertThat(eye.movements.getLast()).isEqualTo(at(2));
    }

    @Test
    void deliversNewestMovementWithoutFurtherMovement() {
        Eye eye = new Eye(9, 10 * MILLI, 50 * MILLI);
        join(eye, 0);
        ArenaPlayer mover = join(new Eye(9, 0, 0), 1);
        long now = SECOND;
        for (int i = 0; i < 3; i++, now += MILLI) {
            move(now, mover, at(i + 5));
            arena.advance(now);
        }
        for (long next = arena.advance(now); next < SECOND + 60 * MILLI; ) {
            next = arena.advance(next);
        }
        assertThat(eye.movements).containsExactly(at(5), at(7));
    }

    @Test
    void sharesOneObjectOfUnchangedPlayer() {
        List<Player> movers = new ArrayList<>();
        Viewer keeps =
                new Viewer() {
                    @Override
                    public void onEvent(ArenaEvent event) {}

                    @Override
                    public void onMovement(List<Player> moved) {
                        movers.addAll(moved);
                    }
                };
        join(keeps, 0);
        join(keeps, 0);
        ArenaPlayer mover = join(new Eye(9, 0, 0), 1);
        mover.move(1, at(3), new NativeMovement.Stored("game/1", Bytes.of((byte) 7)));
        arena.advance(SECOND);
        assertThat(movers).hasSize(2);
        assertThat(movers.get(0))
                .isSameAs(movers.get(1))
                .isSameAs(arena.find(mover.id()).orElseThrow());
        assertThat(movers.getFirst().nativeMovement().form()).isEqualTo("game/1");
    }

    @Test
    void sendsPlayersMissedDuringCongestion() {
        Eye eye = new Eye(1, 0, 0);
        ArenaPlayer self = join(eye, 0);
        ArenaPlayer one = join(new Eye(9, 0, 0), 1);
        ArenaPlayer two = join(new Eye(9, 0, 0), 2);
        eye.behind = true;
        one.leave(SECOND / 4, LeaveReason.LEFT);
        self.recordActivity(SECOND);
        two.recordActivity(SECOND);
        arena.advance(SECOND);
        assertThat(eye.seen).containsExactly(one.id());
        eye.behind = false;
        arena.advance(SECOND + 25 * MILLI);
        assertThat(eye.seen).containsExactly(two.id());
    }
}
