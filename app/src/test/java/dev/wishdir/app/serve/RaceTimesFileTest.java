package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.RaceTimes;

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

    private RaceTimesFile open() throws CommandFailedException {
        return new RaceTimesFile(folder.resolve("times"), FileOperations.REAL, problems::add);
    }

    private static RaceTimes times() {
        return new Arena(Level.BOX, 1).match().race().times();
    }

    @Test
    void keepsTimesOverRestart() throws Exception {
        List<RaceTimes.Time> kept =
                List.of(
                        new RaceTimes.Time("circuit", "quake3", "anna with spaces", 35_123),
                        new RaceTimes.Time("circuit", "bedrock", "björn # 1", 40_000));
        try (RaceTimesFile file = open()) {
            RaceTimes times = times();
            file.keep(times);
            kept.forEach(times::add);
            times.add(new RaceTimes.Time("circuit", "quake3", "anna with spaces", 36_000));
        }
        RaceTimes again = times();
        try (RaceTimesFile file = open()) {
            file.keep(again);
        }
        assertThat(again.best("circuit", 10)).isEqualTo(kept);
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
                .withMessageContaining("line 3 is not ARENA GAME MILLISECONDS PLAYER");
        assertThat(file).content().endsWith(line + "\n");
    }

    @Test
    void reportsFailedWrite() throws Exception {
        Path gone = folder.resolve("gone");
        Files.createDirectory(gone);
        try (RaceTimesFile file =
                new RaceTimesFile(gone.resolve("times"), FileOperations.REAL, problems::add)) {
            RaceTimes times = times();
            file.keep(times);
            Files.delete(gone);
            times.add(new RaceTimes.Time("circuit", "quake3", "anna", 35_123));
        }
        assertThat(problems).singleElement().asString().contains("cannot be written");
    }
}
