package dev.wishdir.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.SmallTerminal;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.serve.TestServer;
import dev.wishdir.app.terminal.Terminal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** Load on real servers of a fake game, as who types it sees it. */
@Timeout(60)
@Tag("slow")
final class LoadCommandTest {
    private static final FakeGame GAME = new FakeGame("red", 27_011);

    @TempDir private Path folder;

    private TestServer server;
    private String address;

    private static TestServer serve(int players) throws CommandFailedException {
        return TestServer.start(GAME, players, "");
    }

    @BeforeEach
    void serve() throws CommandFailedException {
        server = serve(5);
        address = server.address();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Shell.Run load(Terminal terminal, String more) {
        String line = "load red " + address + " --seconds 1 --warm-up 0 " + more;
        return new Shell(terminal, GAME).run(line.split(" "));
    }

    @Test
    void countsRefusedClientsAndMeasuresOthers() {
        Shell.Run run = load(Terminal.NONE, "--clients 8");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("red " + address + ": 5 clients for 1.")
                .contains(
                        "relay latency  mean ", " ms ", "    3 × the server says: server is full");
        assertThat(run.err())
                .isEqualTo(
                        "wishdir: only 5 of 8 clients joined: 3 × the server says: server is"
                                + " full\n");
    }

    @Test
    void stopsConnectingAfterRefusals() {
        Shell.Run run = load(Terminal.NONE, "--clients 100");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .containsPattern(
                        "only 5 of 100 clients joined: \\d+ × the server says: server is full;"
                                + " 8\\d were not tried");
    }

    @Test
    void fitsProgressIntoOneTerminalLine() {
        Shell.Run run = load(new SmallTerminal(40, 10), "--clients 2 --json");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("joining 2 of 2", "second 1 of 1")
                .doesNotContain("\n")
                .endsWith("\r\u001B[K");
        assertThat(run.err().split("\r\u001B\\[K")).allMatch(text -> text.length() < 40);
        assertThat(run.json()).hasSize(1);
        assertThat(run.json().getFirst().keySet())
                .contains("shown", "slip", "held", "viewer_packets");
    }

    @Test
    void printsNoProgressWithoutTerminal() {
        Shell.Run run = load(Terminal.NONE, "--clients 2");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void reportsServerThatEndsHalfway() throws Exception {
        TestServer mortal = serve(5);
        AtomicBoolean alive = new AtomicBoolean(true);
        StringWriter closing =
                new StringWriter() {
                    @Override
                    public void write(String text, int offset, int length) {
                        super.write(text, offset, length);
                        if (toString().contains("second 1 of 20") && alive.getAndSet(false)) {
                            mortal.close();
                        }
                    }
                };
        String line = "load red " + mortal.address() + " --seconds 20 --warm-up 0 --clients 4";

        Shell.Run run = new Shell(new SmallTerminal(80, 24), GAME).run(closing, line.split(" "));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("red " + mortal.address() + ": 0 clients for ")
                .contains("relay latency  mean ");
        assertThat(run.err())
                .containsPattern(
                        "4 of 4 clients were disconnected during the measurement: 4 × the server"
                                + " says: ");
    }

    @Test
    void measuresTwoServersAlternately() throws Exception {
        Path page = folder.resolve("page.html");
        try (TestServer second = serve(5)) {
            Shell.Run run =
                    load(
                            Terminal.NONE,
                            "--clients 2 --turns 2 --json --compare "
                                    + second.address()
                                    + " --html "
                                    + page);

            assertThat(run.status()).as(run.err()).isZero();
            JsonObject result = run.json().getFirst();
            JsonArray turns = result.getAsJsonArray("turns");
            assertThat(turns)
                    .extracting(turn -> turn.getAsJsonObject().get("server").getAsString())
                    .containsExactly(address, second.address(), address, second.address());
            assertThat(result.getAsJsonObject("ratios").get("p50").getAsDouble()).isPositive();
            assertThat(Files.readString(page)).contains(address, second.address(), "var uPlot=");
        }
    }

    @Test
    void namesServerOfRefusal() throws Exception {
        try (TestServer second = serve(1)) {
            Shell.Run run =
                    load(Terminal.NONE, "--clients 2 --turns 1 --compare " + second.address());

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .isEqualTo(
                            "wishdir: B 1 of 1: only 1 of 2 clients joined: the server says: server"
                                    + " is full\n");
        }
    }

    @Test
    void reportsUnwritableReportBeforeMeasuring() {
        Shell.Run run = load(Terminal.NONE, "--html " + folder);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("wishdir: cannot write the report to " + folder);
    }
}
