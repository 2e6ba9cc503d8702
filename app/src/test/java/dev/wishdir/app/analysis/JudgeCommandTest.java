package dev.wishdir.app.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A player walks, then runs far too fast, then jumps through the roof. */
class JudgeCommandTest {
    private static final long START = 1_764_100_800_000_000_000L;
    private static final long TICK = 33_000_000;
    private static final double WALK = 5;
    private static final double RUN = 440;
    private static final BlockArena ARENA = ArenaCatalog.shipped("flat");

    private static final Viewer BLIND = new NoOpViewer();

    @TempDir Path folder;

    private Path file = Path.of("");
    private final List<MovementValidator.Violation> reported = new ArrayList<>();

    /** Records as a server of Sauerbraten that reports violations and lets the player go on. */
    @BeforeEach
    void record() throws IOException {
        file = folder.resolve("match.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "", ARENA.name(), Instant.ofEpochSecond(0, START));
        Game game =
                Games.ALL.stream()
                        .filter(each -> each.name().equals("sauerbraten"))
                        .findFirst()
                        .orElseThrow();
        Level level = Level.of(ARENA);
        MovementValidator validator =
                new MovementValidator(game.movementLimits().orElseThrow(), level);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        info,
                        Optional.of(ArenaText.write(ARENA)),
                        RecordingOptions.DEFAULT)) {
            Arena arena = new Arena(level, 8);
            arena.addListener(writer);
            writer.onEvent(
                    new ArenaEvent.LevelChanged(START, "sauerbraten", level, level.bounds()));
            ArenaPlayer player = arena.join(START, "sauerbraten", "anna", BLIND);
            Vec3 at = ARENA.spawns().getFirst().position();
            long now = START;
            player.spawn(now, Movement.at(at, 0));
            validator.accept(now, at);
            double heading = 1;
            for (int i = 0; i < 300; i++) {
                now += TICK;
                double speed = i >= 100 && i < 110 ? RUN : WALK;
                // Back and forth, so that it stays in the arena.
                heading += speed == RUN ? Math.PI : 0.05;
                double up = i == 200 ? 8 : i == 201 ? -8 : 0;
                at =
                        at.plus(
                                new Vec3(
                                        Math.cos(heading) * speed * TICK / 1e9,
                                        Math.sin(heading) * speed * TICK / 1e9,
                                        up));
                MovementValidator.Violation violation = validator.validate(now, at);
                if (violation != null) {
                    reported.add(violation);
                    player.reportViolation(
                            now,
                            violation.rule(),
                            violation.measured(),
                            violation.allowed(),
                            violation.allowance());
                    validator.accept(now, at);
                }
                player.move(
                        now,
                        new Movement(at, 0, 0, Vec3.ZERO, Stance.STANDING),
                        NativeMovement.Stored.NONE);
            }
        }
        assertThat(reported).hasSizeGreaterThan(2);
    }

    /** A body that hangs in the air for an intermission and the round that follows. */
    @Test
    void countsNoAirTimeInIntermission() throws IOException {
        file = folder.resolve("intermission.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "", ARENA.name(), Instant.ofEpochSecond(0, START));
        Level level = Level.of(ARENA);
        long begins = START + TimeUnit.SECONDS.toNanos(5);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        info,
                        Optional.of(ArenaText.write(ARENA)),
                        RecordingOptions.DEFAULT)) {
            Arena arena = new Arena(level, 8);
            arena.addListener(writer);
            writer.onEvent(
                    new ArenaEvent.LevelChanged(START, "sauerbraten", level, level.bounds()));
            ArenaPlayer player = arena.join(START, "sauerbraten", "anna", BLIND);
            Vec3 at = ARENA.spawns().getFirst().position();
            player.spawn(START, Movement.at(at, 0));
            writer.onEvent(
                    new ArenaEvent.RoundEnded(
                            START, RoundEndReason.TIME_LIMIT, Optional.empty(), Optional.empty()));
            Movement hanging = Movement.at(at.plus(new Vec3(0, 0, 0.8)), 0);
            for (long now = START; now < begins; now += TICK) {
                player.move(now, hanging, NativeMovement.Stored.NONE);
            }
            writer.onEvent(
                    new ArenaEvent.RoundStarted(begins, MatchMode.FFA, Duration.ofMinutes(10), 0));
            for (long now = begins; now < 2 * begins - START; now += TICK) {
                player.move(now, hanging, NativeMovement.Stored.NONE);
            }
        }
        assertThat(run("--json").json())
                .isNotEmpty()
                .allMatch(line -> line.get("rule").getAsString().equals("air-time"))
                .allMatch(line -> line.get("elapsed").getAsDouble() > 5);
    }

    /** Records what a player does, in the order of time. */
    private void record(String game, BlockArena blocks, List<Vec3> way, long stepNanos)
            throws IOException {
        file = folder.resolve(game + ".mcap");
        RecordingInfo info =
                new RecordingInfo("test", "", blocks.name(), Instant.ofEpochSecond(0, START));
        Level level = Level.of(blocks);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        info,
                        Optional.of(ArenaText.write(blocks)),
                        RecordingOptions.DEFAULT)) {
            Arena arena = new Arena(level, 8);
            arena.addListener(writer);
            writer.onEvent(new ArenaEvent.LevelChanged(START, game, level, level.bounds()));
            ArenaPlayer player = arena.join(START, game, "anna", BLIND);
            player.spawn(START, Movement.at(way.getFirst(), 0));
            long now = START;
            for (Vec3 at : way) {
                now += stepNanos;
                player.move(now, Movement.at(at, 0), NativeMovement.Stored.NONE);
            }
        }
    }

    /** A server whose loop was late receives the first positions of a life at once. */
    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "bedrock"})
    void countsNoDistanceOfWhatServerReceivedLate(String game) throws IOException {
        Vec3 start = ARENA.spawns().getFirst().position();
        record(
                game,
                ARENA,
                IntStream.range(0, 20).mapToObj(i -> start.plus(new Vec3(i * 0.25, 0, 0))).toList(),
                0);
        assertThat(run("--json").json()).isEmpty();
    }

    /** No position is at the pad itself: a body is thrown between two of them. */
    @Test
    void allowsThrowOfPadBetweenPositions() throws IOException {
        List<Vec3> way = new ArrayList<>();
        for (double x = -3; x > -6.7; x -= 0.35) {
            way.add(new Vec3(x, 25.5, 0));
        }
        double[] heights = {0.98, 1.9, 2.9, 4, 4.6, 5.2, 5.8, 6.4, 6.9, 7.3, 7.6};
        for (int i = 0; i < heights.length; i++) {
            way.add(new Vec3(-7.2 - 0.55 * i, 25.5, heights[i]));
        }
        record("sauerbraten", ArenaCatalog.shipped("circuit"), way, TICK);
        assertThat(run("--json").json()).isEmpty();
    }

    private static ArenaEvent touched(double seconds, FlagChange change, Player by, Vec3 place) {
        return new ArenaEvent.FlagChanged(
                START + (long) (seconds * 1e9),
                Team.BLUE,
                change,
                FlagCause.TOUCH,
                Optional.of(by),
                place,
                1,
                Duration.ZERO);
    }

    @Test
    void findsTouchOutOfReach() throws IOException {
        file = folder.resolve("flags.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "", ARENA.name(), Instant.ofEpochSecond(0, START));
        Vec3 red = new Vec3(-20, 0, 0);
        Vec3 blue = new Vec3(20, 0, 0);
        Player anna =
                new Player(
                        new PlayerId(0, 1),
                        "quake3",
                        "anna",
                        START,
                        0,
                        true,
                        Movement.at(new Vec3(18.51, 0, 0), 0),
                        NativeMovement.Stored.NONE);
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.begin(
                    new RecordedState(
                            Map.of(anna.id(), anna),
                            Map.of(),
                            List.of(
                                    new FlagStatus(Team.RED, red, new FlagState.Home(), 0),
                                    new FlagStatus(Team.BLUE, blue, new FlagState.Home(), 0))));
            writer.onEvent(touched(1, FlagChange.TAKEN, anna, blue));
            writer.onEvent(touched(2, FlagChange.DROPPED, anna, new Vec3(10, 0, 0)));
            writer.onEvent(touched(3, FlagChange.TAKEN, anna, blue));
            writer.onEvent(touched(4, FlagChange.CAPTURED, anna, blue));
        }
        List<JsonObject> found = run("--json").json();
        assertThat(found)
                .extracting(line -> line.get("rule").getAsString())
                .as("a take of what lay 8.5 m away, and a capture 38.5 m from home")
                .containsExactly("flag-distance", "flag-distance");
        assertThat(found)
                .extracting(line -> line.get("measured").getAsDouble())
                .satisfiesExactly(
                        take -> assertThat(take).isEqualTo(8.51, within(0.01)),
                        capture -> assertThat(capture).isEqualTo(38.51, within(0.01)));
    }

    private Shell.Run run(String... more) {
        return new Shell(Games.ALL.toArray(Game[]::new))
                .run(
                        Stream.concat(Stream.of("judge", file.toString()), Arrays.stream(more))
                                .toArray(String[]::new));
    }

    @Test
    void findsSameViolationsAsServer() {
        Shell.Run run = run("--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        // A server reports the same rule again only after a pause.
        assertThat(run.json())
                .filteredOn(line -> line.get("then").getAsBoolean())
                .hasSizeBetween(2, reported.size())
                .allMatch(line -> line.get("now").getAsBoolean());
        List<JsonObject> lines = run.json();
        assertThat(lines).hasSameSizeAs(reported);
        for (int i = 0; i < lines.size(); i++) {
            JsonObject line = lines.get(i);
            assertThat(line.get("now").getAsBoolean()).isTrue();
            assertThat(line.get("name").getAsString()).isEqualTo("anna");
            assertThat(line.get("rule").getAsString()).isEqualTo(reported.get(i).rule().toString());
            assertThat(line.get("measured").getAsDouble())
                    .isEqualTo(reported.get(i).measured(), within(0.01));
            assertThat(line.get("allowed").getAsDouble())
                    .isEqualTo(reported.get(i).allowed(), within(0.01));
        }
        assertThat(lines)
                .extracting(line -> line.get("rule").getAsString())
                .contains("distance", "jump-height");
    }

    @Test
    void findsFewerWithWiderLimitsAndMoreWithNarrower() {
        List<JsonObject> wide =
                run("--json", "--allow", "sauerbraten.speed=600", "--allow", "jump-height=20")
                        .json();
        assertThat(wide).isNotEmpty().noneMatch(line -> line.get("now").getAsBoolean());
        List<JsonObject> narrow =
                run("--json", "--allow", "speed=3", "--allow", "distance=0.1").json();
        assertThat(narrow.stream().filter(line -> line.get("now").getAsBoolean()).count())
                .isGreaterThan(reported.size());
    }

    @Test
    void printsForPeople() {
        Shell.Run run = run();
        assertThat(run.out())
                .contains("anna (sauerbraten 1), distance: distance ", "now and then")
                .containsPattern("distance: \\d+ now, \\d+ then, \\d+ of them both");
    }

    @Test
    void refusesLimitsThatDoNotExist() {
        assertThat(run("--allow", "in-solid=1").err())
                .contains("'in-solid' has no value to change")
                .contains("jump-height");
        assertThat(run("--allow", "distance").status()).isEqualTo(2);
        assertThat(run("--allow", "quake3.speed=1").err())
                .contains("'quake3' is not a game with limits; there are bedrock, sauerbraten");
    }

    /** A slip in a name acquits nobody. */
    @Test
    void judgesOnlyWhatIsThere() {
        Shell.Run unknown = run("--player", "nobody");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err()).contains("no player 'nobody'", "anna");
        for (List<String> range :
                List.of(List.of("--from", "5", "--to", "4"), List.of("--from", "99999"))) {
            Shell.Run outside = run(range.toArray(String[]::new));
            assertThat(outside.status()).isEqualTo(1);
            assertThat(outside.err()).contains("must be a part of the recording");
        }
        assertThat(run("--player", "ANNA").out()).contains("distance: ");
    }
}
