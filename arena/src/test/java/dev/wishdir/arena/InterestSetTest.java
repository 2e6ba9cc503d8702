package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;

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

    private PlayerId join(Viewer viewer, double x) {
        PlayerId id = arena.join(0, "quake2", "p", viewer).id();
        if (viewer instanceof Eye eye) {
            arena.visiblePlayers(id).forEach(other -> eye.seen.add(other.id()));
        }
        arena.spawn(0, id, at(x));
        return id;
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    private void move(long now, PlayerId id, Movement movement) {
        arena.move(now, id, movement, NativeMovement.Stored.NONE);
    }

    @Test
    void showsNearestAndFillsFreedPlaces() {
        Eye eye = new Eye(2, 0, 0);
        PlayerId self = join(eye, 0);
        PlayerId near = join(new Eye(9, 0, 0), 5);
        PlayerId far = join(new Eye(9, 0, 0), 40);
        PlayerId between = join(new Eye(9, 0, 0), 20);
        assertThat(eye.seen).containsExactlyInAnyOrder(near, far);
        for (long now = 0; now < 10 * SECOND; now += SECOND / 4) {
            for (PlayerId id : List.of(self, near, far, between)) {
                arena.recordActivity(now, id);
            }
            arena.advance(now);
        }
        assertThat(eye.seen).containsExactlyInAnyOrder(near, between);
        assertThat(arena.visiblePlayers(self))
                .extracting(Player::id)
                .containsExactly(near, between);
        arena.leave(10 * SECOND, near, LeaveReason.LEFT);
        assertThat(eye.seen).containsExactly(between);
        arena.advance(11 * SECOND);
        assertThat(eye.seen).containsExactlyInAnyOrder(far, between);
    }

    @Test
    void doesNotFlickerInMovingCrowd() {
        Random random = new Random(3);
        List<Eye> eyes = new ArrayList<>();
        List<PlayerId> ids = new ArrayList<>();
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
            assertThat(arena.visiblePlayers(ids.get(i)))
                    .extracting(Player::id)
                    .containsExactlyInAnyOrderElementsOf(eye.seen);
        }
    }

    @Test
    void countsOnlyChangesOfVisiblePlayers() {
        Eye eye = new Eye(8, 0, 0);
        PlayerId self = join(eye, 0);
        List<PlayerId> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(join(new Eye(9, 0, 0), i + 1));
        }
        Set<PlayerId> shown = ids(self);
        int changes = arena.visibilityVersion(self);
        int changed = 0;
        for (long now = 0; now < 60 * SECOND; now += 50 * MILLI) {
            move(now, self, at(Math.sin(now / 10e9) * 40));
            for (int i = 0; i < others.size(); i++) {
                move(now, others.get(i), at(i + 1 + Math.cos(now / 1e9) / 10));
            }
            if (now == 30 * SECOND) {
                arena.leave(now, shown.iterator().next(), LeaveReason.LEFT);
            }
            arena.advance(now);
            Set<PlayerId> after = ids(self);
            assertThat(arena.visibilityVersion(self) != changes).isEqualTo(!after.equals(shown));
            changed += after.equals(shown) ? 0 : 1;
            changes = arena.visibilityVersion(self);
            shown = after;
        }
        assertThat(changed).isBetween(5, 100);
        arena.leave(61 * SECOND, self, LeaveReason.LEFT);
        assertThat(arena.visibilityVersion(self)).isEqualTo(-1);
    }

    private Set<PlayerId> ids(PlayerId viewer) {
        Set<PlayerId> ids = new HashSet<>();
        arena.visiblePlayers(viewer).forEach(other -> ids.add(other.id()));
        return ids;
    }

    @Test
    void doesNotFlickerWhenOthersLeave() {
        Eye eye = new Eye(1, 0, 0);
        PlayerId self = join(eye, 0);
        PlayerId far = join(new Eye(9, 0, 0), 40);
        PlayerId near = join(new Eye(9, 0, 0), 5);
        long now = 0;
        for (; now < 60 * SECOND && !eye.seen.contains(near); now += SECOND / 4) {
            for (PlayerId id : List.of(self, near, far)) {
                arena.recordActivity(now, id);
            }
            arena.advance(now);
        }
        arena.leave(now, near, LeaveReason.LEFT);
        for (; now < 60 * SECOND && !eye.seen.contains(far); now += SECOND / 4) {
            for (PlayerId id : List.of(self, far)) {
                arena.recordActivity(now, id);
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
        PlayerId one = join(new Eye(9, 0, 0), 1);
        PlayerId two = join(new Eye(9, 0, 0), 2);
        long from = SECOND;
        for (long now = from; now < from + SECOND; now += MILLI) {
            move(now, one, at(now / 1e9));
            move(now, two, at(now / 2e9));
            arena.advance(now);
        }
        assertThat(often.relays).isBetween(99, 101);
        assertThat(often.shown.get(one)).isBetween(99, 101);
        assertThat(seldom.shown.get(one)).isBetween(19, 21);
        assertThat(seldom.shown.get(two)).isBetween(19, 21);
    }

    @Test
    void showsNewBodyAtOnce() {
        Eye eye = new Eye(9, 10 * MILLI, 50 * MILLI);
        join(eye, 0);
        PlayerId one = join(new Eye(9, 0, 0), 1);
        arena.advance(SECOND);
        arena.spawn(2 * SECOND, one, at(2));
        move(2 * SECOND, one, at(3));
        arena.advance(2 * SECOND);
        assertThat(eye.movements).containsExactly(at(3));
    }

    @Test
    void delaysFrequentMovementByAtMostOneRelay() {
        Eye eye = new Eye(9, 9 * MILLI, 30 * MILLI);
        join(eye, 0);
        PlayerId often = join(new Eye(9, 0, 0), 1);
        PlayerId walker = join(new Eye(9, 0, 0), 2);
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
        assertThat(eye.shown.get(often)).isBetween(160, 168);
        assertThat(eye.shown.get(walker)).isBetween(150, 153);
    }

    @Test
    void showsStandingPlayerFiveTimesASecondAndNewMovementAtOnce() {
        Eye eye = new Eye(9, 0, 0);
        join(eye, 0);
        PlayerId still = join(new Eye(9, 0, 0), 1);
        for (long now = SECOND; now < 3 * SECOND; now += 25 * MILLI) {
            move(now, still, at(1));
            arena.advance(now);
        }
        assertThat(eye.shown.get(still)).isBetween(9, 11);
        move(3 * SECOND, still, at(2));
        arena.advance(3 * SECOND);
        assertThat(eye.movements.getLast()).isEqualTo(at(2));
    }

    @Test
    void deliversNewestMovementWithoutFurtherMovement() {
        Eye eye = new Eye(9, 10 * MILLI, 50 * MILLI);
        join(eye, 0);
        PlayerId mover = join(new Eye(9, 0, 0), 1);
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
        PlayerId mover = join(new Eye(9, 0, 0), 1);
        arena.move(1, mover, at(3), new NativeMovement.Stored("game/1", Bytes.of((byte) 7)));
        arena.advance(SECOND);
        assertThat(movers).hasSize(2);
        assertThat(movers.get(0)).isSameAs(movers.get(1)).isSameAs(arena.find(mover).orElseThrow());
        assertThat(movers.getFirst().nativeMovement().form()).isEqualTo("game/1");
    }

    @Test
    void sendsPlayersMissedDuringCongestion() {
        Eye eye = new Eye(1, 0, 0);
        PlayerId self = join(eye, 0);
        PlayerId one = join(new Eye(9, 0, 0), 1);
        PlayerId two = join(new Eye(9, 0, 0), 2);
        eye.behind = true;
        arena.leave(SECOND / 4, one, LeaveReason.LEFT);
        arena.recordActivity(SECOND, self);
        arena.recordActivity(SECOND, two);
        arena.advance(SECOND);
        assertThat(eye.seen).containsExactly(one);
        eye.behind = false;
        arena.advance(SECOND + 25 * MILLI);
        assertThat(eye.seen).containsExactly(two);
    }
}
