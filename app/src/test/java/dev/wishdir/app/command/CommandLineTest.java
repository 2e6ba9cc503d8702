package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.SmallTerminal;
import dev.wishdir.app.serve.ServeCommand;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is said about wrong usage, and what a command refuses. */
@Tag("slow")
final class CommandLineTest {
    private final Shell shell =
            new Shell(new FakeGame("red", 27_011), new FakeGame("blue", 27_012));

    @ParameterizedTest
    @ValueSource(strings = {"", "demo", "serve", "bot", "load", "inspect"})
    void offersHelpEverywhere(String command) {
        Shell.Run run = command.isEmpty() ? shell.run("--help") : shell.run(command, "--help");

        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("Usage: wishdir").contains("--help");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void namesProgramInVersion() {
        assertThat(shell.run("--version").out()).startsWith("wishdir ");
    }

    @Test
    void givesServeTheOptionsOfItsGames() {
        assertThat(shell.run("serve", "--help").out())
                .contains("--red=ADDR|off", "port 27011)", "--blue-colour=COLOUR");
    }

    /** F10: ports out of range, huge numbers, unknown options and games. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "walk",
                "serve --red 127.0.0.1:65536",
                "serve --red 127.0.0.1:x",
                "serve --red 127.0.0.1:-1",
                "serve --max-players 0",
                "serve --red 127.0.0.1:0 --web 127.0.0.1:99999",
                "serve --red 127.0.0.1:0 --seconds -1",
                "serve --red 127.0.0.1:0 --max-visible-players 0",
                "serve --red 127.0.0.1:0 --download-url ftp://x",
                "serve --max-players 99999999999999999999",
                "serve --max-players 1001",
                "serve --red off --blue off",
                "serve --green 127.0.0.1",
                "serve here",
                "bot",
                "bot red",
                "bot green 127.0.0.1",
                "bot red 127.0.0.1:99999",
                "bot red 127.0.0.1 --count 0",
                "bot red 127.0.0.1 --path spiral",
                "bot red 127.0.0.1 --version 9",
                "bot red 127.0.0.1 --map-file red.ogz",
                "load red 127.0.0.1 --version 9",
                "inspect a.pcap --version 9",
                "inspect a.pcap --game red --version 9",
                "load red 127.0.0.1 --clients 1",
                "load red 127.0.0.1 --seconds 0",
                "load red 127.0.0.1 --turns 0",
                "load red 127.0.0.1 --compare 127.0.0.1:x",
                "demo --bots x",
                "demo --bots -1",
                "demo --web 127.0.0.1:99999"
            })
    void reportsWrongUsageInOneLineWithStatus2(String line) {
        Shell.Run run = shell.run(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("wishdir: ").containsPattern("see wishdir.* --help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "walk; there is no command 'walk'; there are demo, serve",
                "serv; there is no command 'serv'; did you mean 'serve'?",
                "help serv; there is no command 'serv'; did you mean 'serve'?",
                "arena chek; there is no command 'chek'; did you mean 'check'?",
                "serve --max-player 5; there is no option '--max-player'; did you mean"
                        + " '--max-players'?",
                "serve --max-player=5; there is no option '--max-player'; did you mean"
                        + " '--max-players'?",
                "serve --red-color red; there is no option '--red-color'; did you mean"
                        + " '--red-colour'?",
                "bot red 127.0.0.1 --cuont 3; there is no option '--cuont'; did you mean"
                        + " '--count'?",
                "serve here; 'here' is unexpected",
                "bot red 127.0.0.1 --json yes; 'yes' is unexpected: --json takes no" + " value",
                "bot red 127.0.0.1 --count x; --count: 'x' is not a whole number",
                "bot red 127.0.0.1 --count 99999999999; is not a whole number of this size",
                "inspect a.pcap --from abc; --from: 'abc' is not a number",
                "bot red 127.0.0.1 --path spiral; --path: 'spiral' is not one of circle",
                "bot green 127.0.0.1; GAME: 'green' is not a game; there are red, blue",
                "serve --max-players-per-address x; --max-players-per-address: 'x' is not a whole"
                        + " number",
            })
    void namesValidUsageOnWrongUsage(String line, String message) {
        Shell.Run run = shell.run(line.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message).hasLineCount(1);
    }

    @Test
    void namesFilesThatClientsCannotReadWithoutClasses() {
        for (Game game : Games.ALL) {
            for (Game.Option option : game.clientOptions()) {
                if (option.value().equals("FILE")) {
                    Shell.Run run =
                            new Shell(game)
                                    .run(
                                            "bot",
                                            game.name(),
                                            "127.0.0.1:9",
                                            "--" + option.name(),
                                            "missing.file");

                    assertThat(run.status()).as("%s: %s", game, run.err()).isEqualTo(1);
                    assertThat(run.err())
                            .startsWith("wishdir: cannot start a bot: ")
                            .contains("missing.file")
                            .doesNotContain("Exception")
                            .hasLineCount(1);
                }
            }
        }
    }

    @Test
    @DisplayName("R22: a file that is written late is looked at when the server starts")
    void namesOptionAndFileThatServerCannotWrite() {
        Game bedrock =
                Games.ALL.stream()
                        .filter(game -> game.name().equals("bedrock"))
                        .findFirst()
                        .orElseThrow();
        Shell.Run run =
                new Shell(bedrock)
                        .run(
                                "serve",
                                "--check",
                                "--web",
                                "off",
                                "--bedrock",
                                "127.0.0.1:0",
                                "--bedrock-auth",
                                "on",
                                "--bedrock-auth-cache",
                                "pom.xml/keys.json");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("--bedrock-auth-cache: cannot write pom.xml/keys.json: no permission");
    }

    @Test
    void namesOptionAndFileThatServerDoesNotFind() {
        for (Game game : Games.ALL) {
            for (Game.Option option : game.options()) {
                if (option.file() == Game.Option.FileAccess.READ) {
                    String name = "--" + game.name() + "-" + option.name();
                    List<String> line =
                            new ArrayList<>(
                                    List.of(
                                            "serve",
                                            "--check",
                                            "--web",
                                            "off",
                                            "--" + game.name(),
                                            "127.0.0.1:0",
                                            name,
                                            "missing.file"));
                    if (option.name().startsWith("tls-")) {
                        String other = option.name().equals("tls-key") ? "certificate" : "key";
                        line.addAll(List.of("--" + game.name() + "-tls-" + other, "pom.xml"));
                    }
                    Shell.Run run = new Shell(game).run(line.toArray(String[]::new));

                    assertThat(run.err())
                            .as(name)
                            .startsWith("wishdir: " + name + ": ")
                            .contains("missing.file")
                            .containsPattern("there is no (such )?file");
                }
            }
        }
    }

    @Test
    void namesMissingKeyFileAmongOtherProblems() {
        Shell.Run run =
                new Shell(Games.ALL.toArray(Game[]::new))
                        .run(
                                "serve",
                                "--check",
                                "--time-limit",
                                "abc",
                                "--sauerbraten-auth-keys",
                                "missing.file");

        assertThat(run.status()).isNotZero();
        assertThat(run.err())
                .contains("--time-limit", "--sauerbraten-auth-keys", "missing.file")
                .doesNotContain("Exception");
    }

    @Test
    @DisplayName("R20 no word that begins with @ is read as a file, in any command")
    void readsNoFileForWordWithAtSign() {
        assertThat(
                        Shell.commandLine(
                                        Games.ALL, new ShutdownSignal(), new SmallTerminal(80, 24))
                                .isExpandAtFiles())
                .isFalse();
        assertThat(
                        ServeCommand.commandLine(
                                        Games.ALL,
                                        new ShutdownSignal(),
                                        InputStream.nullInputStream())
                                .isExpandAtFiles())
                .as("serve, when it reads its settings again")
                .isFalse();
    }

    /** F11: bots and load stay away from public addresses unless asked. */
    @ParameterizedTest
    @ValueSource(
            strings = {"bot red 203.0.113.1", "load red 203.0.113.1", "bot red [2001:db8::1]:5"})
    void refusesPublicAddresses(String line) {
        Shell.Run run = shell.run(line.split(" "));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("is a public address", "--allow-public");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bot red 127.0.0.1:0",
                "load red 0",
                "record red :0 --out unused.mcap",
                "proxy red --to 127.0.0.1:0"
            })
    void refusesServerWithoutPort(String line) {
        Shell.Run run = shell.run(line.split(" "));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("no server has port 0: give a port from 1 to 65535");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "10.1.2.3, true",
        "172.16.0.1, true",
        "192.168.7.7, true",
        "169.254.1.1, true",
        "0.0.0.0, true",
        "::1, true",
        "fe80::1, true",
        "fd00::1, true",
        "8.8.8.8, false",
        "172.32.0.1, false",
        "2001:db8::1, false",
        "fe00::1, false"
    })
    void distinguishesPrivateFromPublicAddresses(String address, boolean expected)
            throws IOException {
        assertThat(HostPort.isPrivate(InetAddress.getByName(address))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, localhost, -1",
        "localhost:5, localhost, 5",
        ":5, '', 5",
        "[::1]:5, ::1, 5",
        "[::1], ::1, -1",
        "::1, ::1, -1",
        "1.2.3.4:65535, 1.2.3.4, 65535",
        "8080, '', 8080"
    })
    void readsHostAndPort(String text, String host, int port) {
        assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port));
    }

    @Test
    void reportsPortInUseInOneLineWithStatus1() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            Shell.Run run = shell.run("serve", "--red", address);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err())
                    .contains(
                            "cannot bind UDP " + address + ": address already in use by ",
                            "set another port with --red")
                    .doesNotContain("error(");
            if (Files.isReadable(Path.of("/proc/net/udp"))) {
                assertThat(run.err()).contains("process " + ProcessHandle.current().pid() + " (");
            }
        }
    }

    @Test
    void namesProcessAndOptionOfPagePortInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
            String address = "[::1]:" + taken.getLocalPort();

            Shell.Run run = shell.run("serve", "--red", "127.0.0.1:0", "--web", address);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains(
                            "address already in use by ",
                            ":" + taken.getLocalPort(),
                            "set another port with --web");
            if (Files.isReadable(Path.of("/proc/net/tcp6"))) {
                assertThat(run.err()).contains("process " + ProcessHandle.current().pid() + " (");
            }
        }
    }

    @Test
    void opensPageWithOnlyPortOnLoopback() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());

            Shell.Run run = shell.run("serve", "--red", "127.0.0.1:0", "--web", port);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains("cannot bind TCP 127.0.0.1:" + port + ": address already in use by ");
        }
    }

    @Test
    void doesNotCallForeignAddressInUse() {
        Shell.Run run = shell.run("serve", "--red", "127.0.0.1:0", "--web", "192.0.2.1:8260");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "cannot bind TCP 192.0.2.1:8260: ",
                        "set another address or port with --web")
                .doesNotContain("in use");
    }

    /** The first game's port is taken, so that a start would fail by it. */
    @ParameterizedTest
    @CsvSource({
        "--blue-colour blue, blue is sold out",
        "--web 127.0.0.1:x, --web: ",
        "--password a\u0007b, --password: players of The game of red",
        "--seconds -1, --seconds must be",
    })
    void checksValuesBeforeOpeningAnything(String options, String message) throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String line = "serve --red 127.0.0.1:" + taken.getLocalPort() + " --blue 127.0.0.1:0 ";

            Shell.Run run = shell.run((line + options).split(" "));

            assertThat(run.status()).isNotZero();
            assertThat(run.err()).contains(message).hasLineCount(1).doesNotContain("bind");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "serve --red 127.0.0.1:0 --red-colour blue, blue is sold out",
        "serve --red 127.0.0.1:0 --events /nowhere/at/all, --events: cannot write /nowhere/at/all",
        "serve --red no.such.host.invalid, unknown host",
        "bot red no.such.host.invalid, unknown host"
    })
    void reportsFailureInOneLineWithStatus1(String line, String message) {
        Shell.Run run = shell.run(line.split(" "));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("wishdir: ").contains(message);
    }
}
