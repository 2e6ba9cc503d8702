package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.wishdir.app.replay.RangeDownload.Limits;
import dev.wishdir.net.Certificate;
import dev.wishdir.record.RecordingGenerator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.SSLContext;

/** Files that grow on web servers, honest and hostile ones. */
@Timeout(60)
class RangeDownloadTest {
    private static final Limits LIMITS = new Limits(8 << 20, Duration.ofSeconds(20));
    private static final Limits IMPATIENT = new Limits(8 << 20, Duration.ofMillis(300));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile byte[] file = new byte[0];
    private volatile String path = "/hall.mcap.part";
    private long now;

    RangeDownloadTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private RangeDownload download(String path, Limits limits) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        return new RangeDownload(uri, limits, Optional.empty(), () -> now);
    }

    private void handle(HttpHandler handler) {
        server.createContext(
                "/",
                exchange -> {
                    requests.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders());
                    try (exchange) {
                        handler.handle(exchange);
                    }
                });
    }

    /** Serves the file as a static server does. */
    private void serve(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestURI().getPath().equals(path)) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        String[] range = exchange.getRequestHeaders().getFirst("Range").substring(6).split("-", -1);
        int first = Integer.parseInt(range[0]);
        byte[] whole = file;
        if (first >= whole.length) {
            exchange.getResponseHeaders().set("Content-Range", "bytes */" + whole.length);
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        int last = Math.min(Integer.parseInt(range[1]), whole.length - 1);
        answer(exchange, first + "-" + last + "/" + whole.length, last - first + 1);
    }

    private void answer(HttpExchange exchange, String range, int length) throws IOException {
        exchange.getResponseHeaders().set("Content-Range", "bytes " + range);
        exchange.getResponseHeaders().set("Set-Cookie", "session=1");
        exchange.sendResponseHeaders(206, length);
        int from = Integer.parseInt(range.substring(0, range.indexOf('-')));
        exchange.getResponseBody().write(Arrays.copyOfRange(file, from, from + length));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void fetchesWhatIsAppendedAndTheFinalName() throws IOException {
        byte[] whole = bytes(3_500_000);
        file = Arrays.copyOf(whole, 2_500_000);
        handle(this::serve);
        try (RangeDownload download = download("/hall.mcap.part", LIMITS)) {
            assertThat(download.fetch()).isTrue();
            assertThat(download.file()).hasBinaryContent(file);
            assertThat(requests).hasSize(3);
            assertThat(download.fetch()).as("too early").isFalse();
            assertThat(requests).hasSize(3);
            now += RangeDownload.MIN_INTERVAL_NANOS;
            assertThat(download.fetch()).as("nothing new").isFalse();
            file = whole;
            path = "/hall.mcap";
            now += RangeDownload.MIN_INTERVAL_NANOS;
            assertThat(download.fetch()).isTrue();
            assertThat(download.file()).hasBinaryContent(whole);
            assertThat(download.title()).isEqualTo("127.0.0.1/hall.mcap");
            assertThat(requests)
                    .noneMatch(request -> request.contains("ookie") || request.contains("uthor"));
        }
    }

    @Test
    void followsRecordingOnWebServer(@TempDir Path folder) throws IOException {
        Path local = folder.resolve("match.mcap");
        RecordingGenerator.write(local, 5, 8, 20_000);
        byte[] whole = Files.readAllBytes(local);
        file = Arrays.copyOf(whole, whole.length / 2);
        handle(this::serve);
        try (RecordingSource expected = RecordingSource.open(local);
                UrlSource source = UrlSource.open(download("/hall.mcap.part", LIMITS))) {
            assertThat(source.startNanos()).isEqualTo(expected.startNanos());
            assertThat(source.endNanos()).isBetween(source.startNanos(), expected.endNanos() - 1);
            ReplaySource.Events events = source.eventsAfter(0);
            ReplaySource.Events all = expected.eventsAfter(0);
            int compared = 0;
            for (var event = events.next(); event != null; event = events.next()) {
                assertThat(event).isEqualTo(all.next());
                compared++;
            }
            assertThat(compared).isPositive();
            assertThat(source.isComplete()).isFalse();
            file = whole;
            path = "/hall.mcap";
            now += RangeDownload.MIN_INTERVAL_NANOS;
            source.refresh();
            for (var event = events.next(); event != null; event = events.next()) {
                assertThat(event).isEqualTo(all.next());
            }
            assertThat(all.next()).isNull();
            assertThat(source.isComplete()).isTrue();
            assertThat(source.endNanos()).isEqualTo(expected.endNanos());
            assertThat(source.stateAt(source.endNanos()))
                    .hasSameElementsAs(expected.stateAt(expected.endNanos()));
        }
    }

    /** Serves the file with a certificate; its URL. */
    private URI serveHttps(Certificate certificate) throws IOException {
        HttpsServer https =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        server.stop(0);
        server = https;
        start();
        handle(this::serve);
        return URI.create("https://127.0.0.1:" + https.getAddress().getPort() + path);
    }

    private RangeDownload download(URI uri, Optional<SSLContext> tls) throws IOException {
        return new RangeDownload(uri, LIMITS, tls, () -> now);
    }

    @Test
    void followsServerWithTrustedCertificate(@TempDir Path folder) throws Exception {
        file = bytes(2_500_000);
        Certificate certificate = Certificate.in(folder);
        URI uri = serveHttps(certificate);
        try (RangeDownload download =
                download(uri, Optional.of(TrustedCertificates.read(certificate.chain())))) {
            assertThat(download.fetch()).isTrue();
            assertThat(download.file()).hasBinaryContent(file);
        }
        try (RangeDownload download = download(uri, Optional.empty())) {
            assertThatExceptionOfType(IOException.class)
                    .as("Java does not trust a self-signed one")
                    .isThrownBy(download::fetch)
                    .withMessageContaining("unable to find valid certification path");
        }
    }

    @Test
    @DisplayName("M10 a web server has another server's certificate")
    void refusesCertificateOfOtherServer(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.in(folder, "dns:other.example");
        URI uri = serveHttps(certificate);
        try (RangeDownload download =
                download(uri, Optional.of(TrustedCertificates.read(certificate.chain())))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(download::fetch)
                    .withMessageContaining("127.0.0.1");
            assertThat(Files.size(download.file())).isZero();
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void deletesTheCopy() throws IOException {
        handle(this::serve);
        RangeDownload download = download("/hall.mcap.part", LIMITS);
        assertThat(download.file()).exists();
        download.close();
        assertThat(Files.exists(download.file())).isFalse();
    }

    @Test
    void waitsOutAnOutage() throws IOException {
        file = bytes(1_000);
        boolean[] out = {false};
        handle(exchange -> {
            if (out[0]) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                serve(exchange);
            }
        });
        try (RangeDownload download = download("/hall.mcap.part", LIMITS)) {
            assertThat(download.fetch()).isTrue();
            out[0] = true;
            int before = requests.size();
            for (int second = 0; second < 120; second++) {
                now += 1_000_000_000L;
                assertThat(download.fetch()).isFalse();
            }
            assertThat(requests.size() - before).as("fewer and fewer").isBetween(5, 12);
            out[0] = false;
            file = bytes(2_000);
            now += 60_000_000_000L;
            assertThat(download.fetch()).isTrue();
            assertThat(Files.size(download.file())).isEqualTo(2_000);
        }
    }

    @ParameterizedTest
    @DisplayName("M10 a web server lies about ranges")
    @CsvSource(
            delimiter = '|',
            value = {
                "1-99/1000 | 99 | sent 99 bytes as 1-99 of 1000",
                "0-999/1000 | 500 | sent 500 bytes as 0-999 of 1000",
                "0-499/300 | 500 | sent 500 bytes as 0-499 of 300",
                "0-499/9999999999 | 500 | at most 8 MiB are copied from a web server",
                "0-499/* | 500 | does not say which bytes it has",
                "0-499/99999999999999999999 | 500 | does not say which bytes it has"
            })
    void refusesLies(String range, int length, String problem) throws IOException {
        file = bytes(1_000);
        handle(exchange -> answer(exchange, range, length));
        assertRefused(LIMITS, problem);
    }

    @ParameterizedTest
    @DisplayName("M10 a web server answers otherwise than with a range")
    @ValueSource(ints = {200, 204, 301, 302, 307, 308, 401, 403, 404, 500, 503})
    void refusesOtherAnswers(int status) throws IOException {
        handle(exchange -> {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"x\"");
            exchange.sendResponseHeaders(status, -1);
        });
        assertRefused(LIMITS, Integer.toString(status));
        assertThat(requests).noneMatch(request -> request.contains("elsewhere"));
    }

    @Test
    @DisplayName("M10 a web server's answer never ends")
    void refusesEndlessAnswer() throws IOException {
        handle(exchange -> {
            exchange.getResponseHeaders().set("Content-Range", "bytes 0-499/500");
            exchange.sendResponseHeaders(206, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                byte[] part = new byte[65_536];
                while (!Thread.currentThread().isInterrupted()) {
                    body.write(part);
                }
            }
        });
        assertRefused(LIMITS, "");
    }

    @Test
    @DisplayName("M10 a web server falls silent")
    void refusesSilentServer() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        handle(exchange -> {
            exchange.getResponseHeaders().set("Content-Range", "bytes 0-499/500");
            exchange.sendResponseHeaders(206, 500);
            exchange.getResponseBody().write(new byte[100]);
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertRefused(IMPATIENT, "");
        over.countDown();
    }

    @Test
    @DisplayName("M10 a file on a web server is replaced by a shorter one")
    void refusesShorterFile() throws IOException {
        file = bytes(1_000);
        handle(this::serve);
        try (RangeDownload download = download("/hall.mcap.part", LIMITS)) {
            download.fetch();
            file = bytes(500);
            now += RangeDownload.MIN_INTERVAL_NANOS;
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(download::fetch)
                    .withMessageContaining("has 500 bytes, of which 1000 were read before");
        }
    }

    private void assertRefused(Limits limits, String problem) throws IOException {
        try (RangeDownload download = download("/hall.mcap", limits)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(download::fetch)
                    .withMessageContaining(problem);
            assertThat(Files.size(download.file())).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http:///x.mcap",
                "http://me:secret@host/x.mcap",
                "https://host/x#y",
                "http://a b"
            })
    void refusesUrls(String url) {
        assertThat(RangeDownload.isUrl(url)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangeDownload.check(url))
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
    }
}
