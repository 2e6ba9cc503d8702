package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.serve.TestServer;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command, between real bots and servers on the loopback. */
@Timeout(300)
class ProxyCommandIT {
    static final List<Game> GAMES = Games.ALL;
    private static final Pattern ADDRESS = Pattern.compile("clients connect to ([0-9.:]+),");
    private static final Pattern PAGE = Pattern.compile("page: (http://\\S+)");

    @TempDir private Path folder;

    /** Text of another thread, to be awaited. */
    private static final class Screen extends StringWriter {
        @Override
        public void write(String text, int offset, int length) {
            synchronized (lock) {
                super.write(text, offset, length);
                lock.notifyAll();
            }
        }

        private boolean ended;

        /** Line ends come here. */
        @Override
        public void write(String text) {
            write(text, 0, text.length());
        }

        void end() {
            synchronized (lock) {
                ended = true;
                lock.notifyAll();
            }
        }

        Matcher await(Pattern pattern) throws InterruptedException {
            synchronized (lock) {
                while (true) {
                    Matcher matcher = pattern.matcher(toString());
                    if (matcher.find()) {
                        return matcher;
                    }
                    if (ended) {
                        throw new AssertionError("ended without " + pattern + ":\n" + this);
                    }
                    lock.wait();
                }
            }
        }
    }

    /** A command that runs in another thread. */
    private static final class Running {
        final Screen err = new Screen();
        final Screen out = new Screen();
        final PipedOutputStream input = new PipedOutputStream();
        final ShutdownSignal shutdown = new ShutdownSignal();
        final CompletableFuture<Integer> status;

        Running(String... arguments) throws IOException {
            InputStream in = new PipedInputStream(input);
            status =
                    CompletableFuture.supplyAsync(
                            () ->
                                    Shell.commandLine(GAMES, shutdown, in, Terminal.NONE)
                                            .setOut(new PrintWriter(out))
                                            .setErr(new PrintWriter(err))
                                            .execute(arguments),
                            // A proxy of a test that failed would keep the common pool busy.
                            task -> Thread.ofPlatform().daemon().start(task));
            status.whenComplete((_, _) -> {
                err.end();
                out.end();
            });
        }

        String address() throws InterruptedException {
            return err.await(ADDRESS).group(1);
        }

        String page() throws InterruptedException {
            return err.await(PAGE).group(1);
        }

