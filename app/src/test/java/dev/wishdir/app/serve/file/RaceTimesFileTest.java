package dev.wishdir.app.serve.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.serve.MatchOptions;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class RaceTimesFileTest {
    @TempDir Path folder;

    private final List<String> problems = new ArrayList<>();

    private StateFile<List<RaceTimes.Time>> open() throws CommandFailedException {
        return open(folder.resolve("times"));
    }

    private StateFile<List<RaceTimes.Time>> open(Path file) throws CommandFailedException {
        return new StateFile<>(
                "--race-times",
                "best times",
                file,
                FileOperations.REAL,
                new RaceTimesFile(),
                problems::add);
    }

    /** The times of a race that a file keeps. */
    private static RaceTimes times(StateFile<List<RaceTimes.Time>> file) {
        Race race = new Arena(Level.BOX, 1).match().race();
        new MatchOptions().apply(race, file);
        return race.times();
    }

    @Test
    void keepsTimesOverRestart() throws Exception {
        List<RaceTimes.Time> kept =
                List.of(
                        new RaceTimes.Time("circuit", "quake3", "anna with spaces", 35_123),
                        new RaceTimes.Time("circuit", "bedrock", "björn # 1", 40_000));
        try (StateFile<List<RaceTimes.Time>> file = open()) {
            RaceTimes times = times(file);
            kept.forEach(times::add);
            times.add(new RaceTimes.Time("circuit", "quake3", "anna with spaces", 36_000));
        }
        try (StateFile<List<RaceTimes.Time>> file = open()) {
            assertThat(times(file).best("circuit", 10)).isEqualTo(kept);
        }
        assertThat(problems).isEmpty();
        assertThat(folder.resolve("times.new")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "circuit quake3 35123",
                "circuit quake3 fast anna",
                "circuit quake3 -1 anna",
                "circuit quake3 0 anna",
                "circuit quake3 99999999999 anna"
            })
    void refusesMalformedLineAndLeavesFile(String line) throws IOException {
        Path file = folder.resolve("times");
        Files.writeString(file, "# comment\n\n" + line + "\n");
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(this::open)
                .withMessageContaining("line 3: \"%s\" is not ARENA GAME", line);
        assertThat(file).content().endsWith(line + "\n");
    }

    @Test
    void reportsFailedWritesOnceAndTriesAgainAtEnd() throws Exception {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        StateFile<List<RaceTimes.Time>> file = open(gone.resolve("times"));
        RaceTimes times = times(file);
        Files.delete(gone);
        for (int millis = 40_000; millis > 39_990; millis--) {
            times.add(new RaceTimes.Time("circuit", "quake3", "anna", millis));
            // The write is done, or failed.
            assertThat(file.readAgain()).isEmpty();
        }
        assertThat(problems)
                .singleElement()
                .asString()
                .contains("cannot be written", "its folder does not exist")
                .doesNotContain("Exception");
        assertThat(file.isComplete()).isFalse();
        Files.createDirectory(gone);
        file.close();
        assertThat(file.isComplete()).isTrue();
        assertThat(gone.resolve("times")).content().contains("circuit quake3 39991 anna");
    }

    @Test
    @DisplayName("R22 what the operator edits is read again, or kept aside")
    void readsWhatOperatorEditedAndKeepsWhatWasNotRead() throws Exception {
        Path path = folder.resolve("times");
        Files.writeString(path, "dash quake3 9000 Cheater\n");
        try (StateFile<List<RaceTimes.Time>> file = open()) {
            RaceTimes times = times(file);
            Files.writeString(path, "dash sauerbraten 700 Anna\n");
            times.replace(file.readAgain().orElseThrow());
            times.add(new RaceTimes.Time("dash", "quake3", "Berta", 800));
            assertThat(file.readAgain()).isEmpty();
            assertThat(path).content().contains("Anna", "Berta").doesNotContain("Cheater");
            Files.writeString(path, "dash sauerbraten 700 Clara\n");
            times.add(new RaceTimes.Time("dash", "quake3", "Berta", 750));
        }
        assertThat(folder.resolve("times.changed")).content().contains("Clara");
        assertThat(problems).singleElement().asString().contains("times.changed");
    }
}
