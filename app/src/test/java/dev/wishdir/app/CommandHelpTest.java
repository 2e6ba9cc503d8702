package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The help of every command and subcommand, whatever its own required arguments are. */
@Tag("slow")
final class CommandHelpTest {
    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    /** To be read only: what a run leaves in it would be in the next. */
    private static final CommandLine MAIN =
            Shell.commandLine(Games.ALL, new ShutdownSignal(), Terminal.NONE);

    private static final Map<String, String> HELP = new ConcurrentHashMap<>();

    /** What COMMAND --help prints. */
    private String help(String path) {
        return HELP.computeIfAbsent(path, _ -> shell.run(words(path + " --help")).out());
    }

    /** The words by which each command is called, the program itself by none. */
    static Stream<String> commands() {
        List<String> found = new ArrayList<>();
        collect(MAIN, "", found);
        return found.stream();
    }

    private static void collect(CommandLine line, String path, List<String> found) {
        found.add(path);
        line.getSubcommands()
                .forEach((name, sub) -> collect(sub, (path + " " + name).strip(), found));
    }

    private static String[] words(String line) {
        return line.isBlank() ? new String[0] : line.strip().split(" ");
    }

    private static CommandLine command(String path) {
        CommandLine line = MAIN;
        for (String name : words(path)) {
            line = Objects.requireNonNull(line.getSubcommands().get(name), name);
        }
        return line;
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("--help and -h print the help with status 0, with missing and wrong arguments too")
    void printsHelp(String path) {
        // After the server, rcon takes everything as text.
        String wrong = path.equals("rcon") ? "-h a b" : "a b c d e f -h";
        for (String end : List.of("--help", "--no-such-option --help", wrong)) {
            Shell.Run run = shell.run(words(path + " " + end));

            assertThat(run.err()).as(end).isEmpty();
            assertThat(run.status()).as(end).isZero();
            assertThat(run.out())
                    .startsWith("Usage: " + ("wishdir " + path).strip() + " ")
                    .contains("-h, --help", "-V");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("-V prints the program's version with status 0")
    void printsVersion(String path) {
        Shell.Run run = shell.run(words(path + " -V"));

        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("wishdir ");
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("help COMMAND prints the same as COMMAND --help")
    void helpsWithCommand(String path) {
        Shell.Run run = shell.run(words("help " + path));

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(help(path));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("the examples of a command's help are of this command")
    void givesExamplesOfItself(String path) {
        List<String> examples =
                help(path).lines().dropWhile(line -> !line.matches("Examples?:")).skip(1).toList();

        assertThat(examples).allMatch(line -> line.contains(("wishdir " + path).strip()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("the overview shows a whole sentence of each command")
    void showsWholeSentencesInOverview(String path) {
        String help = help(path).replaceAll("\\s+", " ");
        command(path)
                .getSubcommands()
                .forEach((name, sub) -> {
                    String[] description = sub.getCommandSpec().usageMessage().description();
                    assertThat(description).as(name).isNotEmpty();
                    assertThat(description[0]).as(name).endsWith(".");
                    assertThat(help).contains(name + " " + description[0].replaceAll("\\s+", " "));
                });
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("each option and argument has a description and a name for its value")
    void describesEveryArgument(String path) {
        CommandLine line = command(path);
        assertThat(line.getCommandSpec().usageMessage().description()).isNotEmpty();
        for (ArgSpec argument : line.getCommandSpec().args()) {
            String name =
                    argument instanceof OptionSpec option
                            ? option.longestName()
                            : ((PositionalParamSpec) argument).paramLabel();
            assertThat(argument.description()).as(path + " " + name).isNotEmpty();
            assertThat(Arrays.asList(argument.description()))
                    .as(path + " " + name)
                    .allMatch(text -> text.length() > 5 && text.endsWith("."));
            if (argument.arity().max() > 0) {
                assertThat(argument.paramLabel()).as(name).doesNotContain("<");
            }
        }
    }
}
