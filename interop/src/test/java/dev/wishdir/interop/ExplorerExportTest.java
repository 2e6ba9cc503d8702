package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.explore.CaptureIndex;
import dev.wishdir.web.explore.Explorer;
import dev.wishdir.web.explore.MovementSource;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What the explorer exports of captures, compared with what {@code inspect} reads of them. */
@Timeout(120)
@Tag("slow")
class ExplorerExportTest {
    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir private Path directory;

    @AfterEach
    void close() {
        http.close();
    }

    private static Inspector inspector(boolean explain, Consumer<DissectedMessage> lines)
            throws IOException {
        List<Dissector> dissectors = new ArrayList<>();
        for (var game : FourGames.ALL) {
            dissectors.add(game.dissector(explain, Optional.empty()));
        }
        return Inspector.of(dissectors, lines);
    }

    private Path copy(String resource) throws IOException {
        Path file = directory.resolve(Path.of(resource).getFileName());
        try (InputStream in = requireNonNull(getClass().getResourceAsStream(resource))) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private static WebServer serve(Path... files) throws IOException {
        CaptureIndex index = CaptureIndex.open(MovementSource.Factory.NONE);
        for (Path file : files) {
            Inspector[] made = new Inspector[1];
            index.read(
                    file,
                    lines -> {
                        try {
                            made[0] = inspector(true, lines);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                        return made[0];
                    },
                    (_, _) -> true);
        }
        index.finish();
        return WebServer.start(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                new WebHosts(List.of()),
                List.of(new Explorer(index)));
    }

    private byte[] get(WebServer server, String path) throws Exception {
        HttpResponse<byte[]> answer =
                http.send(
                        HttpRequest.newBuilder(URI.create(server.url() + "explore/" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    private List<String> lines(WebServer server, String path) throws Exception {
        return new String(get(server, path), StandardCharsets.UTF_8).lines().toList();
    }

    private static List<Datagram> datagrams(InputStream capture) throws IOException {
        List<Datagram> datagrams = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.of(capture)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                datagrams.add(next.get());
            }
        }
        return datagrams;
    }

    @ParameterizedTest
    @CsvSource({
        "/captures/two_clients.pcap, N_POS",
        "/captures/03-yq2server-two-clients.pcap, frame",
        "/dev/wishdir/quake3/ioq3-modern71-aggressor-2clients.pcap, snapshot",
        "/captures/plain-client-auth.pcap, move_player"
    })
    void exportsWhatInspectReads(String resource, String message) throws Exception {
        Path file = copy(resource);
        List<String> all = new ArrayList<>();
        List<String> some = new ArrayList<>();
        Set<Long> frames = new HashSet<>();
        Inspector reference =
                inspector(
                        false,
                        line -> {
                            String json = JsonLines.written(line).line();
                            all.add(json);
                            if (line.name().equals(message)) {
                                some.add(json);
                                frames.add(line.frame());
                            }
                        });
        try (CaptureReader reader = CaptureReader.open(file)) {
            reference.capture(reader);
        }
        try (WebServer server = serve(file)) {
            assertThat(lines(server, "export/jsonl")).isEqualTo(all);
            assertThat(lines(server, "export/jsonl?name=" + message)).isEqualTo(some).isNotEmpty();
            List<Datagram> exported =
                    datagrams(new ByteArrayInputStream(get(server, "export/pcap?name=" + message)));
            List<Datagram> expected =
                    datagrams(Files.newInputStream(file)).stream()
                            .filter(it -> frames.contains(it.frame()))
                            .toList();
            assertThat(exported).hasSameSizeAs(expected).hasSizeLessThan(all.size());
            for (int i = 0; i < expected.size(); i++) {
                assertThat(exported.get(i).payload()).isEqualTo(expected.get(i).payload());
                assertThat(exported.get(i).source()).isEqualTo(expected.get(i).source());
                assertThat(exported.get(i).destination()).isEqualTo(expected.get(i).destination());
            }
            List<String> rows = lines(server, "export/csv?name=" + message);
            assertThat(rows).hasSize(some.size() + 1);
            JsonObject first = JsonParser.parseString(some.getFirst()).getAsJsonObject();
            assertThat(rows.get(1))
                    .startsWith(
                            file.getFileName()
                                    + ","
                                    + first.get("frame")
                                    + ","
                                    + first.get("time")
                                    + ","
                                    + first.get("dir").getAsString()
                                    + ","
                                    + first.get("client")
                                    + ",")
                    .contains("," + message + ",\"{");
        }
    }

    @Test
    void namesFileInLinesOfSeveralCaptures() throws Exception {
        Path first = copy("/captures/two_clients.pcap");
        Path second = copy("/captures/plain-client-auth.pcap");
        try (WebServer server = serve(first, second)) {
            assertThat(lines(server, "export/jsonl?game=bedrock"))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("{\"file\":\"plain-client-auth.pcap\",\""));
            List<Datagram> both = datagrams(new ByteArrayInputStream(get(server, "export/pcap")));
            List<Datagram> one =
                    datagrams(new ByteArrayInputStream(get(server, "export/pcap?game=bedrock")));
            assertThat(one).hasSizeLessThan(both.size()).isNotEmpty();
        }
    }
}
