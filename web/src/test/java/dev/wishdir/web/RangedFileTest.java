package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A file of a {@link WebServer}, requested whole and in ranges. */
@Timeout(60)
class RangedFileTest {
    private static final int SIZE = 200_000;

    private final HttpClient http = HttpClient.newHttpClient();
    private byte[] content = new byte[0];
    private Path file = Path.of("");
    private WebServer server;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        content = new byte[SIZE];
        new Random(1).nextBytes(content);
        file = folder.resolve("match.mcap");
        Files.write(file, content);
        RangedFile ranged = new RangedFile(file, "application/vnd.mcap");
        server =
                WebServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new WebHosts(List.of()),
                        List.of(routes -> {
                            routes.get("/recording", ranged::answer);
                            routes.head("/recording", ranged::answer);
                        }));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<byte[]> send(String method, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url() + "recording"))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0,            0,      1",
        "bytes=0-99999,        0,      100000",
        "bytes=131072-,        131072, 200000",
        "bytes=199999-199999,  199999, 200000",
        "bytes=199999-999999,  199999, 200000",
        "bytes=5-99999999999999999999999, 5, 200000",
        "bytes=-1,             199999, 200000",
        "bytes=-65536,         134464, 200000",
        "bytes=-999999999999999999999999, 0, 200000",
    })
    void sendsRange(String range, int from, int to) throws Exception {
        HttpResponse<byte[]> response = send("GET", "Range", range);
        assertThat(response.statusCode()).isEqualTo(206);
        assertThat(header(response, "Content-Range"))
                .isEqualTo("bytes " + from + "-" + (to - 1) + "/" + SIZE);
        assertThat(header(response, "Content-Length")).isEqualTo(Integer.toString(to - from));
        assertThat(response.body()).isEqualTo(Arrays.copyOfRange(content, from, to));
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=200000-",
        "bytes=200000-300000",
        "bytes=99999999999999999999-",
        "bytes=-0",
    })
    void refusesRangeBeyondEnd(String range) throws Exception {
        HttpResponse<byte[]> response = send("GET", "Range", range);
        assertThat(response.statusCode()).isEqualTo(416);
        assertThat(header(response, "Content-Range")).isEqualTo("bytes */" + SIZE);
        assertThat(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo("the file has 200000 bytes");
    }

    /** A server may ignore a range that it does not understand, and sends the whole file. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=9-5",
                "bytes=-",
                "bytes=",
                "bytes=a-b",
                "bytes=1",
                "bytes=--5",
                "bytes=0-1,5-6",
                "bytes=0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0",
                "lines=0-5",
                "0-5",
            })
    void sendsWholeFileForOtherRanges(String range) throws Exception {
        checkWhole(send("GET", "Range", range));
    }

    @Test
    void sendsWholeFileWithoutRange() throws Exception {
        checkWhole(send("GET"));
        checkWhole(send("GET", "Accept-Encoding", "gzip"));
    }

    private void checkWhole(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
        assertThat(header(response, "Content-Encoding")).isEmpty();
        assertThat(header(response, "Content-Length")).isEqualTo(Integer.toString(SIZE));
        assertThat(response.body()).isEqualTo(content);
    }

    @Test
    void reportsSizeToHead() throws Exception {
        for (String[] headers : new String[][] {{}, {"Range", "bytes=0-5"}}) {
            HttpResponse<byte[]> response = send("HEAD", headers);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
            assertThat(header(response, "Content-Length")).isEqualTo(Integer.toString(SIZE));
            assertThat(response.body()).isEmpty();
        }
    }

    @Test
    void sendsEmptyFile() throws Exception {
        Files.write(file, new byte[0]);
        assertThat(send("GET").body()).isEmpty();
        assertThat(send("GET", "Range", "bytes=0-").statusCode()).isEqualTo(416);
        assertThat(send("GET", "Range", "bytes=-5").statusCode()).isEqualTo(416);
    }

    @Test
    void failsWithoutFile() throws Exception {
        Files.delete(file);
        assertThat(send("GET").statusCode()).isEqualTo(500);
    }
}
