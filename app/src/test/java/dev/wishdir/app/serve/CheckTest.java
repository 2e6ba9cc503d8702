package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What {@code serve --check} reports, and that it leaves everything as it is. */
@Tag("slow")
@Timeout(60)
class CheckTest {
    private static final List<String> FILES =
            List.of(
                    "--events",
                    "--key-log",
                    "--bedrock-identity-key",
                    "--bans",
                    "--race-times",
                    "--log-file",
                    "--record");

    @TempDir private Path folder = Path.of("");

    private static Shell.Run check(String... more) {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--bedrock",
                                "127.0.0.1:0",
                                "--match",
                                "race",
                                "--arena",
                                "circuit",
                                "--check"));
        line.addAll(List.of(more));
        return new Shell(Games.ALL.toArray(Game[]::new)).run(line.toArray(String[]::new));
    }

    @Test
    void makesAndChangesNoFile() throws IOException {
        Path events = Files.writeString(folder.resolve("file--events"), "{\"kept\":1}\n");
        String[] options =
                FILES.stream()
                        .flatMap(name -> Stream.of(name, folder.resolve("file" + name).toString()))
                        .toArray(String[]::new);
        Shell.Run run = check(options);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains("Check passed");
        assertThat(events).hasContent("{\"kept\":1}");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(events);
        }
    }

    @Test
    void namesOptionOfKeyInLogAsOnCommandLine() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.wishdir.bedrock");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            check();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(text -> text.contains("--bedrock-identity-key keeps it"));
    }

    private static Shell.Run checkGame(String game, String... more) {
        List<String> line = new ArrayList<>(List.of("serve", "--" + game, "127.0.0.1:0"));
        line.addAll(List.of(more));
        line.add("--check");
        return new Shell(Games.ALL.toArray(Game[]::new)).run(line.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ctf", "ctf-insta", "CTF-Effic"})
    void startsMatchWithFlags(String mode) {
        Shell.Run run =
                checkGame("bedrock", "--match", mode, "--flag-return=0", "--flag-home-needed=off");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains("Check passed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"protect", "hold", "insta-hold", "efficprotect"})
    void refusesModesWithFlagsOfOneGame(String mode) {
        Shell.Run run = checkGame("bedrock", "--match", mode);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("--match: '" + mode + "' is not played here", "use ctf, ctf-insta");
    }

    @Test
    void refusesLevelsWithoutFlags() {
        Shell.Run run =
                checkGame("quake3", "--match=ctf", "--arena=flat,hall", "--flag-return=121s");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "--match ctf: the arena flat has no flags",
                        "use --arena forts, or remove it",
                        "--flag-return: the return time of flags must be 0 to 120 s, is 121.0 s");
        assertThat(checkGame("sauerbraten", "--match=ctf", "--map=turbine").err())
                .contains("--match ctf: no game plays a level with flags");
    }

    @Test
    void reportsAllWrongValuesAtOnce() {
        Shell.Run run =
                check(
                        "--match=foo",
                        "--items=maybe",
                        "--on-cheat=zap",
                        "--score-limit=x",
                        "--time-limit=y",
                        "--web=[::zz]",
                        "--itms=on",
                        "--bedrok=off",
                        "--bedrock-nethernet=on",
                        "--max-players=0",
                        "--sauerbraten-mode=77",
                        "--bedrock-authority=x",
                        "--bedrock-compression=y",
                        "--quake3-weapons=banana",
                        "--quake3-pure=7",
                        "--quake3-game=foo");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "--match: 'foo' is not one of ",
                        "--items: 'maybe' is not one of on, off",
                        "--on-cheat: 'zap' is not one of ",
                        "--score-limit: 'x' is not a whole number",
                        "--time-limit: ",
                        "--web: unknown host '::zz'",
                        "there is no option '--itms'; did you mean '--items'?",
                        "there is no option '--bedrok'; did you mean '--bedrock'?",
                        "there is no option '--bedrock-nethernet'\n",
                        "--max-players must be from 1 to 1000, is 0",
                        "--sauerbraten-mode ",
                        "--bedrock-authority ",
                        "--bedrock-compression ",
                        "--quake3-weapons ",
                        "--quake3-pure ",
                        "--quake3-game is 'foo'")
                .hasLineCount(16);
    }

    @Test
    void reportsFoldersAndMapsThatAreMissingAmongWrongValues() {
        Shell.Run run =
                check(
                        "--quake2-data=/nowhere/at/all",
                        "--quake3-data=/nowhere/at/all",
                        "--max-players=0");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "--quake2-data: there is no folder /nowhere/at/all",
                        "--quake3-data: /nowhere/at/all holds no pk3 files",
                        "--max-players must be from 1 to 1000, is 0")
                .hasLineCount(3);
        assertThat(check("--map=nomap", "--max-players=0", "--quake2=127.0.0.1:0").err())
                .contains("--map: there is no map 'nomap' in the folder of Quake II")
                .contains("--max-players must be");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--events",
                "--key-log",
                "--bedrock-identity-key",
                "--bans",
                "--race-times",
                "--log-file",
                "--record"
            })
    void reportsFileThatCannotBeWritten(String option) {
        Shell.Run run = check(option, folder.resolve("no/such/file").toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains(option, "its folder does not exist").hasLineCount(1);
    }
}
