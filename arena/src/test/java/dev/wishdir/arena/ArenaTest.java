package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.relay.RelayScheduler;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class ArenaTest {
    private static final long MILLI = 1_000_000;

    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30)));

    private final Arena arena = new Arena(LEVEL, 200);

    /** Records its notifications. */
    private static final class Log implements Viewer {
        final List<String> lines = new ArrayList<>();

        @Override
        public void onEvent(ArenaEvent event) {
            lines.add(
                    switch (event) {
                        case ArenaEvent.Joined e -> "joined " + e.player().name();
                        case ArenaEvent.Left e -> "left " + e.player().name();
                        case ArenaEvent.Spawned e -> "spawned " + e.player().name();
                        case ArenaEvent.Despawned e -> "despawned " + e.player().name();
                        case ArenaEvent.Teleported e -> "teleported " + e.player().name();
                        case ArenaEvent.Chat e -> e.player().name() + ": " + e.text();
                        case ArenaEvent.Renamed e -> e.oldName() + " is " + e.name();
                        case ArenaEvent.Announcement e -> "* " + e.text();
                        case ArenaEvent.Whisper e ->
                                e.from().name() + " to " + e.player().name() + ": " + e.text();
                        case ArenaEvent.KickRequested e -> "dismissed: " + e.reason().text();
                        case ArenaEvent.LevelChanged e -> e.game() + " plays " + e.level().name();
                        default -> event.toString();
                    });
        }

        @Override
        public void onMovement(List<Player> movers) {
            lines.add(
                    "moved "
                            + movers.stream()
                                    .map(p -> p.name() + p.movement().position().x())
                                    .toList());
        }
    }

    private final Log aliceSees = new Log();
    private final Log bobSees = new Log();
    private final ArenaPlayer alice = arena.join(0, "sauerbraten", "alice", aliceSees);
    private final ArenaPlayer bob = arena.join(0, "quake3", "bob", bobSees);

    private static NativeMovement raw(String text) {
        return new NativeMovement.Stored(text, Bytes.EMPTY);
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    @Test
    void showsJoinMoveChatAndLeaveToEveryone() {
        bob.spawn(0, at(1));
        bob.say(0, "hi\u0007 there\n you");
        bob.say(0, " \t");
        bob.rename(0, "rob");
        arena.announce(0, "map ends");
        bob.despawn(0);
        bob.leave(0, LeaveReason.LEFT);
        bob.leave(0, LeaveReason.LEFT);
        assertThat(aliceSees.lines)
                .containsExactly(
                        "joined bob",
                        "spawned bob",
                        "bob: hi there you",
                        "bob is rob",
                        "* map ends",
                        "despawned rob",
                        "left rob");
        assertThat(bobSees.lines).containsExactly("* map ends");
    }

    @Test
    void teleportsOnlyPlayersWithBody() {
        bob.teleport(0, at(1));
        assertThat(aliceSees.lines).containsExactly("joined bob");
        bob.spawn(0, at(0));
        bob.teleport(0, at(5));
        assertThat(aliceSees.lines).containsExactly("joined bob", "spawned bob", "teleported bob");
        assertThat(bob.snapshot().movement()).isEqualTo(at(5));
        assertThat(bobSees.lines).isEmpty();
    }

    @Test
    void sendsFirstMoveAtOnceAndCoalescesTheNext() {
        bob.spawn(0, at(0));
        aliceSees.lines.clear();
        bob.move(0, at(1), raw("one"));
        arena.advance(100 * MILLI);
        bob.move(0, at(2), raw("two"));
        long due = arena.advance(100 * MILLI + 1);
        assertThat(due).isBetween(100 * MILLI + 2, 100 * MILLI + RelayScheduler.MIN_INTERVAL_NANOS);
        bob.move(0, at(3), raw("three"));
        arena.advance(due);
        assertThat(aliceSees.lines).containsExactly("moved [bob1.0]", "moved [bob3.0]");
        assertThat(bob.snapshot().nativeMovement()).isEqualTo(raw("three"));
        arena.advance(due + 1);
        assertThat(aliceSees.lines).hasSize(2);
    }

    @Test
    void widensIntervalWithPlayers() {
        for (int i = 0; i < 126; i++) {
            arena.join(0, "sauerbraten", "p" + i, new Log());
        }
        bob.spawn(0, at(0));
        bob.move(0, at(1), raw("one"));
        arena.advance(100 * MILLI);
        bob.move(0, at(2), raw("two"));
        arena.advance(101 * MILLI);
        aliceSees.lines.clear();
        for (long now = 200 * MILLI; now < 1200 * MILLI; now += MILLI / 4) {
            bob.move(now, at((double) (now % 7)), raw("on"));
            arena.advance(now);
        }
        assertThat(aliceSees.lines).hasSizeBetween(187, 189);
    }

    @Test
    void splitsRelaysOfEqualIntervalsIntoTwoHalves() {
        long interval = 10 * MILLI;
        List<List<Long>> relays = new ArrayList<>();
        long[] now = {0};
        for (int i = 0; i < 4; i++) {
            List<Long> of = new ArrayList<>();
            relays.add(of);
            arena.join(
                    0,
                    "sauerbraten",
                    "p" + i,
                    new Viewer() {
                        @Override
                        public long relayIntervalNanos() {
                            return interval;
                        }

                        @Override
                        public void onMovement(List<Player> movers) {
                            of.add(now[0]);
                        }

                        @Override
                        public void onEvent(ArenaEvent event) {}
                    });
        }
        bob.spawn(0, at(0));
        Random random = new Random(5);
        for (; now[0] < 1000 * MILLI; now[0] += MILLI / 4) {
            if (random.nextInt(8) == 0) {
                bob.move(now[0], at(random.nextInt(9)), raw("" + now[0]));
            }
            arena.advance(now[0]);
        }
        assertThat(relays.get(2)).isEqualTo(relays.get(0)).isNotEqualTo(relays.get(1));
        assertThat(relays.get(3)).isEqualTo(relays.get(1));
        for (int half = 0; half < 2; half++) {
            long begin = half * interval / 2;
            // alice and bob came before them, so the first of these has an odd number.
            List<Long> times = relays.get(1 - half);
            assertThat(times.stream().map(time -> Math.floorDiv(time - begin, interval)))
                    .doesNotHaveDuplicates()
                    .hasSizeGreaterThan(95);
        }
    }

    @Test
    void continuesAfterClockStepsBack() {
        bob.spawn(0, at(0));
        bob.move(0, at(1), raw("one"));
        arena.advance(3_600_000 * MILLI);
        aliceSees.lines.clear();
        bob.move(0, at(2), raw("two"));
        arena.advance(0);
        assertThat(aliceSees.lines).containsExactly("moved [bob2.0]");
    }

    @Test
    void doesNotMovePlayerWithoutBody() {
        bob.move(0, at(1), raw("one"));
        bob.spawn(0, at(0));
        bob.move(0, at(1), raw("one"));
        bob.despawn(0);
        arena.advance(MILLI);
        bob.spawn(0, at(5));
        bob.move(
                0,
                new Movement(new Vec3(Double.NaN, 0, 0), 0, 0, Vec3.ZERO, Stance.STANDING),
                raw("bad"));
        arena.advance(2 * MILLI);
        assertThat(aliceSees.lines).noneMatch(line -> line.startsWith("moved"));
        assertThat(bob.snapshot().movement()).isEqualTo(at(5));
    }

    @Test
    void clampsPositionsToArena() {
        bob.spawn(0, at(1e6));
        assertThat(bob.snapshot().movement().position()).isEqualTo(new Vec3(50, 0, 0));
        bob.move(0, at(-1e6), raw("far"));
        assertThat(bob.snapshot().movement().position()).isEqualTo(new Vec3(-50, 0, 0));
    }

    @Test
    void makesManyEqualNamesUniqueWithFewTries() {
        ArenaPlayer last = arena.join(0, "quake2", "same", new Log());
        assertThat(last.name()).isEqualTo("same");
        for (int i = 0; i < 30; i++) {
            ArenaPlayer left = last;
            last = arena.join(0, "quake2", "same", new Log());
            assertThat(last.name())
                    .isEqualTo("same(%d)", i < 8 ? i + 2 : last.id().number())
                    .isNotEqualTo(left.name());
        }
    }

    @Test
    void cleansNamesAndMakesThemUnique() {
        assertThat(arena.join(0, "quake2", "ALICE", new Log()).name()).isEqualTo("ALICE(2)");
        assertThat(arena.join(0, "quake2", "\u202E\u0000 \n", new Log()).name())
                .isEqualTo("unnamed");
        assertThat(arena.join(0, "quake2", "x".repeat(100), new Log()).name()).hasSize(32);
        assertThat(arena.join(0, "quake2", "x".repeat(100), new Log()).name())
                .hasSize(32)
                .endsWith("(2)");
        bob.rename(0, "alice");
        assertThat(bob.snapshot().name()).isEqualTo("alice(3)");
        alice.leave(0, LeaveReason.LEFT);
        bob.rename(0, "alice");
        assertThat(bob.snapshot().name()).isEqualTo("alice");
    }

    @Test
    void refusesPlayersWhenFull() {
        Arena small = new Arena(LEVEL, 1);
        small.join(0, "quake2", "a", new Log());
        assertThat(small.isFull()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> small.join(0, "quake2", "b", new Log()));
    }

    @Test
    void deliversWhisperOnlyToItsRecipient() {
        assertThat(alice.whisper(0, bob.id(), "psst\n")).isTrue();
        assertThat(bobSees.lines).containsExactly("alice to bob: psst");
        assertThat(aliceSees.lines).containsExactly("joined bob");
        bob.leave(0, LeaveReason.LEFT);
        assertThat(alice.whisper(0, bob.id(), "psst")).isFalse();
    }

    @Test
    void notifiesKickedPlayerOfReason() {
        bob.kick(0, new LeaveReason(LeaveReason.Code.KICKED, "enough"));
        assertThat(bobSees.lines).containsExactly("dismissed: enough");
    }

    @Test
    void keepsNewestRoundTripOfEndpoint() {
        assertThat(bob.snapshot().ping()).isZero();
        bob.setPing(42);
        assertThat(bob.snapshot().ping()).isEqualTo(42);
    }

    /** On this machine a client measures 0, now and then: that is known. */
    @Test
    void recordsRoundTripBelowOneMillisecond() {
        bob.setPing(0);
        assertThat(bob.snapshot().ping()).isEqualTo(1);
    }

    @Test
    @DisplayName("issue 11, defect 1: no player is clamped into another game's map")
    void unitesBoundsOfAllMaps() {
        Level stock = new Level("q2dm1", new Bounds(new Vec3(0, 0, -90), new Vec3(200, 200, 10)));
        arena.setLevel(0, "quake2", stock);
        bob.spawn(0, Movement.at(new Vec3(150, 60, -80), 0));
        assertThat(bob.snapshot().movement().position()).isEqualTo(new Vec3(150, 60, -80));
        assertThat(aliceSees.lines).contains("quake2 plays q2dm1");
        arena.setLevel(0, "sauerbraten", LEVEL);
        assertThat(arena.bounds())
                .isEqualTo(new Bounds(new Vec3(-50, -50, -90), new Vec3(200, 200, 30)));
        arena.setLevel(0, "quake2", LEVEL);
        assertThat(arena.bounds()).isEqualTo(LEVEL.bounds());
    }

    @Test
    void showsActionsToViewersOfBodyAtLimitedRate() {
        bob.performAction(0, PlayerAction.ATTACK);
        assertThat(aliceSees.lines).containsExactly("joined bob");
        bob.spawn(0, at(1));
        aliceSees.lines.clear();
        for (int i = 0; i <= 1_000; i++) {
            bob.performAction(i * MILLI, PlayerAction.ATTACK);
            bob.performAction(i * MILLI, PlayerAction.TAUNT);
        }
        assertThat(aliceSees.lines)
                .hasSize(3 + 1)
                .allMatch(line -> line.startsWith("ActionPerformed["));
        assertThat(bobSees.lines).isEmpty();
        aliceSees.lines.clear();
        bob.despawn(2_000 * MILLI);
        bob.performAction(2_000 * MILLI, PlayerAction.ATTACK);
        assertThat(aliceSees.lines).containsExactly("despawned bob");
    }
}
