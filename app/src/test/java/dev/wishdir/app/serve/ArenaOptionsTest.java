package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.command.Games;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ArenaOptionsTest {
    @Command
    private static final class Settings {
        @Mixin private final MatchOptions match = new MatchOptions();
        @Mixin private final ArenaOptions arenas = new ArenaOptions();
    }

    @ParameterizedTest
    @CsvSource({
        "--match=ffa, 'hall,hills'",
        "--match=none, 'hall,hills'",
        "--match=race, circuit",
        "--match=ctf, 'forts,hall,hills'",
        "'--match=ffa --arena=flat', flat",
        "'--match=ffa --arena=hills,hall', 'hills,hall'",
    })
    void playsWhatOptionNamesOrWhatIsMadeForMatch(String line, String rotation) throws Exception {
        Settings settings = new Settings();
        new CommandLine(settings)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(line.split(" "));
        SettingProblems problems = new SettingProblems();
        assertThat(
                        settings.arenas
                                .named(
                                        ArenaSource.withDefaults(Games.ALL, _ -> {}),
                                        settings.match,
                                        problems)
                                .keySet())
                .containsExactly(rotation.split(","));
        assertThat(problems.isEmpty()).isTrue();
    }
}
