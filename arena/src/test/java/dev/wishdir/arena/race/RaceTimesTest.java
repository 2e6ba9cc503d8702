package dev.wishdir.arena.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.race.RaceTimes.Time;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

class RaceTimesTest {
    private final RaceTimes times = new RaceTimes();
    private final List<List<Time>> changes = new ArrayList<>();

    @Test
    void keepsBestOfEachPlayer() {
        times.onChange(changes::add);
        times.record(new Time("a", "quake3", "anna", 300));
        times.record(new Time("a", "quake3", "anna", 400));
        times.record(new Time("a", "quake2", "anna", 500));
        times.record(new Time("a", "quake3", "anna", 200));
        times.record(new Time("b", "quake3", "anna", 900));
        assertThat(times.best("a", 10))
                .containsExactly(
                        new Time("a", "quake3", "anna", 200), new Time("a", "quake2", "anna", 500));
        assertThat(times.best("a", 1)).hasSize(1);
        assertThat(changes).hasSize(4);
        assertThat(changes.getLast()).hasSize(3);
    }

    @Test
    void comparesWithKeptTimes() {
        times.load(List.of(new Time("a", "quake3", "anna", 300)));
        assertThat(times.record(new Time("a", "quake3", "bob", 300)))
                .as("equal is no better")
                .isEqualTo(new RaceTimes.Rank(true, false, false));
        assertThat(times.record(new Time("a", "quake2", "cleo", 299)))
                .isEqualTo(new RaceTimes.Rank(true, true, true));
    }

    @Test
    @DisplayName("K4 a player with ever new names fills no memory with times")
    void isBounded() {
        times.onChange(changes::add);
        for (int i = 0; i < 500; i++) {
            times.record(new Time("a", "quake3", "p" + i, 1_000 - i));
        }
        times.record(new Time("a", "quake2", "slow", 5_000));
        assertThat(times.best("a", 1_000)).hasSize(RaceTimes.MAX_TIMES_PER_GAME + 1);
        assertThat(times.best("a", 1).getFirst().millis()).isEqualTo(501);
        int before = changes.size();
        times.record(new Time("a", "quake3", "slower", 9_000));
        assertThat(changes).as("not kept, nothing changed").hasSize(before);
        for (int i = 0; i < 500; i++) {
            times.record(new Time("arena" + i, "quake3", "p", 1_000));
        }
        assertThat(changes.getLast().stream().map(Time::arena).distinct())
                .hasSize(RaceTimes.MAX_ARENAS);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.001", "35123, 35.123", "60000, 1:00.000", "65003, 1:05.003"})
    void writesTimes(int millis, String text) {
        assertThat(RaceTimes.text(millis)).isEqualTo(text);
    }
}
