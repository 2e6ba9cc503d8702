package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Order, reentrance, lines that are behind, allowances and silence. */
class ArenaEventsTest {
    private static final long SECOND = 1_000_000_000;

    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30)));

    private final Arena arena = new Arena(LEVEL, 200);

    /** A viewer that can be congested, and that may act when it is notified. */
    private static final class Line implements Viewer {
        final List<ArenaEvent> told = new ArrayList<>();
        Consumer<ArenaEvent> then = _ -> {};
        boolean behind;

        @Override
        public boolean isCongested() {
            return behind;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            told.add(event);
            then.accept(event);
        }

        @Override
        public void onMovement(List<Player> movers) {}

        List<String> kinds() {
            return told.stream().map(event -> event.getClass().getSimpleName()).toList();
        }
    }

    private final Line a = new Line();
    private final Line b = new Line();
    private final Line c = new Line();
    private final PlayerId alice = arena.join(0, "quake2", "alice", a).id();
    private final PlayerId bob = arena.join(0, "quake3", "bob", b).id();
    private final PlayerId carol = arena.join(0, "bedrock", "carol", c).id();
    private final List<ArenaEvent> log = new ArrayList<>();

    private void forget() {
        List.of(a, b, c).forEach(line -> line.told.clear());
        log.clear();
    }

    private Player player(PlayerId id) {
        return arena.find(id).orElseThrow();
    }

    private static NativeMovement raw(String text) {
        return new NativeMovement.Stored(text, Bytes.EMPTY);
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    @Test
    @DisplayName("G1, G2: a player who leaves during an event is reported to every viewer once")
    void endsAnotherPlayerDuringEvent() {
        arena.addListener(log::add);
        a.then =
                event -> {
                    if (event instanceof ArenaEvent.Chat) {
                        arena.leave(1, bob, LeaveReason.TIMED_OUT);
                    }
                };
        forget();
        arena.say(1, carol, "hello");
        assertThat(a.kinds()).containsExactly("Chat", "Left");
        assertThat(b.kinds()).isEmpty();
        assertThat(c.kinds()).containsExactly("Left");
        assertThat(log).hasSize(2);
        assertThat(log.getLast())
                .isInstanceOfSatisfying(
                        ArenaEvent.Left.class,
                        left -> {
                            assertThat(left.id()).isEqualTo(bob);
                            assertThat(left.why()).isEqualTo(LeaveReason.TIMED_OUT);
                        });
    }

    @Test
    void notifiesOfNestedChangesAfterTheirEvent() {
        a.then =
                event -> {
                    if (event instanceof ArenaEvent.Chat said && said.text().equals("one")) {
                        arena.say(1, alice, "two");
                    }
                };
        forget();
        arena.say(1, bob, "one");
        assertThat(c.told)
                .containsExactly(
                        new ArenaEvent.Chat(1, player(bob), "one"),
                        new ArenaEvent.Chat(1, player(alice), "two"));
    }

    @Test
    void notifiesNewViewerOnlyOfLaterEvents() {
        Line d = new Line();
        a.then =
                event -> {
                    if (event instanceof ArenaEvent.Chat said && said.text().equals("one")) {
                        arena.join(1, "quake2", "dora", d);
                    }
                };
        arena.say(1, bob, "one");
        arena.say(1, bob, "two");
        assertThat(d.told).containsExactly(new ArenaEvent.Chat(1, player(bob), "two"));
    }

    @Test
    void notifiesOthersAfterFailingListener() {
        a.then =
                _ -> {
                    throw new IllegalStateException("defect");
                };
        forget();
        arena.say(1, bob, "one");
        assertThat(c.kinds()).containsExactly("Chat");
        a.then =
                _ -> {
                    throw new StackOverflowError("deep");
                };
        assertThatThrownBy(() -> arena.say(1, bob, "two")).isInstanceOf(StackOverflowError.class);
        assertThat(c.kinds()).containsExactly("Chat", "Chat");
    }

    @Test
    @DisplayName("G1, G2: a line that is behind holds one change a player and kind")
    void sendsNewestStateToCongestedViewer() {
        arena.spawn(0, alice, at(1));
        c.behind = true;
        forget();
        for (int i = 0; i < 5; i++) {
            arena.rename(i * SECOND, bob, "bob" + i);
            arena.say(i * SECOND, bob, "line " + i);
            arena.despawn(i * SECOND, alice);
            arena.spawn(i * SECOND, alice, at(i));
        }
        arena.teleport(5 * SECOND, alice, at(7));
        PlayerId dora = arena.join(5 * SECOND, "quake2", "dora", new Line()).id();
        arena.spawn(5 * SECOND, dora, at(3));
        PlayerId erin = arena.join(5 * SECOND, "quake2", "erin", new Line()).id();
        arena.leave(5 * SECOND, erin, LeaveReason.LEFT);
        arena.announce(5 * SECOND, "first");
        arena.announce(5 * SECOND, "second");
        arena.advance(5 * SECOND);
        assertThat(c.told).isEmpty();
        c.behind = false;
        long now = 5 * SECOND + 1;
        arena.advance(now);
        assertThat(c.told)
                .containsExactlyInAnyOrder(
                        new ArenaEvent.Renamed(now, player(bob), "bob", "bob4"),
                        new ArenaEvent.Despawned(now, player(alice)),
                        new ArenaEvent.Spawned(now, player(alice), at(7)),
                        new ArenaEvent.Joined(now, player(dora)),
                        new ArenaEvent.Spawned(now, player(dora), at(3)),
                        new ArenaEvent.Announcement(now, "second"),
                        new ArenaEvent.EventsDropped(now, player(carol), 5));
    }

    @Test
    void reportsLeaveOnceInOrderAfterCongestion() {
        arena.spawn(0, bob, at(1));
        c.behind = true;
        forget();
        arena.rename(1, bob, "rob");
        arena.leave(1, bob, LeaveReason.LEFT);
        c.behind = false;
        arena.say(2, alice, "so long");
        assertThat(c.kinds()).containsExactly("Despawned", "Left", "Chat");
    }

    @Test
    @DisplayName("G1: of a thousand renames a second others read few, and the last one")
    void limitsRenamesAndDeliversLast() {
        forget();
        for (int i = 0; i < 1000; i++) {
            arena.rename(i * 1_000_000L, bob, "bob" + i);
        }
        assertThat(a.told).hasSizeBetween(12, 14);
        assertThat(b.kinds()).containsExactly("RateLimited");
        for (long now = SECOND; now < 4 * SECOND; now += SECOND / 10) {
            arena.advance(now);
        }
        assertThat(player(bob).name()).isEqualTo("bob999");
        assertThat(a.told.getLast())
                .isInstanceOfSatisfying(
                        ArenaEvent.Renamed.class, e -> assertThat(e.name()).isEqualTo("bob999"));
        assertThat(a.told).hasSizeLessThan(17);
    }

    @Test
    void kicksPersistentFlooderWithReason() {
        b.then =
                event -> {
                    if (event instanceof ArenaEvent.KickRequested e) {
                        arena.leave(e.time(), bob, e.why());
                    }
                };
        forget();
        for (int i = 0; i < 1000; i++) {
            arena.say(i * SECOND / 50, bob, "spam " + i);
        }
        assertThat(b.kinds()).containsExactly("RateLimited", "KickRequested");
        assertThat(arena.contains(bob)).isFalse();
        assertThat(a.told.getLast())
                .isInstanceOfSatisfying(
                        ArenaEvent.Left.class,
                        e ->
                                assertThat(e.why().toString())
                                        .isEqualTo(
                                                "disconnected: Kicked: rate limit exceeded"
                                                        + " (chat)."));
        assertThat(a.told).hasSizeLessThan(45);
    }

    @Test
    void forgivesAndNotifiesAgainAfterRest() {
        for (int burst = 0; burst < 3; burst++) {
            forget();
            for (int i = 0; i < 40; i++) {
                arena.say(burst * 20L * SECOND, bob, "line " + i);
            }
            assertThat(b.kinds()).containsExactly("RateLimited");
        }
    }

    @Test
    @DisplayName("item 9: who vanishes without a word has no body after five seconds")
    void hidesSilentPlayerUntilNextMovement() {
        arena.spawn(0, bob, at(1));
        forget();
        for (long now = 0; now <= Arena.IDLE_TIMEOUT_NANOS + SECOND; now += SECOND / 2) {
            arena.recordActivity(now, alice);
            arena.recordActivity(now, carol);
            arena.advance(now);
        }
        assertThat(a.kinds()).containsExactly("Despawned");
        assertThat(player(bob).spawned()).isFalse();
        arena.move(8 * SECOND, bob, at(2), raw("native"));
        assertThat(a.kinds()).containsExactly("Despawned", "Spawned");
        assertThat(player(bob).movement()).isEqualTo(at(2));
    }

    @Test
    @DisplayName("item 9: a movement by the level is no activity of the player")
    void doesNotCountCarriedMovementAsActivity() {
        arena.spawn(0, bob, at(1));
        forget();
        for (long now = 0; now <= Arena.IDLE_TIMEOUT_NANOS + SECOND; now += SECOND / 2) {
            arena.recordActivity(now, alice);
            arena.relocate(now, bob, at(2), raw("native"));
            arena.advance(now);
        }
        assertThat(a.kinds()).containsExactly("Despawned");
        assertThat(player(bob).movement()).isEqualTo(at(2));
    }

    @Test
    void doesNotCountServerStallAsSilence() {
        arena.spawn(0, bob, at(1));
        forget();
        arena.advance(SECOND);
        arena.advance(1000 * SECOND);
        assertThat(a.kinds()).isEmpty();
    }
}
