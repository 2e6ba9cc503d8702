package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** The completion script of each shell, run by the shell where it is installed. */
final class CompletionTest {
    @TempDir private Path folder;

    private static String script(String shell) {
        Shell.Run run = new Shell(Games.ALL.toArray(Game[]::new)).run("completion", shell);
        assertThat(run.status()).isZero();
        return run.out();
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(dir -> Stream.of(Path.of(dir, program)))
                .anyMatch(Files::isExecutable);
    }

    private String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @ParameterizedTest
    @CsvSource({"bash, serve, --arena", "zsh, serve, --arena", "fish, serve, arena"})
    void namesCommandsAndOptions(String shell, String command, String option) {
        assertThat(script(shell)).contains(command, option, "from-bsp");
    }

    @Test
    void namesShellsInsteadOfUnknownOne() {
        Shell shell = new Shell(Games.ALL.toArray(Game[]::new));
        assertThat(shell.run("completion", "tcsh").err())
                .isEqualTo(
                        "wishdir: SHELL: 'tcsh' is not one of bash, zsh, fish; see wishdir"
                                + " completion --help\n");
        assertThat(shell.run("completion").err())
                .isEqualTo(
                        "wishdir: missing SHELL: bash, zsh or fish; see wishdir completion"
                                + " --help\n");
    }

    @Test
    void completesInBash() throws Exception {
        assumeThat(isInstalled("bash")).isTrue();
        Path file = Files.writeString(folder.resolve("completion.bash"), script("bash"));
        String completed =
                run(
                        "bash",
                        "-c",
                        "source "
                                + file
                                + " 2> /dev/null; COMP_WORDS=(wishdir serve --are); COMP_CWORD=2;"
                                + " _complete_wishdir 2> /dev/null; echo \"${COMPREPLY[@]}\"");
        assertThat(completed.strip()).isEqualTo("--arena");
    }

    @Test
    void completesInFish() throws Exception {
        assumeThat(isInstalled("fish")).isTrue();
        Path file = Files.writeString(folder.resolve("wishdir.fish"), script("fish"));
        assertThat(run("fish", "-c", "source " + file + "; complete -C 'wishdir serve --are'"))
                .startsWith("--arena");
    }
}