        void type(String line) {
            try {
                input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                input.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void stop() {
            shutdown.request();
            assertThat(status.join()).as(err.toString()).isZero();
            shutdown.done(0);
        }

        List<JsonObject> end() {
            stop();
            return out.toString()
                    .lines()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .toList();
        }
    }

    private static String freePort() throws IOException {
        return Integer.toString(TestPort.free());
    }

    private static Shell.Run run(String... arguments) {
        return new Shell(GAMES.toArray(Game[]::new)).run(arguments);
    }

    private static List<String> names(List<JsonObject> lines) {
        return lines.stream()
                .map(line -> line.get("dir").getAsString() + line.get("name").getAsString())
                .toList();
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void printsCapturesAndRecordsWhatABotDoes(Game game) throws Exception {
        Path pcap = folder.resolve("a.pcap");
        Path mcap = folder.resolve("a.mcap");
        List<JsonObject> lines;
        try (TestServer server = TestServer.start(game, 8, "")) {
            Running proxy =
                    new Running(
                            "proxy",
                            game.name(),
                            "--to",
                            server.address(),
                            "--listen",
                            freePort(),
                            "--json",
                            "--pcap",
                            pcap.toString(),
                            "--record",
                            mcap.toString());
            Shell.Run bot = run("bot", game.name(), proxy.address(), "--seconds", "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            proxy.type("status");
            proxy.err.await(Pattern.compile("[01] clients?, \\d+ half-open; up datagrams=[1-9]"));
            lines = proxy.end();
            assertThat(proxy.err.toString())
                    .contains("connected, from port")
                    .doesNotContain("defect");
        }
        assertThat(lines).hasSizeGreaterThan(20);
        assertThat(names(lines)).noneMatch(name -> name.matches("...(malformed|undecoded)"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pcap)))
                .isEqualTo("rw-------");
        // The capture, read as any other, gives the same messages.
        int port = Integer.parseInt(lines.getFirst().get("client").getAsString());
        Shell.Run inspected = run("inspect", pcap.toString(), "--json", "--game", game.name());
        assertThat(inspected.status()).as(inspected.err()).isZero();
        assertThat(names(inspected.json())).isEqualTo(names(lines));
        assertThat(inspected.json().getFirst().get("client").getAsInt()).isEqualTo(port);
        Shell.Run repaired = run("record", "--repair", mcap.toString());
        assertThat(repaired.err()).contains("complete already");
    }

    /** What a proxy of Bedrock prints of a bot's session. */
    private static List<String> bedrock(List<String> ofProxy, List<String> ofBot) throws Exception {
        Game game = Games.ALL.getLast();
        try (TestServer server = TestServer.start(game, 8, "")) {
            List<String> command = new ArrayList<>(List.of("proxy", "bedrock", "--to"));
            command.addAll(List.of(server.address(), "--listen", freePort(), "--json"));
            command.addAll(ofProxy);
            Running proxy = new Running(command.toArray(String[]::new));
            command = new ArrayList<>(List.of("bot", "bedrock", proxy.address(), "--seconds", "1"));
            command.addAll(ofBot);
            Shell.Run bot = run(command.toArray(String[]::new));
            assertThat(bot.status()).as(bot.err()).isZero();
            return names(proxy.end());
        }
    }

    @Test
    void decryptsNetherNetOnBothSides() throws Exception {
        List<String> nethernet = List.of("--transport", "nethernet");
        assertThat(bedrock(nethernet, nethernet))
                .contains("c2slogin", "s2cstart_game", "c2splayer_auth_input")
                .doesNotContain("s2cencrypted_batch");
    }

    @Test
    void leavesBedrockEncryptedIfTransparent() throws Exception {
        assertThat(bedrock(List.of("--transparent"), List.of()))
                .contains("c2slogin", "s2cencrypted_batch")
                .doesNotContain("s2cstart_game");
    }

    @Test
    void reportsThatBedrockServerIsNotReached() throws Exception {
        Running proxy =
                new Running("proxy", "bedrock", "--to", "127.0.0.1:9", "--listen", freePort());
        Shell.Run bot = run("bot", "bedrock", proxy.address(), "--seconds", "20");
        assertThat(bot.err()).contains("The proxy can't reach the server: ");
        proxy.err.await(Pattern.compile("client [0-9.:]+ ended: server not reached: "));
        proxy.end();
    }

    @Test
    void changesFaultsByLinesAndCountsWhatIsLost() throws Exception {
        try (TestServer server = TestServer.start(GAMES.getFirst(), 8, "")) {
            Running proxy =
                    new Running(
                            "proxy",
                            "sauerbraten",
                            "--to",
                            server.address(),
                            "--listen",
                            freePort(),
                            "--up",
                            "loss=1",
                            "--seed",
                            "5");
            String address = proxy.address();
            proxy.err.await(Pattern.compile("faults: up loss=1; down off; --seed 5 repeats them"));
            proxy.type("down delay=3 jitter=2");
            proxy.err.await(Pattern.compile("faults: up loss=1; down delay=3,jitter=2\\R"));
            proxy.type("nonsense");
            proxy.err.await(Pattern.compile("'nonsense' is not FAULT=NUMBER"));
            proxy.type("loss=100");
            proxy.err.await(Pattern.compile("faults: up loss=100; down delay=3,jitter=2,loss=100"));
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                byte[] question = {1, 2, 3};
                String[] parts = address.split(":");
                socket.send(
                        new java.net.DatagramPacket(
                                question,
                                question.length,
                                InetAddress.ofLiteral(parts[0]),
                                Integer.parseInt(parts[1])));
                // The loop may take the line before the datagram.
                Pattern lost = Pattern.compile("up datagrams=1 lost=1 ");
                while (!lost.matcher(proxy.err.toString()).find()) {
                    int before = proxy.err.toString().length();
                    proxy.type("status");
                    proxy.err.await(Pattern.compile("(?s).{" + before + "}.*half-open"));
                }
            }
            proxy.end();
        }
    }

    private static HttpResponse<byte[]> request(HttpRequest.Builder request) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer;
        }
    }

    private static byte[] get(String url) throws Exception {
        return request(HttpRequest.newBuilder(URI.create(url))).body();
    }

    private static JsonObject json(byte[] body) {
        return JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject();
    }

