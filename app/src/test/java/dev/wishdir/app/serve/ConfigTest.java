package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A file of settings: its contents, precedence, and the reports of its mistakes. */
class ConfigTest {
    private final Shell shell =
            new Shell(new FakeGame("red", 27_014), new FakeGame("blue", 27_015));

    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("wishdir.conf");
    }

    private Shell.Run check(String text, String... more) throws IOException {
        Files.writeString(file, text);
        String[] all = new String[4 + more.length];
        all[0] = "serve";
        all[1] = "--config";
        all[2] = file.toString();
        all[3] = "--check";
        System.arraycopy(more, 0, all, 4, more.length);
        return shell.run(all);
    }

    @Test
    @DisplayName("a file sets any option, of each game too; the ports are open only for a moment")
    void setsOptionsFromFile() throws IOException {
        Shell.Run run =
                check(
                        """
                        # of friends
                        name = "With us"
                        max-players = 12
                        trust = ["10.0.0.0/8", "127.0.0.1"]
                        on-cheat = kick
                        red = "127.0.0.1:0"
                        blue { address = off, colour = green }
                        """);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("Check passed", "players connect to 127.0.0.1")
                .doesNotContain("blue");
    }

    @Test
    @DisplayName("an option wins over the file")
    void prefersOptionOverFile() throws IOException {
        Shell.Run run = check("max-players = 0\nred = \"127.0.0.1:0\"", "--max-players", "5");
        assertThat(run.status()).as(run.err()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-player = 5 | line 2: there is no setting 'max-player'; did you mean"
                        + " 'max-players'?",
                "max-players = many | line 2: max-players: 'many' is not a whole number",
                "max-players = 0 | line 2: max-players must be from 1 to 1000, is 0",
                "red { colr = green } | line 2: there is no setting 'red-colr'; did you mean"
                        + " 'red-colour'?",
                "zzzzzzzz = 1 | line 2: there is no setting 'zzzzzzzz'; wishdir config lists",
                "on-cheat = dance | line 2: on-cheat: 'dance' is not one of observe, freeze",
                "trust = [10.0.0.1/8] | line 2: trust",
                "name = [a, b] | line 2: name takes one value, not a list",
                "red = \"127.0.0.1:x\" | line 2: red: ",
                "max-loop-percent = 101 | line 2: max-loop-percent must be from 1 to 100, is 101",
                "score-limit = -1 | line 2: score-limit: the score limit must be 0 to 10000",
                "rewind = 900 | line 2: rewind: ",
                "arena = nowhere | line 2: arena: there is no arena and no file 'nowhere'",
                "health-file = /no/such/file | line 2: health-file: cannot write /no/such/file",
                "name = ${nobody} | line 2: no value is set for ${nobody}: name = ${nobody};",
                "name = ${max-players}, max-players = ${name} | line 2: a name has itself as",
                "name = x [3] | line 2: values of different kinds cannot be joined: name = x [3]",
                "name = x } | line 2: this is not a setting: name = x };",
                "check = true | line 2: there is no setting 'check'",
                "name = \"open | line 2: this is not a setting: name = \"open; write NAME = VALUE",
                "trust = [10.0.0.1 | line 2: the file ends before all is closed; close each quote,",
                "red { name = x | line 2: the file ends before all is closed; close each quote,",
                "include required(\"gone.conf\") | gone.conf: there is no such file",
                "include url(\"http://localhost/\") | include takes a file only, not url(",
            })
    @DisplayName("what is wrong is named with file and line, and what would be right")
    void namesMistakes(String line, String told) throws IOException {
        Shell.Run run = check("# one\n" + line + "\n");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains(told);
        if (told.startsWith("line")) {
            assertThat(run.err()).contains("wishdir.conf, " + told.substring(0, 6));
        }
    }

    @Test
    @DisplayName("all mistakes are reported at once")
    void reportsAllMistakesAtOnce() throws IOException {
        try (DatagramSocket used = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String port = "127.0.0.1:" + used.getLocalPort();
            List<String> lines =
                    List.of(
                            "nme = a",
                            "max-players = x",
                            "red = \"" + port + "\"",
                            "max-visible-players = 0",
                            "score-limit = -1",
                            "arena = [nowhere, hall]",
                            "events = /no/such/file",
                            "health-file = /no/such/file",
                            "replay = /no/such/file",
                            "web = \"1.2.3.4:x\"");
            Shell.Run run = check(String.join("\n", lines));
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err().lines())
                    .as("in the order of the file")
                    .extracting(line -> line.replaceFirst(".*, line (\\d+):.*", "$1"))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, lines.size())
                                    .mapToObj(Integer::toString)
                                    .toList());
            assertThat(run.err()).contains("line 3: cannot bind UDP " + port);
        }
    }

    @Test
    void reportsAllPortsThatAreInUse() throws IOException {
        try (DatagramSocket red = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket blue = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Shell.Run run =
                    check(
                            "red = \"127.0.0.1:"
                                    + red.getLocalPort()
                                    + "\"\nblue = \"127.0.0.1:"
                                    + blue.getLocalPort()
                                    + "\"");
            assertThat(run.err()).contains("line 1: cannot bind", "line 2: cannot bind");
        }
    }

    @Test
    @DisplayName("each name without a value is reported, beside what else is wrong")
    void reportsAllUnsetNamesAtOnce() throws IOException {
        Shell.Run run =
                check(
                        """
                        name = ${first}
                        max-players = 0
                        red { address = ${second}":1", colr = green }
                        trust = [
                          "10.0.0.0/8"
                          ${third}
                        ]
                        blue = "127.0.0.1:0"
                        zzz = ${fourth}
                        on-cheat = kick
                        on-cheat = ${fifth}
                        blue-colour = ${?sixth}
                        max-visible-players = x
                        """);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "line 1: no value is set for ${first}: name = ${first}; set it in",
                        "line 2: max-players must be from 1 to 1000, is 0",
                        "line 3: no value is set for ${second}: red {",
                        "line 3: there is no setting 'red-colr'",
                        "line 6: no value is set for ${third}: ${third}; set it in",
                        "line 9: no value is set for ${fourth}: zzz = ${fourth}",
                        "line 9: there is no setting 'zzz'",
                        "line 11: no value is set for ${fifth}: on-cheat = ${fifth}",
                        "line 13: max-visible-players: 'x' is not a whole number")
                .hasLineCount(9);
    }

    @Test
    @DisplayName("a value that is not known is not taken for a missing one")
    void reportsNothingAboutUnknownValue() throws IOException {
        Shell.Run run = check("flag-return = 5s\nmatch = ${mode}\nred = off\nblue = ${port}");
        assertThat(run.err())
                .contains("line 2: no value is set", "line 4: no value is set")
                .hasLineCount(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "red = ${port}",
                "red }",
                "redd = \"127.0.0.1:0\"",
                "name = x [3]",
                "name = ${name}"
            })
    @DisplayName("no port is checked if it is not known which games the file names")
    void checksNoDefaultPortOfUnknownGames(String text) throws IOException {
        try (DatagramSocket used = new DatagramSocket(0)) {
            Shell one = new Shell(new FakeGame("red", used.getLocalPort()));
            Files.writeString(file, text);
            Shell.Run run = one.run("serve", "--config", file.toString(), "--check");
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("line 1: ").hasLineCount(1);
            Shell.Run named =
                    one.run("serve", "--config", file.toString(), "--check", "--red", "0.0.0.0");
            assertThat(named.err()).contains("line 1: ", "cannot bind UDP").hasLineCount(2);
        }
    }

    @Test
    @DisplayName("two games on one port are reported beside what else is wrong, with both keys")
    void reportsTwoGamesOnOnePort() throws IOException {
        Shell.Run run = check("max-players = 0\nred { address = \":39072\" }\nblue = \":39072\"");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "line 1: max-players must be",
                        "line 2: red and blue have the same UDP port 39072; each game needs")
                .hasLineCount(2);
        assertThat(check("red = \"127.0.0.1:39072\"\nblue = \"127.0.0.2:39072\"").err())
                .doesNotContain("same UDP port");
    }

    @Test
    @DisplayName("what is printed is a file itself, with defaults and where each value comes from")
    void printsEffectiveConfig() throws IOException {
        Shell.Run plain = shell.run("config");
        assertThat(plain.status()).as(plain.err()).isZero();
        assertThat(plain.out())
                .contains("# max-players = 128", "# name = \"Wishdir\"", "# from: default")
                .contains("# red-colour = COLOUR", "# Maximum number of players (default 128).")
                .doesNotContain("help", "${");
        assertThat(plain.out().lines())
                .as("nothing is set by it")
                .allMatch(line -> line.isEmpty() || line.startsWith("#"));
        Files.writeString(file, "max-players = 7\nadmin-password = hush\ntrust = [\"10.0.0.0/8\"]");
        Shell.Run set = shell.run("config", "--config", file.toString());
        assertThat(set.out())
                .contains("# default: 128\n# from: " + file + ", line 1\nmax-players = 7\n")
                .contains("trust = \"10.0.0.0/8\"")
                .doesNotContain("hush");
        assertThat(check(set.out(), "--red", "127.0.0.1:0").status()).isZero();
    }

    @Test
    @DisplayName(
            "bans are kept next to the file, and a broken file of them is reported, not changed")
    void keepsBansNextToFile() throws IOException {
        Path bans = folder.resolve("bans.txt");
        Files.writeString(bans, "10.0.0.1 forever\nnobody forever\n");
        Shell.Run run = check("red = \"127.0.0.1:0\"");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("bans.txt, line 2: \"nobody\" is not an address");
        assertThat(bans).hasContent("10.0.0.1 forever\nnobody forever\n");
    }

    @Test
    void reportsMissingFile() {
        Shell.Run run = shell.run("serve", "--config", folder.resolve("none").toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("cannot read").hasLineCount(1);
    }
}
