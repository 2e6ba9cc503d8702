package dev.wishdir.arena.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Runs, times and the ghost of a race on a straight course, in virtual time. */
class RaceTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final Vitals WHOLE = new Vitals(100, 0, 0);

    /** Starts behind x = 1, check points at 10 and 20, and the finish at 30. */
    private static final RaceCourse COURSE =
            new RaceCourse(box(-1, 1), List.of(box(10, 11), box(20, 21)), box(30, 32));

    private final Arena arena = new Arena(level("circuit", COURSE), 20);
    private final List<ArenaEvent> all = new ArrayList<>();
    private long now = 5 * SECOND;

    private static Bounds box(double from, double to) {
        return new Bounds(new Vec3(from, -5, 0), new Vec3(to, 5, 3));
    }

    private static Level level(String name, RaceCourse course) {
        return new Level(
                name,
                new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30)),
                CollisionSpace.OPEN,
                List.of(),
                List.of(),
                List.of(),
                Optional.of(course),
                Optional.empty());
    }

    private record Eye(List<ArenaEvent> seen) implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {
            seen.add(event);
        }

        @Override
        public void onMovement(List<Player> movers) {}
    }

    /** A player that walks along x. */
    private final class Runner {
        final List<ArenaEvent> seen = new ArrayList<>();
        final ArenaPlayer player;
        double x;

        Runner(String game, String name) {
            player = arena.join(now, game, name, new Eye(seen));
            spawn();
        }

        void spawn() {
            player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
            x = 0;
            player.spawn(now, at(0));
            player.move(now, at(0), NativeMovement.Stored.NONE);
        }

        /** Walks in steps of so many metres, one each 100 ms. */
        void walk(double to, double step) {
            while (x < to) {
                x += step;
                now += SECOND / 10;
                player.recordActivity(now);
                player.move(now, at(x), NativeMovement.Stored.NONE);
                arena.advance(now);
            }
        }

        void leap(double to) {
            x = to;
            now += SECOND / 10;
            player.recordActivity(now);
            player.move(now, at(x), NativeMovement.Stored.NONE);
        }

        List<String> texts() {
            return seen.stream()
                    .filter(ArenaEvent.Notice.class::isInstance)
                    .map(event -> ((ArenaEvent.Notice) event).text())
                    .toList();
        }
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    private void race(int warmUp) {
        arena.setMatchRules(
                MatchRules.of(MatchMode.RACE)
                        .withTimes(
                                Duration.ofMinutes(5),
                                Duration.ofSeconds(warmUp),
                                Duration.ofSeconds(10)));
        arena.addListener(all::add);
    }

    private <T extends ArenaEvent> List<T> events(Class<T> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private List<Integer> finishes() {
        return events(ArenaEvent.RunFinished.class).stream()
                .map(ArenaEvent.RunFinished::millis)
                .toList();
    }

    /** Servers of a cluster do not believe such a time of each other. */
    @Test
    void countsNoRunFasterThanPlayersCanBe() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        while (anna.x < 31) {
            anna.x += 7;
            now += 50 * MILLI;
            anna.player.move(now, at(anna.x), NativeMovement.Stored.NONE);
        }
        assertThat(events(ArenaEvent.CheckpointPassed.class)).hasSize(2);
        assertThat(finishes()).isEmpty();
        assertThat(arena.match().race().bestTimes(9)).isEmpty();
        anna.spawn();
        anna.walk(31, 7);
        assertThat(finishes()).hasSize(1);
    }

    @Test
    void timesRunBetweenMovements() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(31, 0.7);
        assertThat(events(ArenaEvent.RunStarted.class)).hasSize(1);
        assertThat(events(ArenaEvent.CheckpointPassed.class))
                .extracting(ArenaEvent.CheckpointPassed::number)
                .containsExactly(1, 2);
        assertThat(events(ArenaEvent.CheckpointPassed.class)).allMatch(event -> event.count() == 2);
        // 7 m a second: from 1 to 10, 20 and 30.
        assertThat(events(ArenaEvent.CheckpointPassed.class).getFirst().millis())
                .isCloseTo(1_286, within(1));
        assertThat(events(ArenaEvent.CheckpointPassed.class).getLast().millis())
                .isCloseTo(2_714, within(1));
        assertThat(finishes().getFirst()).isCloseTo(4_143, within(1));
        assertThat(anna.texts())
                .containsExactly(
                        "Race: leave the start, pass 2 check points in order, reach the finish.",
                        "Your time runs: pass 2 check points in order, reach the finish.",
                        "Check point 1 of 2: 1.286",
                        "Check point 2 of 2: 2.714",
                        "Finish: 4.143, your best time: place 1 of quake3, 1 of all");
        assertThat(anna.seen)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement(_, String text)
                                && text.equals("anna has the best time: 4.143."));
    }

    @Test
    void timesRunsOfAnyStepsWithinMillisecond() {
        race(0);
        Random random = new Random(3);
        Runner anna = new Runner("quake3", "anna");
        for (int i = 0; i < 200; i++) {
            anna.spawn();
            double speed = random.nextDouble(1, 30);
            long began = now;
            double x = 0;
            while (x < 31) {
                now += random.nextLong(MILLI, 200 * MILLI);
                x = (now - began) / 1e9 * speed;
                anna.player.move(now, at(x), NativeMovement.Stored.NONE);
            }
            assertThat((double) finishes().getLast()).isCloseTo(29_000 / speed, within(1.01));
        }
        assertThat(finishes()).hasSize(200);
    }

    @Test
    void prefersClientClockUnlessItDiffers() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        long[] delays = {0, 80, 10, 60, 90};
        for (int i = 1; i <= 32; i++) {
            long own = i * 100L * MILLI;
            anna.player.move(
                    5 * SECOND + own + delays[i % delays.length] * MILLI,
                    at(i),
                    NativeMovement.Stored.NONE,
                    own);
        }
        assertThat(finishes()).as("jitter").containsExactly(2_900);
        now += 60 * SECOND;
        anna.spawn();
        for (int i = 1; i <= 32; i++) {
            anna.player.move(
                    now + i * 200L * MILLI, at(i), NativeMovement.Stored.NONE, i * 100L * MILLI);
        }
        assertThat(finishes()).as("a clock that runs at half the speed").endsWith(5_800);
    }

    @Test
    @DisplayName("K1 a runner that skips a check point has no time")
    void givesNoTimeWithoutEachCheckpointInOrder() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(9, 1);
        // Aside of the first check point, through the second, to the finish.
        for (double x = 9; x <= 31; x++) {
            now += SECOND / 10;
            double y = x < 15 ? 8 : 0;
            anna.player.move(now, Movement.at(new Vec3(x, y, 0), 0), NativeMovement.Stored.NONE);
        }
        assertThat(finishes()).isEmpty();
        assertThat(events(ArenaEvent.CheckpointPassed.class)).isEmpty();
        assertThat(arena.match().race().roundTimes()).isEmpty();
    }

    enum Cheat {
        TELEPORT,
        RESPAWN,
        NO_BODY,
        DEATH,
        LEAP,
        VIOLATION,
        PAUSE,
        CLOCK_BACK
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("K2 a runner that did not walk to the finish has no time")
    void endsRunOfWhoDidNotWalk(Cheat cheat) {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(25, 1);
        assertThat(events(ArenaEvent.CheckpointPassed.class)).hasSize(2);
        switch (cheat) {
            case TELEPORT -> {
                anna.x = 29;
                anna.player.teleport(now, at(29));
            }
            case RESPAWN -> anna.player.spawn(now, at(25));
            case NO_BODY -> {
                anna.player.despawn(now);
                anna.player.spawn(now, at(25));
            }
            case DEATH -> {
                anna.player.combatant().die(now);
                anna.player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
                anna.player.spawn(now, at(25));
            }
            case LEAP -> anna.leap(33.5);
            case VIOLATION -> anna.player.reportViolation(now, ViolationRule.CLOCK_AHEAD, 2, 1, 1);
            case PAUSE -> {
                arena.match().setPaused(now, true);
                arena.match().setPaused(now, false);
            }
            case CLOCK_BACK ->
                    anna.player.move(now, at(25), NativeMovement.Stored.NONE, now - SECOND);
        }
        anna.walk(40, 0.5);
        assertThat(finishes()).isEmpty();
        anna.spawn();
        anna.walk(31, 1);
        assertThat(finishes()).as("the next run counts").hasSize(1);
    }

    @Test
    void returningToStartBeginsAnew() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(15, 1);
        while (anna.x > 0) {
            anna.leap(anna.x - 1);
        }
        anna.walk(31, 1);
        assertThat(events(ArenaEvent.RunStarted.class)).hasSize(2);
        assertThat(finishes()).containsExactly(2_900);
    }

    @Test
    void hurtsNobody() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        Runner bob = new Runner("quake2", "bob");
        assertThat(
                        anna.player
                                .combatant()
                                .hit(
                                        now,
                                        bob.player.id(),
                                        DamageMeans.RIFLE,
                                        50,
                                        Vec3.ZERO,
                                        Vec3.ZERO))
                .isFalse();
        bob.player.combatant().die(now);
        assertThat(bob.player.combatant().score())
                .as("a death costs no points")
                .isEqualTo(Score.ZERO);
    }

    private static int points(Runner runner) {
        return runner.player.combatant().score().frags();
    }

    @Test
    void scoresByPlaceInGame() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        Runner bob = new Runner("quake3", "bob");
        Runner cleo = new Runner("bedrock", "cleo");
        anna.walk(31, 0.5);
        assertThat(points(anna)).isEqualTo(10);
        bob.walk(31, 1);
        assertThat(points(bob)).isEqualTo(10);
        assertThat(points(anna)).isEqualTo(8);
        assertThat(points(cleo)).isZero();
        assertThat(arena.match().standings())
                .extracting(standing -> standing.player().name())
                .containsExactly("bob", "anna", "cleo");
        anna.spawn();
        anna.walk(31, 2);
        assertThat(points(anna)).as("the best run counts").isEqualTo(10);
        assertThat(points(bob)).isEqualTo(8);
        assertThat(arena.match().race().roundTimes())
                .extracting(Race.RoundTime::millis)
                .containsExactly(1_450, 2_900);
        anna.player.leave(now, LeaveReason.LEFT);
        Runner again = new Runner("quake3", "anna");
        assertThat(points(again)).as("it was away").isEqualTo(10);
        now += 600 * SECOND;
        arena.advance(now);
        assertThat(events(ArenaEvent.RoundEnded.class).getLast().winner().map(Player::name))
                .contains("anna");
        assertThat(announced()).contains("anna wins with 1.450.");
    }

    @Test
    void namesWinnerOfEachGame() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        Runner bob = new Runner("bedrock", "bob");
        Runner cleo = new Runner("bedrock", "cleo");
        anna.walk(31, 2);
        bob.walk(31, 0.5);
        cleo.walk(31, 1);
        assertThat(List.of(points(anna), points(bob), points(cleo))).containsExactly(10, 8, 10);
        now += 600 * SECOND;
        arena.advance(now);
        assertThat(announced())
                .contains("anna wins quake3 with 1.450, cleo wins bedrock with 2.900.");
        assertThat(events(ArenaEvent.RoundEnded.class).getLast().winner()).isEmpty();
    }

    @Test
    void tellsRunnerWhatToDoAndThatRunBegan() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(31, 1);
        assertThat(anna.texts())
                .startsWith(
                        "Race: leave the start, pass 2 check points in order, reach the finish.",
                        "Your time runs: pass 2 check points in order, reach the finish.")
                .last()
                .isEqualTo("Finish: 2.900, your best time: place 1 of quake3, 1 of all");
        anna.spawn();
        anna.walk(31, 1);
        assertThat(anna.texts().stream().filter(it -> it.startsWith("Race:"))).hasSize(1);
        assertThat(anna.texts().stream().filter(it -> it.startsWith("Your time"))).hasSize(2);
    }

    @Test
    void tellsOfRunAtMostOnceInTwoSeconds() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        for (int i = 0; i < 20; i++) {
            anna.leap(2);
            anna.leap(0);
        }
        assertThat(events(ArenaEvent.RunStarted.class)).hasSize(20);
        assertThat(anna.texts()).hasSizeBetween(3, 4);
    }

    private List<String> announced() {
        return all.stream()
                .filter(ArenaEvent.Announcement.class::isInstance)
                .map(event -> ((ArenaEvent.Announcement) event).text())
                .toList();
    }

    @Test
    void countsNoScoreInWarmUp() {
        race(60);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(31, 1);
        assertThat(finishes()).hasSize(1);
        assertThat(anna.player.combatant().score()).isEqualTo(Score.ZERO);
        assertThat(arena.match().race().bestTimes(10)).hasSize(1);
        now += 61 * SECOND;
        arena.advance(now);
        assertThat(arena.match().race().roundTimes()).isEmpty();
        now += 301 * SECOND;
        arena.advance(now);
        assertThat(events(ArenaEvent.RoundEnded.class).getLast().winner())
                .as("no player has a time")
                .isEmpty();
        anna.spawn();
        anna.walk(31, 1);
        assertThat(finishes()).as("intermission").hasSize(1);
    }

    @Test
    void tellsBestOfPlayerGameAndAll() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        Runner bob = new Runner("quake2", "bob");
        anna.walk(31, 1);
        bob.walk(31, 0.5);
        anna.spawn();
        anna.walk(31, 0.5);
        List<ArenaEvent.RunFinished> finished = events(ArenaEvent.RunFinished.class);
        assertThat(finished)
                .extracting(event ->
                        event.bestOfPlayer() + " " + event.bestOfGame() + " " + event.bestOfAll())
                .containsExactly("true true true", "true true false", "false false false");
        assertThat(bob.seen)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement(_, String text)
                                && text.equals("bob has the best time of quake2: 5.800."));
    }

    @Test
    void answersTimesCommandToAskerOnly() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        Runner bob = new Runner("quake2", "bob");
        assertThat(bob.player.say(now, "!times")).isFalse();
        assertThat(bob.seen)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement(_, String text)
                                && text.equals("There is no time of quake2 in this arena yet."));
        anna.walk(31, 1);
        anna.seen.clear();
        bob.seen.clear();
        bob.player.say(now, "!times");
        assertThat(bob.seen).as("of its own game").hasSize(1);
        bob.player.say(now, "!TIMES all");
        assertThat(bob.seen)
                .anyMatch(event ->
                        event instanceof ArenaEvent.Announcement(_, String text)
                                && text.equals("1. 2.900 anna (quake3)"));
        assertThat(anna.seen).isEmpty();
        assertThat(events(ArenaEvent.Chat.class)).isEmpty();
        assertThat(bob.player.say(now, "what are !times?")).isTrue();
    }

    @Test
    void endsRunsWhenLevelChanges() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(25, 1);
        arena.setLevel(level("other", new RaceCourse(box(-1, 1), List.of(), box(26, 32))));
        anna.walk(31, 1);
        assertThat(finishes()).isEmpty();
        arena.setLevel(new Level("none", arena.bounds()));
        anna.spawn();
        anna.walk(31, 1);
        assertThat(events(ArenaEvent.RunStarted.class)).as("no course").hasSize(1);
    }

    @Test
    void bestRunWalksAsGhost() {
        race(0);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(31, 0.5);
        anna.spawn();
        anna.walk(31, 1);
        assertThat(arena.players()).hasSize(2);
        Player ghost = arena.players().getLast();
        assertThat(ghost.name()).isEqualTo("~anna");
        assertThat(ghost.game()).isEqualTo("quake3");
        assertThat(ghost.isGhost()).isTrue();
        all.clear();
        for (int i = 0; i < 1_000; i++) {
            now += SECOND / 100;
            anna.player.recordActivity(now);
            arena.advance(now);
        }
        List<ArenaEvent.Spawned> spawns =
                events(ArenaEvent.Spawned.class).stream()
                        .filter(event -> event.player().isGhost())
                        .toList();
        assertThat(spawns).as("3 s and 2.9 s, again and again").hasSize(2);
        assertThat((spawns.getLast().time() - spawns.getFirst().time()) / 1e9)
                .isCloseTo(5.9, within(0.2));
        List<ArenaEvent.Moved> moves =
                events(ArenaEvent.Moved.class).stream()
                        .filter(event -> event.player().isGhost())
                        .filter(event -> event.time() < spawns.getLast().time())
                        .toList();
        assertThat(moves.getFirst().movement().position().x()).isCloseTo(2, within(0.01));
        assertThat(moves.getLast().movement().position().x()).isCloseTo(29, within(1.01));
        double seconds = (moves.getLast().time() - moves.getFirst().time()) / 1e9;
        assertThat(seconds).as("at the pace of the run").isCloseTo(2.7, within(0.15));
        assertThat(events(ArenaEvent.RunFinished.class)).as("a ghost has no time").isEmpty();
        arena.player(ghost.id())
                .orElseThrow()
                .kick(now, new LeaveReason(LeaveReason.Code.KICKED, "kicked"));
        arena.advance(now);
        assertThat(arena.players()).as("an operator kicked it").hasSize(1);
        anna.spawn();
        anna.walk(31, 2);
        assertThat(arena.players()).as("a better run").hasSize(2);
        anna.player.leave(now, LeaveReason.LEFT);
        assertThat(arena.players()).isEmpty();
    }

    @Test
    void showsNoGhostWhereItIsOff() {
        race(0);
        arena.match().race().setGhost(false);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(31, 1);
        arena.advance(now);
        assertThat(arena.players()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 700})
    @DisplayName("K3 a run that takes long keeps no more than ten minutes of its path")
    void keepsNoPathOfLongRuns(int seconds) {
        arena.setMatchRules(
                MatchRules.of(MatchMode.RACE)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        arena.addListener(all::add);
        Runner anna = new Runner("quake3", "anna");
        anna.walk(25, 1);
        for (int i = 0; i < 10 * seconds; i++) {
            anna.leap(25 + i % 2);
        }
        anna.walk(31, 1);
        arena.advance(now);
        assertThat(finishes()).hasSize(1);
        assertThat(finishes().getFirst()).isGreaterThan(seconds * 1_000);
        assertThat(arena.players()).hasSize(seconds < 600 ? 2 : 1);
    }
}
