package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The options of a race are checked at the start. */
class RaceOptionsTest {
    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    @TempDir Path folder;

    private Shell.Run check(String arena, String... more) {
        String[] line = {
            "serve", "--quake2", "127.0.0.1:0", "--check", "--match", "race", "--arena", arena
        };
        String[] all = Arrays.copyOf(line, line.length + more.length);
        System.arraycopy(more, 0, all, line.length, more.length);
        return shell.run(all);
    }

    @Test
    void refusesArenaWithoutCourse() {
        Shell.Run run = check("circuit,hall");
        assertThat(run.status()).isNotZero();
        assertThat(run.err())
                .contains("--match race: the arena hall has no race course", "--arena circuit")
                .hasLineCount(1);
    }

    @Test
    void racesOnCourseOfShippedArenaByDefault() {
        Shell.Run run = shell.run("serve", "--quake2", "127.0.0.1:0", "--check", "--match", "race");
        assertThat(run.status()).as(run.err()).isZero();
    }

    @Test
    void warnsOfFightAmongSpawnPointsInHeap() {
        String heap = "all spawn points of the arena circuit are near each other";
        String[] line = {"serve", "--quake2", "127.0.0.1:0", "--check", "--match", "ffa"};
        String[] circuit = Arrays.copyOf(line, line.length + 2);
        circuit[line.length] = "--arena";
        circuit[line.length + 1] = "hall,circuit";
        assertThat(shell.run(circuit).err()).contains(heap);
        assertThat(shell.run(line).err()).doesNotContain(heap);
    }

    @Test
    void acceptsCourseAndKeepsTimes() throws Exception {
        Path times = folder.resolve("times.txt");
        Files.writeString(times, "circuit quake2 35123 anna\n");
        Shell.Run run = check("circuit", "--race-times", times.toString(), "--race-ghost", "off");
        assertThat(run.err()).doesNotContain("error");
        assertThat(run.status()).isZero();
        Files.writeString(times, "circuit quake2 anna\n");
        Shell.Run malformed = check("circuit", "--race-times", times.toString());
        assertThat(malformed.status()).isNotZero();
        assertThat(malformed.err()).contains(times + ", line 1: ");
    }

    @ParameterizedTest
    @CsvSource({"--race, --fight", "--race, --ctf", "--fight, --ctf"})
    void refusesDemoOfTwoMatches(String one, String other) {
        Shell.Run run = shell.run("demo", one, other);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--race, --fight and --ctf cannot be used together");
    }

    @Test
    void refusesDemoOfFlagsInArenaWithoutThem() {
        Shell.Run run = shell.run("demo", "--ctf", "--arena", "flat");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("--ctf: the arena flat has no flags; use forts");
    }
}
