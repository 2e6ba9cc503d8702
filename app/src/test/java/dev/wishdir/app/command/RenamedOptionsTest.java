package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Commands and configuration files accept the old names of options, and report the new ones. */
final class RenamedOptionsTest {
    @TempDir private Path folder;

    static Stream<String> oldNames() {
        return RenamedOptions.NEW_NAMES.keySet().stream();
    }

    private static CommandLine main() {
        return Shell.commandLine(Games.ALL, new ShutdownSignal(), Terminal.NONE);
    }

    private static List<String> commandsWith(String option) {
        return main().getSubcommands().entrySet().stream()
                .filter(entry -> entry.getValue().getCommandSpec().findOption(option) != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("oldNames")
    void acceptsOldNamesOnTheCommandLine(String before) {
        String now = RenamedOptions.NEW_NAMES.get(before);
        assertThat(commandsWith("--" + now)).isNotEmpty();
        assertThat(commandsWith("--" + before)).as("not in the help").isEmpty();
        // The proxy came after the old names.
        List<String> commands = new ArrayList<>(commandsWith("--" + now));
        commands.remove("proxy");
        for (String command : commands) {
            for (List<String> option :
                    List.of(List.of("--" + before + "=7"), List.of("--" + before, "7"))) {
                CommandLine main = main();
                List<String> arguments = new ArrayList<>(List.of(command));
                arguments.addAll(option);
                if (Set.of("inspect", "explore").contains(command)) {
                    arguments.add("capture.pcap");
                }

                CommandLine.ParseResult parsed =
                        main.parseArgs(arguments.toArray(String[]::new)).subcommand();

                OptionSpec renamed = parsed.commandSpec().findOption("--" + now);
                assertThat(renamed.<Object>getValue().toString()).as(command).contains("7");
                assertThat(RenamedOptions.notices(parsed.originalArgs()))
                        .containsExactly(
                                "--%s is now --%s; the old name will be removed in 0.3"
                                        .formatted(before, now));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oldNames")
    void acceptsOldNamesInTheConfigurationFile(String before) throws Exception {
        String now = RenamedOptions.NEW_NAMES.get(before);
        Path file = folder.resolve("old.conf");
        Files.writeString(file, "name = x\n" + before + " = 7\n");
        Shell.Run run =
                new Shell(Games.ALL.toArray(Game[]::new))
                        .run("config", "--config", file.toString());

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().lines()).contains(now + " = 7").doesNotContain(before + " = 7");
        assertThat(run.err())
                .isEqualToIgnoringNewLines(
                        "%s, line 2: %s is now %s; the old name will be removed in 0.3"
                                .formatted(file, before, now));
    }

    @Test
    void reportsOldNamesOnceWhenTheServerStarts() throws IOException {
        Path file = folder.resolve("old.conf");
        Files.writeString(file, "shown = 9\nred = \"127.0.0.1:0\"\n");
        Shell.Run run =
                new Shell(new FakeGame("red", 27_011))
                        .run("serve", "--per-address", "5", "--config", file.toString(), "--check");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err().lines().filter(line -> line.contains(" is now ")))
                .containsExactly(
                        "--per-address is now --max-players-per-address; the old name will be"
                                + " removed in 0.3",
                        file
                                + ", line 1: shown is now max-visible-players; the old name will be"
                                + " removed in 0.3");
    }

    @Test
    void readsOldEnvironmentVariables() {
        List<String> notices = new ArrayList<>();

        assertThat(
                        RenamedOptions.variable(
                                Map.of("OLD", "a", "NEW", "b"), "NEW", "OLD", notices::add))
                .isEqualTo("b");
        assertThat(RenamedOptions.variable(Map.of(), "NEW", "OLD", notices::add)).isEmpty();
        assertThat(notices).isEmpty();
        assertThat(RenamedOptions.variable(Map.of("OLD", "a"), "NEW", "OLD", notices::add))
                .isEqualTo("a");
        assertThat(notices).containsExactly("OLD is now NEW; the old name will be removed in 0.3");
    }
}
