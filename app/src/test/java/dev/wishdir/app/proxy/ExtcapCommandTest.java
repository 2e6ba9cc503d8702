package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class ExtcapCommandTest {
    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    @TempDir private Path folder;

    @Test
    void answersTheCallsOfWireshark() {
        Shell.Run interfaces = shell.run("extcap", "--extcap-interfaces", "--extcap-version=4.0");

        assertThat(interfaces.status()).isZero();
        assertThat(interfaces.err()).isEmpty();
        assertThat(interfaces.out().lines().toList())
                .allMatch(line -> line.matches("(extcap|interface) (\\{[a-z]+=[^{}]+})+"))
                .contains(
                        "interface {value=wishdir-quake3}{display=Quake III Arena, OpenArena"
                                + " (proxy)}");
        for (Game game : Games.ALL) {
            String name = "wishdir-" + game.name();
            Shell.Run dlts = shell.run("extcap", "--extcap-interface", name, "--extcap-dlts");
            assertThat(dlts.out()).isEqualTo("dlt {number=12}{name=RAW}{display=Raw IP}\n");
            Shell.Run config = shell.run("extcap", "--extcap-interface=" + name, "--extcap-config");
            assertThat(config.status()).isZero();
            assertThat(config.out().lines())
                    .allMatch(line ->
                            line.matches(
                                    "arg \\{number=\\d+}\\{call=--[a-z-]+}(\\{[a-z]+=[^{}]+})+"))
                    .first()
                    .asString()
                    .contains("{call=--to}")
                    .contains("{required=true}");
        }
        assertThat(shell.run("extcap", "--extcap-version").out()).startsWith("extcap {version=");
        assertThat(
                        shell.run(
                                        "extcap",
                                        "--extcap-interface",
                                        "wishdir-quake2",
                                        "--extcap-capture-filter",
                                        "udp")
                                .out())
                .contains("not supported");
    }

    /** Each argument that is offered is an option that a capture takes. */
    @Test
    void takesEachArgumentThatItOffers() {
        String config =
                shell.run("extcap", "--extcap-interface", "wishdir-quake3", "--extcap-config")
                        .out();
        for (String line : config.lines().toList()) {
            String call = line.replaceAll(".*\\{call=([^}]+)}.*", "$1");
            boolean flag = line.contains("{type=boolflag}");
            Shell.Run run =
                    shell.run(
                            "extcap",
                            "--extcap-interface",
                            "wishdir-quake3",
                            "--extcap-dlts",
                            flag ? call : call + "=1");
            assertThat(run.status()).as(call).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--extcap-interface wishdir-doom --extcap-dlts | there are wishdir-sauerbraten",
                "--extcap-interface wishdir-quake2 | nothing to do",
                "--extcap-interface wishdir-quake2 --capture | needs --fifo and --to",
                "--extcap-interface wishdir-quake2 --capture --fifo x --to h"
                        + " --extcap-capture-filter udp | use a display filter",
            })
    void refusesWrongCalls(String arguments, String problem) {
        Shell.Run run = shell.run(("extcap " + arguments).split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void writesNoFileInPlaceOfAPipe() throws Exception {
        Path file = Files.writeString(folder.resolve("precious"), "keep");
        for (Path fifo : List.of(file, folder, folder.resolve("none"))) {
            Shell.Run run =
                    shell.run(
                            "extcap",
                            "--extcap-interface",
                            "wishdir-quake3",
                            "--capture",
                            "--fifo",
                            fifo.toString(),
                            "--to",
                            "127.0.0.1:9",
                            "--listen",
                            Integer.toString(TestPort.free()));
            assertThat(run.status()).isNotZero();
            assertThat(run.err()).contains(fifo.toString());
        }
        assertThat(file).hasContent("keep");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void installsALauncherOnce() throws Exception {
        Path target = folder.resolve("it's $(touch x) `here`");

        Shell.Run first = shell.run("extcap", "--install", target.toString());
        Shell.Run again = shell.run("extcap", "--install", target.toString());
        Path launcher = target.resolve("wishdir");
        Files.writeString(launcher, "other");
        Shell.Run over = shell.run("extcap", "--install", target.toString());

        assertThat(first.out()).isEqualTo("installed " + launcher + "\n");
        assertThat(again.out()).isEqualTo(launcher + " is installed already\n");
        assertThat(again.status()).isZero();
        assertThat(over.status()).isEqualTo(1);
        assertThat(over.err()).contains("not overwritten");
        assertThat(launcher).hasContent("other").isExecutable();
    }

    /** The launcher's words reach the program as they are, whatever they contain. */
    @Test
    void quotesWordsForAShell() throws Exception {
        for (String word : List.of("a b", "it's", "$(echo x)", "`x`", "\"", "\\", "*", "é")) {
            Process echo =
                    new ProcessBuilder("sh", "-c", "printf %s " + ExtcapCommand.quoted(word))
                            .start();
            assertThat(new String(echo.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(word);
        }
    }

    /** From such a folder the program runs as an open file of its shell, which is gone later. */
    @Test
    void startsAProgramInAFolderWithAColon() throws Exception {
        Path program = Files.createDirectories(folder.resolve("c:d"));
        Files.createFile(program.resolve("wishdir.jar"));
        Process shell =
                new ProcessBuilder("sh", "-c", "exec 9<\"$0\"; echo; read x", program.toString())
                        .start();
        assertThat(shell.getInputStream().read()).isEqualTo('\n');
        String jar = "/proc/" + shell.pid() + "/fd/9/wishdir.jar";
        assertThatThrownBy(() -> ExtcapCommand.start(jar, "/jdk", "Main"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("rename " + program.toRealPath());
        Path script = Files.createFile(program.resolve("wishdir"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(ExtcapCommand.start(jar, "/jdk", "Main"))
                .isEqualTo(
                        "WISHDIR_JAVA_HOME='/jdk'\nexport WISHDIR_JAVA_HOME\nexec '"
                                + script.toRealPath()
                                + "' extcap \"$@\"\n");
        shell.destroy();
        assertThat(ExtcapCommand.start("/a/b.jar", "/jdk", "Main"))
                .startsWith("exec '/jdk/bin/java'")
                .contains(" -cp '/a/b.jar' Main extcap");
    }
}
