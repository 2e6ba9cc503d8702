package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Main;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The example of a fifth game: on the class path, it is a game of every command. */
@Timeout(300)
class FifthGameIT {
    private static final Path SOURCES = Path.of("../examples/src/main/java/dev/wishdir/examples");
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir private Path folder;
    private final List<Peer> peers = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private String classPath;

    /** Compiles the game's module: its classes, and the file that names it. */
    @BeforeEach
    void compile() throws Exception {
        Path module = folder.resolve("words");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-d",
                                module.toString(),
                                "-cp",
                                System.getProperty("java.class.path")));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.filter(file -> file.getFileName().toString().startsWith("Word"))
                    .forEach(file -> arguments.add(file.toString()));
        }
        int status =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.out, System.err, arguments.toArray(String[]::new));
        assertThat(status).isZero();
        Path services = Files.createDirectories(module.resolve("META-INF/services"));
        Files.writeString(services.resolve(Game.class.getName()), "dev.wishdir.examples.WordGame");
        classPath = System.getProperty("java.class.path") + File.pathSeparator + module;
    }

    @AfterEach
    void close() {
        http.close();
        peers.reversed().forEach(Peer::close);
    }

    private Peer wishdir(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                Main.class.getName()));
        command.addAll(List.of(arguments));
        Peer peer =
                Peer.start(folder, Map.of("CLASSPATH", classPath), command.toArray(String[]::new));
        peers.add(peer);
        return peer;
    }

    private List<String> run(String... arguments) throws Exception {
        Peer peer = wishdir(arguments);
        assertThat(peer.awaitExit(SOON)).as("%s", peer.lines()).isZero();
        return peer.lines();
    }

    /** What follows a text in a line, up to a comma or blank. */
    private static String after(Peer peer, String text) {
        String line = peer.awaitLine(text, SOON);
        return line.substring(line.indexOf(text) + text.length()).replaceFirst("[, ].*", "");
    }

    private String get(String url) throws Exception {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(URI.create(url)).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(url).isEqualTo(200);
        return answer.body();
    }

    @Test
    void checksPortAndSaysHowToJoin() throws Exception {
        Peer doctor = wishdir("doctor", "--json");
        doctor.awaitExit(SOON);
        assertThat(doctor.lines())
                .anyMatch(line -> line.contains("UDP 7777, Words: "))
                .anyMatch(line -> line.contains("\"Words: connect to "));
    }

    @Test
    void servesConnectsPassesOnAndExplains() throws Exception {
        Path capture = folder.resolve("words.pcap");
        Peer server =
                wishdir(
                        "serve",
                        "--words",
                        "127.0.0.1:0",
                        "--events",
                        "-",
                        "--web",
                        "127.0.0.1:0",
                        "--damage",
                        "words=2");
        String port = after(server, "players connect to 127.0.0.1, port ");
        String map = "http://127.0.0.1:" + after(server, "http://127.0.0.1:");
        Peer proxy =
                wishdir(
                        "proxy",
                        "words",
                        "--to",
                        "127.0.0.1:" + port,
                        "--listen",
                        "0",
                        "--print",
                        "--pcap",
                        capture.toString(),
                        "--web",
                        "127.0.0.1:0");
        String clients = after(proxy, "clients connect to ");
        String page = after(proxy, "page: ");
        List<String> seen =
                run("bot", "words", clients, "--name", "anna", "--seconds", "2", "--json");
        assertThat(seen).anyMatch(line -> line.contains("\"move\""));
        assertThat(server.awaitLine("\"event\":\"join\"", SOON))
                .contains("\"game\":\"words\"", "anna");
        proxy.awaitLine("JOIN", SOON);
        assertThat(get(map + "games.css")).contains(".words { color: ");
        assertThat(get(page + "ways")).contains("\"game\":\"words\"");
        proxy.terminate();
        proxy.awaitExit(SOON);

        List<String> lines = run("inspect", capture.toString(), "--json", "--player", "anna");
        assertThat(lines).anyMatch(line -> line.contains("\"MOVE\""));

        Peer explorer = wishdir("explore", capture.toString(), "--web", "127.0.0.1:0");
        String index = "http://" + after(explorer, "lines: http://");
        assertThat(get(index + "summary")).contains("\"words\"", "anna");
        assertThat(get(index + "ways")).contains("\"game\":\"words\"");
        assertThat(get(index.replace("explore/", "games.css"))).contains("--body-words: #");
    }
}
