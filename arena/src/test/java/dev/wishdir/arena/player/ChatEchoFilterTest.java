package dev.wishdir.arena.player;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BinaryOperator;

/** Bots that repeat what they hear, and people who say the same. */
class ChatEchoFilterTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final Arena arena =
            new Arena(new Level("test", new Bounds(new Vec3(-9, -9, 0), new Vec3(9, 9, 9))), 200);
    private final List<String> said = new ArrayList<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::time));
    private long now;

    /** A line that a bot is about to say. */
    private record Due(long time, ArenaPlayer speaker, String text) {}

    /** Who says again what it hears, in its own way, some time later. */
    private final class Bot implements Viewer {
        final ArenaPlayer id;
        final long delay;
        final BinaryOperator<String> way;

        Bot(int number, long delay, BinaryOperator<String> way) {
            id = arena.join(now, "game" + number % 4, "bot" + number, this);
            this.delay = delay;
            this.way = way;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            if (event instanceof ArenaEvent.Chat line) {
                due.add(new Due(now + delay, id, way.apply(line.player().name(), line.text())));
            }
        }

        @Override
        public void onMovement(List<Player> movers) {}
    }

    /** Who says what it wants. */
    private static final class Person implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private ArenaPlayer person(String name) {
        return arena.join(now, "quake2", name, new Person());
    }

    private void run(long time) {
        long end = now + time;
        while (!due.isEmpty() && due.peek().time() <= end) {
            Due next = due.remove();
            now = next.time();
            next.speaker().say(now, next.text());
        }
        now = end;
    }

    private static BinaryOperator<String> way(String way) {
        return switch (way) {
            case "as heard" -> (_, text) -> text;
            case "named" -> (name, text) -> name + ": " + text;
            case "cut" -> (_, text) -> text.substring(0, Math.min(100, text.length()));
            case "named, cut" ->
                    (name, text) -> {
                        String line = "<" + name + "> " + text;
                        return line.substring(0, Math.min(100, line.length()));
                    };
            case "own prefix" -> (_, text) -> "[relay of the four games] " + text;
            default -> throw new IllegalArgumentException(way);
        };
    }

    private static final List<String> WAYS =
            List.of("as heard", "named", "cut", "named, cut", "own prefix");

    private static final String STORY = "once upon a time there was a bot, ".repeat(8);

    @ParameterizedTest
    @DisplayName("F2: what bots repeat of each other dies down")
    @CsvSource({
        "2, as heard",
        "3, as heard",
        "4, as heard",
        "2, named",
        "4, named",
        "3, cut",
        "2, 'named, cut'",
        "4, 'named, cut'",
        "2, own prefix",
        "4, own prefix",
        "4, each its own"
    })
    void endsEchoLoop(int bots, String way) {
        for (long delay : new long[] {30 * MILLI, 600 * MILLI, 3 * SECOND}) {
            for (String text : List.of("gg", "what a lovely evening this is", STORY)) {
                ChatEchoFilterTest loop = new ChatEchoFilterTest();
                loop.endsSoon(bots, way, delay, text);
            }
        }
    }

    private void endsSoon(int bots, String way, long delay, String text) {
        ArenaPlayer person = person("ann");
        for (int i = 0; i < bots; i++) {
            new Bot(i, delay + i * MILLI, way(way.equals("each its own") ? WAYS.get(i) : way));
        }
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Chat line) {
                said.add(line.player().name() + ": " + line.text());
            }
        });
        person.say(now, text);
        run(60 * SECOND);
        assertThat(said).as("%s bots, %s, %s", bots, way, delay).hasSizeBetween(2, 1 + 8 * bots);
        int before = said.size();
        run(60 * SECOND);
        assertThat(said).hasSize(before);
        // They are known by now: each new line is repeated once by each, and the person is heard.
        person.say(now, "so what is this");
        run(120 * SECOND);
        assertThat(said.subList(before, said.size()))
                .hasSizeLessThanOrEqualTo(1 + 2 * bots)
                .startsWith("ann: so what is this");
    }

    @Test
    void passesSameLineOfSeveralPlayers() {
        List<ArenaPlayer> people =
                List.of(person("ann"), person("bob"), person("cleo"), person("dan"));
        for (int round = 0; round < 6; round++) {
            for (ArenaPlayer each : people) {
                assertThat(each.say(now, "gg")).isTrue();
                now += 300 * MILLI;
            }
            now += SECOND;
        }
        for (int evening = 0; evening < 100; evening++) {
            for (ArenaPlayer each : people) {
                assertThat(each.say(now, "good game, all of you, and good night")).isTrue();
            }
            now += 40 * SECOND;
        }
    }

    @Test
    void passesRepetitionsOfOnePlayer() {
        ArenaPlayer ann = person("ann");
        ArenaPlayer bob = person("bob");
        bob.say(now, "who joins us on the other side of the hall?");
        for (int i = 0; i < 100; i++) {
            assertThat(ann.say(now, "who joins us on the other side of the hall?")).isTrue();
            now += SECOND;
        }
    }

    @Test
    void passesNewLines() {
        List<ArenaPlayer> people =
                List.of(person("ann"), person("bob"), person("cleo"), person("dan"));
        for (int i = 0; i < 200; i++) {
            for (ArenaPlayer each : people) {
                String line = i % 2 == 0 ? "line " + i : STORY + i;
                assertThat(each.say(now, line)).as(line).isTrue();
            }
            now += SECOND;
        }
    }

    @Test
    @DisplayName("F2: who was taken for an echo is heard with every line of its own")
    void passesNewLinesOfEchoingPlayer() {
        ArenaPlayer ann = person("ann");
        ArenaPlayer bob = person("bob");
        int passed = 0;
        for (int i = 0; i < 20; i++) {
            ann.say(now, "the very same words as before");
            passed += bob.say(now, "the very same words as before") ? 1 : 0;
            now += SECOND;
        }
        assertThat(passed).isEqualTo(4);
        for (int i = 0; i < 60; i++) {
            assertThat(bob.say(now, "my own line " + i)).isTrue();
            now += SECOND;
        }
    }
}
