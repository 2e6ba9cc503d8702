package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;
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
    private final ArenaPlayer alice = arena.join(0, "quake2", "alice", a);
    private final ArenaPlayer bob = arena.join(0, "quake3", "bob", b);
    private final ArenaPlayer carol = arena.join(0, "bedrock", "carol", c);
    private final List<ArenaEvent> log = new ArrayList<>();

    private void forget() {
        List.of(a, b, c).forEach(line -> line.told.clear());
        log.clear();
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
                        bob.leave(1, LeaveReason.TIMED_OUT);
                    }
                };
        forget();
        carol.say(1, "hello");
        assertThat(a.kinds()).containsExactly("Chat", "Left");
        assertThat(b.kinds()).isEmpty();
        assertThat(c.kinds()).containsExactly("Left");
        assertThat(log).hasSize(2);
        assertThat(log.getLast())
                .isInstanceOfSatisfying(
                        ArenaEvent.Left.class,
                        left -> {
                            assertThat(left.id()).isEqualTo(bob.id());
                            assertThat(left.reason()).isEqualTo(LeaveReason.TIMED_OUT);
                        });
    }

    @Test
    void notifiesOfNestedChangesAfterTheirEvent() {
        a.then =
                event -> {
                    if (event instanceof ArenaEvent.Chat said && said.text().equals("one")) {
                        alice.say(1, "two");
                    }
                };
        forget();
        bob.say(1, "one");
        assertThat(c.told)
                .containsExactly(
                        new ArenaEvent.Chat(1, bob.snapshot(), "one"),
                        new ArenaEvent.Chat(1, alice.snapshot(), "two"));
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
        bob.say(1, "one");
        bob.say(1, "two");
        assertThat(d.told).containsExactly(new ArenaEvent.Chat(1, bob.snapshot(), "two"));
    }

    @Test
    void handsPlayerToItsViewerBeforeOthersLearnOfIt() {
        List<String> order = new ArrayList<>();
        Viewer viewer =
                new SessionViewer() {
                    @Override
                    public void onJoined(ArenaPlayer player) {
                        order.add(player.name() + (arena.contains(player.id()) ? " is here" : ""));
                    }

                    @Override
                    public void onEvent(ArenaEvent event) {}

                    @Override
                    public void onMovement(List<Player> movers) {}
                };
        a.then = event -> order.add(event.getClass().getSimpleName());
        arena.join(1, "quake2", "dora", viewer);
        assertThat(order).containsExactly("dora is here", "Joined");
    }

    @Test
    void removesPlayerWhoseJoinFails() {
        a.then =
                event -> {
                    if (event instanceof ArenaEvent.Joined) {
                        throw new StackOverflowError("deep");
                    }
                };
        forget();
        assertThatThrownBy(() -> arena.join(1, "quake2", "dora", new Line()))
                .isInstanceOf(StackOverflowError.class);
        assertThat(arena.players()).extracting(Player::name).doesNotContain("dora");
        assertThat(c.kinds()).containsExactly("Joined", "Left");
        SessionViewer failing =
                new SessionViewer() {
                    @Override
                    public void onJoined(ArenaPlayer player) {
                        throw new IllegalStateException("defect");
                    }

                    @Override
                    public void onEvent(ArenaEvent event) {}

                    @Override
                    public void onMovement(List<Player> movers) {}
                };
        assertThatThrownBy(() -> arena.join(1, "quake2", "dora", failing))
                .isInstanceOf(IllegalStateException.class);
        assertThat(arena.players()).extracting(Player::name).doesNotContain("dora");
    }

    @Test
    void notifiesOthersAfterFailingListener() {
        a.then =
                _ -> {
                    throw new IllegalStateException("defect");
                };
        forget();
        bob.say(1, "one");
        assertThat(c.kinds()).containsExactly("Chat");
        a.then =
                _ -> {
                    throw new StackOverflowError("deep");
                };
        assertThatThrownBy(() -> bob.say(1, "two")).isInstanceOf(StackOverflowError.class);
        assertThat(c.kinds()).containsExactly("Chat", "Chat");
    }

    @Test
    @DisplayName("G1, G2: a line that is behind holds one change a player and kind")
    void sendsNewestStateToCongestedViewer() {
        alice.spawn(0, at(1));
        c.behind = true;
        forget();
        for (int i = 0; i < 5; i++) {
            bob.rename(i * SECOND, "bob" + i);
            bob.say(i * SECOND, "line " + i);
            alice.despawn(i * SECOND);
            alice.spawn(i * SECOND, at(i));
        }
        alice.teleport(5 * SECOND, at(7));
        ArenaPlayer dora = arena.join(5 * SECOND, "quake2", "dora", new Line());
        dora.spawn(5 * SECOND, at(3));
        ArenaPlayer erin = arena.join(5 * SECOND, "quake2", "erin", new Line());
        erin.leave(5 * SECOND, LeaveReason.LEFT);
        arena.announce(5 * SECOND, "first");
        arena.announce(5 * SECOND, "second");
        arena.advance(5 * SECOND);
        assertThat(c.told).isEmpty();
        c.behind = false;
        long now = 5 * SECOND + 1;
        arena.advance(now);
        assertThat(c.told)
                .containsExactlyInAnyOrder(
                        new ArenaEvent.Renamed(now, bob.snapshot(), "bob", "bob4"),
                        new ArenaEvent.Despawned(now, alice.snapshot()),
                        new ArenaEvent.Spawned(now, alice.snapshot(), at(7)),
                        new ArenaEvent.Joined(now, dora.snapshot()),
                        new ArenaEvent.Spawned(now, dora.snapshot(), at(3)),
                        new ArenaEvent.Announcement(now, "second"),
                        new ArenaEvent.EventsDropped(now, carol.snapshot(), 5));
    }

    @Test
    void reportsLeaveOnceInOrderAfterCongestion() {
        bob.spawn(0, at(1));
        c.behind = true;
        forget();
        bob.rename(1, "rob");
        bob.leave(1, LeaveReason.LEFT);
        c.behind = false;
        alice.say(2, "so long");
        assertThat(c.kinds()).containsExactly("Despawned", "Left", "Chat");
    }

    @Test
    @DisplayName("G1: of a thousand renames a second others read few, and the last one")
    void limitsRenamesAndDeliversLast() {
        forget();
        for (int i = 0; i < 1000; i++) {
            bob.rename(i * 1_000_000L, "bob" + i);
        }
        assertThat(a.told).hasSizeBetween(12, 14);
        assertThat(b.kinds()).containsExactly("RateLimited");
        for (long now = SECOND; now < 4 * SECOND; now += SECOND / 10) {
            arena.advance(now);
        }
        assertThat(bob.snapshot().name()).isEqualTo("bob999");
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
                        bob.leave(e.time(), e.reason());
                    }
                };
        forget();
        for (int i = 0; i < 1000; i++) {
            bob.say(i * SECOND / 50, "spam " + i);
        }
        assertThat(b.kinds()).containsExactly("RateLimited", "KickRequested");
        assertThat(arena.contains(bob.id())).isFalse();
        assertThat(a.told.getLast())
                .isInstanceOfSatisfying(
                        ArenaEvent.Left.class,
                        e ->
                                assertThat(e.reason().toString())
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
                bob.say(burst * 20L * SECOND, "line " + i);
            }
            assertThat(b.kinds()).containsExactly("RateLimited");
        }
    }

    @Test
    @DisplayName("item 9: who vanishes without a word has no body after five seconds")
    void hidesSilentPlayerUntilNextActivity() {
        bob.spawn(0, at(1));
        forget();
        for (long now = 0; now <= Player.IDLE_TIMEOUT_NANOS + SECOND; now += SECOND / 2) {
            alice.recordActivity(now);
            carol.recordActivity(now);
            arena.advance(now);
        }
        assertThat(a.kinds()).containsExactly("Despawned");
        assertThat(bob.snapshot().spawned()).isFalse();
        bob.recordActivity(8 * SECOND);
        bob.move(8 * SECOND, at(2), raw("native"));
        assertThat(a.kinds()).containsExactly("Despawned", "Spawned");
        assertThat(bob.snapshot().movement()).isEqualTo(at(2));
    }

    @Test
    @DisplayName("item 9: a movement by the level is no activity of the player")
    void doesNotCountCarriedMovementAsActivity() {
        bob.spawn(0, at(1));
        forget();
        for (long now = 0; now <= Player.IDLE_TIMEOUT_NANOS + SECOND; now += SECOND / 2) {
            alice.recordActivity(now);
            bob.move(now, at(2), raw("native"));
            arena.advance(now);
        }
        assertThat(a.kinds()).containsExactly("Despawned");
        assertThat(bob.snapshot().movement()).isEqualTo(at(2));
    }

    @Test
    void doesNotCountServerStallAsSilence() {
        bob.spawn(0, at(1));
        forget();
        arena.advance(SECOND);
        arena.advance(1000 * SECOND);
        assertThat(a.kinds()).isEmpty();
    }
}