    private static List<Bytes> payloads(Path capture) throws IOException {
        List<Bytes> payloads = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                payloads.add(next.get().payload());
            }
        }
        return payloads;
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void exportsWhatThePageShows(Game game) throws Exception {
        Path all = folder.resolve("all.pcap");
        Path exported = folder.resolve("exported.pcap");
        try (TestServer server = TestServer.start(game, 8, "")) {
            Running proxy =
                    new Running(
                            "proxy",
                            game.name(),
                            "--to",
                            server.address(),
                            "--listen",
                            freePort(),
                            "--web",
                            "127.0.0.1:0",
                            "--pcap",
                            all.toString());
            String page = proxy.page();
            Shell.Run bot = run("bot", game.name(), proxy.address(), "--seconds", "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            long next = json(get(page + "rows?last=1")).get("next").getAsLong();
            List<JsonObject> lines =
                    new String(get(page + "export/jsonl?until=" + next), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> JsonParser.parseString(line).getAsJsonObject())
                            .toList();
            Files.write(exported, get(page + "export/pcap?until=" + next));
            proxy.end();

            assertThat(lines).hasSizeGreaterThan(20).hasSize((int) next);
            List<Bytes> some = payloads(exported);
            assertThat(payloads(all).subList(0, some.size())).isEqualTo(some);
            // The last datagram may have further lines.
            Shell.Run inspected =
                    run("inspect", exported.toString(), "--json", "--game", game.name());
            List<JsonObject> expected = inspected.json();
            // Times of a capture are since its first datagram.
            double start = lines.getFirst().get("time").getAsDouble();
            assertThat(expected).hasSizeGreaterThanOrEqualTo(lines.size());
            for (int i = 0; i < lines.size(); i++) {
                JsonObject line = lines.get(i);
                JsonObject same = expected.get(i);
                assertThat(line.remove("time").getAsDouble() - start)
                        .isCloseTo(same.remove("time").getAsDouble(), within(1e-6));
                assertThat(line).isEqualTo(same);
            }
        }
    }

    @Test
    void changesFaultsByPageAndLines() throws Exception {
        try (TestServer server = TestServer.start(GAMES.getFirst(), 8, "")) {
            Running proxy =
                    new Running(
                            "proxy",
                            "sauerbraten",
                            "--to",
                            server.address(),
                            "--listen",
                            freePort(),
                            "--web",
                            "127.0.0.1:0");
            String faults = proxy.page() + "faults";
            JsonObject changed =
                    json(
                            request(
                                            HttpRequest.newBuilder(URI.create(faults))
                                                    .POST(
                                                            HttpRequest.BodyPublishers.ofString(
                                                                    "up loss=7")))
                                    .body());
            assertThat(changed.getAsJsonObject("up").get("loss").getAsDouble()).isEqualTo(7);
            proxy.type("down delay=9");
            proxy.err.await(Pattern.compile("faults: up loss=7; down delay=9\\R"));
            JsonObject state = json(get(faults));
            assertThat(state.getAsJsonObject("down").get("delay").getAsDouble()).isEqualTo(9);
            assertThat(state.getAsJsonArray("faults")).hasSize(6);
            proxy.end();
        }
    }

    @Test
    void reportsLossOfLoad() throws Exception {
        Game game = Games.ALL.get(1);
        try (TestServer server = TestServer.start(game, 8, "")) {
            Running proxy =
                    new Running("proxy", "quake2", "--to", server.address(), "--listen", "0");
            Shell.Run load =
                    run(
                            "load",
                            "quake2",
                            proxy.address(),
                            "--clients",
                            "3",
                            "--seconds",
                            "2",
                            "--warm-up",
                            "0",
                            "--loss",
                            "10",
                            "--json");
            assertThat(load.status()).as(load.err()).isZero();
            JsonObject up = load.json().getFirst().getAsJsonObject("faults").getAsJsonObject("up");
            assertThat(up.get("sent").getAsLong()).isGreaterThan(50);
            assertThat(up.get("lost").getAsDouble() / up.get("sent").getAsDouble())
                    .isBetween(0.005, 0.4);
            proxy.end();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "quake3; missing --to",
                "quake3 --to 127.0.0.1:27960; is the proxy itself",
                "quake3 --to 127.0.0.1:5 --listen :5; is the proxy itself",
                "sauerbraten --to 127.0.0.1:65535; ports must be from 1 to 65534",
                "quake3 --to 127.0.0.1:5 --max-clients 0; --max-clients",
                "quake3 --to 127.0.0.1:5 --loss 200; loss must be from 0 to 100 percent",
                "quake3 --to 127.0.0.1:5 --up speed=2; --up",
                "quake3 --to 127.0.0.1:5 --transparent; --transparent: proxies of quake3 have no"
                        + " such",
                "quake3 --to 127.0.0.1:5 --transport raknet; --transport: proxies of quake3 have"
                        + " no",
                "bedrock --to 127.0.0.1:5 --transparent --transport raknet; without transparent",
                "bedrock --to 127.0.0.1:5 --transport tcp; must be raknet or nethernet",
                "quake3 --to 127.0.0.1:5 --listen 127.0.0.1:99999; --listen",
                "quake3 --to 127.0.0.1:5 --listen 0 --web 0 --web-memory 1; --web-memory: maximum"
                        + " must",
                "quake3 --to 127.0.0.1:5 --listen 0 --web 127.0.0.1:99999; --web:"
            })
    void refusesWrongUsage(String arguments, String problem) {
        List<String> words = new ArrayList<>(List.of("proxy"));
        words.addAll(Arrays.asList(arguments.split(" ")));
        Shell.Run run = run(words.toArray(String[]::new));
        assertThat(run.err()).contains(problem);
        assertThat(run.status()).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "sauerbraten; N_TEXT text=hello set \"text=good bye\"",
                "bedrock; text message=hello set \"message=good bye\"",
                "quake3; clientCommand \"text=say hello\" set \"text=say good bye\"",
                "quake2; stringcmd \"text=say \\\"hello\\\"\" set \"text=say good bye\""
            })
    void changesMessagesByRules(String played, String rule) throws Exception {
        Game game = GAMES.stream().filter(it -> it.name().equals(played)).findFirst().get();
        Path rules = Files.writeString(folder.resolve("a.rules"), "# chat\n" + rule + "\n");
        try (TestServer server = TestServer.start(game, 8, "")) {
            Running proxy =
                    new Running(
                            "proxy",
                            game.name(),
                            "--to",
                            server.address(),
                            "--listen",
                            freePort(),
                            "--rule",
                            rules.toString());
            String address = proxy.address();
            Running listener = new Running("bot", game.name(), server.address(), "--json");
            listener.out.await(Pattern.compile("\"self\":true"));
            Running speaker = new Running("bot", game.name(), address, "--say", "hello");
            listener.out.await(Pattern.compile("good bye"));
            speaker.stop();
            listener.stop();
            assertThat(listener.out.toString()).doesNotContain("hello");
            proxy.end();
        }
    }

    @Test
    void namesLineOfWrongRule() throws IOException {
        Path rules = Files.writeString(folder.resolve("b.rules"), "move drop\nmoves drop\n");
        Shell.Run run = run("proxy", "quake3", "--to", "127.0.0.1:5", "--rule", rules.toString());
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("b.rules, line 2: no message 'moves'; allowed: move,");
        run = run("proxy", "bedrock", "--to", "127.0.0.1:5", "--rule", rules.toString());
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("b.rules, line 1: no message 'move'; allowed: ");
        run = run("proxy", "quake3", "--to", "127.0.0.1:5", "--rule", "none.rules");
        assertThat(run.status()).isOne();
        assertThat(run.err()).contains("none.rules");
    }

    @Test
    void refusesPublicServerUnlessAllowed() {
        Shell.Run run = run("proxy", "quake3", "--to", "192.0.2.1");
        assertThat(run.status()).isOne();
        assertThat(run.err()).contains("public address", "--allow-public");
    }

    @Test
    void overwritesNoFile() throws IOException {
        Path file = Files.writeString(folder.resolve("b.pcap"), "mine");
        Shell.Run run =
                run(
                        "proxy",
                        "quake3",
                        "--to",
                        "127.0.0.1:5",
                        "--listen",
                        "0",
                        "--pcap",
                        file.toString());
        assertThat(run.status()).isOne();
        assertThat(run.err()).contains("b.pcap exists and is not overwritten");
        assertThat(file).hasContent("mine");
    }

    @Test
    void namesPortInUse() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Shell.Run run =
                    run(
                            "proxy",
                            "quake3",
                            "--to",
                            "127.0.0.1:5",
                            "--listen",
                            Integer.toString(socket.getLocalPort()));
            assertThat(run.status()).isOne();
            assertThat(run.err()).contains("in use", "--listen");
        }
    }
}
