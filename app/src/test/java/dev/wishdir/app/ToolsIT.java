package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.log.StandardOutputTest;
import dev.wishdir.app.serve.TestServer;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Bots and load on a real server of a fake game. */
@Timeout(180)
final class ToolsIT {
    private static final FakeGame GAME = new FakeGame("red", 27_011);
    private static final String PASSWORD = "secret";

    private final Shell shell = new Shell(GAME);
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private TestServer server;
    private String address;

    @BeforeEach
    void serve() throws CommandFailedException {
        ArenaListener listener =
                event -> {
                    switch (event) {
                        case ArenaEvent.Joined e -> heard.add("join " + e.player().name());
                        case ArenaEvent.Chat e ->
                                heard.add("chat " + e.player().name() + " " + e.text());
                        case ArenaEvent.Left e -> heard.add("leave " + e.player().name());
                        default -> {}
                    }
                };
        server = TestServer.start(GAME, 5, PASSWORD, listener);
        address = server.address();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void failsOnUnwritableOutput(String form) {
        StringWriter err = new StringWriter();
        List<String> command =
                new ArrayList<>(
                        List.of("bot", "red", address, "--seconds", "1", "--password", PASSWORD));
        if (!form.isEmpty()) {
            command.add(form);
        }
        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                Shell.commandLine(List.of(GAME), shutdown, Terminal.NONE)
                        .setOut(StandardOutputTest.failing("No space left on device"))
                        .setErr(new PrintWriter(err))
                        .execute(command.toArray(String[]::new));
        shutdown.done(status);
        assertThat(status).isEqualTo(1);
        assertThat(err.toString()).contains("output lost: ");
    }

    private static String text(JsonObject line, String key) {
        return line.get(key).getAsString();
    }

    @Test
    void writesWhatBotSees() {
        Shell.Run run =
                shell.run(
                        "bot",
                        "red",
                        address,
                        "--name",
                        "rob",
                        "--count",
                        "2",
                        "--seconds",
                        "2",
                        "--say",
                        "hi",
                        "--password",
                        PASSWORD,
                        "--path",
                        "square",
                        "--json");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.json())
                .filteredOn(line -> text(line, "event").equals("join"))
                .extracting(line -> text(line, "name") + " " + text(line, "self"))
                .containsExactlyInAnyOrder("rob1 true", "rob2 false");
        assertThat(run.json())
                .filteredOn(line -> text(line, "event").equals("move"))
                .extracting(line -> text(line, "name"))
                .contains("rob1", "rob2");
        assertThat(run.json())
                .filteredOn(line -> text(line, "event").equals("chat"))
                .extracting(line -> text(line, "name") + " " + text(line, "text"))
                .containsExactly("rob2 hi");
        JsonObject move =
                run.json().stream()
                        .filter(line -> text(line, "event").equals("move"))
                        .findFirst()
                        .orElseThrow();
        assertThat(move.keySet())
                .containsExactly(
                        "v",
                        "time",
                        "event",
                        "player",
                        "game",
                        "name",
                        "position",
                        "yaw",
                        "pitch",
                        "velocity",
                        "flags",
                        "self");
        assertThat(move.getAsJsonArray("flags").get(0).getAsString()).isEqualTo("on-ground");
        assertThat(heard)
                .contains("join rob1", "join rob2", "chat rob1 hi", "leave rob1", "leave rob2");
    }

    @Test
    void reportsWhyBotIsRefused() {
        Shell.Run run = shell.run("bot", "red", address, "--password", "wrong");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("disconnected: 1 of 1 bot: the server says: wrong password");
    }

    @Test
    void reportsFullServerToLoad() {
        Shell.Run run =
                shell.run(
                        "load",
                        "red",
                        address,
                        "--password",
                        PASSWORD,
                        "--clients",
                        "6",
                        "--seconds",
                        "1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("only 5 of 6 clients joined: the server says: server is full");
    }

    @Test
    void timesOutOnSilentServer() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Shell.Run run = shell.run("bot", "red", "127.0.0.1:" + silent.getLocalPort());

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("the server does not answer");
        }
    }

    @Test
    void measuresRelay() {
        Shell.Run run =
                shell.run(
                        "load",
                        "red",
                        address,
                        "--password",
                        PASSWORD,
                        "--clients",
                        "4",
                        "--seconds",
                        "1",
                        "--json");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.json()).hasSize(1);
        JsonObject result = run.json().getFirst();
        assertThat(result.get("joined").getAsInt()).isEqualTo(4);
        assertThat(result.get("rate").getAsDouble()).isPositive();
        long sent = result.get("sent").getAsLong();
        // A busy server relays only the newest of some.
        assertThat(result.get("relayed").getAsLong()).isBetween(1L, 3 * sent);
        JsonObject latency = result.getAsJsonObject("latency");
        assertThat(latency.get("p50").getAsDouble()).isPositive();
        assertThat(latency.get("max").getAsDouble())
                .isGreaterThanOrEqualTo(latency.get("p99").getAsDouble());
        assertThat(result.get("packets_out").getAsDouble()).isPositive();
        assertThat(result.get("bytes_in").getAsDouble())
                .isGreaterThan(result.get("packets_in").getAsDouble());
    }

    @Test
    void printsReportForPeople() {
        Shell.Run run =
                shell.run(
                        "load",
                        "red",
                        address,
                        "--password",
                        PASSWORD,
                        "--clients",
                        "2",
                        "--seconds",
                        "1");

        assertThat(run.out())
                .startsWith("red " + address + ": 2 clients for ")
                .contains("relay latency  mean ", "relayed  ", "traffic  ", "generator  ");
    }
}
