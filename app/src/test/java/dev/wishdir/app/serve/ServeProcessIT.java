package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.FakeMain;
import dev.wishdir.app.Shell;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The program as a process: where it listens, how it takes a signal, its exit status. */
@Timeout(180)
final class ServeProcessIT {
    private static final FakeGame GAME = new FakeGame("red", 27_011);

    /** The program with the test's game, as a command. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        FakeMain.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    static Process start(String... arguments) throws IOException {
        Process process = new ProcessBuilder(command(arguments)).start();
        // Reading from a process can't be interrupted; its end ends the reading.
        CompletableFuture.delayedExecutor(150, TimeUnit.SECONDS).execute(process::destroyForcibly);
        return process;
    }

    /** Reads up to a line that holds something, and keeps it and those before it. */
    static String lineWith(String text, BufferedReader reader, List<String> lines)
            throws IOException {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError(
                "no line with '"
                        + text
                        + "' in the last of "
                        + lines.size()
                        + ": "
                        + lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /** Sends SIGTERM; Process.destroy would close the streams as well. */
    static void terminate(Process process) {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    static void assertEnds(Process process, int status) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(status);
    }

    @Test
    void writesEventsAndEndsOnSignal() throws Exception {
        List<String> events = new ArrayList<>();
        Process serve = start("serve", "--red", "127.0.0.1:0", "--events", "-");
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8);
                BufferedReader out = serve.inputReader(StandardCharsets.UTF_8)) {
            String where = lineWith("players connect to 127.0.0.1, port ", err, new ArrayList<>());
            String server = "localhost:" + where.substring(where.lastIndexOf(' ') + 1);
            Shell.Run bot =
                    new Shell(GAME)
                            .run(
                                    "bot",
                                    "red",
                                    server,
                                    "--name",
                                    "é",
                                    "--say",
                                    "hi",
                                    "--seconds",
                                    "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            assertThat(bot.out()).startsWith("join é (self)\n");
            Process watcher = start("bot", "red", server, "--name", "watcher");
            try (BufferedReader watching = watcher.errorReader(StandardCharsets.UTF_8)) {
                lineWith("\"watcher\",\"position\"", out, events);
                terminate(serve);
                out.lines().forEach(events::add);
                assertEnds(serve, 0);
                lineWith("the server says: server is shutting down", watching, new ArrayList<>());
                assertEnds(watcher, 1);
            } finally {
                watcher.destroyForcibly();
            }
        } finally {
            serve.destroyForcibly();
        }
        List<JsonObject> json =
                events.stream()
                        .map(line -> JsonParser.parseString(line).getAsJsonObject())
                        .toList();
        assertThat(json)
                .filteredOn(line -> line.has("name") && line.get("name").getAsString().equals("é"))
                .extracting(line -> line.get("event").getAsString())
                .startsWith("join", "spawn")
                .contains("chat")
                .endsWith("leave");
        assertThat(json.getLast().get("event").getAsString()).isEqualTo("leave");
    }

    @Test
    @DisplayName("where the log is JSON, standard error has nothing else, answers and ends too")
    void takesCommandsFromStandardInput() throws Exception {
        Process serve = start("serve", "--red", "127.0.0.1:0", "--log", "json");
        List<String> lines = new ArrayList<>();
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8);
                BufferedWriter orders = serve.outputWriter(StandardCharsets.UTF_8)) {
            lineWith("players connect to 127.0.0.1, port ", err, lines);
            orders.write("status\n\nfrobnicate\nban 192.0.2.1 1h rude\n");
            orders.flush();
            lineWith("map: hall, 0 of 128 players", err, lines);
            lineWith("There is no command 'frobnicate'. Commands: status, say, kick", err, lines);
            String logged = lineWith("\"event\":\"operator-command\"", err, lines);
            assertThat(JsonParser.parseString(logged).getAsJsonObject().get("author").getAsString())
                    .isEqualTo("console");
            orders.write("quit\n");
            orders.flush();
            lineWith("The server shuts down.", err, lines);
            err.lines().forEach(lines::add);
            assertEnds(serve, 0);
        } finally {
            serve.destroyForcibly();
        }
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(JsonParser.parseString(line).getAsJsonObject().has("event"))
                                .as(line)
                                .isTrue());
    }

    @Test
    @DisplayName("a server without a terminal, whose input ends at once, goes on")
    void continuesAfterEndOfInput() throws Exception {
        Process serve = start("serve", "--red", "127.0.0.1:0");
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8)) {
            serve.getOutputStream().close();
            String where = lineWith("players connect to 127.0.0.1, port ", err, new ArrayList<>());
            String server = "localhost:" + where.substring(where.lastIndexOf(' ') + 1);
            Shell.Run bot = new Shell(GAME).run("bot", "red", server, "--seconds", "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            terminate(serve);
            assertEnds(serve, 0);
        } finally {
            serve.destroyForcibly();
        }
    }

    @Test
    void movesDemoToFreePortAndEndsOnSignal() throws Exception {
        List<String> lines = new ArrayList<>();
        try (DatagramSocket taken =
                new DatagramSocket(GAME.port(), InetAddress.getLoopbackAddress())) {
            Process demo = start("demo", "--web", "off", "--bots", "2");
            try (BufferedReader out = demo.inputReader(StandardCharsets.UTF_8)) {
                lineWith(" joined", out, lines);
                lineWith(" joined", out, lines);
                terminate(demo);
                out.lines().forEach(lines::add);
                assertEnds(demo, 0);
            } finally {
                demo.destroyForcibly();
            }
            assertThat(taken.getLocalPort()).isEqualTo(GAME.port());
        }
        assertThat(String.join("\n", lines))
                .contains("The game of red: connect to 127.0.0.1 port ")
                .contains("(the usual port 27011 is in use)")
                .containsPattern("red [A-Z][a-z]+ joined\nred [A-Z][a-z]+ joined");
    }
}
