package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

class ArenaReplayTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** The time of the recording's first event, nanoseconds since 1970. */
    private static final long START = 1_764_000_000_000_000_000L;

    private final Arena arena =
            new Arena(
                    new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30))), 8);
    private final List<ArenaEvent> log = new ArrayList<>();

    ArenaReplayTest() {
        ArenaListener listener = log::add;
        arena.addListener(listener);
    }

    private static Player player(int number, String name, double x, boolean spawned) {
        return new Player(
                new PlayerId(0, number),
                "quake2",
                name,
                0,
                40,
                spawned,
                Movement.at(new Vec3(x, 0, 0), 0),
                NativeMovement.Stored.NONE);
    }

    private static ArenaEvent moved(long time, double x) {
        Player player = player(1, "anna", x, true);
        return new ArenaEvent.Moved(START + time, player, player.movement());
    }

    private static List<ArenaEvent> walk(int seconds) {
        List<ArenaEvent> events = new ArrayList<>();
        Player player = player(1, "anna", 0, false);
        events.add(new ArenaEvent.Joined(START, player));
        Player spawned = player(1, "anna", 0, true);
        events.add(new ArenaEvent.Spawned(START, spawned, spawned.movement()));
        for (int i = 1; i <= 10 * seconds; i++) {
            events.add(moved(i * SECOND / 10, i / 10.0));
        }
        return events;
    }

    /** Events in memory; it may stall, fail and grow. */
    private static class Source implements ReplaySource {
        final List<ArenaEvent> events;
        volatile boolean complete = true;
        List<FlagStatus> flags = List.of();

        Source(List<ArenaEvent> events) {
            this.events = events;
        }

        @Override
        public long startNanos() {
            return START;
        }

        @Override
        public long endNanos() {
            return events.getLast().time();
        }

        @Override
        public boolean isComplete() {
            return complete;
        }

        @Override
        public void refresh() {}

        @Override
        public RecordedState stateAt(long nanos) {
            @Nullable Player last = null;
            for (ArenaEvent event : events) {
                if (event.time() <= nanos && event instanceof ArenaEvent.OfPlayer of) {
                    last = of.player();
                }
            }
            return new RecordedState(
                    last == null ? Map.of() : Map.of(last.id(), last), Map.of(), flags);
        }

        @Override
        public Events eventsAfter(long nanos) {
            return new Events() {
                private int next;

                @Override
                public @Nullable ArenaEvent next() {
                    while (next < events.size() && events.get(next).time() <= nanos) {
                        next++;
                    }
                    return next < events.size() ? events.get(next++) : null;
                }
            };
        }

        @Override
        public void close() {}
    }

    private ArenaReplay replay(ReplaySource source, boolean loops) {
        return replay(source, START, loops);
    }

    private ArenaReplay replay(ReplaySource source, long from, boolean loops) {
        return new ArenaReplay(
                arena,
                source,
                Runnable::run,
                new ArenaReplay.Settings("walk.mcap", from, 1, loops));
    }

    private static void run(ArenaReplay replay, long from, long to) {
        for (long now = from; now <= to; ) {
            long next = replay.advance(now);
            assertThat(next).isGreaterThan(now);
            now = Math.min(next, now == to ? Long.MAX_VALUE : to);
        }
    }

    private Player ghost() {
        return arena.players().getLast();
    }

    @Test
    void movesGhostsAtTheRecordedTimes() {
        ArenaReplay replay = replay(new Source(walk(10)), false);
        run(replay, 7 * SECOND, 7 * SECOND + 3_250 * MILLI);
        assertThat(ghost().name()).isEqualTo("~anna");
        assertThat(ghost().id()).hasToString("1:1");
        assertThat(ghost().ping()).isEqualTo(40);
        assertThat(ghost().movement().position().x()).isEqualTo(3.2);
        assertThat(log)
                .filteredOn(ArenaEvent.Moved.class::isInstance)
                .allSatisfy(event -> {
                    double x = ((ArenaEvent.Moved) event).movement().position().x();
                    double late = event.time() - 7 * SECOND - x * SECOND;
                    assertThat(late).isBetween(-1.0, 2.0 * MILLI);
                });
    }

    @Test
    void removesGhostsAtTheEnd() {
        ArenaReplay replay = replay(new Source(walk(2)), false);
        run(replay, 0, 5 * SECOND);
        assertThat(arena.players()).isEmpty();
        assertThat(replay.status(5 * SECOND))
                .isEqualTo("replay: walk.mcap ended at 0:02.0, speed 1.0, 0 ghosts");
        assertThat(replay.advance(5 * SECOND)).isEqualTo(Duty.NEVER);
        replay.play(6 * SECOND);
        run(replay, 6 * SECOND, 7 * SECOND);
        assertThat(ghost().movement().position().x()).isEqualTo(1);
    }

    @Test
    void loopsFromWhereItBegan() {
        ArenaReplay replay = replay(new Source(walk(4)), START + 2 * SECOND, true);
        run(replay, 0, 5 * SECOND + 20 * MILLI + 2 * ArenaReplay.RESPAWN_NANOS);
        assertThat(ghost().movement().position().x()).isEqualTo(3);
        assertThat(log).filteredOn(ArenaEvent.Spawned.class::isInstance).hasSize(3);
        assertThat(log).filteredOn(ArenaEvent.Joined.class::isInstance).hasSize(1);
    }

    @Test
    void seeksWhilePaused() {
        ArenaReplay replay = replay(new Source(walk(10)), false);
        run(replay, 0, SECOND);
        replay.pause(SECOND);
        replay.seek(SECOND, 7.05);
        run(replay, SECOND, 3 * SECOND);
        assertThat(ghost().movement().position().x()).isEqualTo(7);
        assertThat(replay.advance(3 * SECOND)).isEqualTo(Duty.NEVER);
        replay.setSpeed(3 * SECOND, 4);
        replay.play(3 * SECOND);
        run(replay, 3 * SECOND, 3 * SECOND + SECOND / 2);
        assertThat(ghost().movement().position().x()).isEqualTo(9);
        assertThat(replay.status(3 * SECOND + SECOND / 2)).contains("plays at 0:09.1, speed 4.0");
    }

    private static ArenaEvent changed(long time, FlagChange change, double x) {
        return new ArenaEvent.FlagChanged(
                START + time,
                Team.BLUE,
                change,
                FlagCause.TOUCH,
                Optional.of(player(1, "anna", x, true)),
                new Vec3(x, 0, 0),
                1,
                Duration.ZERO);
    }

    @Test
    void showsFlags() {
        List<ArenaEvent> events = walk(3);
        events.add(changed(3_100 * MILLI, FlagChange.DROPPED, 3));
        events.add(changed(3_500 * MILLI, FlagChange.CAPTURED, 20));
        events.add(moved(5 * SECOND, 3));
        Source source = new Source(events);
        source.flags =
                List.of(
                        new FlagStatus(Team.RED, new Vec3(-20, 0, 0), new FlagState.Home(), 0),
                        new FlagStatus(
                                Team.BLUE,
                                new Vec3(20, 0, 0),
                                new FlagState.Carried(new PlayerId(0, 1), START),
                                0));
        ArenaReplay replay = replay(source, false);
        run(replay, 0, 3 * SECOND);
        Flags flags = arena.match().flags();
        Flag blue = flags.all().getLast();
        assertThat(blue.carrier()).contains(ghost().id());
        assertThat(flags.place(blue)).isEqualTo(ghost().movement().position());
        run(replay, 3 * SECOND, 3_400 * MILLI);
        assertThat(flags.place(flags.all().getLast())).isEqualTo(new Vec3(3, 0, 0));
        run(replay, 3_400 * MILLI, 3_600 * MILLI);
        assertThat(flags.all()).allMatch(Flag::isHome);
        assertThat(log)
                .filteredOn(ArenaEvent.FlagChanged.class::isInstance)
                .hasSize(2)
                .allMatch(event ->
                        ((ArenaEvent.FlagChanged) event)
                                .player()
                                .filter(player -> player.name().equals("~anna"))
                                .isPresent());
        run(replay, 3_600 * MILLI, 6 * SECOND);
        assertThat(flags.all()).as("the replay has ended").isEmpty();
    }

    @Test
    void repeatsLeaveRenameAndChat() {
        Player renamed = player(1, "bea", 1, true);
        List<ArenaEvent> events = walk(1);
        events.add(new ArenaEvent.Renamed(START + 2 * SECOND, renamed, "anna", "bea"));
        events.add(new ArenaEvent.Chat(START + 2 * SECOND, renamed, "hi"));
        events.add(new ArenaEvent.Left(START + 3 * SECOND, renamed, LeaveReason.TIMED_OUT));
        events.add(new ArenaEvent.Announcement(START + 4 * SECOND, "not ours"));
        run(replay(new Source(events), false), 0, 3_500 * MILLI);
        assertThat(arena.players()).isEmpty();
        assertThat(log)
                .filteredOn(event -> !(event instanceof ArenaEvent.Moved))
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Joined", "Spawned", "Renamed", "Chat", "Despawned", "Left");
        assertThat(log)
                .filteredOn(ArenaEvent.Chat.class::isInstance)
                .extracting(event -> ((ArenaEvent.Chat) event).player().name())
                .containsExactly("~bea");
    }

    private long chatLines() {
        return log.stream().filter(ArenaEvent.Chat.class::isInstance).count();
    }

    @Test
    @DisplayName("M8 a ghost chats within the rate limit of a player")
    void limitsChatOfGhostAsOfPlayer() {
        List<ArenaEvent> events = walk(1);
        Player anna = player(1, "anna", 1, true);
        for (int i = 0; i < 1_500; i++) {
            events.add(new ArenaEvent.Chat(START + 2 * SECOND, anna, "line " + i));
        }
        run(replay(new Source(events), false), 0, 2_100 * MILLI);
        assertThat(chatLines()).isEqualTo((long) RateLimitedAction.CHAT.burst());
    }

    @Test
    @DisplayName("M8 ghosts that join for one line each are limited together")
    void limitsChatOfGhostsThatJoinForOneLineEach() {
        List<ArenaEvent> events = walk(1);
        for (int i = 0; i < 1_500; i++) {
            Player each = player(2 + i, "each", 1, true);
            events.add(new ArenaEvent.Chat(START + 2 * SECOND, each, "line " + i));
            events.add(new ArenaEvent.Left(START + 2 * SECOND, each, LeaveReason.LEFT));
        }
        run(replay(new Source(events), false), 0, 2_100 * MILLI);
        assertThat(chatLines())
                .isBetween(
                        (long) (Ghosts.MAX_CHATTERS * RateLimitedAction.CHAT.burst()),
                        (long) (Ghosts.MAX_CHATTERS * (RateLimitedAction.CHAT.burst() + 1)));
    }

    @Test
    void removesKickedGhostUntilTheNextSeek() {
        ArenaReplay replay = replay(new Source(walk(10)), false);
        run(replay, 0, SECOND);
        arena.player(ghost().id())
                .orElseThrow()
                .kick(SECOND, LeaveReason.of(LeaveReason.Code.KICKED));
        run(replay, SECOND, 2 * SECOND);
        assertThat(arena.players()).isEmpty();
        replay.seek(2 * SECOND, 1);
        run(replay, 2 * SECOND, 3 * SECOND);
        assertThat(ghost().id()).hasToString("1:2");
    }

    @Test
    void clampsPlayersOutsideOfTheArena() {
        List<ArenaEvent> events = walk(1);
        events.add(moved(2 * SECOND, 400));
        events.add(moved(3 * SECOND, 400));
        run(replay(new Source(events), false), 0, 2_500 * MILLI);
        assertThat(ghost().movement().position().x()).isEqualTo(50);
    }

    @Test
    @Timeout(20)
    void neverWaitsForTheRecording() throws InterruptedException {
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Source source =
                new Source(walk(10)) {
                    @Override
                    public RecordedState stateAt(long nanos) {
                        stalled.countDown();
                        try {
                            released.await();
                        } catch (InterruptedException _) {
                            Thread.currentThread().interrupt();
                        }
                        return super.stateAt(nanos);
                    }
                };
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            ArenaReplay replay =
                    new ArenaReplay(
                            arena,
                            source,
                            executor,
                            new ArenaReplay.Settings("slow", START, 1, false));
            replay.advance(0);
            assertThat(stalled.await(10, TimeUnit.SECONDS)).isTrue();
            long now = 0;
            for (; now < 20 * SECOND; now += SECOND / 10) {
                assertThat(replay.advance(now)).isEqualTo(now + 10 * MILLI);
            }
            assertThat(arena.players()).isEmpty();
            released.countDown();
            while (arena.players().isEmpty()) {
                now += MILLI;
                replay.advance(now);
                Thread.onSpinWait();
            }
            // The recording begins where it was awaited, not 20 s later.
            assertThat(ghost().movement().position().x()).isLessThan(1);
        }
    }

    @Test
    void endsWithTheProblemOfTheRecording() {
        Source source =
                new Source(walk(10)) {
                    @Override
                    public Events eventsAfter(long nanos) {
                        Events events = super.eventsAfter(nanos);
                        return () -> {
                            ArenaEvent event = events.next();
                            if (event != null && event.time() > START + 3 * SECOND) {
                                throw new IOException("input/output error");
                            }
                            return event;
                        };
                    }
                };
        ArenaReplay replay = replay(source, false);
        run(replay, 0, 5 * SECOND);
        assertThat(arena.players()).isEmpty();
        assertThat(replay.status(5 * SECOND)).contains("failed (input/output error)");
    }

    @Test
    void followsGrowingRecordingWithItsDelay() {
        List<ArenaEvent> events = walk(1);
        Source source = new Source(events);
        source.complete = false;
        ArenaReplay replay = replay(source, source.endNanos() - 2 * SECOND, false);
        for (int second = 1; second < 30; second++) {
            run(replay, second * SECOND, (second + 1) * SECOND);
            for (int i = 1; i <= 10; i++) {
                double x = second + i / 10.0;
                events.add(moved((long) (x * SECOND), x));
            }
            if (second > 3) {
                // As of the clock, second + 1; the newest event that was written then is second.
                assertThat(ghost().movement().position().x())
                        .isBetween(second - 2.01, second - 1.0);
            }
        }
        source.complete = true;
        run(replay, 30 * SECOND, 40 * SECOND);
        assertThat(arena.players()).isEmpty();
    }

    @Test
    void standsStillWhileRecordingDoesNotGrow() {
        List<ArenaEvent> events = walk(5);
        Source source = new Source(events);
        source.complete = false;
        ArenaReplay replay = replay(source, START + 3 * SECOND, false);
        run(replay, 0, 20 * SECOND);
        assertThat(ghost().movement().position().x()).isEqualTo(5);
        events.add(moved(5_100 * MILLI, 5.1));
        events.add(moved(5_200 * MILLI, 5.2));
        events.add(moved(6_200 * MILLI, 6.2));
        run(replay, 20 * SECOND, 21 * SECOND);
        assertThat(ghost().movement().position().x()).isEqualTo(5.2);
    }

    @Test
    void refusesSpeedsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ArenaReplay.Settings("", 0, 0, false))
                .withMessage("the speed must be from 0.125 to 8, is 0.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ArenaReplay.Settings("", 0, Double.NaN, false));
    }
}
