package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class ArenaTest {
    private static final long MILLI = 1_000_000;

    private final Arena arena =
            new Arena(new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30)), 200);

    /** Writes down what it is told. */
    private static final class Log implements Viewer {
        final List<String> lines = new ArrayList<>();

        @Override
        public void joined(Player player) {
            lines.add("joined " + player.name());
        }

        @Override
        public void left(Player player) {
            lines.add("left " + player.name());
        }

        @Override
        public void spawned(Player player) {
            lines.add("spawned " + player.name());
        }

        @Override
        public void despawned(Player player) {
            lines.add("despawned " + player.name());
        }

        @Override
        public void moved(List<Player> movers) {
            lines.add(
                    "moved "
                            + movers.stream()
                                    .map(p -> p.name() + p.movement().position().x())
                                    .toList());
        }

        @Override
        public void said(Player player, String text) {
            lines.add(player.name() + ": " + text);
        }

        @Override
        public void renamed(Player player, String oldName) {
            lines.add(oldName + " is " + player.name());
        }

        @Override
        public void announced(String text) {
            lines.add("* " + text);
        }
    }

    private final Log aliceSees = new Log();
    private final Log bobSees = new Log();
    private final Player alice = arena.join(0, "sauerbraten", "alice", aliceSees);
    private final Player bob = arena.join(0, "quake3", "bob", bobSees);

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    @Test
    void everyoneSeesTheOthersJoinWalkTalkAndLeave() {
        arena.spawn(bob, at(1));
        arena.say(bob, "hi\u0007 there\n you");
        arena.say(bob, " \t");
        arena.rename(bob, "rob");
        arena.announce("map ends");
        arena.despawn(bob);
        arena.leave(bob);
        arena.leave(bob);
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
    void whoTeleportsIsGoneAndBackForAGameWithoutTeleports() {
        arena.teleport(bob, at(1));
        assertThat(aliceSees.lines).containsExactly("joined bob");
        arena.spawn(bob, at(0));
        arena.teleport(bob, at(5));
        assertThat(aliceSees.lines)
                .containsExactly("joined bob", "spawned bob", "despawned bob", "spawned bob");
        assertThat(bob.movement()).isEqualTo(at(5));
        assertThat(bobSees.lines).isEmpty();
    }

    @Test
    void theFirstMoveLeavesAtOnceAndTheNextAreCoalescedToTheNewest() {
        arena.spawn(bob, at(0));
        aliceSees.lines.clear();
        arena.move(bob, at(1), "one");
        assertThat(arena.advance(100 * MILLI)).isEqualTo(Long.MAX_VALUE);
        arena.move(bob, at(2), "two");
        long due = arena.advance(100 * MILLI + 1);
        assertThat(due).isEqualTo(100 * MILLI + Arena.SHORTEST_INTERVAL);
        arena.move(bob, at(3), "three");
        arena.advance(due);
        assertThat(aliceSees.lines).containsExactly("moved [bob1.0]", "moved [bob3.0]");
        assertThat(bob.nativeMovement()).isEqualTo("three");
        assertThat(arena.advance(due + 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theIntervalWidensWithThePlayers() {
        for (int i = 0; i < 126; i++) {
            arena.join(0, "sauerbraten", "p" + i, new Log());
        }
        arena.spawn(bob, at(0));
        arena.move(bob, at(1), "one");
        arena.advance(100 * MILLI);
        arena.move(bob, at(2), "two");
        assertThat(arena.advance(101 * MILLI)).isBetween(105 * MILLI, 106 * MILLI);
    }

    @Test
    void aClockThatStepsBackStopsNothing() {
        arena.spawn(bob, at(0));
        arena.move(bob, at(1), "one");
        arena.advance(3_600_000 * MILLI);
        aliceSees.lines.clear();
        arena.move(bob, at(2), "two");
        arena.advance(0);
        assertThat(aliceSees.lines).containsExactly("moved [bob2.0]");
    }

    @Test
    void whatHasNoBodyDoesNotMove() {
        arena.move(bob, at(1), "one");
        arena.spawn(bob, at(0));
        arena.move(bob, at(1), "one");
        arena.despawn(bob);
        assertThat(arena.advance(MILLI)).isEqualTo(Long.MAX_VALUE);
        arena.spawn(bob, at(5));
        arena.move(
                bob,
                new Movement(
                        new Vec3(Double.NaN, 0, 0), 0, 0, Vec3.ZERO, alice.movement().stance()),
                "bad");
        assertThat(arena.advance(2 * MILLI)).isEqualTo(Long.MAX_VALUE);
        assertThat(bob.movement()).isEqualTo(at(5));
    }

    @Test
    void positionsAreClampedToTheArena() {
        arena.spawn(bob, at(1e6));
        assertThat(bob.movement().position()).isEqualTo(new Vec3(50, 0, 0));
        arena.move(bob, at(-1e6), "far");
        assertThat(bob.movement().position()).isEqualTo(new Vec3(-50, 0, 0));
    }

    @Test
    void namesAreCleanAndUnique() {
        assertThat(arena.join(0, "quake2", "ALICE", new Log()).name()).isEqualTo("ALICE(2)");
        assertThat(arena.join(0, "quake2", "\u202E\u0000 \n", new Log()).name())
                .isEqualTo("unnamed");
        assertThat(arena.join(0, "quake2", "x".repeat(100), new Log()).name()).hasSize(32);
        assertThat(arena.join(0, "quake2", "x".repeat(100), new Log()).name())
                .hasSize(32)
                .endsWith("(2)");
        arena.rename(bob, "alice");
        assertThat(bob.name()).isEqualTo("alice(3)");
        arena.leave(alice);
        arena.rename(bob, "alice");
        assertThat(bob.name()).isEqualTo("alice");
    }

    @Test
    void aFullArenaTakesNobody() {
        Arena small = new Arena(arena.bounds(), 1);
        small.join(0, "quake2", "a", new Log());
        assertThat(small.isFull()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> small.join(0, "quake2", "b", new Log()));
    }
}
